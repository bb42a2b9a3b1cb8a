import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { storefrontDay } from '../src/vocabulary/storefront-day.ts'
import { storeListings } from './support/listings.ts'
import { appsOf, storePage, storeSuggestions } from './support/result-pages.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
before(async () => {
  world = await openWorld()
})
after(() => world[Symbol.asyncDispose]())

const notCollected = { state: 'not-measured', reason: 'never-collected' }
const noSnapshot = { state: 'not-measured', reason: 'no-snapshot' }

/** Each test has apps, terms and a storefront of its own: evidence is shared. */
let apps = 1_000
const freshApp = () => ++apps

async function track(storeId: number, terms: readonly string[] = [], more: object = {}): Promise<string> {
  const { body } = await world.call('track_aso_app', { app: String(storeId), role: 'own', ...more })
  if (terms.length > 0) await world.call('add_aso_keywords', { appId: body.appId, terms })
  return body.appId
}

const station = async (appId: string, more: object = {}) =>
  (await world.call('get_aso_workstation', { appId, ...more })).body

/** Noon in the storefront of the United States. */
const noon = (day: string) => `${day}T17:00:00Z`

/** Stores a page with an app at a place among apps that are nobody's; without a place, the app is not on it. */
function page(term: string, day: string, storeId: number, place: number | undefined, depth = 20) {
  const ids = Array.from({ length: depth }, (_, index) => 900_000 + index)
  if (place !== undefined) ids[place - 1] = storeId
  return storePage(world, { term, observedAt: noon(day), apps: appsOf(ids) })
}

