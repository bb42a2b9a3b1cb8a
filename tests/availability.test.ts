import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { UnfitPayload } from '../src/ingest/unfit-payload.ts'
import { replay } from '../src/projections/replay.ts'
import { storeReadings } from '../src/projections/store-readings.ts'
import { rows } from '../src/storage/database.ts'
import type { ParsedInput } from '../src/suppliers/parsed-input.ts'
import { collected } from './support/collected.ts'
import { asked, jobsEnd, lookAtSchedule, openCollecting, patient } from './support/collecting.ts'
import { openFolder } from './support/files.ts'
import { operate } from './support/operator.ts'
import { storeTracked } from './support/tracking.ts'
import { openWorld, type World } from './support/world.ts'

/** Removed from the store is told from not found in one storefront, by what lookups and pages did not list (decision 100). */

let world: World
const parts = new AsyncDisposableStack()
before(async () => {
  world = parts.use(await openWorld())
})
after(() => parts.disposeAsync())

/** Hours of one day of March, and of the days after. */
const at = (hour: number) => new Date(Date.UTC(2026, 2, 1) + Math.round(hour * 3_600_000)).toISOString()

const control = '6559999999'

interface Looked {
  asks: readonly string[]
  lists: readonly string[]
  country?: string
  /** Fields of the apps listed. */
  more?: object
  /** Other entries of the answer. */
  beside?: readonly unknown[]
  resultCount?: number
}

/** An answer of Lookup to a question that names its ids. */
function lookup(
  hour: number,
  { asks, lists, country = 'us', more = {}, beside = [], resultCount }: Looked,
): ParsedInput {
  const results = [
    ...lists.map((storeId) => ({
      kind: 'software',
      wrapperType: 'software',
      trackId: Number(storeId),
      trackName: `App ${storeId}`,
      artistName: 'Alder Ltd',
      price: 0,
      currency: 'USD',
      ...more,
    })),
    ...beside,
  ]
  const bytes = Buffer.from(JSON.stringify({ resultCount: resultCount ?? results.length, results }))
  return collected('itunes-lookup', bytes, { country, storeIds: [...asks] }, at(hour))
}

/** An answer that lists the control alone. */
const missing = (hour: number, storeId: string, country = 'us') =>
  lookup(hour, { asks: [storeId, control], lists: [control], country })
const listing = (hour: number, storeId: string, country = 'us', more = {}) =>
  lookup(hour, { asks: [storeId, control], lists: [storeId, control], country, more })
/** The page of an app, which is not there. */
const noPage = (hour: number, storeId: string, country = 'us') =>
  collected('app-page', Buffer.from('<html></html>'), { country, storeId, notFound: true }, at(hour))

const store = (...some: ParsedInput[]) => storeReadings(world.store.db, some)

const read = async (storeId: string, country = 'us') =>
  (await world.call('get_competitor', { platform: 'ios', storeId, country })).body.availability

test('one miss is no removal, a second one an hour later says not found in this storefront, and both are dated', async () => {
  const storeId = '6551000101'
  await store(listing(0, storeId))
  assert.deepEqual(
    [(await read(storeId)).state, (await read(storeId)).storefronts, (await read(storeId)).absences],
    ['listed', [], []],
  )
  await store(missing(24, storeId))
  const once = await read(storeId)
  assert.deepEqual([once.state, once.lastSeenAt, once.since], ['missed', at(0), at(24)])
  assert.match(once.detail, /Not confirmed by a second check yet/)
  await store(missing(25, storeId))
  const twice = await read(storeId)
  assert.equal(twice.state, 'not-found')
  assert.deepEqual(twice.askedSince, ['us'])
  assert.equal(
    twice.detail,
    'Not found in the storefront us since 2026-03-02 (last seen there on 2026-03-01). It may be available in others.',
  )
  const [absence] = twice.absences
  assert.deepEqual(
    [absence?.firstMissedAt, absence?.lastMissedAt, absence?.confirmedAt, absence?.misses, absence?.backAt],
    [at(24), at(25), at(25), 2, null],
  )
  assert.deepEqual(
    absence?.evidence.map(({ source, observedAt, country }) => [source, observedAt, country]),
    [
      ['itunes-lookup', at(25), 'us'],
      ['itunes-lookup', at(24), 'us'],
    ],
  )
})

