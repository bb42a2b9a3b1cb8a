import assert from 'node:assert/strict'
import { test } from 'node:test'
import { healthOfSources } from '../src/domain/collecting/health.ts'
import { storeFiguresNow } from '../src/domain/work/store-figures.ts'
import { playedSources, startApple } from './support/apple.ts'
import { openWorld } from './support/world.ts'

test('a chart that the newer feed does not know says something of that feed, and nothing of the older one', async () => {
  await using apple = await startApple()
  await using world = await openWorld({ sources: { ...playedSources(apple), chartFeed: 'v2' } })
  apple.behave('/api/v2', { does: 'status', status: 404 })
  const chart = { country: 'us', kind: 'top-free', categoryId: 36, device: 'iphone' } as const
  await assert.rejects(world.collecting.collector.chart(chart, new AbortController().signal), /answers 404/)
  const health = await healthOfSources(world.store.db)
  assert.deepEqual(
    health.map(({ source, failingSince }) => [source, failingSince]),
    [['apple-rss-v2', null]],
  )
})

test('calls of an upstream are counted by how they ended, attempt by attempt and over processes', async () => {
  await using apple = await startApple()
  await using world = await openWorld({ sources: { ...playedSources(apple), chartFeed: 'v2' } })
  const chart = { country: 'us', kind: 'top-free', categoryId: 36, device: 'iphone' } as const
  const collect = () => world.collecting.collector.chart(chart, new AbortController().signal)
  await collect()
  apple.behave('/api/v2', { does: 'status', status: 404 })
  await assert.rejects(collect)
  apple.behave('/api/v2', { does: 'status', status: 503 })
  await assert.rejects(collect)
  const figures = await storeFiguresNow(world.store)
  const counts = figures.filter(({ name }) => name === 'rivalscope_upstream_calls_total')
  const ended = Object.fromEntries(counts.map(({ labels, value }) => [labels.join(' '), value]))
  const { attempts } = world.collecting.sources['apple-rss']
  assert.deepEqual(ended, {
    'apple-rss answered': 1,
    'apple-rss not-found': 1,
    'apple-rss unavailable': attempts,
  })
})
