import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { ImportRequest } from '../src/imports/import-request.ts'
import type { ImportSummary } from '../src/imports/run-import.ts'
import { MappingError, parseMapping } from '../src/ingest/mapping/mapping.ts'
import { replay } from '../src/projections/replay.ts'
import { isDistributed } from '../src/storage/cluster.ts'
import { rows } from '../src/storage/database.ts'
import { cases } from './support/cases.ts'
import { openFolder } from './support/files.ts'
import { importInto } from './support/imports.ts'
import { operate } from './support/operator.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
const { db } = world.store
const folder = openFolder()
after(async () => {
  folder[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

const app = (trackId: number, more: Record<string, unknown> = {}) => ({
  wrapperType: 'software',
  kind: 'software',
  trackId,
  trackName: `App ${trackId}`,
  userRatingCount: 100_000 + trackId,
  releaseDate: '2015-01-01T08:00:00Z',
  currentVersionReleaseDate: '2020-01-01T08:00:00Z',
  price: 0,
  ...more,
})
const answer = (...results: unknown[]) => JSON.stringify({ resultCount: results.length, results })
const mapping = (document: unknown) => parseMapping(document, 'search-results', 'map.json')

const bringIn = (paths: string[], order: Partial<ImportRequest> = {}) =>
  importInto(world, { kind: 'search-results', paths, ...order })
const counts = ({ stored, unchanged, rejected }: ImportSummary) => ({ stored, unchanged, rejected })

interface StoredPage {
  at: string
  day: string
  requested: number | null
  apps: string
}

const pagesOf = (term: string, country = 'us') =>
  rows(
    db,
    sql<StoredPage>`
      select to_char(captured_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at, day::text as day, requested,
        array_to_string(store_ids, ' ', '-') as apps
      from result_pages join terms using (term_id) where term = ${term} and country = ${country} order by 1`,
  )

test('what was searched, where and when is taken from the command first', async () => {
  const file = folder.write('search_other_de_2021-01-01.json', answer(app(1), app(2)))
  const outcome = await bringIn([file], {
    term: ' Ｐhoto  EDITOR',
    country: 'jp',
    observedAt: '2024-03-01T22:10:00Z',
    requested: 50,
  })
  assert.deepEqual(counts(outcome), { stored: 2, unchanged: 0, rejected: 0 })
  assert.deepEqual(await pagesOf('photo editor', 'jp'), [
    { at: '2024-03-01 22:10', day: '2024-03-02', requested: 50, apps: '1 2' },
  ])
})

test('a mapping tells by constants and by the file name', async () => {
  const file = folder.write('de--wetter--2024-05-06T0700Z.json', answer(app(3)))
  const map = mapping({
    constants: { requested: 100 },
    fileName: '^(?<country>[a-z]{2})--(?<term>.+)--(?<capturedAt>.+)\\.json$',
  })
  await bringIn([file], { mapping: map })
  assert.deepEqual(await pagesOf('wetter', 'de'), [
    { at: '2024-05-06 07:00', day: '2024-05-06', requested: 100, apps: '3' },
  ])
  assert.throws(() => mapping({ fields: { storeId: 'id' } }), MappingError)
  assert.throws(() => mapping({ constants: { chart: 'top-free' } }), /Fields of a search-results mapping/)
})

test('a captures table beside the pages explains them, zipped ones too, and one named in the command comes first', async () => {
  const header = 'file,term,country,capturedNotBefore,capturedNotAfter'
  folder.write('beside/captures.csv', `${header}\na.json,Karte,at,2024-01-02T10:00:00Z,2024-01-09T10:00:00Z\n`)
  folder.write('beside/a.json.gz', gzipSync(answer(app(4))))
  await bringIn(['beside'], { directory: folder.path })
  assert.deepEqual(await pagesOf('karte', 'at'), [
    { at: '2024-01-02 10:00', day: '2024-01-02', requested: null, apps: '4' },
  ])
  const [reading] = await rows(
    db,
    sql<{ context: Record<string, unknown>; basis: string }>`
      select context, time_basis as basis from readings where context ->> 'term' = 'karte'`,
  )
  assert.deepEqual(reading, {
    basis: 'stated',
    context: { layout: 'document', country: 'at', term: 'karte', capturedNotAfter: '2024-01-09T10:00:00.000Z' },
  })

  const own = folder.write('told.csv', 'file;term;country;capturedAt\na.json;Landkarte;at;2024-01-05\n')
  const summary = await bringIn([own, 'beside/a.json.gz'], { directory: folder.path })
  assert.deepEqual([summary.files, summary.stored], [1, 1])
  assert.equal((await pagesOf('landkarte', 'at'))[0]?.day, '2024-01-05')
})

test('a name is read only where it can be read in one way', async () => {
  const read = [
    ['search_tax+return_gb_2024-02-01.json', 'tax return', 'gb'],
    ['search-fr-m%C3%A9t%C3%A9o-2024-02-01T1200Z.json', 'météo', 'fr'],
    ['search_天気_jp_2024-02-01_ab12.json', '天気', 'jp'],
  ] as const
  for (const [name, term, country] of read) {
    await bringIn([folder.write(name, answer(app(5)))])
    assert.equal((await pagesOf(term, country)).length, 1, name)
  }
  for (const name of ['search_tax_return_gb_2024-02-01.json', 'search-fr-tax-return-2024-02-01.json']) {
    const { reasons } = await bringIn([folder.write(name, answer(app(5)))])
    assert.match(reasons[0] ?? '', /pass --term/)
  }
})

test('what cannot be a page is refused by name, and its neighbours are stored', async () => {
  const good = (n: number) => folder.write(`r/search_river_us_2024-01-0${n}.json`, answer(app(n), app(9)))
  const bad: [name: string, content: string, reason: RegExp][] = [
    ['nameless.json', answer(app(1)), /pass --term/],
    ['search_river_us.json', answer(app(1)), /pass --term/],
    ['search_river_zz_2024-01-01.json', answer(app(1)), /"zz" is not an App Store country/],
    ['search_😀🎉_us_2024-01-01.json', answer(app(1)), /no letter and no digit/],
    ['search_river_us_2098-01-01.json', answer(app(1)), /lies in the future/],
    ['search_river_us_2024-02-01.json', answer(app(1)).slice(0, 90), /broken or truncated JSON/],
    ['search_river_us_2024-02-02.json', '[1,2]', /no list of results/],
    ['search_river_us_2024-02-03.json', '<html></html>', /carries no data of a search/],
    ['search_river_us_2024-02-04.json', '', /the file is empty/],
    ['search_river_us_2024-02-05.json', answer(app(1, { kind: 'mac-software' })), /no iOS app/],
    [
      'search_river_us_2024-02-06.json',
      answer({ wrapperType: 'artist', artistId: 7 }, app(1)),
      /it holds "artist": no answer of a search/,
    ],
    [
      'search_river_us_2024-02-07.json',
      answer(app(1, { trackName: 'River', currentVersionReleaseDate: '2024-02-20T00:00:00Z' })),
      /it shows a version of River released at 2024-02-20/,
    ],
  ]
  const files = bad.map(([name, content]) => folder.write(`r/${name}`, content))
  const { reasons, ...summary } = await bringIn([good(1), ...files, good(2)])
  assert.deepEqual(counts(summary), { stored: 4, unchanged: 0, rejected: bad.length })
  for (const [index, [name, , reason]] of bad.entries()) assert.match(reasons[index] ?? '', reason, name)
  assert.deepEqual(
    (await pagesOf('river')).map(({ apps }) => apps),
    ['1 9', '2 9'],
  )
})

test('terms and times that cannot be are refused wherever they are told', async () => {
  const file = folder.write('page.json', answer(app(1)))
  const tell = async (order: Partial<ImportRequest>) =>
    (await bringIn([file], { term: 'lake', observedAt: '2024-01-01', ...order })).reasons[0]
  assert.match((await tell({ term: 'x'.repeat(201) })) ?? '', /over 200 letters/)
  assert.match((await tell({ term: '  ' })) ?? '', /holds nothing/)
  assert.match((await tell({ observedAt: '2024-13-01' })) ?? '', /no date or RFC 3339 time/)
  const old = folder.write('old.json', answer(app(1, { currentVersionReleaseDate: null })))
  const { reasons: before } = await bringIn([old], { term: 'lake', observedAt: '1900-01-01' })
  assert.match(before[0] ?? '', /1900-01-01.* lies before the App Store opened/)
  assert.match((await tell({ mapping: mapping({ constants: { requested: 'all' } }) })) ?? '', /whole number/)
  const table = (more: string) =>
    folder.write('t.csv', `file,term,country,capturedNotBefore,capturedNotAfter\npage.json,lake,us,${more}\n`)
  const refusals = [
    ['2024-01-02T00:00:00Z,2024-01-01T00:00:00Z', /lies after capturedNotAfter/],
    ['soon,2024-01-01', /capturedNotBefore "soon"/],
    ['2019-01-01,2019-02-01', /released at 2020-01-01/],
  ] as const
  for (const [reported, reason] of refusals) {
    const { reasons, stored } = await bringIn([table(reported), file])
    assert.equal(stored, 0)
    assert.match(reasons[0] ?? '', reason)
  }
  assert.deepEqual(await pagesOf('lake'), [])
})

test('a Mac app, and an entry that cannot be read, leave their places empty: others stand where they were answered', async () => {
  const file = folder.write(
    'search_hill_us_2024-01-01.json',
    answer(app(1, { kind: 'mac-software' }), app(2), { trackName: 'No id' }, app(3)),
  )
  const outcome = await bringIn([file])
  assert.deepEqual(counts(outcome), { stored: 2, unchanged: 0, rejected: 2 })
  assert.deepEqual((await pagesOf('hill'))[0]?.apps, '- 2 - 3')
})

test('an answer whose resultCount is not the length of its list says so, and is as deep as its list', async () => {
  const whole = JSON.parse(answer(app(1), app(2)))
  const file = folder.write('search_dune_us_2024-01-01.json', JSON.stringify({ ...whole, resultCount: 50 }))
  const summary = await world.import({ kind: 'search-results', paths: [file] })
  assert.deepEqual(summary.notes, ['search_dune_us_2024-01-01.json: its resultCount is 50 and its list has 2'])
  assert.deepEqual((await pagesOf('dune'))[0]?.apps, '1 2')
  const { page } = (await world.call('explore_aso_keyword', { query: 'dune' })).body
  assert.deepEqual([page.depth, page.stated], [2, 50])
  const hollow = folder.write('search_dust_us_2024-01-01.json', JSON.stringify({ resultCount: 7, results: [] }))
  const refused = await world.import({ kind: 'search-results', paths: [hollow] })
  assert.equal(refused.rejected, 1)
  assert.deepEqual(await pagesOf('dust'), [])
})

test('a page is no older than the newest version it shows, whatever a lower bound says; pre-orders do not count', async () => {
  const preOrder = app(7, { currentVersionReleaseDate: '2030-01-01T08:00:00Z' })
  folder.write(
    'v/p.json',
    answer(app(1, { currentVersionReleaseDate: '2024-03-04T05:00:00Z' }), { ...preOrder, price: undefined }),
  )
  folder.write('v/captures.csv', 'file,term,country,capturedNotBefore\np.json,valley,us,2024-01-01\n')
  await bringIn(['v'], { directory: folder.path })
  assert.equal((await pagesOf('valley'))[0]?.at, '2024-03-04 05:00')
})

test('an empty page is an absence until the term is seen with results, and suspect after', async () => {
  const page = (day: string, ...apps: unknown[]) => folder.write(`search_moor_us_${day}.json`, answer(...apps))
  const depths = () =>
    rows(
      db,
      sql<{ depth: number; newest: string }>`
        select depth, page_day::text as newest from depth_months join terms using (term_id),
          unnest(depths) as depth where term = 'moor' and depth is not null`,
    )
  const { reasons, ...summary } = await bringIn([page('2024-01-03'), page('2024-01-05')])
  assert.deepEqual([counts(summary), reasons], [{ stored: 0, unchanged: 0, rejected: 0 }, []])
  assert.deepEqual(await depths(), [
    { depth: 0, newest: '2024-01-05' },
    { depth: 0, newest: '2024-01-05' },
  ])
  await bringIn([page('2024-01-04', app(1))])
  assert.deepEqual(await depths(), [
    { depth: 0, newest: '2024-01-04' },
    { depth: 1, newest: '2024-01-04' },
  ])
})

test('a busy page saved again counts once at its earliest time, in other bytes and under another name', async () => {
  const [one, two] = [app(1), app(2, { trackName: 'Tom &amp; Jerry' })]
  const again = JSON.stringify({ results: [one, { ...two, trackName: 'Tom & Jerry' }].map(reversed) }, null, 2)
  const files = [
    folder.write('search_busy_us_2024-01-03.json', answer(one, two)),
    folder.write('search_busy_us_2024-01-02.json', `\n\n${again}\n`),
    folder.write('search_busy_us_2024-01-04.json', gzipSync(answer(one, two))),
  ]
  await bringIn(files)
  assert.deepEqual(
    (await pagesOf('busy')).map(({ at }) => at),
    ['2024-01-02 00:00'],
  )
  const quiet = [3, 4].map((day) =>
    folder.write(`search_quiet_us_2024-01-0${day}.json`, answer(app(1, { userRatingCount: 40 }))),
  )
  await bringIn(quiet)
  assert.equal((await pagesOf('quiet')).length, 2)
})

test('the last page of a day gives its ranks, and the best rank is that of any page', async () => {
  const page = (time: string, ...ids: number[]) =>
    folder.write(`search_noon_us_2024-01-02${time}.json`, answer(...ids.map((id) => app(id))))
  await bringIn([page('T2000Z', 1, 2), page('T1500Z', 3, 2, 1)])
  const found = await rows(
    db,
    sql`select store_id::text as app, ranks[2] as rank, best, best_day::text as on
      from rank_months join term_names using (term_id) where term = 'noon' order by 1`,
  )
  assert.deepEqual(found, [
    { app: '1', rank: 1, best: 1, on: '2024-01-02' },
    { app: '2', rank: 2, best: 2, on: '2024-01-02' },
    { app: '3', rank: null, best: 1, on: '2024-01-02' },
  ])
})

const reversed = (record: object) => Object.fromEntries(Object.entries(record).reverse())

test('importing again changes nothing and says so', async () => {
  const file = folder.write('search_again_us_2024-01-01.json', answer(app(1), app(2)))
  await bringIn([file])
  assert.deepEqual(counts(await bringIn([file])), { stored: 0, unchanged: 2, rejected: 0 })
})

/** A page of a few apps; the same content at two times is one capture when it is busy. */
const anyPage = fc.record({
  day: fc.integer({ min: 1, max: 3 }),
  time: fc.constantFrom('', 'T0600Z', 'T2000Z'),
  apps: fc.constantFrom('', '1', '12', '123', '321', '213', '4'),
  ratings: fc.constantFrom(5, 60_000, 200_000),
})

let sets = 0

test('in whatever order pages are imported, ranks, histories and the newest page are the same', async () => {
  const inTwoOrders = fc
    .array(anyPage, { minLength: 2, maxLength: 9 })
    .chain((pages) =>
      fc.tuple(fc.constant(pages), fc.shuffledSubarray(pages, { minLength: pages.length }), fc.boolean()),
    )
  await fc.assert(
    fc.asyncProperty(inTwoOrders, async ([pages, shuffled, apart]) => {
      const set = ++sets
      const imported = async (term: string, ordered: typeof pages) => {
        const files = ordered.map(({ day, time, apps, ratings }, index) =>
          folder.write(
            `${term}/${index}/search_${term}_us_2024-04-0${day}${time}.json`,
            answer(...[...apps].map((id) => app(Number(id), { userRatingCount: ratings }))),
          ),
        )
        if (apart) for (const file of files) await bringIn([file])
        else await bringIn(files)
        return asShown(term)
      }
      assert.deepEqual(await imported(`b${set}`, shuffled), await imported(`a${set}`, pages))
    }),
    { numRuns: cases(40) },
  )
})

test('a replay derives the same pages and ranks', async () => {
  const terms = Array.from({ length: sets }, (_, index) => `a${index + 1}`)
  const before = await Promise.all(terms.map(asShown))
  await replay(db, () => {}, new AbortController().signal)
  assert.deepEqual(await Promise.all(terms.map(asShown)), before)
})

/** Everything that is derived from the pages of a term. */
async function asShown(term: string): Promise<unknown> {
  const ranks = await rows(
    db,
    sql`select store_id::text as app, month::text as month, to_json(ranks) as ranks, best, best_day::text as best_day
      from rank_months join term_names using (term_id) where term = ${term} order by 1, 2`,
  )
  const depths = await rows(
    db,
    sql`select month::text as month, to_json(depths) as depths
      from depth_months join terms using (term_id) where term = ${term} order by 1`,
  )
  const newest = await rows(
    db,
    sql`select page_at, page_day::text as day, page_depth, first_results_at, difficulty, n.captured_at, n.shown
      from terms left join newest_pages n using (term_id) where term = ${term}`,
  )
  return { pages: await pagesOf(term), ranks, depths, newest }
}

test('an answer whose links lead to another storefront is not believed, nor a single result among others', async () => {
  const linked = (trackId: number, cc: string) =>
    app(trackId, { trackViewUrl: `https://apps.apple.com/${cc}/app/a/id${trackId}?uo=4` })
  const order = { term: 'foreign', country: 'jp', observedAt: '2024-03-01T22:10:00Z' }
  const foreign = folder.write('foreign.json', answer(linked(71, 'us'), linked(72, 'us')))
  const outcome = await bringIn([foreign], order)
  assert.deepEqual(counts(outcome), { stored: 0, unchanged: 0, rejected: 1 })
  assert.match(outcome.firstRejection?.reason ?? '', /an answer for the storefront "us", not for "jp"/)
  assert.deepEqual(await pagesOf('foreign', 'jp'), [])

  const mixed = folder.write('mixed.json', answer(linked(73, 'jp'), linked(74, 'us'), app(75)))
  const some = await bringIn([mixed], order)
  assert.deepEqual(counts(some), { stored: 2, unchanged: 0, rejected: 1 })
  assert.match(some.firstRejection?.reason ?? '', /of the storefront "us", not "jp"/)
  assert.deepEqual(
    (await pagesOf('foreign', 'jp')).map(({ apps }) => apps),
    ['73 - 75'],
  )

  const lines = [linked(76, 'us'), linked(77, 'jp')].map((record) => JSON.stringify(record)).join('\n')
  const catalogue = await world.import({
    kind: 'catalogue',
    paths: [folder.write('lines.ndjson', `${lines}\n`)],
    country: 'jp',
    observedAt: '2024-03-01T22:10:00Z',
  })
  assert.deepEqual(counts(catalogue), { stored: 1, unchanged: 0, rejected: 1 })
})

test('a page of which only the order changed has no words counted, no ratings weighed and no table sampled anew', async () => {
  await using other = await openWorld()
  const made = (one: string) =>
    sql<{ at: string }>`select ${sql.ref(one)}::text as at from ${sql.table(`${one.split('.')[0]}`)}`
  const done = async () => {
    const [words, ratings] = await Promise.all(
      ['word_weight_runs.computed_at', 'rating_scale_runs.computed_at'].map((one) =>
        rows(other.store.db, made(one)),
      ),
    )
    return [words, ratings]
  }
  const expectSampled = async (apps: number) => {
    // On a cluster the nodes have the statistics.
    if (await isDistributed(other.store.db)) return
    const [found] = await rows(
      other.store.db,
      sql<{ apps: number }>`select reltuples::int as apps from pg_class where oid = 'app_records'::regclass`,
    )
    assert.equal(found?.apps, apps)
  }
  const bring = async (day: string, ...results: unknown[]) => {
    const files = [folder.write(`page-${day}.json`, answer(...results))]
    const { code, out, notes } = await operate(other, {
      command: 'import search-results',
      options: { files, term: 'order', country: 'us' },
    })
    assert.equal(code, 0, notes)
    assert.match(out, /stored [1-9]/)
    return done()
  }
  const apps = Array.from({ length: 40 }, (_, at) => app(7001 + at, { description: `The words of ${at}` }))
  const first = await bring('2026-03-01', ...apps)
  await expectSampled(40)
  await sql`update pg_class set reltuples = 41 where oid = 'app_records'::regclass`.execute(other.store.db)
  // What is written into one store says nothing of another in the same process.
  const elsewhere = Array.from({ length: 60 }, (_, at) => app(7200 + at))
  await bringIn([folder.write('elsewhere.json', answer(...elsewhere))], { term: 'elsewhere', country: 'us' })
  assert.deepEqual(await bring('2026-03-02', ...apps.toReversed()), first)
  await expectSampled(41)
  const later = await bring('2026-03-03', ...apps, ...[1, 2, 3, 4, 5].map((at) => app(7100 + at)))
  assert.notDeepEqual(later[0], first[0])
  assert.notDeepEqual(later[1], first[1])
  await expectSampled(45)
})
