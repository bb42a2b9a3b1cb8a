import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { operate } from '../support/operator.ts'
import { until } from '../support/until.ts'
import { openWorld, sharedData } from '../support/world.ts'

const directory = 'apple/charts/us-daily-2026'
const skip = existsSync(join(sharedData, directory))
  ? false
  : 'the real material is not beside the project (../shared/data)'

interface Feed {
  chart: string
  date: string
  ids: string[]
}

/** The charts as the files hold them, oldest first, read without any of the product's own reading. */
const feeds = (): Feed[] =>
  readdirSync(join(sharedData, directory))
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const { date, items } = JSON.parse(readFileSync(join(sharedData, directory, name), 'utf8'))
      return { chart: name.replace(date, ''), date, ids: items.map(({ id }: { id: string }) => id) }
    })
    .sort((one, other) => (one.date < other.date ? -1 : 1))

test('on real charts exactly those apps are new entries that no earlier chart showed', { skip }, async () => {
  await using world = await openWorld({ works: true })
  await world.import({ kind: 'charts', paths: [directory] })
  const windowDays = 7
  await world.call('discover_emerging_ios_competitors', { windowDays, limit: 100 })
  const { body } = await until(
    () => world.call('list_emerging_ios_competitors', { limit: 100 }),
    ({ body }) => body.lastRun.finishedAt !== null,
  )
  assert.equal(body.lastRun.status, 'succeeded')
  assert.ok(body.lastRun.found < 100, 'none was left out')
  const found = body.items
    .filter(({ reasons }: { reasons: { kind: string }[] }) => reasons.some(({ kind }) => kind === 'new-entry'))
    .map(({ app }: { app: { storeId: string } }) => app.storeId)

  const all = feeds()
  const end = Date.parse(all.at(-1)?.date ?? '')
  const isWithin = ({ date }: Feed) => Date.parse(date) > end - windowDays * 86_400_000
  const strong = new Set<string>()
  const anyNew = new Set<string>()
  for (const ofChart of Map.groupBy(all, ({ chart }) => chart).values()) {
    const within = ofChart.filter(isWithin)
    const old = new Set(ofChart.filter((feed) => !isWithin(feed)).flatMap(({ ids }) => ids))
    for (const id of new Set(within.flatMap(({ ids }) => ids))) {
      const ranks = within.map(({ ids }) => ids.indexOf(id) + 1)
      const ranked = ranks.filter((rank) => rank > 0)
      if (old.has(id) || ranks.at(-1) === 0) continue
      anyNew.add(id)
      // Whoever stands in the upper half, near its best, is strong enough to be kept, whatever the weights.
      if ((ranks.at(-1) ?? 0) <= Math.min(50, 1.5 * Math.min(...ranked))) strong.add(id)
    }
  }
  assert.ok(strong.size > 3)
  assert.deepEqual(
    [...strong].filter((id) => !found.includes(id)),
    [],
    'every strong entry is found',
  )
  assert.deepEqual(
    found.filter((id: string) => !anyNew.has(id)),
    [],
    'nothing else is',
  )
})

test('on real charts a run tells new apps from those that moved up, and what became of such apps before', {
  skip,
}, async () => {
  await using world = await openWorld({ works: true })
  await world.import({ kind: 'charts', paths: [directory] })
  await world.call('discover_emerging_ios_competitors', { limit: 100 })
  const { body } = await until(
    () => world.call('list_emerging_ios_competitors', { limit: 100 }),
    ({ body }) => body.lastRun.finishedAt !== null,
  )
  const { backtest } = body.lastRun
  assert.equal(backtest.verdict, 'does-not-foretell')
  assert.match(backtest.detail, /^on these charts moving up did not predict better ranks: .* 10 days later /)

  const items: { kind: string; releasedOn: string | null; app: { storeId: string }; score: number }[] =
    body.items
  const movedUp = items.filter(({ kind }) => kind === 'moved-up')
  assert.ok(movedUp.length > 5 && items.some(({ kind }) => kind === 'new-in-charts'))
  assert.ok(
    movedUp.every(({ releasedOn }) => releasedOn !== null),
    'the charts state releases',
  )
  const byChart = Map.groupBy(feeds(), ({ chart }) => chart)
  for (const { app } of movedUp) {
    const isHeld = [...byChart.values()].some((ofChart) => {
      const newest = ofChart.slice(-3).map(({ ids }) => ids.indexOf(app.storeId))
      return newest.every((place) => place >= 0)
    })
    assert.ok(isHeld, `${app.storeId} stands in the three newest snapshots of a chart`)
  }

  const { out } = await operate(world, { command: 'backtest', options: { models: ['emerging'], json: true } })
  const { outcome } = JSON.parse(out).results[0]
  assert.equal(outcome.state, 'measured')
  assert.ok(outcome.interval.high < outcome.baselineFigure)
})