test('two answers of the same minutes are one, and Lookup and the page confirm each other; pages alone never do', async () => {
  const [cached, both, pages] = ['6551000111', '6551000112', '6551000113']
  await store(listing(0, cached), listing(0, both), listing(0, pages))
  await store(missing(24, cached), missing(24.5, cached))
  await store(missing(24, both), noPage(24.1, both))
  await store(noPage(24, pages), noPage(48, pages))
  assert.deepEqual(
    [(await read(cached)).state, (await read(both)).state, (await read(pages)).state],
    ['missed', 'not-found', 'missed'],
  )
})

test('missing everywhere it was asked for is "probably removed"; missing in fewer storefronts is not, and a sighting anywhere since is not', async () => {
  const storeId = '6551000121'
  await store(listing(0, storeId), listing(1, storeId, 'de'), listing(2, storeId, 'jp'))
  await store(missing(24, storeId), missing(26, storeId), missing(27, storeId, 'de'))
  const two = await read(storeId)
  assert.deepEqual([two.state, two.askedSince], ['not-found', ['de', 'us']])
  await store(missing(28, storeId, 'gb'))
  const three = await read(storeId)
  assert.equal(three.state, 'probably-removed')
  assert.equal(
    three.detail,
    'Not found in any of the 3 storefronts checked (de, gb, us) since it was last seen, on 2026-03-01: probably removed from the App Store.',
  )
  assert.deepEqual(
    three.storefronts.map(({ country, state }) => [country, state]),
    [
      ['us', 'not-found'],
      ['de', 'missed'],
      ['gb', 'missed'],
      ['jp', 'listed'],
    ],
  )
  await store(listing(30, storeId, 'jp'))
  const seen = await read(storeId)
  assert.deepEqual([seen.state, seen.askedSince], ['not-found', []])
})

test('back again is told, with when it was missed', async () => {
  const storeId = '6551000131'
  await store(listing(0, storeId), missing(24, storeId), missing(48, storeId), listing(72, storeId))
  const back = await read(storeId)
  assert.deepEqual([back.state, back.since], ['listed', null])
  assert.match(
    back.detail,
    /^Back in the storefront us since 2026-03-04, not found from 2026-03-02 to 2026-03-03\.$/,
  )
  assert.deepEqual(
    back.absences.map(({ lastSeenAt, backAt }) => [lastSeenAt, backAt]),
    [[at(0), at(72)]],
  )
  const { body } = await world.call('get_competitor_aso', { platform: 'ios', storeId })
  assert.deepEqual(body.absences, back.absences)
})

test('an app never seen is unknown, and one seen elsewhere is not found here without having been', async () => {
  const [never, elsewhere] = ['6551000141', '6551000142']
  await store(missing(0, never), missing(2, never))
  const unknown = await world.call('get_competitor', { platform: 'ios', storeId: never })
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'competitor-not-found'])
  await store(listing(0, elsewhere, 'de'))
  assert.equal((await read(elsewhere)).state, 'unknown')
  await store(missing(1, elsewhere), missing(3, elsewhere))
  const here = await read(elsewhere)
  assert.deepEqual([here.state, here.lastSeenAt, here.since], ['not-found', null, at(1)])
  assert.match(here.detail, /never seen there/)
})

test('answers that prove nothing are no misses', async () => {
  const storeId = '6551000151'
  await store(listing(0, storeId))
  const unreadable = { kind: 'software', wrapperType: 'software', trackName: 'Which one?' }
  await store(
    // Nothing at all, for one app and for several.
    lookup(24, { asks: [storeId], lists: [] }),
    lookup(25, { asks: [storeId, control], lists: [] }),
    // Other apps than those asked for.
    lookup(26, { asks: [storeId, control], lists: ['6551000159'] }),
    // Fewer results than it says it has.
    lookup(27, { asks: [storeId, control], lists: [control], resultCount: 2 }),
    // An entry without an id, and one of another kind under the id that was asked for.
    lookup(28, { asks: [storeId, control], lists: [control], beside: [unreadable] }),
    lookup(29, {
      asks: [storeId, control],
      lists: [control],
      beside: [
        { kind: 'mac-software', wrapperType: 'software', trackId: Number(storeId), trackName: 'For Macs' },
      ],
    }),
    // A saved answer, of which nobody knows what was asked.
    collected(
      'itunes-lookup',
      Buffer.from(JSON.stringify({ resultCount: 0, results: [] })),
      { country: 'us' },
      at(30),
    ),
  )
  const { state, absences } = await read(storeId)
  assert.deepEqual([state, absences], ['listed', []])
  const foreign = { trackViewUrl: `https://apps.apple.com/de/app/x/id${control}` }
  assert.throws(() => lookup(31, { asks: [storeId, control], lists: [control], more: foreign }), UnfitPayload)
})

