import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { present } from '../../src/cli/present/present.ts'
import { rows } from '../../src/storage/database.ts'
import { openFolder } from '../support/files.ts'
import { until } from '../support/until.ts'
import { type Answer, openWorld, type Reply, type World } from '../support/world.ts'

const folder = openFolder()
after(() => folder[Symbol.dispose]())

const pipe = { width: Number.POSITIVE_INFINITY, colour: false, unicode: true, drawings: false }
const settled = Array.from({ length: 60 }, (_, index) => 1001 + index)
const date = (day: number) => new Date(Date.UTC(2026, 2, day)).toISOString().slice(0, 10)

/** A chart with an app put at a rank of an otherwise unmoved order. */
function placed(places: Record<number, number>): number[] {
  const ids = settled.filter((id) => !(id in places))
  for (const [id, rank] of Object.entries(places).sort((one, other) => one[1] - other[1]))
    ids.splice(rank - 1, 0, Number(id))
  return ids.slice(0, 50)
}

/** Stores a capture of a chart on a day of March 2026. */
async function captured(world: World, day: number, ids: readonly number[], more: object = {}) {
  const chart = {
    country: 'us',
    chart: 'top-free',
    category: '6015',
    capturedAt: `${date(day)}T18:00:00Z`,
    ...more,
  }
  const places = ids.map((id, index) => ({ ...chart, rank: index + 1, id, name: `App ${id}` }))
  const summary = await world.import({
    kind: 'charts',
    paths: [folder.write('chart.json', JSON.stringify(places))],
  })
  assert.equal(summary.rejected, 0)
}

/** Stores an answer of the Lookup API about one app. */
async function lookedUp(world: World, day: number, storeId: number, more: object) {
  const app = {
    wrapperType: 'software',
    kind: 'software',
    trackId: storeId,
    trackName: `App ${storeId}`,
    ...more,
  }
  const path = folder.write('lookup.json', JSON.stringify({ resultCount: 1, results: [app] }))
  await world.import({ kind: 'catalogue', paths: [path], country: 'us', observedAt: `${date(day)}T18:00:00Z` })
}

/** Asks for a run and waits until it has ended. */
async function discovered(world: World, input: object = {}) {
  const asked = await world.call('discover_emerging_ios_competitors', { ...input })
  assert.equal(asked.status, 202)
  const { country, categoryId } = asked.body
  const where = { country, ...(categoryId ? { categoryId } : {}) }
  const { body } = await until(
    () => world.call('list_emerging_ios_competitors', where),
    ({ body }) => body.lastRun.status !== 'queued' && body.lastRun.status !== 'running',
  )
  assert.equal(body.lastRun.runId, asked.body.runId)
  return { run: body.lastRun, items: body.items }
}

const reported = (items: { app: { storeId: string }; reasons: { kind: string; detail: string }[] }[]) =>
  items.map(({ app, reasons }) => [Number(app.storeId), ...reasons.map(({ detail }) => detail)])

test('without a run the list is empty and says that nobody looked; reading starts nothing', async () => {
  await using world = await openWorld()
  const { body } = await world.call('list_emerging_ios_competitors', {})
  const { asOf, ...found } = body
  assert.deepEqual(found, { items: [], nextCursor: null, lastRun: null, trouble: [] })
  assert.deepEqual([asOf.newestEvidenceAt, asOf.state], [null, 'unknown'])
  await captured(world, 10, placed({}))
  const charted = (await world.call('list_emerging_ios_competitors', {})).body
  assert.deepEqual(charted, body, 'charts alone make no candidate')
  assert.match(
    present('list_emerging_ios_competitors', charted, pipe),
    /No discovery run was made for this yet, whatever charts are stored/,
  )
  const [work] = await rows(world.store.db, sql<{ count: number }>`select count(*)::int as count from work`)
  assert.equal(work?.count, 0)
})

test('a store without charts yields nothing and the run says why', async () => {
  await using world = await openWorld({ works: true })
  const { run, items } = await discovered(world)
  assert.equal(run.status, 'partial')
  assert.deepEqual([run.examined, run.found, run.takenIn], [0, 0, 0])
  assert.equal(run.lastError.code, 'no-charts')
  assert.equal(
    run.lastError.message,
    'No chart of us has a usable snapshot, so there was nothing to look through.',
  )
  assert.deepEqual(items, [])
})

