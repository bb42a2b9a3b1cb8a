import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, beforeEach, mock, test } from 'node:test'
import { sql } from 'kysely'
import { repositoryAnswer } from '../sample/ad-repository.ts'
import { StoredRateLimiter } from '../src/domain/collecting/rate-limiter.ts'
import { adImport } from '../src/domain/paid-ads/imports/import-run.ts'
import { performAdImport } from '../src/jobs/kinds/ad-import.ts'
import { workTask } from '../src/jobs/work-tasks.ts'
import { replay } from '../src/projections/replay.ts'
import { rows } from '../src/storage/database.ts'
import { adLibraries } from '../src/suppliers/ad-libraries.ts'
import { dayNumber, type PlayedRepository, repositoryAd, startAdRepository } from './support/ad-repository.ts'
import { patient } from './support/collecting.ts'
import { openFolder } from './support/files.ts'
import { operate } from './support/operator.ts'
import { openWorld, type World } from './support/world.ts'

let played: PlayedRepository
let world: World

before(async () => {
  played = await startAdRepository([], '2026-11-20')
  world = await openWorld({
    sources: { 'apple-ad-library': { baseUrl: played.url, callsPerMinute: 0, attempts: 1 } },
  })
})

after(async () => {
  await world?.[Symbol.asyncDispose]()
  await played?.[Symbol.asyncDispose]()
})

/** Each test has an app and ads of its own. */
let next = 0
let app = ''
const idOf = (at: number) => (BigInt(app) * 1_000n + BigInt(at)).toString(16).padStart(32, '0')
const ad = (given: Parameters<typeof repositoryAd>[0] = {}, at = 0) =>
  repositoryAd({ adId: idOf(at), appId: Number(app), developerId: Number(app) + 1, ...given })

beforeEach(() => {
  app = String(6_449_120_000 + next++ * 10)
  played.recover()
  Object.assign(played, { ads: [], today: '2026-11-20' })
  played.requests.splice(0)
})

async function perform(runId: string): Promise<unknown> {
  const { store, collecting } = world
  const libraries = adLibraries(collecting.sources, {}, new StoredRateLimiter(store.db), {
    backOffMs: 1,
    throttledMs: 20,
    openMs: 20,
  })
  const task = workTask(store.db, adImport, performAdImport(store.db, libraries))
  return task({ workId: runId }, patient).catch((error: unknown) => error)
}

async function imported(input: Record<string, unknown> = { apps: [app] }) {
  const { body, status } = await world.call('admin_import_paid_ads', { platform: 'apple', ...input })
  assert.equal(status, 202, JSON.stringify(body))
  await perform(body.runId)
  return (await world.call('admin_get_paid_ad_import', { runId: body.runId })).body
}

const preview = (input: Record<string, unknown> = { apps: [app] }) =>
  world.call('admin_preview_paid_ads', { platform: 'apple', ...input })
const read = async (at = 0) =>
  (await world.call('get_paid_ad', { platform: 'apple', archiveId: idOf(at) })).body
const filters = () => played.requests.map(({ path }) => new URL(path, 'http://played').searchParams.get('ql'))
const told = (fact: { state: string; value?: unknown }) => (fact.state === 'measured' ? fact.value : fact.state)

test('without any credential the ads of an app are asked for in five countries at a time', async () => {
  played.ads = [ad({ countries: ['DE', 'FR', 'SE'] })]
  const { body, status } = await preview()
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body.examined, { ads: 3, new: 1, known: 2, changed: 0, rejected: 0 })
  assert.deepEqual([body.requestsUsed, body.requestsNeeded], [5, { value: 5, relation: 'exact' }])
  assert.equal(
    filters()[0],
    `type==APP;id==${app};countryOrRegion=in=(AT,BE,BG,HR,CY);datePreset==LAST_90_DAYS`,
  )
  assert.equal(new Set(filters().flatMap((ql) => ql?.match(/\b[A-Z]{2}\b/g) ?? [])).size, 25)
  assert.ok(played.requests.every(({ accept }) => accept === 'application/json'))
  assert.deepEqual(body.query?.apps, [app])
})

