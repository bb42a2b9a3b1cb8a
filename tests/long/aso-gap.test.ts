import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appsOf, storePage, storePages, storeSuggestions } from '../support/result-pages.ts'
import { track } from '../support/tracking.ts'
import { openWorld, type World } from '../support/world.ts'

const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T12:00:00.000Z`
const own = 1
const rival = 2
const notCollected = { state: 'not-measured', reason: 'never-collected' }
const unknownApp = '0198aaaa-0000-7000-8000-000000000000'

interface GapItem {
  term: string
  keywordId: string | null
  standing: string
  own: Record<string, unknown>
  rival: Record<string, unknown>
  ahead: string | null
  distance: number | null
  difficulty: { state: string; value?: number }
  relevance: { state: string; value?: number }
  [more: string]: unknown
}

const gap = async (world: World, appId: string, more: Record<string, unknown> = {}) =>
  (await world.call('get_aso_keyword_gap', { appId, rivalStoreId: String(rival), ...more })).body
const terms = (items: readonly GapItem[]) => items.map(({ term }) => term)

/** Every standing there is; the app tracks what only a tracked keyword can show, and one rival keyword. */
async function openGap(): Promise<{ world: World; appId: string; keywords: Map<string, string> }> {
  const world = await openWorld()
  const named = (trackId: number, trackName: string) => ({
    trackId,
    trackName,
    userRatingCount: trackId * 1000,
    description: 'Count the minutes of your focus with a quiet timer.',
  })
  await storePages(world, [
    {
      term: 'focus timer',
      observedAt: at(3),
      apps: [named(own, 'Focus Timer'), ...appsOf([7, 8, 9, rival, 3])],
    },
    {
      term: 'timer',
      observedAt: at(2),
      apps: [...appsOf([rival, 7, 8, 9]), named(own, 'Focus Timer'), ...appsOf([3])],
    },
    { term: 'clock', observedAt: at(2), apps: appsOf([7, rival]) },
    { term: 'minutes', observedAt: at(4), apps: [...appsOf([5, 6, 7]), named(own, 'Focus Timer')] },
    { term: 'elsewhere', observedAt: at(1), apps: appsOf([50, 51, 52]) },
    { term: 'untracked nobody', observedAt: at(1), apps: appsOf([50]) },
    { term: 'nothing', observedAt: at(1), apps: [] },
    { term: 'timer', country: 'de', observedAt: at(9), apps: appsOf([rival]) },
  ])
  const { appId, keywords } = await track(world, own, ['clock', 'elsewhere', 'nothing', 'never searched'])
  return { world, appId, keywords }
}

test('both apps are compared on the newest page of every keyword, tracked or not', async () => {
  const { world, appId, keywords } = await openGap()
  await using _ = world
  const found = await gap(world, appId, { sort: 'term' })
  assert.deepEqual(found.counts, {
    rivalOnly: 1,
    ownOnly: 1,
    bothOwnAhead: 1,
    bothRivalAhead: 1,
    neither: 2,
    notMeasured: 1,
  })
  assert.deepEqual(found.pages, { looked: 7, oldestAt: at(1), newestAt: at(4) })
  assert.deepEqual(
    found.items.map((item: GapItem) => [item.term, item.standing, item.ahead, item.distance, item.keywordId]),
    [
      ['clock', 'rival-only', 'rival', null, keywords.get('clock')],
      ['elsewhere', 'neither', null, null, keywords.get('elsewhere')],
      ['focus timer', 'both', 'own', 4, null],
      ['minutes', 'own-only', 'own', null, null],
      ['never searched', 'not-measured', null, null, keywords.get('never searched')],
      ['nothing', 'neither', null, null, keywords.get('nothing')],
      ['timer', 'both', 'rival', 4, null],
    ],
  )
  const [clock] = found.items
  const [never, nothing] = [found.items[4], found.items[5]]
  assert.deepEqual(
    [clock.own, clock.rival],
    [
      { state: 'absent', depth: 2 },
      { state: 'measured', value: 2, depth: 2 },
    ],
  )
  assert.deepEqual(
    [never.own, never.rival, never.surface, never.observedAt],
    [notCollected, notCollected, null, null],
  )
  assert.deepEqual(nothing.own, { state: 'absent', depth: 0 })
  assert.deepEqual([clock.surface, clock.observedAt], ['iTunes Search API', at(2)])
  assert.deepEqual([found.own.name, found.rival.name, found.country], ['Focus Timer', 'App 2', 'us'])
})

test('only the newest page that counts is compared on', async () => {
  const { world, appId } = await openGap()
  await using _ = world
  await storePage(world, { term: 'timer', observedAt: at(5), apps: appsOf([7, rival, 3]) })
  await storePage(world, { term: 'timer', observedAt: at(6), apps: [] })
  await storePage(world, { term: 'timer', observedAt: '2026-02-01T12:00:00.000Z', apps: appsOf([own]) })
  const found = await gap(world, appId, { standing: 'rival-only', sort: 'rival-rank' })
  assert.deepEqual(
    found.items.map(({ term, own: mine, rival: theirs, observedAt }: GapItem) => [
      term,
      mine,
      theirs,
      observedAt,
    ]),
    [
      ['clock', { state: 'absent', depth: 2 }, { state: 'measured', value: 2, depth: 2 }, at(2)],
      ['timer', { state: 'absent', depth: 3 }, { state: 'measured', value: 2, depth: 3 }, at(5)],
    ],
  )
  assert.deepEqual(
    found.trouble.map(({ kind }: { kind: string }) => kind),
    ['suspect-empty'],
  )
})

test('the list is narrowed by standing and difficulty; the counts stay those of all', async () => {
  const { world, appId } = await openGap()
  await using _ = world
  const all = await gap(world, appId)
  const both = await gap(world, appId, { standing: ['both', 'own-only'] })
  assert.deepEqual(terms(both.items).sort(), ['focus timer', 'minutes', 'timer'])
  assert.deepEqual(both.counts, all.counts)
  const measured = all.items.filter(({ difficulty }: GapItem) => difficulty.state === 'estimated') as GapItem[]
  const scored = ['clock', 'elsewhere', 'focus timer', 'minutes', 'timer']
  assert.deepEqual(terms(measured).sort(), scored)
  assert.deepEqual(terms((await gap(world, appId, { maxDifficulty: 100 })).items).sort(), scored)
  const easiest = Math.min(...measured.map(({ difficulty }) => difficulty.value ?? 0))
  assert.equal((await gap(world, appId, { maxDifficulty: easiest })).items.length, 1)
  // A page without results is no easy one: there is no difficulty of it.
  assert.deepEqual(terms((await gap(world, appId, { maxDifficulty: 0 })).items), [])
})

test('every order can be paged through, keeps what is not measured last and breaks ties by term', async () => {
  const { world, appId } = await openGap()
  await using _ = world
  await storeSuggestions(world, { typed: 't', observedAt: at(5), terms: ['timer'] })
  const orders: Record<string, string[]> = {
    // Only "timer" was ever suggested.
    opportunity: ['timer', 'clock', 'elsewhere', 'focus timer', 'minutes', 'never searched', 'nothing'],
    difficulty: ['clock', 'minutes', 'timer', 'elsewhere', 'focus timer', 'never searched', 'nothing'],
    relevance: ['focus timer', 'timer', 'minutes', 'clock', 'elsewhere', 'never searched', 'nothing'],
    'own-rank': ['focus timer', 'minutes', 'timer', 'clock', 'elsewhere', 'never searched', 'nothing'],
    'rival-rank': ['timer', 'clock', 'focus timer', 'elsewhere', 'minutes', 'never searched', 'nothing'],
    distance: ['focus timer', 'timer', 'clock', 'elsewhere', 'minutes', 'never searched', 'nothing'],
    term: ['clock', 'elsewhere', 'focus timer', 'minutes', 'never searched', 'nothing', 'timer'],
  }
  for (const [sort, expected] of Object.entries(orders)) {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await gap(world, appId, { sort, limit: 2, ...(cursor ? { cursor } : {}) })
      seen.push(...terms(page.items))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    assert.deepEqual(seen, expected, sort)
  }
})

test('a cursor works for its own list only, and holds still while keywords come', async () => {
  const { world, appId } = await openGap()
  await using _ = world
  const first = await gap(world, appId, { sort: 'own-rank', limit: 2 })
  await storePage(world, { term: 'a newcomer', observedAt: at(6), apps: appsOf([own, rival]) })
  const second = await gap(world, appId, { sort: 'own-rank', limit: 2, cursor: first.nextCursor })
  assert.deepEqual(
    [terms(first.items), terms(second.items)],
    [
      ['focus timer', 'minutes'],
      ['timer', 'clock'],
    ],
  )
  for (const other of [{ sort: 'term' }, { standing: 'both' }, { maxDifficulty: 3 }, { rivalStoreId: '7' }]) {
    const { status, body } = await world.call('get_aso_keyword_gap', {
      appId,
      rivalStoreId: String(rival),
      sort: 'own-rank',
      cursor: first.nextCursor,
      ...other,
    })
    assert.deepEqual([status, body.code], [400, 'invalid-cursor'], JSON.stringify(other))
  }
})

test('a term of two hundred letters outside Latin can be paged past', async () => {
  await using world = await openWorld()
  const long = ['天', '気'].map((letter) => letter.repeat(200))
  for (const term of long)
    await storePage(world, { term, country: 'jp', observedAt: at(2), apps: appsOf([own]) })
  const { appId } = await track(world, own, [], { country: 'jp' })
  await storePage(world, { term: 'b', country: 'jp', observedAt: at(2), apps: appsOf([rival]) })
  const first = await gap(world, appId, { sort: 'own-rank', limit: 1 })
  assert.equal(terms(first.items)[0], long[0])
  const second = await gap(world, appId, { sort: 'own-rank', limit: 1, cursor: first.nextCursor })
  assert.equal(terms(second.items)[0], long[1])
})

test('an app tracked before anybody searched has an empty list, and says that nothing was looked at', async () => {
  await using world = await openWorld()
  await storePage(world, { term: 'chat', country: 'de', observedAt: at(2), apps: appsOf([rival]) })
  const { appId } = await track(world, own)
  const found = await gap(world, appId)
  assert.deepEqual([found.items, found.pages], [[], { looked: 0, oldestAt: null, newestAt: null }])
  assert.deepEqual([found.own.catalogued, found.own.name], [false, null])
  const { appId: withKeyword } = await track(world, 77, ['chat'])
  const [only] = (await gap(world, withKeyword)).items
  assert.deepEqual([only.standing, only.relevance], ['not-measured', notCollected])
})

test('an app without a listing in the storefront has no relevance there, whatever others say of it', async () => {
  const { world } = await openGap()
  await using _ = world
  const { appId } = await track(world, own, [], { country: 'de' })
  const [only] = (await gap(world, appId)).items
  assert.deepEqual([only.term, only.standing, only.relevance], ['timer', 'rival-only', notCollected])
})

test('the app itself, an app nobody has seen and an app of another account are refused by name', async () => {
  const { world, appId } = await openGap()
  await using _ = world
  const asked = async (input: Record<string, unknown>, key?: string) => {
    const { status, body } = await world.call(
      'get_aso_keyword_gap',
      { appId, rivalStoreId: String(rival), ...input },
      key ? { key } : {},
    )
    return [status, body.code, body.errors?.[0]?.pointer]
  }
  assert.deepEqual(await asked({ rivalStoreId: String(own) }), [400, 'invalid-request', '/path/rivalStoreId'])
  assert.deepEqual(await asked({ rivalStoreId: '424242' }), [404, 'competitor-not-found', undefined])
  assert.deepEqual(await asked({ rivalStoreId: '9'.repeat(19) }), [404, 'competitor-not-found', undefined])
  const notFound = [404, 'tracked-app-not-found', undefined]
  assert.deepEqual(await asked({ appId: unknownApp }), notFound)
  const stranger = await world.key(['context:read'], 'stranger')
  assert.deepEqual(await asked({}, stranger), notFound)
  assert.deepEqual(await asked({ rivalStoreId: String(own) }, stranger), notFound)
})