test('asked twice while under way is one run; another window or another limit is another run', async () => {
  await using world = await openWorld()
  const ask = async (input: object) =>
    (await world.call('discover_emerging_ios_competitors', { ...input })).body
  const first = await ask({})
  assert.equal((await ask({})).runId, first.runId)
  assert.equal((await ask({ categoryId: '36' })).runId, first.runId, 'the whole App Store is all categories')
  assert.notEqual((await ask({ limit: 3 })).runId, first.runId)
  assert.notEqual((await ask({ windowDays: 7 })).runId, first.runId)
  assert.notEqual((await ask({ categoryId: '6015' })).runId, first.runId)
  assert.deepEqual([first.status, first.windowDays, first.categoryId], ['queued', 14, null])
})

test('entries, moves up, growth and youth are told in plain words, strongest first, and unknown apps are taken in', async () => {
  await using world = await openWorld({ works: true })
  for (let day = 1; day <= 20; day++) {
    const newcomer = day >= 15 ? { 9: 8 } : {}
    await captured(world, day, placed({ ...newcomer, 1040: day < 17 ? 40 : 12 }))
  }
  await captured(world, 1, placed({}), { category: '36' })
  await captured(world, 20, placed({ 9: 15 }), { category: '36' })
  const young = { primaryGenreId: 6015, genreIds: ['6015'], releaseDate: '2026-03-02T08:00:00Z' }
  await lookedUp(world, 8, 1001, { userRatingCount: 12_540, releaseDate: '2019-01-01T08:00:00Z' })
  await lookedUp(world, 20, 1001, { userRatingCount: 13_780, releaseDate: '2019-01-01T08:00:00Z' })
  await lookedUp(world, 20, 7, { ...young, userRatingCount: 400 })

  const { run, items } = await discovered(world)
  assert.equal(run.status, 'succeeded')
  assert.deepEqual([run.found, run.takenIn], [4, 2], 'two were seen in charts only')
  assert.deepEqual(reported(items), [
    [1040, 'moved up 28 places in 14 days in Top Free Finance, from 40 to 12'],
    [9, 'entered the top 10 of Top Free Finance in 6 days'],
    [7, 'released 2 Mar 2026, 400 ratings since'],
    [1001, '+1,240 ratings in 12 days (9% of its total)'],
  ])
  const [climbed, entered, rated, old] = items
  assert.deepEqual(
    [climbed, entered, rated, old].map(({ kind, releasedOn }) => [kind, releasedOn]),
    [
      ['moved-up', null],
      ['new-in-charts', null],
      [null, '2026-03-02'],
      [null, '2019-01-01'],
    ],
  )
  assert.equal(climbed.formula, 'emerging/3')
  assert.equal(run.backtest.verdict, 'not-validated')
  assert.match(run.backtest.detail, /^not enough data on these charts /)
  assert.deepEqual([entered.intake !== null, rated.intake, climbed.intake !== null], [true, null, true])
  assert.equal(entered.firstSeenAt, `${date(15)}T18:00:00.000Z`)
  assert.equal(entered.app.name, 'App 9')
  assert.equal(entered.evidence[0].observedAt, `${date(20)}T18:00:00.000Z`)
  assert.equal(entered.reasons[0].weight, 1)
  assert.deepEqual(
    rated.evidence.map(({ source }: { source: string }) => source),
    ['itunes-search'],
  )
})

test('an entry says in how many charts it is, when the charts were watched before', async () => {
  await using world = await openWorld({ works: true })
  for (const day of [1, 10, 12])
    for (const category of ['6015', '6002', '6007'])
      await captured(world, day, placed(day > 1 ? { 9: 18 } : {}), { category })
  await captured(world, 12, placed({ 9: 1 }), { category: '6012' })
  const { items } = await discovered(world, { windowDays: 10 })
  assert.deepEqual(reported(items), [[9, 'entered the top 20 of 3 charts in 11 days']])
})