test('previews of ten apps take at most 51 questions', async () => {
  const apps = Array.from({ length: 10 }, (_, at) => String(BigInt(app) + BigInt(at)))
  played.ads = [ad({ countries: ['DE', 'FR', 'SE'] })]
  for (const one of apps) assert.equal((await preview({ apps: [one] })).status, 200)
  assert.equal(played.requests.length, 50)
  played.requests.splice(0)
  const { body } = await preview({ apps })
  assert.deepEqual([played.requests.length, body.requestsUsed], [50, 50])
  assert.equal(world.collecting.sources['apple-ad-library'].callsPerMinute, 0)
})

test('an ad of several countries is one ad, with first and last day by country', async () => {
  played.ads = [
    ad({
      countries: ['DE', 'SE'],
      from: '2026-10-01',
      placement: 'APPSTORE_TODAY_TAB',
      byAge: true,
    }),
  ]
  played.ads[0]?.shown[1] && Object.assign(played.ads[0].shown[1], { first: 20_700, last: 20_740 })
  const run = await imported()
  assert.deepEqual([run.status, run.counts.read, run.counts.stored], ['succeeded', 2, 1])
  const found = await read()
  assert.deepEqual(told(found.byCountry), [
    {
      country: 'de',
      firstShownOn: '2026-10-01',
      firstShownBy: null,
      lastShownOn: '2026-11-13',
      knownUntil: '2026-11-13',
      placements: ['today-tab'],
    },
    {
      country: 'se',
      firstShownOn: '2026-09-04',
      firstShownBy: null,
      lastShownOn: '2026-10-14',
      knownUntil: '2026-11-13',
      placements: ['today-tab'],
    },
  ])
  assert.deepEqual(
    [found.countries, found.placements, found.targeting, found.active, found.deliveryStartedOn].map(told),
    [['de', 'se'], ['today-tab'], ['age'], true, '2026-09-04'],
  )
  assert.deepEqual(found.deliveryEndedOn.state, 'absent')
  assert.deepEqual(found.daysRunning, {
    state: 'measured',
    value: 71,
    relation: 'at-least',
    formula: 'delivery-days/2',
  })
  assert.deepEqual([found.observationCount, found.lastObservedAt], [1, '2026-11-13T00:00:00.000Z'])
  assert.equal(told(found.advertiser.legalName), 'Tidepool Labs Ltd')
  const [creative] = found.creatives
  assert.deepEqual([creative.title, creative.locale, creative.layout, creative.layoutVariant].map(told), [
    'Tidepool: Gewohnheiten',
    'de-DE',
    'Icon + Asset Ad',
    'medium_1',
  ])
})

test('what later weeks show is joined, and an ad that is no longer shown has ended', async () => {
  played.ads = [ad({ countries: ['DE', 'SE'], from: '2026-10-01', to: '2026-11-16' })]
  await imported()
  played.today = '2026-11-27'
  await imported({ apps: [app], countries: ['de'] })
  const found = await read()
  assert.deepEqual(told(found.countries), ['de', 'se'])
  assert.equal(told(found.active), true, 'Sweden is as it was')
  await imported()
  const ended = await read()
  assert.deepEqual([ended.active, ended.deliveryEndedOn, ended.daysRunning].map(told), [
    false,
    '2026-11-16',
    47,
  ])
  assert.deepEqual(
    ended.observations.map(({ observedAt, active }) => [observedAt.slice(0, 10), told(active)]),
    [
      ['2026-11-20', false],
      ['2026-11-13', true],
    ],
  )
  const before = JSON.stringify(ended)
  await replay(world.store.db, () => {}, patient, ['ads'])
  assert.equal(JSON.stringify(await read()), before)
})

test('"Over 1 Year Ago" is a bound and never a date', async () => {
  played.ads = [ad({ countries: ['DE'], from: '2024-05-01' })]
  await imported()
  const found = await read()
  assert.deepEqual(found.deliveryStartedOn, { state: 'not-measured', reason: 'not-carried' })
  assert.deepEqual(
    found.byCountry.value.map(({ firstShownOn, firstShownBy }) => [firstShownOn, firstShownBy]),
    [[null, '2025-11-20']],
  )
  assert.deepEqual([found.daysRunning.value, found.daysRunning.relation], [359, 'at-least'])
})

