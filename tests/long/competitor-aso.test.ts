import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { computeWordWeights } from '../../src/domain/catalogue/word-weights.ts'
import { storeReadings } from '../../src/projections/store-readings.ts'
import { parsePayload } from '../../src/suppliers/formats.ts'
import { storeListings } from '../support/listings.ts'
import { appsOf, storePage, storePages } from '../support/result-pages.ts'
import { track } from '../support/tracking.ts'
import { openWorld, sharedData, type World } from '../support/world.ts'

const day = (date: number, month = 3, hour = 6) => new Date(Date.UTC(2026, month - 1, date, hour)).toISOString()

async function asoOf(world: World, storeId: string, options: { country?: string; key?: string } = {}) {
  const { key, country = 'us' } = options
  const { status, body } = await world.call(
    'get_competitor_aso',
    { platform: 'ios', storeId, country },
    key ? { key } : {},
  )
  assert.equal(status, 200)
  return body
}

test('keywords are those that showed the app, those tracked for it and those of its own name, in this order', async () => {
  await using world = await openWorld()
  const many = appsOf(Array.from({ length: 30 }, (_, at) => at + 1))
  await storePages(world, [
    { term: 'lost', observedAt: day(1), apps: appsOf([3, 7, 9]) },
    { term: 'lost', observedAt: day(2), apps: appsOf([3, 9]) },
    { term: 'second', observedAt: day(2), apps: appsOf([9, 7, 3]) },
    { term: 'far', observedAt: day(2), apps: many },
    { term: 'tracked', observedAt: day(2), apps: appsOf([1, 2]) },
    { term: 'others', observedAt: day(2), apps: appsOf([1, 2]) },
  ])
  await storeListings(world, [{ trackId: 7, trackName: 'Harbour Chat', observedAt: day(3) }])
  await track(world, '7', ['tracked', 'never searched'])
  const { keywords, visibility } = await asoOf(world, '7')
  const row = (item: { term: string; tracked: boolean; rank: { state: string; value?: number } }) => [
    item.term,
    item.tracked,
    item.rank.value ?? item.rank.state,
  ]
  assert.deepEqual(keywords.items.map(row), [
    ['second', false, 2],
    ['far', false, 7],
    ['lost', false, 'absent'],
    ['tracked', true, 'absent'],
    ['chat', false, 'not-measured'],
    ['harbour', false, 'not-measured'],
    ['harbour chat', false, 'not-measured'],
    ['never searched', true, 'not-measured'],
  ])
  assert.deepEqual([keywords.total, keywords.ranked], [8, 2])
  assert.deepEqual([visibility.keywords, visibility.measured, visibility.coverage], [8, 4, 0.5])
  const lost = keywords.items[2]
  assert.deepEqual(lost.best, { state: 'measured', value: 2, on: '2026-03-01' })
  assert.deepEqual(lost.history, [
    { date: '2026-03-01', rank: { state: 'measured', value: 2, depth: 3 } },
    { date: '2026-03-02', rank: { state: 'absent', depth: 2 } },
  ])
  assert.deepEqual(keywords.items[3].best, { state: 'absent', depth: 2, pages: 1 })
  assert.deepEqual(keywords.items[4].listedIn, ['name'])
  assert.deepEqual([lost.page.surface, lost.page.observedAt], ['iTunes Search API', day(2)])
  assert.equal(keywords.items[4].page, null)
})

test('what another account tracks is not shown, and ranks are shared', async () => {
  await using world = await openWorld()
  await storePage(world, { term: 'chat', observedAt: day(2), apps: appsOf([1, 7]) })
  await track(world, '7', ['chat', 'mine alone'])
  const stranger = await asoOf(world, '7', { key: await world.key(undefined, 'stranger') })
  const terms = stranger.keywords.items.map((item: { term: string; tracked: boolean }) => [
    item.term,
    item.tracked,
  ])
  assert.ok(!terms.some(([term]) => term === 'mine alone'))
  assert.deepEqual(terms[0], ['chat', false])
})

test('an empty page after results says nothing about a rank', async () => {
  await using world = await openWorld()
  await storePages(world, [
    { term: 'chat', observedAt: day(1), apps: appsOf([1, 7]) },
    { term: 'chat', observedAt: day(2), apps: [] },
  ])
  const { keywords } = await asoOf(world, '7')
  assert.deepEqual(keywords.items[0].rank, { state: 'measured', value: 2, depth: 2 })
  assert.equal(keywords.items[0].history.length, 1)
})

test('the history goes back over the newest thirty days with a page, however far apart they are', async () => {
  await using world = await openWorld()
  await storePages(
    world,
    Array.from({ length: 35 }, (_, week) => ({
      term: 'chat',
      observedAt: new Date(Date.UTC(2025, 0, 6 + 7 * week, 12)).toISOString(),
      apps: appsOf(week % 2 === 0 ? [7, 1] : [1, 7]),
    })),
  )
  const { keywords } = await asoOf(world, '7')
  const [{ history, over30Days }] = keywords.items
  assert.equal(history.length, 30)
  assert.deepEqual([history[0].date, history.at(-1).date], ['2025-02-10', '2025-09-01'])
  assert.deepEqual(over30Days, { state: 'measured', places: 1, comparedOn: '2025-07-28' })
})

