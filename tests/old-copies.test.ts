import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parseMapping } from '../src/ingest/mapping/mapping.ts'
import { replay } from '../src/projections/replay.ts'
import { storefrontCodes } from '../src/vocabulary/storefronts.ts'
import { cases } from './support/cases.ts'
import { openFolder } from './support/files.ts'
import { operate } from './support/operator.ts'
import { openWorld } from './support/world.ts'

/** Apple's answers come from caches now and then: one whose update date goes back is an old copy (decision 74). */

const parts = new AsyncDisposableStack()
const world = parts.use(await openWorld())
const folder = parts.use(openFolder())
after(() => parts.disposeAsync())

interface Answered {
  /** When it was asked, in hours of one day; or of the days after. */
  at: number
  version: string
  /** Of the update, a day of February; left out where the answer has none. */
  updated?: number | undefined
  name?: string
  ratings?: number
}

let files = 0
const instant = (at: number) => new Date(Date.UTC(2026, 2, 1, at)).toISOString()
const write = (document: unknown) => folder.write(`${++files}.json`, JSON.stringify(document))

/** Imports a saved answer about the app in a storefront. */
async function answer(storeId: string, country: string, one: Answered): Promise<void> {
  const { at, version, updated, name = 'Flap Planner', ratings = 1_000 + at } = one
  const app = {
    kind: 'software',
    wrapperType: 'software',
    trackId: Number(storeId),
    trackName: name,
    artistName: 'Alder Ltd',
    price: 0,
    currency: 'USD',
    description: `The planner, ${version}`,
    version,
    averageUserRating: 4,
    userRatingCount: ratings,
    ...(updated && { currentVersionReleaseDate: `2026-02-${String(updated).padStart(2, '0')}T08:00:00Z` }),
  }
  await world.import({
    kind: 'catalogue',
    paths: [write({ resultCount: 1, results: [app] })],
    country,
    observedAt: instant(at),
  })
}

/** Imports a chart with the app, which tells a name and no update. */
const chart = (storeId: string, country: string, at: number, name: string) =>
  world.import({
    kind: 'charts',
    paths: [
      write([
        { country, chart: 'top-free', category: '36', capturedAt: instant(at), rank: 1, id: storeId, name },
      ]),
    ],
  })

/** What replies say of the listing. */
async function listing(storeId: string, country: string) {
  const app = { platform: 'ios', storeId, country }
  const { body: record } = await world.call('get_competitor', app)
  const { body: aso } = await world.call('get_competitor_aso', app)
  const at = (fact: { state: string; evidence?: number; value?: unknown }) =>
    fact.evidence === undefined
      ? fact.state
      : [fact.value, record.evidence[fact.evidence]?.source, record.evidence[fact.evidence]?.observedAt]
  return {
    name: record.name,
    developer: at(record.developer),
    version: at(record.version),
    description: at(record.description),
    updatedAt: at(record.updatedAt),
    ratingCount: at(record.ratingCount),
    evidence: record.evidence.map(({ source, observedAt }: { source: string; observedAt: string }) => [
      source,
      observedAt,
    ]),
    timeline: aso.timeline.map(({ lastSeenAt, firstSeenAt, fields }) => ({
      lastSeenAt,
      firstSeenAt,
      fields: fields.map(({ field, from, to }) => ({ field, from, to })),
    })),
    ratings: aso.ratings.history.map(({ observedAt, rating, ratingCount }) => ({
      observedAt,
      rating,
      ratingCount,
    })),
    listingObserved: aso.listingObserved,
  }
}

/** Versions as a timeline shows them, newest first. */
const versionsIn = ({ timeline }: Awaited<ReturnType<typeof listing>>) =>
  timeline.flatMap(({ fields }) =>
    fields.filter(({ field }) => field === 'version').map(({ from, to }) => [from.value, to.value]),
  )

function* orders<T>(list: readonly T[]): Generator<T[]> {
  if (list.length === 0) yield []
  for (const [index, one] of list.entries())
    for (const rest of orders(list.toSpliced(index, 1))) yield [one, ...rest]
}

test('an answer whose update date goes back changes nothing, and a watch is told nothing', async () => {
  const [storeId, account] = ['6551000030', 'watching']
  await world.key(undefined, account)
  for (const kind of ['listing', 'release'] as const) {
    const { code, notes } = await operate(world, {
      command: 'watches add',
      options: { kind, account, app: storeId, country: 'us' },
    })
    assert.equal(code, 0, notes)
  }
  await answer(storeId, 'us', { at: 10, version: '2.1', updated: 28 })
  await answer(storeId, 'us', { at: 16, version: '2.0', updated: 13 })
  await answer(storeId, 'us', { at: 22, version: '2.1', updated: 28 })
  const said = await listing(storeId, 'us')
  assert.deepEqual(said.timeline, [])
  assert.deepEqual(said.version, ['2.1', 'itunes-search', instant(22)])
  const { out } = await operate(world, {
    command: 'watch',
    options: { account, once: true, since: '2020-01-01', json: true },
  })
  assert.equal(out, '')
})