test('an imported lookup says nothing of what it leaves out', async () => {
  const storeId = '6551000161'
  await store(listing(0, storeId))
  using folder = openFolder()
  const app = {
    kind: 'software',
    wrapperType: 'software',
    trackId: Number(control),
    trackName: 'Control',
    price: 0,
  }
  await world.import({
    kind: 'catalogue',
    paths: [folder.write('saved.json', JSON.stringify({ resultCount: 1, results: [app] }))],
    country: 'us',
    observedAt: at(24),
  })
  assert.equal((await read(storeId)).state, 'listed')
})

test('an old copy that still lists it is no sighting, and a pre-order that goes is missed like any other app', async () => {
  const [old, ordered] = ['6551000171', '6551000172']
  const dated = (day: string) => ({ currentVersionReleaseDate: `2026-02-${day}T08:00:00Z`, version: '2' })
  await store(listing(0, old, 'us', dated('20')), missing(24, old), missing(26, old))
  await store(listing(28, old, 'us', dated('10')))
  assert.equal((await read(old)).state, 'not-found')
  const preOrder = { price: undefined, releaseDate: '2026-06-01T07:00:00Z' }
  await store(listing(0, ordered, 'us', preOrder), missing(24, ordered), missing(26, ordered))
  assert.equal((await read(ordered)).state, 'not-found')
})

test('a chart that still shows it is told beside', async () => {
  const storeId = '6551000181'
  await store(listing(0, storeId), missing(24, storeId), missing(26, storeId))
  using folder = openFolder()
  const entry = {
    country: 'us',
    chart: 'top-free',
    category: '36',
    capturedAt: at(30),
    rank: 1,
    id: storeId,
    name: 'Here',
  }
  await world.import({ kind: 'charts', paths: [folder.write('chart.json', JSON.stringify([entry]))] })
  const { state, stillInChartsAt } = await read(storeId)
  assert.deepEqual([state, stillInChartsAt], ['not-found', at(30)])
})

test('in whatever order it arrives, twice, and after a replay, the same is said', async () => {
  const payloads = (storeId: string) => [
    listing(0, storeId),
    missing(24, storeId),
    noPage(24, storeId),
    listing(30, storeId),
    missing(48, storeId),
    missing(50, storeId),
    missing(50, storeId, 'de'),
    missing(51, storeId, 'jp'),
  ]
  const said = async (storeId: string) => {
    const { detail, absences, storefronts, state } = await read(storeId)
    return {
      state,
      detail,
      storefronts,
      absences: absences.map(({ evidence: _, ...absence }) => absence),
    }
  }
  const [inOrder, backwards, apart] = ['6551000191', '6551000192', '6551000193']
  await store(...payloads(inOrder))
  for (const one of payloads(backwards).reverse()) await store(one)
  const shuffled = [3, 6, 1, 4, 0, 7, 5, 2].map((place) => payloads(apart)[place])
  for (const one of shuffled) if (one) await store(one)
  for (const one of shuffled) if (one) await store(one)
  const expected = await said(inOrder)
  assert.equal(expected.state, 'probably-removed')
  assert.equal(expected.absences.length, 2)
  assert.deepEqual(await said(backwards), expected)
  assert.deepEqual(await said(apart), expected)
  await replay(world.store.db, () => {}, patient, ['misses'])
  assert.deepEqual(await said(inOrder), expected)
})

