import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { doForEach } from './do-for-each.ts'

const items = Array.from({ length: 20 }, (_, index) => index)

test('no more are under way at once than allowed, and all are done', async () => {
  let underWay = 0
  let most = 0
  const { done, left, error } = await doForEach(
    items,
    async () => {
      most = Math.max(most, ++underWay)
      await turn()
      underWay -= 1
    },
    { atOnce: 4 },
  )
  assert.equal(most, 4)
  assert.equal(done.length, 20)
  assert.deepEqual([left, error], [[], undefined])
})

test('after a failure nothing new is begun, and what was not done is handed back', async () => {
  const tried: number[] = []
  const { done, left, error } = await doForEach(
    items,
    async (item) => {
      tried.push(item)
      await turn()
      if (item === 5) throw new Error('no')
    },
    { atOnce: 2 },
  )
  assert.match(String(error), /no/)
  assert.ok(tried.length < 10)
  assert.ok(left.includes(5))
  assert.deepEqual(
    [...done, ...left].sort((a, b) => a - b),
    items,
  )
})

test('a stop ends it without a failure', async () => {
  const stop = new AbortController()
  const { left, error } = await doForEach(items, async (item) => item === 3 && stop.abort(), {
    atOnce: 1,
    signal: stop.signal,
  })
  assert.equal(error, undefined)
  assert.equal(left.length, 16)
})
