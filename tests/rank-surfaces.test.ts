import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { chooseSurface } from '../src/domain/accounts/surface.ts'
import { healthOfSources } from '../src/domain/collecting/health.ts'
import type { ImportRequest } from '../src/imports/import-request.ts'
import { replay } from '../src/projections/replay.ts'
import { storeReadings } from '../src/projections/store-readings.ts'
import { rows } from '../src/storage/database.ts'
import { type PlayedSearchPage, searchPage } from './support/apple-answers.ts'
import { collected } from './support/collected.ts'
import { jobsEnd, lookAtSchedule, openCollecting } from './support/collecting.ts'
import { openFolder } from './support/files.ts'
import { importInto } from './support/imports.ts'
import { operate } from './support/operator.ts'
import { appsOf, storePage } from './support/result-pages.ts'
import { until } from './support/until.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
const { db } = world.store
const folder = openFolder()
after(async () => {
  folder[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

const lockup = (adamId: unknown, title = `App ${adamId}`) => ({ adamId, title, developerName: 'Maker' })
const lockups = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => lockup(`${from + at}`))

const pageText = (term: string, more: Partial<PlayedSearchPage> = {}) =>
  searchPage({ term, country: 'us', entries: lockups(1, 15), ...more })

const bringIn = (text: string, order: Partial<ImportRequest> = {}, name = 'saved.html') =>
  importInto(world, {
    kind: 'search-results',
    paths: [folder.write(name, text)],
    observedAt: '2026-03-02T10:20:00Z',
    ...order,
  })

const pagesOf = (term: string, country = 'us') =>
  rows(
    db,
    sql<{ surface: string; at: string; apps: string }>`
      select n.surface, to_char(p.captured_at at time zone 'UTC', 'HH24:MI') as at,
        array_to_string(p.store_ids, ' ', '-') as apps
      from result_pages p join term_names n using (term_id) where n.term = ${term} and n.country = ${country}
      order by n.surface desc`,
  )

test('a saved web search page tells its search itself, and is stored apart from pages of the Search API', async () => {
  await storePage(world, { term: 'river', observedAt: '2026-03-02T10:00:00Z', apps: appsOf([7, 8, 9]) })
  const { stored, rejected } = await bringIn(pageText('River'))
  assert.deepEqual({ stored, rejected }, { stored: 15, rejected: 0 })
  assert.deepEqual(await pagesOf('river'), [
    { surface: 'itunes-search', at: '10:00', apps: '7 8 9' },
    { surface: 'app-store-search', at: '10:20', apps: Array.from({ length: 15 }, (_, at) => at + 1).join(' ') },
  ])
})

test('bad pages are refused by name, and nothing of them is stored', async () => {
  const whole = pageText('bad page')
  const refused: [string, string, Partial<ImportRequest>, RegExp][] = [
    [
      'another storefront',
      pageText('bad page', { country: 'de' }),
      { country: 'us' },
      /storefront "de", not of "us"/,
    ],
    ['another term', whole, { term: 'other' }, /search for "bad page", not for "other"/],
    ['another platform', pageText('bad page', { platform: 'mac' }), {}, /search for mac, not for iphone/],
    ['cut off', whole.slice(0, whole.indexOf('nextPage')), {}, /stops in the middle/],
    ['an app page', whole.replace('"shelves"', '"shelfMapping"'), {}, /is of no search/],
    [
      'no ids',
      pageText('bad page', { entries: [{ title: 'One' }, { title: 'Two' }] }),
      {},
      /no result can be read/,
    ],
    [
      'stories alone',
      pageText('bad page', { entries: [], before: [{ $kind: 'EditorialSearchResult' }] }),
      {},
      /no app/,
    ],
    ['10,000 ids', pageText('bad page', { entries: lockups(1, 10_000) }), {}, /lists 10000 results/],
    ['another format', whole, { format: 'itunes-search' }, /HTML or XML/],
    ['JSON', '{}', { format: 'app-store-search', term: 'bad page' }, /HTML was expected/],
  ]
  for (const [name, text, order, reason] of refused) {
    const { stored, rejected, firstRejection } = await bringIn(text, order)
    assert.deepEqual({ name, stored, rejected }, { name, stored: 0, rejected: 1 })
    assert.match(firstRejection?.reason ?? '', reason, name)
  }
  assert.deepEqual(await pagesOf('bad page'), [])
})

test('entries that are no apps hold no place; an app that comes twice, or has no id, leaves its place empty', async () => {
  const text = pageText('mixed', {
    before: [
      { $kind: 'AppSearchResult', resultType: 'ad', lockup: lockup('99') },
      { $kind: 'EditorialSearchResult' },
      {
        $kind: 'AppSearchResult',
        lockup: { ...lockup('98'), clickAction: { pageUrl: 'https://x.example/?platform=mac' } },
      },
    ],
    entries: [lockup(11), lockup('12'), lockup('11'), { title: 'Nameless' }, lockup('13')],
    further: [
      { type: 'apps', id: '14' },
      { type: 'editorial-items', id: '5' },
      { type: 'apps', id: 15 },
    ],
  })
  const { stored, rejected, notes } = await bringIn(text)
  assert.deepEqual({ stored, rejected }, { stored: 5, rejected: 2 })
  assert.match(
    notes.join(),
    /1 × ad, 1 × EditorialSearchResult, 1 × app for mac, 1 × editorial-items among its results/,
  )
  assert.equal((await pagesOf('mixed'))[0]?.apps, '11 12 - - 13 14 15')
})

test('a list of the next page that begins with the entries once more is read once', async () => {
  const further = lockups(1, 20).map(({ adamId }) => ({ type: 'apps', id: adamId }))
  await bringIn(pageText('whole list', { entries: lockups(1, 12), further }))
  assert.equal((await pagesOf('whole list'))[0]?.apps, Array.from({ length: 20 }, (_, at) => at + 1).join(' '))
})

test('an empty page is an absence on its surface alone', async () => {
  await bringIn(pageText('nothing here', { entries: [] }))
  assert.deepEqual(await pagesOf('nothing here'), [{ surface: 'app-store-search', at: '10:20', apps: '' }])
})

test('a replay derives the pages of both surfaces anew', async () => {
  const before = await pagesOf('river')
  await replay(db, () => {}, new AbortController().signal)
  assert.deepEqual(await pagesOf('river'), before)
})

/** An own app with keywords, known by a lookup; @returns its tracking id */
async function tracked(storeId: number, terms: readonly string[]) {
  const lookup = JSON.stringify({ resultCount: 1, results: [{ ...appsOf([storeId])[0], kind: 'software' }] })
  await storeReadings(db, [
    collected('itunes-lookup', Buffer.from(lookup), { country: 'us' }, '2026-03-01T08:00:00Z'),
  ])
  const { appId } = (await world.call('track_aso_app', { app: String(storeId), country: 'us', role: 'own' }))
    .body
  await world.call('add_aso_keywords', { appId, terms: [...terms] })
  return appId
}

test('a workstation names how the other surface differs, and mixes nothing', async () => {
  const shown = (id: number, place: number) =>
    appsOf([...Array.from({ length: place - 1 }, (_, at) => 9_000 + at), id])
  await storePage(world, { term: 'near', observedAt: '2026-03-02T10:00:00Z', apps: shown(500, 12) })
  await bringIn(pageText('near', { entries: shown(500, 31).map(({ trackId }) => lockup(trackId)) }))
  await storePage(world, { term: 'far', observedAt: '2026-02-20T10:00:00Z', apps: shown(500, 3) })
  await bringIn(pageText('far', { entries: [lockup(500)] }))
  await bringIn(pageText('web alone', { entries: [lockup(1), lockup(500)] }))
  await storePage(world, { term: 'deep', observedAt: '2026-03-02T10:00:00Z', apps: shown(500, 30) })
  await bringIn(pageText('deep', { entries: lockups(600, 10) }))
  const appId = await tracked(500, ['near', 'far', 'web alone', 'deep', 'nowhere'])

  const { body: main } = await world.call('get_aso_workstation', { appId })
  assert.equal(main.surface.name, 'itunes-search')
  assert.match(main.surface.shows, /Ads are not included/)
  const of = (reply: typeof main) => new Map(reply.keywords.map((keyword) => [keyword.term, keyword]))
  const [near, far, alone, deep, nowhere] = ['near', 'far', 'web alone', 'deep', 'nowhere'].map((term) =>
    of(main).get(term),
  )
  assert.deepEqual(near?.otherSurfaces, [
    {
      surface: 'app-store-search',
      rank: { state: 'measured', value: 31, depth: 31 },
      observedAt: '2026-03-02T10:20:00.000Z',
      minutesApart: 20,
      outcome: 'differs',
      places: 19,
      text: '12th here, 31st in App Store web search, 20 minutes apart',
    },
  ])
  const said = (keyword: (typeof main.keywords)[number] | undefined) =>
    keyword?.otherSurfaces.map(({ outcome, text }) => `${outcome}: ${text}`)
  assert.deepEqual(said(far), [
    'not-compared: 3rd here on 2026-02-20T10:00Z, 1st in App Store web search on 2026-03-02T10:20Z: too far apart to compare',
  ])
  assert.deepEqual(alone?.rank, { state: 'not-measured', reason: 'never-collected' })
  assert.deepEqual(said(alone), ['not-compared: No page here; 2nd in App Store web search'])
  assert.match(said(deep)?.join() ?? '', /^not-compared: 30th here, not among 10 in .*so deep only one/)
  assert.deepEqual(nowhere?.otherSurfaces, [])
  assert.deepEqual([main.visibility.measured, main.distribution.ranked], [3, 3])

  const { body: web } = await world.call('get_aso_workstation', { appId, surface: 'app-store-search' })
  const there = of(web)
  assert.deepEqual(there.get('near')?.rank, { state: 'measured', value: 31, depth: 31 })
  assert.deepEqual(
    [there.get('near')?.surface, there.get('near')?.best],
    ['App Store web search', { state: 'measured', value: 31, on: '2026-03-02' }],
  )
  assert.equal(there.get('near')?.otherSurfaces[0]?.surface, 'itunes-search')
  assert.deepEqual(there.get('near')?.difficulty, near?.difficulty)
  assert.deepEqual(there.get('web alone')?.rank, { state: 'measured', value: 2, depth: 2 })
  assert.equal(web.visibility.measured, 4)
  assert.deepEqual(
    web.keywords.map(({ series }) => series.filter((one) => one !== null).length).sort(),
    [0, 1, 1, 1, 1],
  )

  const { body: explored } = await world.call('explore_aso_keyword', { query: 'near', country: 'us' })
  assert.deepEqual(
    [explored.surface.name, explored.page.state === 'measured' && explored.page.depth],
    ['itunes-search', 12],
  )
  assert.deepEqual(explored.trackedApps[0]?.otherSurfaces, near?.otherSurfaces)
  const { body: onWeb } = await world.call('explore_aso_keyword', {
    query: 'near',
    country: 'us',
    surface: 'app-store-search',
  })
  assert.deepEqual([onWeb.page.state === 'measured' && onWeb.page.depth, onWeb.pagesStored], [31, 1])
  assert.deepEqual([onWeb.difficulty, onWeb.opportunity], [explored.difficulty, explored.opportunity])
})

test('an account chooses the surface of its workstation', async () => {
  const { accountId } = (
    await rows(
      db,
      sql<{ accountId: string }>`
    select account_id as "accountId" from tracked_apps where store_id = 500`,
    )
  )[0] ?? { accountId: '' }
  const [app] = (await world.call('list_aso_apps', {})).body.items.filter(
    ({ app: { storeId } }) => storeId === '500',
  )
  await chooseSurface(db, accountId, 'app-store-search')
  const { body: chosen } = await world.call('get_aso_workstation', { appId: app?.appId ?? '' })
  assert.equal(chosen.surface.name, 'app-store-search')
  assert.equal(
    (await world.call('explore_aso_keyword', { query: 'near' })).body.surface.name,
    'app-store-search',
  )
  await chooseSurface(db, accountId, 'itunes-search')
  assert.equal(
    (await world.call('get_aso_workstation', { appId: app?.appId ?? '' })).body.surface.name,
    'itunes-search',
  )
})

test('an app that a surface does not list for its own name is told apart from one beyond the depth', async () => {
  const appId = await tracked(700, ['far away'])
  await storePage(world, { term: 'far away', observedAt: '2026-03-02T10:00:00Z', apps: appsOf([1, 2, 3]) })
  assert.equal((await world.call('get_aso_workstation', { appId })).body.notListed, null)
  await storePage(world, { term: 'App 700', observedAt: '2026-03-02T10:00:00Z', apps: appsOf([1, 2]) })
  const { body: listed } = await world.call('get_aso_workstation', { appId })
  assert.deepEqual(listed.notListed, {
    term: 'app 700',
    depth: 2,
    observedAt: '2026-03-02T10:00:00.000Z',
    knownAt: '2026-03-01T08:00:00.000Z',
  })
  const { body: explored } = await world.call('explore_aso_keyword', { query: 'far away' })
  assert.deepEqual(explored.trackedApps.find(({ storeId }) => storeId === '700')?.notListed, listed.notListed)
  assert.equal(
    (await world.call('get_aso_workstation', { appId, surface: 'app-store-search' })).body.notListed,
    null,
  )
  await storePage(world, { term: 'seen after all', observedAt: '2026-03-03T10:00:00Z', apps: appsOf([700]) })
  assert.equal((await world.call('get_aso_workstation', { appId })).body.notListed, null)
})

test('result pages of both surfaces come out of an export and into an empty store as they were', async () => {
  const out = join(folder.path, 'pages.ndjson')
  const exported = await operate(world, { command: 'export result-pages', options: { out } })
  assert.deepEqual([exported.code, exported.notes], [0, ''])
  await using other = await openWorld()
  await other.import({ kind: 'search-results', paths: [out] })
  for (const surface of ['itunes-search', 'app-store-search'] as const) {
    const pages = await Promise.all(
      [world, other].map(async (one) => {
        const asked = { query: 'near', country: 'us', surface } as const
        const { page } = (await one.call('explore_aso_keyword', asked)).body
        return page.state === 'measured' && page.results.map(({ position, app }) => [position, app.storeId])
      }),
    )
    assert.ok(pages[0] && pages[0].length > 10)
    assert.deepEqual(pages[0], pages[1])
  }
})

test('the schedule reads search pages of tracked keywords, and one that cannot be read keeps no other waiting', async () => {
  const searched = (request: { path: string }) => request.path.includes('/iphone/search')
  await using opened = await openCollecting({ schedule: { searchPages: { everyHours: 24 } } }, {}, (apple) =>
    apple.behave((request) => searched(request) && request.path.includes('term=chat'), { does: 'html' }),
  )
  const { world: collecting, apple } = opened
  const [first] = apple.apps
  const role = { country: 'us', role: 'own' } as const
  const { appId } = (await collecting.call('track_aso_app', { app: first?.storeId ?? '', ...role })).body
  await collecting.call('add_aso_keywords', { appId, terms: ['chat', 'lantern'] })
  await lookAtSchedule(collecting)
  const keyword = async (term: string) => {
    const { keywords } = (await collecting.call('get_aso_workstation', { appId, surface: 'app-store-search' }))
      .body
    return keywords.find((one) => one.term === term)
  }
  await until(
    () => keyword('lantern'),
    (one) => one?.rank.state === 'measured',
  )
  assert.deepEqual((await keyword('chat'))?.rank, { state: 'not-measured', reason: 'source-failed' })
  assert.deepEqual((await keyword('lantern'))?.surface, 'App Store web search')
  assert.equal(
    (await collecting.call('explore_aso_keyword', { query: 'lantern' })).body.page.state,
    'not-measured',
  )
  const [health] = (await healthOfSources(collecting.store.db)).filter(
    ({ source }) => source === 'app-store-search',
  )
  assert.ok(health?.lastSuccessAt && health.lastFailureAt)
  const before = apple.requests.filter(searched).length
  assert.equal(before, 2)
  await lookAtSchedule(collecting)
  await jobsEnd(collecting, 'collect-search-pages')
  assert.equal(apple.requests.filter(searched).length, before, 'what failed waits an hour, what is there a day')
  const plan = await operate(collecting, {
    command: 'collect search-pages',
    options: { plan: true, country: 'us' },
  })
  assert.match(plan.out, /^2 search pages, every 24 hours:\n {2}2 requests to app-store-search, without a pace/)
})