test('what was missed goes along with an export, and what a line claims is bounded', async () => {
  await using from = await openWorld()
  await using to = await openWorld()
  const storeId = '6551000195'
  await storeReadings(from.store.db, [listing(0, storeId), missing(24, storeId), noPage(25, storeId)])
  using folder = openFolder()
  const out = `${folder.path}/apps.ndjson`
  const { code, notes } = await operate(from, { command: 'export catalogue', options: { out } })
  assert.deepEqual([code, notes], [0, ''])
  const counts = await to.import({ kind: 'catalogue', paths: [out] })
  assert.deepEqual([counts.stored, counts.rejected], [3, 0])
  const of = async (one: World) => {
    const { body } = await one.call('get_competitor', { platform: 'ios', storeId })
    const { detail, state, absences } = body.availability
    return [
      state,
      detail,
      absences.map(({ evidence, ...absence }) => [absence, evidence.map(({ origin }) => origin)]),
    ]
  }
  assert.equal((await of(to))[0], 'not-found')
  assert.deepEqual(await of(to), await of(from))
  const [line = ''] = readFileSync(out, 'utf8')
    .split('\n')
    .filter((one) => one.includes('storeIds'))
  const many = line.replace(/"storeIds":\[[^\]]*\]/, `"storeIds":[${Array(1_001).fill('"1"').join(',')}]`)
  const odd = line.replace(/"storeIds":\[[^\]]*\]/, '"storeIds":["../1"]')
  const refused = await to.import({
    kind: 'catalogue',
    paths: [folder.write('odd.ndjson', `${many}\n${odd}\n`)],
  })
  assert.deepEqual([refused.stored, refused.rejected], [0, 2])
})

test('tracked apps carry a short mark in lists and in the workstation', async () => {
  const storeId = '6551000201'
  await store(listing(0, storeId), missing(24, storeId))
  const appId = await storeTracked(world, { storeId })
  const mark = async () => {
    const { items } = (await world.call('list_aso_apps', {})).body
    const { notFoundSince } = (await world.call('get_aso_workstation', { appId })).body.tracked
    return [items.find((one) => one.appId === appId)?.notFoundSince, notFoundSince]
  }
  assert.deepEqual(await mark(), [null, null])
  await store(missing(26, storeId))
  assert.deepEqual(await mark(), [at(24), at(24)])
  await store(listing(30, storeId))
  assert.deepEqual(await mark(), [null, null])
})

test('a watch tells of what is confirmed once, and that it is back', async () => {
  const [storeId, account] = ['6551000211', 'removals']
  // The watch begins today; what it is told lies far behind that.
  const soon = (hours: number) => 30 * 365 * 24 + hours
  await world.key(undefined, account)
  const { code, notes } = await operate(world, {
    command: 'watches add',
    options: { kind: 'availability', account, app: storeId, country: 'us' },
  })
  assert.equal(code, 0, notes)
  const told = async () => {
    const { out } = await operate(world, {
      command: 'watch',
      options: { account, once: true, since: '2020-01-01', json: true },
    })
    return out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).title.replaceAll(/\d{4}-\d{2}-\d{2}/g, 'then'))
  }
  await store(listing(1, storeId), missing(soon(1), storeId))
  assert.deepEqual(await told(), [])
  await store(missing(soon(3), storeId))
  const notFound = `App ${storeId}: not found in the storefront us since then`
  assert.deepEqual(await told(), [notFound])
  await store(missing(soon(4), storeId, 'de'), missing(soon(5), storeId, 'jp'))
  const removed = `App ${storeId}: Not found in any of the 3 storefronts checked (de, jp, us) since it was last seen, on then: probably removed from the App Store.`
  assert.deepEqual(await told(), [notFound, removed])
  // A miss that arrives late moves a date, and is no new event.
  await store(missing(soon(2), storeId))
  assert.deepEqual(await told(), [notFound, removed])
  await store(listing(soon(8), storeId))
  assert.deepEqual(await told(), [notFound, removed, `App ${storeId}: back in the storefront us since then`])
})

test('an app with a thousand misses is read in few statements and stays bounded', async () => {
  const storeId = '6551000221'
  await store(listing(0, storeId))
  const many = Array.from({ length: 1_000 }, (_, index) => missing(24 + index * 24, storeId))
  for (let from = 0; from < many.length; from += 100) await store(...many.slice(from, from + 100))
  const [absence] = (await read(storeId)).absences
  assert.equal(absence?.misses, 1_000)
  assert.equal(absence?.evidence.length, 2)
})