test('a chart first captured inside the window tells no entries, and the run says so', async () => {
  await using world = await openWorld({ works: true })
  for (const day of [10, 11, 12]) await captured(world, day, placed(day > 10 ? { 9: 1 } : {}))
  const { run, items } = await discovered(world)
  assert.deepEqual([run.status, run.lastError.code, items], ['partial', 'charts-not-watched', []])
})

test('an app that was in the chart long ago is no new entry, nor is one from below the depth looked at before', async () => {
  await using world = await openWorld({ works: true })
  await captured(world, -200, placed({ 8: 5 }))
  await captured(world, 1, placed({}).slice(0, 30))
  for (const day of [10, 11]) await captured(world, day, placed({ 8: 5, 9: 31 }))
  const { run, items } = await discovered(world, { windowDays: 7 })
  assert.deepEqual([run.status, items], ['succeeded', []])
})

test('one odd snapshot makes nothing new, and one with fewer than half of the usual places is passed over', async () => {
  await using world = await openWorld({ works: true })
  const strangers = Array.from({ length: 50 }, (_, index) => 5000 + index)
  for (let day = 1; day <= 20; day++) await captured(world, day, day === 15 ? strangers : placed({}))
  await captured(world, 21, strangers.slice(0, 20))
  const { run, items } = await discovered(world)
  assert.deepEqual([run.status, run.examined, items], ['succeeded', 50, []])
})

test('a category has runs of its own, and candidates of a run stay until the next one scores them anew', async () => {
  await using world = await openWorld({ works: true })
  for (const day of [1, 2]) await captured(world, day, placed(day > 1 ? { 9: 5 } : {}))
  const first = await discovered(world, { categoryId: '6015', windowDays: 2 })
  assert.deepEqual(reported(first.items), [])
  await captured(world, 3, placed({ 9: 5 }))
  const second = await discovered(world, { categoryId: '6015', windowDays: 2 })
  assert.deepEqual(reported(second.items), [[9, 'entered the top 10 of Top Free Finance in 2 days']])
  assert.equal((await world.call('list_emerging_ios_competitors', {})).body.lastRun, null)

  await captured(world, 4, placed({ 9: 1 }))
  const third = await discovered(world, { categoryId: '6015', windowDays: 3 })
  const [before, now] = [second.items[0], third.items[0]]
  assert.ok(now.score > before.score)
  assert.equal(now.discoveredAt, before.discoveredAt)
  assert.equal(third.run.takenIn, 1)
  assert.equal(now.intake.intakeId, before.intake.intakeId, 'it is taken in once')

  await sql`update emerging_apps set found_at = now() - interval '91 days'`.execute(world.store.db)
  const fourth = await discovered(world, { categoryId: '6015', windowDays: 3 })
  assert.ok(fourth.items[0].discoveredAt > now.discoveredAt, 'after 90 days it is discovered anew')
})