describe('The workstation', () => {
  test('of a new app is empty and ends today', async () => {
    const app = freshApp()
    const body = await station(await track(app))
    assert.equal(body.window.to, storefrontDay('us', new Date()))
    assert.equal(body.window.days, 30)
    assert.equal(body.visibilitySeries.length, 30)
    assert.deepEqual(body.visibilitySeries[0].coverage, null)
    assert.deepEqual(body.keywords, [])
    assert.deepEqual(body.visibility.share, notCollected)
    assert.deepEqual(
      body.apps.map((label: { storeId: string }) => label.storeId),
      [String(app)],
    )
    assert.equal(body.refresh, null)
  })

  test('tells a rank, an absence and a keyword nobody searched apart', async () => {
    const app = freshApp()
    const appId = await track(app, ['three ranked', 'three absent', 'three unseen'])
    await page('three ranked', '2026-03-01', app, 4)
    await page('three absent', '2026-03-01', app, undefined)
    const body = await station(appId, { windowDays: 7 })
    const [ranked, absent, unseen] = body.keywords
    assert.deepEqual(
      body.keywords.map((keyword: { term: string }) => keyword.term),
      ['three ranked', 'three absent', 'three unseen'],
    )
    assert.deepEqual(ranked.rank, { state: 'measured', value: 4, depth: 20 })
    assert.equal(ranked.surface, 'iTunes Search API')
    assert.equal(ranked.observedAt, '2026-03-01T17:00:00.000Z')
    assert.deepEqual(absent.rank, { state: 'absent', depth: 20 })
    assert.deepEqual(absent.best, { state: 'absent', depth: 20, pages: 1 })
    assert.deepEqual([unseen.rank, unseen.best, unseen.surface], [notCollected, notCollected, null])
    assert.deepEqual(body.window, { from: '2026-02-23', to: '2026-03-01', days: 7 })
    assert.deepEqual(ranked.series, [null, null, null, null, null, null, 4])
    assert.deepEqual(absent.series.at(-1), '>20')
    assert.deepEqual(unseen.series, Array(7).fill(null))
    assert.deepEqual(body.distribution, {
      keywords: 3,
      top3: 0,
      top10: 1,
      top50: 1,
      ranked: 1,
      absent: 1,
      notMeasured: 1,
    })
    // Fourth place for one of two searched keywords of equal weight: a quarter of a half.
    assert.equal(body.visibility.share.value, 12.5)
    assert.equal(body.visibility.coverage, 0.667)
    assert.deepEqual(body.visibilitySeries.at(-1), {
      date: '2026-03-01',
      share: { state: 'estimated', value: 12.5, formula: 'visibility/2 (2 of 3 keywords)' },
      coverage: 0.667,
    })
    assert.deepEqual(body.visibilitySeries[0], { date: '2026-02-23', share: noSnapshot, coverage: 0 })
  })

  test('a day on which few keywords were searched is no jump of visibility, and the last day is the figure of today', async () => {
    const app = freshApp()
    const appId = await track(app, ['often searched', 'seldom searched'])
    await page('often searched', '2026-03-01', app, 2)
    await page('seldom searched', '2026-03-01', app, undefined)
    await page('often searched', '2026-03-05', app, 1)
    await page('often searched', '2026-04-06', app, 1)
    const { visibility, visibilitySeries } = await station(appId, { windowDays: 60 })
    const on = (day: string) => visibilitySeries.find(({ date }: { date: string }) => date === day)
    const both = { state: 'estimated', formula: 'visibility/2' }
    assert.deepEqual(on('2026-02-28'), { date: '2026-02-28', share: noSnapshot, coverage: 0 })
    assert.deepEqual(on('2026-03-01'), { date: '2026-03-01', share: { ...both, value: 25 }, coverage: 1 })
    assert.deepEqual(on('2026-03-04'), { date: '2026-03-04', share: { ...both, value: 25 }, coverage: 1 })
    assert.deepEqual(on('2026-03-05'), { date: '2026-03-05', share: { ...both, value: 50 }, coverage: 1 })
    const one = { state: 'estimated', value: 100, formula: 'visibility/2 (1 of 2 keywords)' }
    assert.deepEqual(on('2026-04-04'), { date: '2026-04-04', share: one, coverage: 0.5 })
    assert.deepEqual(on('2026-04-05'), { date: '2026-04-05', share: noSnapshot, coverage: 0 })
    assert.deepEqual(on('2026-04-06'), { date: '2026-04-06', share: visibility.share, coverage: 0.5 })
  })

  test('compares the newest page with those 1, 7 and 30 days older, or the newest before them', async () => {
    const app = freshApp()
    const appId = await track(app, ['moves', 'moves with gaps'])
    for (const [day, place] of [
      ['2026-01-10', 20],
      ['2026-02-27', 9],
      ['2026-03-05', 6],
      ['2026-03-06', 5],
    ] as const)
      await page('moves', day, app, place)
    // Nine days and forty days before the newest; nothing the day before.
    for (const [day, place] of [
      ['2026-01-25', 3],
      ['2026-02-25', 7],
      ['2026-03-06', 12],
    ] as const)
      await page('moves with gaps', day, app, place)
    const body = await station(appId)
    const [steady, gaps] = body.keywords
    assert.deepEqual(steady.over1Day, { state: 'measured', places: 1, comparedOn: '2026-03-05' })
    assert.deepEqual(steady.over7Days, { state: 'measured', places: 4, comparedOn: '2026-02-27' })
    assert.deepEqual(steady.over30Days, { state: 'measured', places: 15, comparedOn: '2026-01-10' })
    assert.deepEqual(gaps.over1Day, noSnapshot)
    assert.deepEqual(gaps.over7Days, { state: 'measured', places: -5, comparedOn: '2026-02-25' })
    assert.deepEqual(gaps.over30Days, { state: 'measured', places: -9, comparedOn: '2026-01-25' })
    assert.deepEqual(gaps.best, { state: 'measured', value: 3, on: '2026-01-25' })
    assert.deepEqual(body.movement.over1Day, {
      climbed: 1,
      fallen: 0,
      unchanged: 0,
      entered: 0,
      left: 0,
      absent: 0,
      notMeasured: 1,
    })
    assert.equal(body.movement.over30Days.fallen, 1)
  })

  test('does not call it entering or leaving where only one of the pages looked that deep', async () => {
    const app = freshApp()
    const appId = await track(app, ['enters', 'comes deeper', 'leaves', 'cut off'])
    await page('enters', '2026-04-01', app, undefined, 20)
    await page('enters', '2026-04-02', app, 11, 20)
    await page('comes deeper', '2026-04-01', app, undefined, 10)
    await page('comes deeper', '2026-04-02', app, 11, 20)
    await page('leaves', '2026-04-01', app, 8, 20)
    await page('leaves', '2026-04-02', app, undefined, 10)
    await page('cut off', '2026-04-01', app, 15, 20)
    await page('cut off', '2026-04-02', app, undefined, 10)
    const { keywords } = await station(appId)
    const over1Day = Object.fromEntries(
      keywords.map((keyword: { term: string; over1Day: object }) => [keyword.term, keyword.over1Day]),
    )
    const tooLittle = { state: 'not-measured', reason: 'too-little-evidence' }
    assert.deepEqual(over1Day, {
      enters: { state: 'entered', depth: 20, comparedOn: '2026-04-01' },
      'comes deeper': tooLittle,
      leaves: { state: 'left', from: 8, depth: 10, comparedOn: '2026-04-01' },
      'cut off': tooLittle,
    })
  })

  test('takes an empty page after results for no absence, and says that something is wrong', async () => {
    const app = freshApp()
    const appId = await track(app, ['suspect', 'suspect and more'])
    await page('suspect', '2026-05-01', app, 3)
    await page('suspect', '2026-05-02', app, undefined, 0)
    const body = await station(appId)
    const [keyword] = body.keywords
    assert.deepEqual(keyword.rank, { state: 'measured', value: 3, depth: 20 })
    assert.equal(keyword.observedAt, '2026-05-01T17:00:00.000Z')
    assert.equal(body.window.to, '2026-05-01')
    assert.equal(body.trouble.length, 1)
    assert.equal(body.trouble[0].kind, 'suspect-empty')
    const other = await track(freshApp(), ['suspect and'])
    assert.deepEqual((await station(other)).trouble, [], 'the trouble of another term')
  })

  test('takes an empty page for an absence where there never was a result', async () => {
    const appId = await track(freshApp(), ['nothing at all'])
    await page('nothing at all', '2026-05-01', 1, undefined, 0)
    const [keyword] = (await station(appId)).keywords
    assert.deepEqual(keyword.rank, { state: 'absent', depth: 0 })
    assert.deepEqual(keyword.above, [])
  })

  test('puts pages that arrive late where they belong', async () => {
    const app = freshApp()
    const appId = await track(app, ['late'])
    await page('late', '2026-06-10', app, 9)
    await page('late', '2026-06-09', app, 14)
    await page('late', '2026-04-20', app, 2)
    const [keyword] = (await station(appId, { windowDays: 7 })).keywords
    assert.equal(keyword.rank.value, 9)
    assert.deepEqual(keyword.over1Day, { state: 'measured', places: 5, comparedOn: '2026-06-09' })
    assert.deepEqual(keyword.over30Days, { state: 'measured', places: -7, comparedOn: '2026-04-20' })
    assert.deepEqual(keyword.best, { state: 'measured', value: 2, on: '2026-04-20' })
    assert.deepEqual(keyword.series.slice(-2), [14, 9])
  })

  test('counts the last page of a day, by the date of the storefront', async () => {
    const app = freshApp()
    const appId = await track(app, ['twice'])
    const at = (observedAt: string, ids: number[]) =>
      storePage(world, { term: 'twice', observedAt, apps: appsOf(ids) })
    await at('2026-06-10T15:00:00Z', [1, 2, app])
    // The next day in UTC, but the same in the United States.
    await at('2026-06-11T02:00:00Z', [app, 1, 2])
    await at('2026-06-10T12:00:00Z', [1, 2, 3, app])
    const body = await station(appId, { windowDays: 7 })
    assert.equal(body.window.to, '2026-06-10')
    assert.equal(body.keywords[0].rank.value, 1)
    assert.deepEqual(body.keywords[0].series.slice(-2), [null, 1])
    const missing = await track(freshApp(), ['twice'])
    assert.deepEqual((await station(missing)).keywords[0].best, { state: 'absent', depth: 4, pages: 3 })
  })

  test('keeps the changes of a keyword whose newest page lies before the window, but not its visibility', async () => {
    const app = freshApp()
    const appId = await track(app, ['old', 'new'])
    await page('old', '2025-01-01', app, 8)
    await page('old', '2025-01-10', app, 2)
    await page('new', '2026-03-01', app, 4)
    const body = await station(appId, { windowDays: 7 })
    const [old, fresh] = body.keywords
    assert.equal(old.rank.value, 2)
    assert.deepEqual(old.over7Days, { state: 'measured', places: 6, comparedOn: '2025-01-01' })
    assert.deepEqual(old.series, Array(7).fill(null))
    assert.equal(fresh.rank.value, 4)
    assert.equal(body.visibility.measured, 1)
    assert.equal(body.visibility.share.value, 25)
    assert.equal(body.distribution.notMeasured, 1)
  })

  test('names who ranks above: rivals first, then from the top', async () => {
    const [app, near, far, watched] = [freshApp(), freshApp(), freshApp(), freshApp()]
    const appId = await track(app, ['above', 'above all', 'above none'])
    const nearId = await track(near, [], { role: 'rival' })
    await track(far, [], { role: 'rival' })
    await track(watched, [], { role: 'watched' })
    await track(freshApp(), [], { role: 'rival', country: 'jp' })
    const day = noon('2026-03-01')
    const ids = [11, watched, 13, 14, 15, near, app, far]
    await storePage(world, { term: 'above', observedAt: day, apps: appsOf(ids) })
    await storePage(world, { term: 'above all', observedAt: day, apps: appsOf([app, near]) })
    await storePage(world, { term: 'above none', observedAt: day, apps: appsOf([21, 22, far]) })
    const body = await station(appId)
    const above = Object.fromEntries(
      body.keywords.map((keyword: { term: string; above: unknown }) => [keyword.term, keyword.above]),
    )
    const at = (storeId: number, position: number) => ({ storeId: String(storeId), position })
    assert.deepEqual(above.above, [at(near, 6), at(11, 1), at(watched, 2), at(13, 3), at(14, 4)])
    assert.deepEqual(above['above all'], [])
    assert.deepEqual(above['above none'], [at(far, 3), at(21, 1), at(22, 2)])
    assert.equal(body.rivals.length, 2)
    const rival = body.rivals.find((one: { appId: string }) => one.appId === nearId)
    assert.deepEqual([rival.ahead, rival.behind, rival.neither, rival.notMeasured], [1, 1, 1, 0])
    assert.equal(rival.visibility.keywords, 3)
    const named = new Set(body.keywords.flatMap((keyword: { above: { storeId: string }[] }) => keyword.above))
    for (const { storeId } of named as Set<{ storeId: string }>)
      assert.ok(body.apps.some((label: { storeId: string }) => label.storeId === storeId))
    assert.equal(body.apps.find((label: { storeId: string }) => label.storeId === '11').name, 'App 11')
  })

  test('shows the scores of a term, and why one is missing', async () => {
    const app = freshApp()
    const appId = await track(app, ['scored app', 'scored thin'])
    await page('scored app', '2026-03-01', app, 2)
    // Two places were asked for: nobody knows what follows.
    const two = { observedAt: noon('2026-03-01'), apps: appsOf([app, 2]), requested: 2 }
    await storePage(world, { term: 'scored thin', ...two })
    await storeSuggestions(world, { typed: 'sc', observedAt: noon('2026-03-01'), terms: ['scored app'] })
    const [thin, scored] = (await station(appId)).keywords
    assert.equal(scored.difficulty.formula, 'difficulty/5 (common scale)')
    assert.equal(scored.autocomplete.state, 'estimated')
    assert.equal(scored.opportunity.state, 'estimated')
    assert.equal(scored.relevance.state, 'estimated')
    assert.deepEqual(thin.difficulty, { state: 'not-measured', reason: 'too-little-evidence' })
    const unseen = (await station(await track(freshApp(), ['scored never']))).keywords[0]
    assert.deepEqual(unseen.difficulty, notCollected)
    assert.deepEqual(unseen.relevance, notCollected)
  })

  test('holds a keyword that the app is about worth more than one it says nothing of, also where it was never suggested', async () => {
    const app = freshApp()
    const listed = { trackId: app, observedAt: noon('2026-03-01'), trackName: 'Budget Planner' }
    await storeListings(world, [{ ...listed, description: 'Plan every budget.' }])
    const appId = await track(app, ['budget planner', 'weather radar'])
    for (const term of ['budget planner', 'weather radar']) await page(term, '2026-03-01', app, undefined)
    const typed = { observedAt: noon('2026-03-01') }
    await storeSuggestions(world, { typed: 'we', ...typed, terms: ['weather radar'] })
    await storeSuggestions(world, { typed: 'bu', ...typed, terms: ['bus'] })
    const [relevant, other] = (await station(appId)).keywords
    assert.deepEqual([relevant.relevance.value, relevant.autocomplete.value], [100, 0])
    assert.equal(other.relevance.value, 0)
    assert.ok(other.autocomplete.value > 80)
    assert.ok(relevant.opportunity.value > 0 && relevant.opportunity.value > other.opportunity.value)
    assert.equal(relevant.opportunity.formula, 'opportunity/5 (common scale)')
    const { body } = await world.call('explore_aso_keyword', { query: 'weather radar' })
    assert.ok(body.opportunity.value > other.opportunity.value)
    assert.equal(body.opportunity.formula, 'opportunity/5 (common scale, without relevance)')
  })

  test('covers a year', async () => {
    const app = freshApp()
    const appId = await track(app, ['a year'])
    await page('a year', '2025-03-02', app, 5)
    await page('a year', '2026-03-01', app, 6)
    const body = await station(appId, { windowDays: 365 })
    assert.deepEqual(body.window, { from: '2025-03-02', to: '2026-03-01', days: 365 })
    assert.equal(body.keywords[0].series.length, 365)
    assert.deepEqual([body.keywords[0].series[0], body.keywords[0].series[364]], [5, 6])
    const { status } = await world.call('get_aso_workstation', { appId, windowDays: 366 })
    assert.equal(status, 400)
  })

  test('is nobody else’s, and needs the scope to read', async () => {
    const appId = await track(freshApp())
    const other = { key: await world.key(undefined, 'workstation rival') }
    const found = await world.call('get_aso_workstation', { appId }, other)
    assert.deepEqual([found.status, found.body.code], [404, 'tracked-app-not-found'])
    const writer = { key: await world.key(['content:write']) }
    assert.equal((await world.call('get_aso_workstation', { appId }, writer)).status, 403)
  })
})