test('while an old copy is the newest answer, the record and the ratings are those of the answer before', async () => {
  const storeId = '6551000031'
  await answer(storeId, 'us', { at: 10, version: '2.1', updated: 28, ratings: 900 })
  await answer(storeId, 'us', { at: 40, version: '2.0', updated: 13, ratings: 700 })
  const said = await listing(storeId, 'us')
  assert.deepEqual(said.version, ['2.1', 'itunes-search', instant(10)])
  assert.deepEqual(said.ratingCount, [900, 'itunes-search', instant(10)])
  assert.deepEqual(
    said.ratings.map(({ ratingCount }: { ratingCount?: unknown }) => ratingCount),
    [900],
  )
})

test('in whatever order answers and charts arrive, and after a replay, the same is said', async () => {
  const storeId = '6551000032'
  const seen: ((country: string) => Promise<unknown>)[] = [
    (country) => answer(storeId, country, { at: 1, version: '2.0', updated: 13, ratings: 10 }),
    (country) => answer(storeId, country, { at: 26, version: '2.1', updated: 28, name: 'Flap Planner: Tides' }),
    (country) => chart(storeId, country, 30, 'Flap Planner: Charts'),
    (country) => answer(storeId, country, { at: 50, version: '2.0', updated: 13, ratings: 20 }),
    (country) => answer(storeId, country, { at: 75, version: '1.9', updated: 2, ratings: 30 }),
  ]
  const all = [...orders(seen)]
  const step = Math.ceil(all.length / cases(all.length))
  const tried = all.filter((_, index) => index % step === 0)
  const countries = storefrontCodes.slice(0, tried.length)
  const said = async () => {
    const found: Awaited<ReturnType<typeof listing>>[] = []
    for (const country of countries) found.push(await listing(storeId, country))
    return found
  }
  for (const [index, order] of tried.entries()) for (const bring of order) await bring(countries[index] ?? '')
  const arrived = await said()
  const [first] = arrived
  assert.ok(first)
  assert.deepEqual(versionsIn(first), [['2.0', '2.1']])
  assert.deepEqual(first.version, ['2.1', 'itunes-search', instant(26)])
  assert.equal(first.name, 'Flap Planner: Charts')
  for (const [index, one] of arrived.entries()) assert.deepEqual(one, first, `order ${index}`)
  await replay(world.store.db, () => {}, new AbortController().signal)
  assert.deepEqual(await said(), arrived)
})

test('storefronts are apart, equal update dates are no old copies, and neither is an answer without one', async () => {
  const storeId = '6551000033'
  await answer(storeId, 'us', { at: 10, version: '2.1', updated: 28 })
  await answer(storeId, 'jp', { at: 16, version: '2.0', updated: 13 })
  assert.deepEqual((await listing(storeId, 'jp')).version, ['2.0', 'itunes-search', instant(16)])
  await answer(storeId, 'us', { at: 20, version: '2.1 (2)', updated: 28 })
  assert.deepEqual(versionsIn(await listing(storeId, 'us')), [['2.1', '2.1 (2)']])
  await answer(storeId, 'us', { at: 24, version: '2.2' })
  assert.deepEqual(versionsIn(await listing(storeId, 'us')), [
    ['2.1 (2)', '2.2'],
    ['2.1', '2.1 (2)'],
  ])
})

test('answers of one import are held against each other, with the times of their names', async () => {
  const storeId = '6551000034'
  const saved = [
    ['2026-03-01T1000Z', '2.1', 28],
    ['2026-03-01T1600Z', '2.0', 13],
    ['2026-03-01T2200Z', '2.1', 28],
  ] as const
  const paths = saved.map(([at, version, day]) =>
    folder.write(
      `lookup-${at}.json`,
      JSON.stringify({
        resultCount: 1,
        results: [
          {
            kind: 'software',
            trackId: Number(storeId),
            trackName: 'Flap Planner',
            version,
            currentVersionReleaseDate: `2026-02-${day}T08:00:00Z`,
          },
        ],
      }),
    ),
  )
  await world.import({ kind: 'catalogue', paths, country: 'us' })
  const { version, timeline, listingObserved } = await listing(storeId, 'us')
  assert.deepEqual(timeline, [])
  assert.deepEqual(version, ['2.1', 'itunes-search', instant(22)])
  assert.equal(listingObserved.lastAt, instant(22))
})

test('rows of a table are answers too, unless their update date has no hour', async () => {
  const storeId = '6551000035'
  const row = (at: number, version: string, updated: string) =>
    world.import({
      kind: 'catalogue',
      paths: [
        folder.write(
          `${++files}.csv`,
          `id,name,version,updated\n${storeId},Flap Planner,${version},${updated}\n`,
        ),
      ],
      mapping: parseMapping(
        { fields: { storeId: 'id', name: 'name', version: 'version', updatedAt: 'updated' } },
        'catalogue',
        'map.json',
      ),
      country: 'us',
      observedAt: instant(at),
    })
  await row(10, '2.1', '2026-02-28T08:00:00Z')
  await row(16, '2.0', '2026-02-13T08:00:00Z')
  assert.deepEqual((await listing(storeId, 'us')).version, ['2.1', 'catalogue-file', instant(10)])
  await row(20, '2.1 (day)', '2026-02-28')
  assert.deepEqual((await listing(storeId, 'us')).version, ['2.1 (day)', 'catalogue-file', instant(20)])
})