test('ratings grow from the newest observation that is old enough, and not too old', async () => {
  await using world = await openWorld()
  const rated = (date: number, month: number, userRatingCount: number) => ({
    trackId: 7,
    trackName: 'Harbour',
    observedAt: day(date, month),
    userRatingCount,
    averageUserRating: 4.5,
  })
  await storeListings(world, [rated(1, 1, 100), rated(20, 3, 400), rated(22, 3, 450), rated(29, 3, 440)])
  const { ratings } = await asoOf(world, '7')
  assert.deepEqual(ratings.growth, [
    {
      days: 7,
      added: { state: 'measured', value: -10, from: day(22), to: day(29), fromSource: 0, toSource: 0 },
    },
    { days: 30, added: { state: 'not-measured', reason: 'too-little-evidence' } },
    { days: 90, added: { state: 'not-measured', reason: 'too-little-evidence' } },
  ])
  assert.deepEqual(
    ratings.history.map((point: { observedAt: string; ratingCount: number }) => [
      point.observedAt,
      point.ratingCount,
    ]),
    [
      [day(1, 1), 100],
      [day(20), 400],
      [day(22), 450],
      [day(29), 440],
    ],
  )
})

test('a change of the listing stands beside the ranks before and after it, with both observations', async () => {
  await using world = await openWorld()
  const listingOn = (date: number) => ({
    trackId: 7,
    trackName: date < 8 ? 'Harbour' : 'Harbour Chat',
    description: date < 22 ? 'Quiet talk.' : 'Quiet talk and the video calls.',
    version: date < 8 ? '1.0' : date < 22 ? '1.1' : '1.2',
  })
  const looks = [1, 5, 8, 20, 22]
  await storeListings(
    world,
    looks.map((date) => ({ ...listingOn(date), observedAt: day(date) })),
  )
  const pages = (term: string, places: [date: number, ids: number[]][]) =>
    places.map(([date, ids]) => ({
      term,
      observedAt: day(date, 3, 7),
      apps: appsOf(ids).map((app) =>
        app.trackId === 7 ? { ...app, ...listingOn(date), currency: 'USD', price: 0 } : app,
      ),
    }))
  await storePages(world, [
    ...pages('chat', [
      [4, [1, 2, 3, 7]],
      [9, [1, 2, 3, 7]],
      [19, [1, 7, 2, 3]],
      [25, [7, 1, 2, 3]],
    ]),
    ...pages('talk', [
      [2, [1, 2]],
      [12, [1, 7]],
    ]),
    ...pages('once', [[3, [7]]]),
  ])
  const { timeline, listingObserved } = await asoOf(world, '7')
  assert.deepEqual(
    timeline.map((change: { lastSeenAt: string; firstSeenAt: string; fields: { field: string }[] }) => [
      change.lastSeenAt,
      change.firstSeenAt,
      change.fields.map(({ field }) => field),
    ]),
    [
      [day(20), day(22), ['description', 'version']],
      [day(5), day(8), ['name', 'version']],
    ],
  )
  const [newer, older] = timeline
  const [name] = older.fields
  assert.deepEqual(
    [name.from.value, name.to.value, name.termsAdded, name.termsRemoved],
    ['Harbour', 'Harbour Chat', ['chat'], []],
  )
  assert.deepEqual(newer.fields[0].termsAdded, ['video', 'calls'])
  const rank = (value: number, depth: number) => ({ state: 'measured', value, depth })
  assert.deepEqual(older.keywords, [
    {
      term: 'talk',
      before: { state: 'absent', depth: 2 },
      beforeAt: day(2, 3, 7),
      after: rank(2, 2),
      afterAt: day(12, 3, 7),
      surface: 'iTunes Search API',
      places: null,
    },
    {
      term: 'chat',
      before: rank(4, 4),
      beforeAt: day(4, 3, 7),
      after: rank(2, 4),
      afterAt: day(19, 3, 7),
      surface: 'iTunes Search API',
      places: 2,
    },
  ])
  assert.equal(older.keywordsCompared, 2, 'a page after the next change does not count')
  assert.deepEqual(
    newer.keywords.map((move: { term: string; places: number }) => [move.term, move.places]),
    [['chat', 1]],
  )
  assert.deepEqual(
    older.evidence.map((one: { source: string; observedAt: string }) => [one.source, one.observedAt]),
    [
      ['itunes-lookup', day(8)],
      ['itunes-lookup', day(5)],
    ],
  )
  // Looked up on five days, and shown by result pages on six others.
  assert.deepEqual(listingObserved, { days: 11, firstAt: day(1), lastAt: day(25, 3, 7) })
})