test('a collecting installation confirms what it missed by itself, in few storefronts, and never by a read', async () => {
  // No app is due in the storefront of its schedule.
  await using installation = await openCollecting({ schedule: { apps: { countries: ['fr'], everyDays: 7 } } })
  const { apple, world: collecting } = installation
  const [app, other] = apple.apps
  assert.ok(app && other)
  const [storeId, justMissed, untracked] = [app.storeId, '6551000231', '6551000232']
  const now = Date.now() / 3_600_000 - Date.parse(at(0)) / 3_600_000
  const seen = (id: string, country: string) =>
    lookup(now - 80, { asks: [id, other.storeId], lists: [id, other.storeId], country })
  const missed = (id: string, hours: number) =>
    lookup(now - hours, { asks: [id, other.storeId], lists: [other.storeId] })
  await storeReadings(collecting.store.db, [
    ...[storeId, justMissed, untracked].flatMap((id) => [seen(id, 'us'), seen(id, 'de')]),
    missed(storeId, 3),
    missed(untracked, 3),
    missed(justMissed, 0.5),
  ])
  for (const id of [storeId, justMissed]) await storeTracked(collecting, { storeId: id })
  // The store has taken them off: it answers for all others.
  apple.behave('/lookup', { does: 'serve', body: answerOf(other) })
  const availability = async () =>
    (await collecting.call('get_competitor', { platform: 'ios', storeId })).body.availability
  const confirm = async () => {
    await lookAtSchedule(collecting)
    await jobsEnd(collecting, 'confirm-missed')
  }
  const planned = async () => {
    const { out } = await operate(collecting, {
      command: 'collect missed',
      options: { plan: true, json: true },
    })
    const { apps, storefronts, upstreams } = JSON.parse(out)
    return [apps, storefronts, upstreams[0]?.requests]
  }
  const asksOf = () => asked(apple, '/lookup').map((path) => new URL(path, apple.url).searchParams)
  assert.equal((await availability()).state, 'missed')
  assert.deepEqual(await planned(), [1, 1, 1], 'one is tracked, and was missed an hour ago')
  assert.deepEqual(asksOf(), [], 'neither a read nor a plan asks')
  await confirm()
  assert.equal((await availability()).state, 'not-found')
  assert.deepEqual(
    asksOf().map((query) => [query.get('country'), query.get('id')?.split(',')[0]]),
    [['us', storeId]],
  )
  assert.deepEqual(await planned(), [1, 4, 4])
  const { code, out } = await operate(collecting, { command: 'collect missed', options: {} })
  assert.equal(code, 0)
  assert.match(out, /^asked 4: stored 0, empty 4,/)
  const gone = await availability()
  assert.equal(gone.state, 'probably-removed')
  assert.deepEqual(gone.askedSince, ['cn', 'de', 'gb', 'jp', 'us'], 'the one that had it, and large ones')
  assert.deepEqual(await planned(), [0, 0, undefined])
  await confirm()
  assert.equal(asksOf().length, 5, 'every storefront is asked once')
})

test('a page that answers 404 is kept as the word of the page', async () => {
  await using installation = await openCollecting()
  const { apple, world: collecting } = installation
  const [app, other] = apple.apps
  assert.ok(app && other)
  const { collector } = collecting.collecting
  await collector.lookup([app.storeId, other.storeId], 'us', patient)
  apple.behave(`/us/app/id${app.storeId}`, { does: 'status', status: 404, body: '<html>gone</html>' })
  assert.equal(await collector.page(app.storeId, 'us', patient), 'empty')
  const { availability } = (await collecting.call('get_competitor', { platform: 'ios', storeId: app.storeId }))
    .body
  assert.equal(availability.state, 'missed')
  assert.equal(availability.absences[0]?.evidence[0]?.source, 'app-store-page')
  apple.behave('/us/app', { does: 'throttle', status: 429 })
  await assert.rejects(collector.page(other.storeId, 'us', patient))
  assert.equal((await rows(collecting.store.db, sql`select from missed_apps`)).length, 1)
})

const answerOf = ({ storeId, name }: { storeId: string; name: string }) =>
  JSON.stringify({
    resultCount: 1,
    results: [
      { kind: 'software', wrapperType: 'software', trackId: Number(storeId), trackName: name, price: 0 },
    ],
  })