test('runs with other windows and limits stand beside each other, each shown to whoever asks for it', async () => {
  await using world = await openWorld({ works: true })
  await captured(world, 1, placed({ 13: 40 }))
  await captured(world, 8, placed({ 13: 20 }))
  for (const day of [9, 10]) await captured(world, day, placed({ 11: 1, 12: 2, 13: 3 }))
  const list = async (query: Record<string, unknown>) =>
    (await world.call('list_emerging_ios_competitors', query)).body
  const run = async (input: Record<string, unknown>) => {
    const { runId } = (await world.call('discover_emerging_ios_competitors', input)).body
    const { lastRun } = await until(
      () => list({ runId }),
      (shown) => shown.lastRun.status === 'succeeded',
    )
    return lastRun
  }
  const long = await run({ windowDays: 9 })
  const one = await run({ windowDays: 9, limit: 1 })
  const short = await run({ windowDays: 2 })
  assert.deepEqual(
    [long, one, short].map(({ windowDays, limit, found }) => [windowDays, limit, found]),
    [
      [9, 25, 3],
      [9, 1, 1],
      [2, 25, 2],
    ],
    'a move up needs three snapshots and a past',
  )
  const ofLong = reported((await list({ runId: long.runId })).items)
  assert.deepEqual(
    ofLong.map(([id]) => id),
    [13, 11, 12],
  )
  assert.deepEqual(reported((await list({ runId: one.runId })).items), [ofLong[0]])
  assert.deepEqual(reported((await list({ windowDays: 9 })).items), ofLong)
  assert.equal((await list({ windowDays: 9 })).lastRun.runId, one.runId)
  const ofShort = reported((await list({ windowDays: 2 })).items)
  assert.deepEqual([ofShort.length, (await list({ windowDays: 2 })).lastRun.runId], [2, short.runId])
  assert.notDeepEqual(ofShort, ofLong)
  const newest = await list({})
  assert.deepEqual(reported(newest.items), ofShort, 'without a window that of the newest run, and no other')
  assert.equal(newest.lastRun.runId, short.runId)
  assert.deepEqual(newest.lastRun.period, { from: date(9), to: date(10) })
  const dated = ({ items }: typeof newest) =>
    items.map(({ windowDays, period }: (typeof items)[number]) => [windowDays, period?.from, period?.to])
  assert.deepEqual(dated(newest), Array(2).fill([2, date(9), date(10)]))
  assert.deepEqual(dated(await list({ windowDays: 9 })), Array(3).fill([9, date(2), date(10)]))
  assert.ok(newest.items[0].foundAt <= newest.lastRun.finishedAt)

  // A chart of the next day without them: they keep what the run before said, and its dates.
  await captured(world, 11, placed({}))
  const next = await run({ windowDays: 2 })
  assert.deepEqual(next.period, { from: date(10), to: date(11) })
  const kept = (await list({})).items.filter(({ app }: { app: { storeId: string } }) => app.storeId === '12')
  assert.deepEqual(dated({ ...newest, items: kept }), [[2, date(9), date(10)]])
  const unknown = { ...newest.asOf, newestEvidenceAt: null, state: 'unknown', since: null }
  const nothing = { asOf: unknown, items: [], nextCursor: null, lastRun: null, trouble: [] }
  assert.deepEqual(await list({ windowDays: 30 }), nothing)
  assert.deepEqual(await list({ runId: long.runId, windowDays: 2 }), nothing)
  assert.deepEqual(await list({ runId: '019e4a91-dc00-700f-a0a8-62e5b996de57' }), nothing)
})

test('a run over a category looks through the charts of all genres under it', async () => {
  await using world = await openWorld({ works: true })
  for (const day of [1, 2, 3]) await captured(world, day, placed(day > 1 ? { 9: 5 } : {}), { category: '7012' })
  const found = async (categoryId: string) =>
    reported((await discovered(world, { categoryId, windowDays: 2 })).items)
  const entered = [[9, 'entered the top 10 of Top Free Puzzle in 2 days']]
  assert.deepEqual(await found('6014'), entered)
  assert.deepEqual(await found('36'), entered)
  assert.deepEqual(await found('6015'), [])
})

test('pages go on where they stopped, and only candidates discovered since a date are shown', async () => {
  await using world = await openWorld({ works: true })
  await captured(world, 1, placed({}))
  for (const day of [10, 11]) await captured(world, day, placed({ 11: 1, 12: 2, 13: 3, 14: 4, 15: 5 }))
  const { run } = await discovered(world, { windowDays: 7, limit: 4 })
  assert.equal(run.found, 4)
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: Reply<Answer<'list_emerging_ios_competitors'>> = await world.call(
      'list_emerging_ios_competitors',
      { limit: 3, ...(cursor ? { cursor } : {}) },
    )
    seen.push(...page.body.items.map((item: { app: { storeId: string } }) => item.app.storeId))
    cursor = page.body.nextCursor
  } while (cursor)
  assert.deepEqual(seen, ['11', '12', '13', '14'])
  const since = async (day: Date) =>
    (await world.call('list_emerging_ios_competitors', { since: day.toISOString().slice(0, 10) })).body.items
      .length
  assert.equal(await since(new Date()), 4)
  assert.equal(await since(new Date(Date.now() + 2 * 86_400_000)), 0)
  assert.equal(
    (await world.call('list_emerging_ios_competitors', { cursor: 'bad' })).body.code,
    'invalid-cursor',
  )
})