test('the ad names its app: no linking is needed, and ids of either case are one', async () => {
  played.ads = [ad()]
  await imported()
  const found = await read()
  assert.deepEqual(
    found.links.map(({ app: linked, grounds }) => [
      linked.storeId,
      grounds.map(({ kind, foundIn }) => [kind, foundIn]),
    ]),
    [[app, [['named-app', 'record']]]],
  )
  const { body } = await world.call('search_paid_ads', { competitor: [app], placement: ['search-results'] })
  assert.deepEqual([body.items.length, body.items[0]?.archiveId], [1, idOf(0)])
  assert.equal(
    (await world.call('search_paid_ads', { competitor: [app], placement: ['today-tab'] })).body.items.length,
    0,
  )
})

test('an app that is not shown is absent to this coverage, and one that nobody asked about is not measured', async () => {
  const before = await world.call('search_paid_ads', { competitor: [app], platform: 'apple' })
  const notesOf = (body: typeof before.body) =>
    body.coverage[0]?.notes.filter(({ code }) => code === 'absent' || code === 'never-collected')
  assert.match(
    notesOf(before.body)
      ?.map(({ message }) => message)
      .join(' ') ?? '',
    /Nobody has asked .* for ads of/,
  )
  const run = await imported()
  assert.equal(run.status, 'succeeded')
  const note = run.coverage.notes.find(({ code }) => code === 'absent')
  assert.match(note?.message ?? '', new RegExp(`no ad of ${app} in the last 90 days .*absent to this coverage`))
  assert.match(
    run.coverage.notes.find(({ code }) => code === 'region-limited')?.message ?? '',
    /Austria.*Finland.*Sweden/,
  )
  const { body } = await world.call('search_paid_ads', { competitor: [app], platform: 'apple' })
  assert.match(
    notesOf(body)
      ?.map(({ message }) => message)
      .join(' ') ?? '',
    /showed no ad of .* any of its 25 countries/,
  )
  assert.ok((await preview()).body.coverage.notes.some(({ code }) => code === 'absent'))
})

test('ads that were read are not absent, also where the clock of the database is ahead', async () => {
  played.ads = [ad({ countries: ['DE'] })]
  const { body } = await world.call('admin_import_paid_ads', { platform: 'apple', apps: [app] })
  mock.timers.enable({ apis: ['Date'], now: Date.now() - 60_000 })
  try {
    await perform(body.runId)
  } finally {
    mock.timers.reset()
  }
  const run = (await world.call('admin_get_paid_ad_import', { runId: body.runId })).body
  assert.equal(run.counts.read, 1)
  assert.deepEqual(
    run.coverage.notes.filter(({ code }) => code === 'absent'),
    [],
  )
})