test('an app that is not stored is not found, and one of another storefront is not measured in this', async () => {
  await using world = await openWorld()
  assert.equal((await world.call('get_competitor_aso', { platform: 'ios', storeId: '7' })).status, 404)
  await storeListings(world, [{ trackId: 7, trackName: '港', country: 'jp', observedAt: day(1) }])
  const { country, alsoIn, app, keywords, listingObserved, audit } = await asoOf(world, '7', { country: 'de' })
  assert.deepEqual([country, alsoIn, app.name, app.catalogued], ['de', ['jp'], null, true])
  assert.deepEqual(listingObserved, { days: 0, firstAt: null, lastAt: null })
  assert.deepEqual([keywords.total, audit.texts[0].text.reason], [0, 'never-collected'])
})

test('result pages count in the record of an app, and tell which apps are like it', async () => {
  await using world = await openWorld()
  await storeListings(world, [{ trackId: 7, trackName: 'Harbour', observedAt: day(1) }])
  const record = async () => (await world.call('get_competitor', { platform: 'ios', storeId: '7' })).body
  const asoPart = (body: { freshness: { part: string }[] }) => body.freshness.find(({ part }) => part === 'aso')
  assert.deepEqual((await record()).counts.keywords, { state: 'not-measured', reason: 'never-collected' })
  await storePage(world, { term: 'sleep', observedAt: day(2), apps: appsOf([1, 2]) })
  assert.deepEqual((await record()).counts.keywords, { state: 'measured', value: 0 })
  const eleven = appsOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  await storePages(world, [
    { term: 'chat', observedAt: day(3), apps: eleven },
    { term: 'talk', observedAt: day(4), apps: appsOf([7, 1]) },
  ])
  const body = await record()
  assert.deepEqual(body.counts.keywords, { state: 'measured', value: 2 })
  assert.equal((asoPart(body) as unknown as { evidence: { observedAt: string } }).evidence.observedAt, day(4))

  const similar = (await world.call('get_similar_competitors', { platform: 'ios', storeId: '7' })).body
  const shared = similar.items.flatMap(
    ({
      app,
      reasons,
    }: {
      app: { storeId: string }
      reasons: { kind: string; strength: number; detail: string }[]
    }) =>
      reasons
        .filter(({ kind }) => kind === 'shared-keywords')
        .map(({ strength, detail }) => [app.storeId, strength, detail]),
  )
  assert.deepEqual(shared[0], ['1', 0.442, 'both in the top 10 for 2 of 2 keywords, such as "chat"'])
  assert.ok(!shared.some(([storeId]) => storeId === '11'), 'the eleventh stands outside')
  const basis = similar.basis.find(({ kind }: { kind: string }) => kind === 'shared-keywords')
  assert.deepEqual(basis, {
    kind: 'shared-keywords',
    state: 'measured',
    detail: 'latest search results for 2 keywords with this app in the top 10',
  })
})

const searches = join(sharedData, 'apple/search')
const skip = existsSync(searches) ? false : 'the real material is not beside the project (../shared/data)'

test("Reddit's move from the forties to second place stands beside a new version", { skip }, async () => {
  await using world = await openWorld()
  const files = readdirSync(searches).filter((file) => /^search_chat_us_/.test(file))
  for (const file of files) {
    const bytes = readFileSync(join(searches, file))
    const context = { layout: 'document' as const, country: 'us', term: 'chat' }
    await storeReadings(world.store.db, [
      {
        bytes,
        format: 'itunes-search',
        context,
        origin: 'imported',
        country: 'us',
        observedAt: new Date(/\d{4}-\d{2}-\d{2}/.exec(file)?.[0] ?? ''),
        timeBasis: 'file-name',
        parsed: parsePayload('itunes-search', bytes, context),
      },
    ])
  }
  await computeWordWeights(world.store.db, new Date())
  const { audit, keywords, timeline, ratings } = await asoOf(world, '1064216828')
  assert.equal(audit.language, 'en')
  assert.ok(
    audit.advice.some(({ text }: { text: string }) => /24 of 30 characters of the name are unused/.test(text)),
  )
  const chat = keywords.items.find(({ term }: { term: string }) => term === 'chat')
  assert.deepEqual([chat.rank.value, chat.best.value], [2, 2])
  const risen = timeline.find(
    ({ keywords: [move] }: { keywords: { places: number }[] }) => (move?.places ?? 0) > 40,
  )
  const [move] = risen.keywords
  assert.deepEqual(
    [move.before.value, move.beforeAt.slice(0, 10), move.after.value, move.afterAt.slice(0, 10)],
    [44, '2023-02-13', 2, '2023-03-03'],
  )
  assert.ok(risen.fields.some(({ field }: { field: string }) => field === 'version'))
  assert.ok(ratings.growth[2].added.value > 80_000)
})