test('the dates of a query choose among the numbers of days that the library has', async () => {
  for (const [deliveredFrom, preset] of [
    [undefined, 'LAST_90_DAYS'],
    [daysAgo(150), 'LAST_180_DAYS'],
    [daysAgo(300), 'LAST_YEAR'],
  ]) {
    played.requests.splice(0)
    const { body } = await preview({ apps: [app], countries: ['de'], ...(deliveredFrom && { deliveredFrom }) })
    assert.match(filters()[0] ?? '', new RegExp(`datePreset==${preset}$`))
    // A day may end between the question and this line.
    assert.ok([deliveredFrom ?? daysAgo(97), daysAgo(98)].includes(body.query?.deliveredFrom))
  }
  const before = await preview({ apps: [app], deliveredFrom: daysAgo(500) })
  assert.match(before.body.errors[0].message, /where Apple's library begins/)
  const to = await preview({ apps: [app], countries: ['de'], deliveredTo: daysAgo(30) })
  assert.match(
    to.body.coverage.notes.find(({ code }) => code === 'filter-not-supported')?.message ?? '',
    /deliveredTo/,
  )
})

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

test('what the library cannot be asked for is refused by name', async () => {
  const refused = async (platform: string, input: Record<string, unknown>) =>
    (await world.call('admin_preview_paid_ads', { platform, ...input })).body.errors.map(
      ({ pointer, message }: { pointer: string; message: string }) => `${pointer} ${message}`,
    )
  assert.deepEqual(await refused('apple', { terms: ['calm'] }), [
    "/body/terms Apple's library cannot be asked for it; it takes apps, advertiserIds, archiveIds or countries",
  ])
  assert.deepEqual(await refused('meta', { apps: [app] }), [
    "/body/apps Meta's library cannot be asked for it; it takes terms or advertiserIds",
  ])
  assert.deepEqual(await refused('apple', {}), [
    '/body/apps is needed, or advertiserIds, archiveIds, countries or records',
  ])
  assert.deepEqual(await refused('apple', { apps: [app], countries: ['us'] }), [
    "/body/countries/0 Apple's library has no ads of us; it covers 25 countries of the EU",
  ])
  assert.deepEqual(await refused('apple', { apps: ['no app at all'] }), [
    '/body/apps/0 must be an App Store id, a bundle id or an App Store address; call search_competitors with q="no app at all" for it',
  ])
  const unknown = await preview({ apps: ['com.example.nobody'] })
  assert.equal(unknown.body.code, 'competitor-not-found')
  assert.equal(played.requests.length, 0)
})

test('an app is named by id, address or the id under which it is tracked; developers and countries alone are asked for as well', async () => {
  const { body: tracked } = await world.call('track_aso_app', { app, country: 'de', role: 'rival' })
  for (const named of [app, `https://apps.apple.com/de/app/x/id${app}`, tracked.appId]) {
    const { body } = await preview({ apps: [named], countries: ['de'] })
    assert.deepEqual(body.query?.apps, [app])
  }
  played.requests.splice(0)
  await preview({ advertiserIds: ['77', '78'], countries: ['de', 'fr'] })
  await preview({ countries: ['se'] })
  assert.deepEqual(filters(), [
    'type==DEVELOPER;id==77;countryOrRegion=in=(DE,FR);datePreset==LAST_90_DAYS',
    'type==DEVELOPER;id==78;countryOrRegion=in=(DE,FR);datePreset==LAST_90_DAYS',
    'countryOrRegion=in=(SE);datePreset==LAST_90_DAYS',
  ])
})

test('pages are read by their offset, to the end', async () => {
  played.ads = Array.from({ length: 120 }, (_, at) => ad({ countries: ['DE'] }, at))
  const run = await imported({ apps: [app], countries: ['de'] })
  assert.deepEqual([run.status, run.counts.stored, run.upstream?.pages], ['succeeded', 120, 3])
  assert.deepEqual(
    played.requests.map(({ path }) => /offset=(\d+)&limit=(\d+)/.exec(path)?.slice(1).join()),
    ['0,50', '50,50', '100,50'],
  )
  const limited = await imported({ apps: [app], countries: ['de'], limit: 60 })
  assert.equal(limited.upstream?.position, 'limit')
})

test('one ad is asked for with its languages, and a list says nothing of those', async () => {
  played.ads = [ad()]
  await imported()
  const run = await imported({ archiveIds: [idOf(0)] })
  assert.deepEqual([run.status, run.upstream?.requests], ['succeeded', 1])
  assert.deepEqual(played.requests.at(-1)?.path, `/api/v1/ad-repository-ads/${idOf(0)}?datePreset=LAST_90_DAYS`)
  const shown = async () =>
    (await read()).creatives.map(({ locale, current, title }) => [told(locale), current, told(title)])
  const both = [
    ['de-DE', true, 'Tidepool: Gewohnheiten'],
    ['en-GB', true, 'Tidepool Habits'],
  ]
  assert.deepEqual(await shown(), both)
  played.today = '2026-11-27'
  const later = await imported()
  assert.equal(later.counts.unchanged, 1)
  assert.deepEqual(await shown(), both)
  const missing = await imported({ archiveIds: ['ff'.repeat(16)] })
  assert.deepEqual([missing.status, missing.lastError?.code], ['failed', 'not-found'])
})

test('a custom product page is told only where an address names one', async () => {
  const page = '0aa1bb22-33cc-44dd-55ee-66ff77aa88bb'
  const asset = { kind: 'image', width: 600, height: 1300 } as const
  const host = 'https://is1-ssl.mzstatic.com'
  played.ads = [
    ad({ assets: [{ ...asset, url: `${host}/a/600x1300bb.jpg?ppid=${page}` }] }, 0),
    ad({ assets: [{ ...asset, url: `${host}/b/600x1300bb.jpg` }] }, 1),
  ]
  await imported()
  assert.deepEqual((await read(0)).creatives[0]?.productPageId.value, page)
  assert.deepEqual((await read(1)).creatives[0]?.productPageId, {
    state: 'not-measured',
    reason: 'not-carried',
  })
})

test('placements that are new are kept as they are, and texts that say null are absent', async () => {
  played.ads = [ad({ placement: 'APPSTORE_MAPS_TAB', subFormat: 'giant_9', languages: [], format: 'null' })]
  await imported()
  const found = await read()
  assert.deepEqual(told(found.placements), ['APPSTORE_MAPS_TAB'])
  const [creative] = found.creatives
  assert.deepEqual([creative.layoutVariant, creative.layout, creative.body].map(told), [
    'giant_9',
    'absent',
    'absent',
  ])
  const { body } = await world.call('search_paid_ads', { placement: ['APPSTORE_MAPS_TAB'] })
  assert.equal(body.items.length, 1)
})

test('a field that is new or missing is told, and what is known is read', async () => {
  played.ads = [ad()]
  played.behave({
    edit: (document) => ({
      ...document,
      data: (document.data as Record<string, unknown>[]).map(({ placement: _, ...row }) => ({
        ...row,
        auctionType: 'x',
      })),
    }),
  })
  const run = await imported({ apps: [app], countries: ['de'] })
  assert.deepEqual([run.status, run.rejections], ['succeeded', []])
  const note = run.coverage.notes.find(({ code, since }) => code === 'form-changed' && since)
  assert.match(note?.message ?? '', /new: auctionType; missing: placement/)
  assert.deepEqual((await read()).byCountry.value[0].placements, [])
  const [health] = await rows(
    world.store.db,
    sql<{ differences: string }>`select differences from source_health where source = 'apple-ad-library'`,
  )
  assert.match(health?.differences ?? '', /auctionType/)
  const { body } = await world.call('search_paid_ads', { platform: 'apple' })
  assert.ok(body.coverage[0]?.notes.some(({ code }) => code === 'form-changed'))
  played.recover()
  await imported({ apps: [app], countries: ['de'] })
  const after = await world.call('search_paid_ads', { platform: 'apple' })
  assert.ok(!after.body.coverage[0]?.notes.some(({ code }) => code === 'form-changed'))
})

test('answers that are cut off, empty, of another form or an error are named, and nothing of them is stored', async () => {
  played.ads = [ad()]
  const wrong: [Parameters<PlayedRepository['behave']>[0], string, RegExp][] = [
    [{ cutAt: 60 }, 'cut-off', /broke off/],
    [{ body: '' }, 'not-json', /is empty/],
    [{ body: '<html>' }, 'not-json', /JSON/],
    [{ body: '{"data":"ads"}' }, 'unexpected-shape', /no page of ads/],
    [{ body: '[]' }, 'unexpected-shape', /no page of ads/],
    [
      { status: 400, body: '{"errors":[{"message":"Number of countries greater than allowed limit"}]}' },
      'refused',
      /greater than allowed limit/,
    ],
    [{ body: '{"errors":[{"message":"Try later"}]}' }, 'refused', /Try later/],
  ]
  for (const [mood, kind, words] of wrong) {
    played.recover()
    played.behave(mood)
    const { body, status } = await preview({ apps: [app], countries: ['de'] })
    assert.deepEqual([status, body.code], [502, 'upstream-failed'], kind)
    assert.match(body.detail, words)
    // After five failures in a row it would be left alone.
    played.recover()
    await preview({ apps: ['1'], countries: ['de'] })
  }
  const stored = await rows(world.store.db, sql`select from readings where context ->> 'storeId' = ${app}`)
  assert.equal(stored.length, 0)
})

test('a refusal to be asked so often is waited out as long as it says, and outages are tried again', async () => {
  played.ads = [ad({ countries: ['DE'] })]
  played.behave({ status: 429, body: '{}', headers: { 'retry-after': '1' } }, 1)
  const run = await imported({ apps: [app], countries: ['de'] })
  assert.deepEqual([run.status, run.counts.stored, played.requests.length], ['succeeded', 1, 2])
})

test('apps and developers are found by name, and restrictions are told as the library tells them', async () => {
  played.ads = [ad({ appName: 'Moonlit Otters', developerName: 'Otter Works' })]
  const { body } = await world.call('admin_search_paid_ad_advertisers', { platform: 'apple', q: 'otter' })
  assert.deepEqual(body.lookups, [{ platform: 'apple', outcome: 'answered', found: 2, message: null }])
  assert.deepEqual(
    body.items.map(({ kind, advertiserId, name, foundIn }) => [kind, advertiserId, name, foundIn]),
    [
      ['app', app, 'Moonlit Otters', ['upstream']],
      ['advertiser', String(Number(app) + 1), 'Otter Works', ['upstream']],
    ],
  )
  assert.deepEqual(
    body.restrictions.map(({ action, reason, basis, details, advertiserId }) => [
      action,
      reason,
      basis,
      details,
      advertiserId,
    ]),
    [['ACTION_ADVERTISING_REMOVED', 'REASON_TOS_INCOMPATABILITY', 'BASIS_APPLE_DETERMINATION', null, null]],
  )
  const short = await world.call('admin_search_paid_ad_advertisers', { platform: 'apple', q: 'o' })
  assert.equal(short.body.lookups[0]?.message, 'Apple takes at least 2 characters.')
  await imported()
  const known = await world.call('admin_search_paid_ad_advertisers', { platform: 'apple', q: 'otter works' })
  assert.deepEqual(
    known.body.items.map(({ foundIn }) => foundIn),
    [['stored', 'upstream']],
  )
})

test('a saved answer is read as a collected one, and an export brings all of an ad into another store', async () => {
  played.ads = [ad({ countries: ['DE', 'SE'], from: '2026-10-01' }), ad({ from: '2024-01-01' }, 1)]
  const url = new URL('http://played/api/v1/ad-repository-ads')
  url.searchParams.set('ql', `type==APP;id==${app};countryOrRegion=in=(DE,SE)`)
  const { body } = repositoryAnswer({ today: () => dayNumber(played.today), ads: played.ads }, url)
  using folder = openFolder()
  const saved = await world.import({ kind: 'paid-ads', paths: [folder.write('answer.json', body)] })
  assert.deepEqual([saved.stored, saved.rejected], [2, 0])
  const before = [await read(0), await read(1)]
  assert.deepEqual(
    before.map(({ active, lastObservedAt }) => [told(active), lastObservedAt.slice(0, 10)]),
    [
      [true, '2026-11-13'],
      [true, '2026-11-13'],
    ],
  )

  const out = join(folder.path, 'ads.ndjson')
  const { code, notes } = await operate(world, { command: 'export paid-ads', options: { out } })
  assert.equal(code, 0, notes)
  await using other = await openWorld()
  await other.import({ kind: 'paid-ads', paths: [out] })
  for (const [at, one] of before.entries()) {
    const { body: again } = await other.call('get_paid_ad', { platform: 'apple', archiveId: idOf(at) })
    for (const name of [
      'byCountry',
      'countries',
      'placements',
      'targeting',
      'deliveryStartedOn',
      'daysRunning',
    ] as const)
      assert.deepEqual(valuesOnly(again[name]), valuesOnly(one[name]), name)
    assert.deepEqual(
      again.links.map(({ app: linked, grounds }) => [linked.storeId, grounds[0]?.kind]),
      [[app, 'named-app']],
    )
    assert.deepEqual(
      again.creatives.map(({ locale, layout, title }) => [locale, layout, title].map(told)),
      one.creatives.map(({ locale, layout, title }) => [locale, layout, title].map(told)),
    )
  }
})

const valuesOnly = (fact: object) => ({ ...fact, evidence: undefined })

test('records of an account are read in the same form, and say less where no answer stands around them', async () => {
  const row = {
    adId: idOf(0).toUpperCase(),
    appId: Number(app),
    developerId: 5,
    developerName: 'Tidepool',
    placement: 'APPSTORE_SEARCH_TAB',
    countryOrRegion: 'FR',
    firstImpressionDate: '2026-08-01 10:00:00.0',
    lastImpressionDate: '2026-08-31 10:00:00.0',
  }
  const { body } = await preview({
    records: [row, { ...row, adId: 'xyz' }, { ...row, firstImpressionDate: '2026-02-30' }],
  })
  assert.deepEqual(
    [body.examined.new, body.rejections.map(({ reason }) => reason)],
    [1, ['no-id', 'impossible-date']],
  )
  await imported({ records: [row] })
  const found = await read()
  assert.deepEqual(
    [found.active, found.daysRunning].map((fact) => fact.state),
    ['not-measured', 'measured'],
  )
  assert.deepEqual([found.daysRunning.value, found.daysRunning.relation], [31, 'at-least'])
})
