import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { ImportRequest } from '../src/imports/import-request.ts'
import type { ImportSummary } from '../src/imports/run-import.ts'
import { parseMapping } from '../src/ingest/mapping/mapping.ts'
import { cases } from './support/cases.ts'
import { openFolder } from './support/files.ts'
import { importInto } from './support/imports.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
const folder = openFolder()
after(async () => {
  folder[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

const mapping = (document: unknown) => parseMapping(document, 'charts', 'map.json')
const bringIn = (paths: string[], order: Partial<ImportRequest> = {}) =>
  importInto(world, { kind: 'charts', paths, ...order })

const counts = ({ read, stored, unchanged, rejected }: ImportSummary) => ({ read, stored, unchanged, rejected })

/** Every test has a genre of its own, so that none sees the charts of another. */
const genres = [
  6001, 6002, 6003, 6004, 6005, 6006, 6007, 6008, 6009, 6010, 6011, 6012, 6013, 6014, 6015, 6016, 6017, 6018,
]
const nextGenre = () => String(genres.shift())

const chart = (categoryId: string, more: Record<string, unknown> = {}) =>
  world.call('get_apple_charts', { categoryId, ...more })
type Entry = { rank: number; app: { storeId: string } }
const places = (items: Entry[]) => items.map((item) => `${item.rank}:${item.app.storeId}`)

const legacyEntry = (id: unknown, name = `App ${id}`) => ({
  'im:name': { label: name },
  'im:image': [
    { label: 'https://example.com/53.png', attributes: { height: '53' } },
    { label: 'https://example.com/100.png', attributes: { height: '100' } },
  ],
  'im:price': { label: 'Get', attributes: { amount: '0.00', currency: 'USD' } },
  'im:artist': { label: 'Maker', attributes: { href: 'https://apps.apple.com/us/developer/maker/id77?uo=2' } },
  id: {
    label: `https://apps.apple.com/us/app/x/id${id}?uo=2`,
    attributes: { 'im:id': id, 'im:bundleId': `com.example.a${id}` },
  },
  category: { attributes: { 'im:id': '6002', label: 'Utilities' } },
  'im:releaseDate': { label: '2020-05-01T00:00:00-07:00' },
  summary: { label: 'What it does.' },
})
const legacyFeed = (
  genre: string,
  entry: unknown,
  more: { country?: string; updated?: string; limit?: number } = {},
) =>
  JSON.stringify({
    feed: {
      author: { name: { label: 'iTunes Store' } },
      ...(entry === undefined ? {} : { entry }),
      updated: { label: more.updated ?? '2026-03-01T05:00:00-07:00' },
      title: { label: 'iTunes Store: Top Free Applications' },
      id: {
        label: `https://itunes.apple.com/${more.country ?? 'us'}/rss/topfreeapplications/limit=${more.limit ?? 100}/genre=${genre}/json`,
      },
    },
  })
const v2Feed = (results: unknown[], more: { country?: string; updated?: string; chart?: string } = {}) =>
  JSON.stringify({
    feed: {
      title: 'Top Free Apps',
      id: `https://rss.marketingtools.apple.com/api/v2/${more.country ?? 'us'}/apps/${more.chart ?? 'top-free'}/100/apps.json`,
      country: more.country ?? 'us',
      updated: more.updated ?? 'Sun, 1 Mar 2026 12:00:00 +0000',
      results,
    },
  })
const v2Entry = (id: unknown, name = `App ${id}`) => ({
  artistName: 'Maker',
  id,
  name,
  releaseDate: '2021-06-01',
  kind: 'apps',
  artworkUrl100: `https://example.com/${id}/100x100bb.png`,
  genres: [],
  url: `https://apps.apple.com/us/app/x/id${id}`,
})

test('a feed of the older shape is a chart with the time Apple made it, and describes its apps', async () => {
  const genre = nextGenre()
  const outcome = await bringIn([
    folder.write('legacy.json', legacyFeed(genre, [legacyEntry('501'), legacyEntry(502)])),
  ])
  assert.deepEqual(counts(outcome), { read: 2, stored: 2, unchanged: 0, rejected: 0 })
  const { body } = await chart(genre)
  assert.deepEqual(places(body.items), ['1:501', '2:502'])
  assert.deepEqual(
    [body.capturedAt, body.date, body.requested, body.returned, body.bound],
    ['2026-03-01T12:00:00.000Z', '2026-03-01', 100, 2, 200],
  )
  assert.deepEqual([body.evidence.source, body.evidence.timeBasis], ['apple-rss-legacy', 'payload'])
  const app = (await world.call('get_competitor', { platform: 'ios', storeId: '501' })).body
  assert.deepEqual(
    [
      app.name,
      app.bundleId.value,
      app.developerId.value,
      app.price.value.amount,
      app.icon.value,
      app.releasedAt.value,
    ],
    ['App 501', 'com.example.a501', '77', 0, 'https://example.com/100.png', '2020-05-01T07:00:00.000Z'],
  )
  assert.equal(app.chartPositions[0].rank.value, 1)
})

test('a chart that was never stored names those that are by their names, the likest first, and other storefronts where it has none', async () => {
  const genre = nextGenre()
  await bringIn([folder.write('named.json', legacyFeed(genre, [legacyEntry('503')]))])
  const here = (await chart(genre, { chart: 'top-paid' })).body
  assert.equal(here.code, 'chart-not-found')
  assert.deepEqual(here.storedCharts[0], {
    country: 'us',
    chart: 'top-free',
    categoryId: genre,
    categoryName: 'Utilities',
    device: 'iphone',
  })
  const elsewhere = (await chart(genre, { country: 'nz' })).body
  assert.match(elsewhere.detail, /^No chart of nz was ever stored/)
  assert.deepEqual(elsewhere.storedCharts[0], here.storedCharts[0])
})

test('a feed of one app holds it alone, not in a list', async () => {
  const genre = nextGenre()
  const outcome = await bringIn([folder.write('single.json', legacyFeed(genre, legacyEntry('511')))])
  assert.deepEqual(counts(outcome), { read: 1, stored: 1, unchanged: 0, rejected: 0 })
  assert.deepEqual(places((await chart(genre)).body.items), ['1:511'])
})

test('a feed without an entry where there was one before is suspect, and makes no app absent', async () => {
  const genre = nextGenre()
  await bringIn([
    folder.write('full.json', legacyFeed(genre, [legacyEntry('521')], { updated: '2026-03-01T12:00:00Z' })),
  ])
  const empty = folder.write('none.json', legacyFeed(genre, undefined, { updated: '2026-03-02T12:00:00Z' }))
  assert.deepEqual(counts(await bringIn([empty])), { read: 0, stored: 0, unchanged: 0, rejected: 0 })
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from readings where observed_at = '2026-03-02T12:00:00Z'`.execute(
    world.store.db,
  )
  assert.equal(rows[0]?.count, 1)
  const { body } = await world.call('get_apple_chart_history', {
    storeId: '521',
    categoryId: genre,
    from: '2026-03-01',
    to: '2026-03-02',
  })
  assert.deepEqual(body.charts[0].series.at(-1).rank, { state: 'not-measured', reason: 'suspect-empty' })
})

test('a feed of the newest shape is the overall chart, with a time as mail writes it', async () => {
  const outcome = await bringIn([
    folder.write(
      'v2.json',
      v2Feed([v2Entry('531'), v2Entry('532')], { country: 'fr', updated: 'Sun, 1 Mar 2026 23:30:00 +0000' }),
    ),
  ])
  assert.deepEqual(counts(outcome), { read: 2, stored: 2, unchanged: 0, rejected: 0 })
  const { body } = await chart('36', { country: 'fr' })
  assert.deepEqual([body.capturedAt, body.date], ['2026-03-01T23:30:00.000Z', '2026-03-02'])
  assert.deepEqual([body.evidence.source, body.requested], ['apple-rss-v2', 100])
})

test('a feed of the shape in between is read too', async () => {
  const feed = JSON.parse(v2Feed([v2Entry('541')], { country: 'hk' }))
  feed.feed.id = 'http://rss.itunes.apple.com/api/v1/hk/ios-apps/top-grossing/all/10/explicit.json'
  feed.feed.updated = '2019-07-15T01:30:17.000-07:00'
  await bringIn([folder.write('v1.json', JSON.stringify(feed))])
  const { body } = await chart('36', { country: 'hk', chart: 'top-grossing' })
  assert.deepEqual(
    [body.capturedAt, body.evidence.source, body.requested],
    ['2019-07-15T08:30:17.000Z', 'apple-rss-v1', 10],
  )
})

test('a feed that is no ranked chart, or of a country without a store, is refused by what it is', async () => {
  const feeds = [
    v2Feed([v2Entry('1')], { country: 'cu' }),
    v2Feed([v2Entry('1')], { chart: 'new-apps-we-love' }),
    JSON.stringify({ feed: { title: 'x', results: [] } }),
  ]
  const outcome = await bringIn(feeds.map((feed, at) => folder.write(`odd-${at}.json`, feed)))
  assert.deepEqual(outcome.reasons, [
    'line 1: "cu" is not an App Store country',
    'line 1: the feed "new-apps-we-love" is not a ranked chart of iOS apps',
    'line 1: the feed names no chart address',
  ])
})

test('a feed without a time is captured when its name or the operator says, and refused when nobody does', async () => {
  const genre = nextGenre()
  const feed = JSON.stringify({
    feed: { ...JSON.parse(legacyFeed(genre, [legacyEntry('551')])).feed, updated: undefined },
  })
  const refused = await bringIn([folder.write('timeless.json', feed)])
  assert.deepEqual(refused.reasons, [
    'document: no capture time: give --observed-at, or a date in the file name',
  ])
  await bringIn([folder.write('feed_2026-03-03T0900Z.json', feed)])
  assert.equal((await chart(genre)).body.capturedAt, '2026-03-03T09:00:00.000Z')
  await bringIn([folder.write('timeless.json', feed)], { observedAt: '2026-03-04T10:00:00Z' })
  assert.deepEqual(
    [(await chart(genre)).body.capturedAt, (await chart(genre)).body.evidence.timeBasis],
    ['2026-03-04T10:00:00.000Z', 'stated'],
  )
})

test('an entry that cannot be read, or a second place of one app, costs its own place only', async () => {
  const genre = nextGenre()
  const entries = [
    legacyEntry('561'),
    { 'im:name': { label: 'No id' } },
    legacyEntry('0'),
    legacyEntry('561'),
    legacyEntry('565'),
  ]
  const outcome = await bringIn([folder.write('gaps.json', legacyFeed(genre, entries))])
  assert.deepEqual(counts(outcome), { read: 5, stored: 2, unchanged: 0, rejected: 3 })
  assert.deepEqual(
    outcome.lines.map((line) => line.position),
    ['entry 2', 'entry 3', 'entry 4'],
  )
  assert.equal(outcome.lines[2]?.reason, 'app 561 stands in the chart twice')
  const { body } = await chart(genre)
  assert.deepEqual(places(body.items), ['1:561', '5:565'])
  assert.equal(body.returned, 2)
})

test("a collector's list keeps its ranks, gaps and all, and refuses what cannot be a place", async () => {
  const genre = nextGenre()
  const items = [
    { rank: 1, id: '571', name: 'One' },
    { rank: 2, id: 'x', url: 'https://apps.apple.com/us/app/two/id572?l=en', title: 'Two' },
    { rank: 5, url: '', name: 'No id' },
    { rank: 5, id: '575' },
    { rank: 6, id: '571' },
    { rank: 7, id: '577' },
    { rank: 7, id: '578' },
    { rank: 0, id: '579' },
    { rank: '9', id: '9'.repeat(19) },
    { rank: { valueOf: [], toString: [] }, id: '580' },
    { rank: 11, id: { toString: [] }, name: {} },
    ['12', '583'],
    null,
  ]
  const document = { date: '2026-03-01', country: 'US', feedType: 'top-free', genre, limit: 10, items }
  const outcome = await bringIn([folder.write('list.json', JSON.stringify(document))])
  assert.deepEqual(outcome.reasons, [
    'record 3: no app id',
    'record 5: app 571 stands in the chart twice',
    'record 7: rank 7 is taken',
    'record 8: impossible rank "0"',
    'record 9: no app id',
    'record 10: impossible rank "{"valueOf":[],"toString":[]}"',
    'record 11: no app id',
    'record 12: no app id',
    'record 13: no app id',
  ])
  const { body } = await chart(genre)
  assert.deepEqual(places(body.items), ['1:571', '2:572', '5:575', '7:577'])
  assert.deepEqual([body.date, body.requested, body.returned], ['2026-03-01', 10, 4])
})

test('a chart that does not say its country, chart, category or time is refused with what to give', async () => {
  const file = folder.write('bare.json', JSON.stringify([{ rank: 1, id: '581' }]))
  const reported = { country: 'us', chart: 'top-free', category: '6001', observedAt: '2026-03-01' }
  const without = async (part: keyof typeof reported) =>
    (await bringIn([file], { ...reported, [part]: undefined })).reasons[0]
  assert.equal(await without('country'), 'record 1: no country: name it with --country or in a mapping')
  assert.equal(await without('chart'), 'record 1: no chart: name it with --chart or in a mapping')
  assert.equal(
    await without('category'),
    'record 1: no category: name it with --category (36 is all categories) or in a mapping',
  )
  assert.equal(
    await without('observedAt'),
    'record 1: no capture time: give --observed-at, a date in the file name, or a mapping',
  )
})

test('a chart that names what cannot be is refused by that name', async () => {
  const refused = async (row: Record<string, unknown>) => {
    const whole = {
      rank: 1,
      id: '591',
      country: 'us',
      chart: 'top-free',
      category: '6001',
      date: '2026-03-01',
      ...row,
    }
    return (await bringIn([folder.write('wrong.json', JSON.stringify([whole]))])).reasons
  }
  assert.deepEqual(await refused({ country: 'zz' }), ['record 1: "zz" is not an App Store country'])
  assert.deepEqual(await refused({ chart: 'editors choice' }), [
    'record 1: "editors choice" is not a chart of ours',
  ])
  assert.deepEqual(await refused({ category: 'Groceries' }), ['record 1: unknown genre "Groceries"'])
  assert.deepEqual(await refused({ category: '99999999999' }), ['record 1: unknown genre "99999999999"'])
  assert.deepEqual(await refused({ device: 'watch' }), ['record 1: unknown device "watch"'])
  assert.deepEqual(await refused({ date: '2026-02-30' }), ['record 1: impossible capture time "2026-02-30"'])
})

test('a table of several charts and days becomes a capture each, whatever their order', async () => {
  const genre = nextGenre()
  const rows = ['us', 'de'].flatMap((country) =>
    ['2026-03-01', '2026-03-02'].flatMap((date) =>
      ['top-free', 'Top Paid'].flatMap((kind) =>
        [1, 2, 3].map((rank) => `${date};${country};${kind};${rank};60${rank};"App; ${rank}"`),
      ),
    ),
  )
  const mixed = rows.toSorted((one, other) => (one.slice(-8) < other.slice(-8) ? -1 : 1))
  const file = folder.write('table.csv', `date;country;chart;rank;id;name\r\n${mixed.join('\r\n')}\r\n`)
  const outcome = await bringIn([file], { category: genre })
  assert.deepEqual(counts(outcome), { read: 24, stored: 24, unchanged: 0, rejected: 0 })
  for (const country of ['us', 'de'])
    for (const kind of ['top-free', 'top-paid'])
      for (const date of ['2026-03-01', '2026-03-02']) {
        const { body } = await chart(genre, { country, chart: kind, date })
        assert.deepEqual(places(body.items), ['1:601', '2:602', '3:603'])
      }
})

test('a capture that stands in a very long table is one capture, wherever the reading of the table pauses', async () => {
  const genre = nextGenre()
  const hours = Array.from({ length: 120 }, (_, hour) => new Date(Date.UTC(2026, 0, 1, hour)).toISOString())
  const row = (at: string, rank: number) => `${at},${rank},${700_000 + rank},${'A long name '.repeat(8)}${rank}`
  const rows = hours.flatMap((at) => Array.from({ length: 100 }, (_, index) => row(at, index + 1)))
  const file = folder.write('long.csv', `capturedAt,rank,id,name\n${rows.join('\n')}\n`)
  const outcome = await bringIn([file], { country: 'us', chart: 'top-free', category: genre })
  assert.deepEqual(counts(outcome), { read: 12_000, stored: 12_000, unchanged: 0, rejected: 0 })
  const { rows: torn } = await sql<{ captured_at: Date; returned: number }>`
    select s.captured_at, s.returned from chart_snapshots s join charts c using (chart_id)
    where c.category_id = ${Number(genre)} and s.returned <> 100`.execute(world.store.db)
  assert.deepEqual(torn, [])
  const { body } = await world.call('get_apple_chart_history', {
    storeId: '700001',
    categoryId: genre,
    from: '2025-12-31',
    to: '2026-01-05',
  })
  assert.equal(body.charts[0].snapshots, 120)
  assert.equal(body.charts[0].daysOutside, 0)
})

test('a history ends on the day that the newest file names, though that day begins later in the storefront', async () => {
  const genre = nextGenre()
  const file = folder.write('dated.csv', 'date,rank,id,name\n2026-03-04,6,640001,A\n2026-03-05,1,640001,A\n')
  await bringIn([file], { country: 'us', chart: 'top-free', category: genre })
  const { body } = await world.call('get_apple_chart_history', { storeId: '640001', categoryId: genre })
  assert.equal(body.to, '2026-03-05')
  assert.equal(body.charts[0].series.at(-1).rank.value, 1)
})

test('JSON lines of places may hold a broken one', async () => {
  const genre = nextGenre()
  const line = (rank: number) =>
    JSON.stringify({
      rank,
      id: `61${rank}`,
      name: 'A',
      country: 'us',
      chart: 'free',
      category: genre,
      capturedAt: '2026-03-01T10:00Z',
    })
  const outcome = await bringIn([
    folder.write('rows.ndjson.gz', gzipSync(`${line(1)}\n{"rank": 2,\n${line(3)}\n`)),
  ])
  assert.deepEqual(counts(outcome), { read: 3, stored: 2, unchanged: 0, rejected: 1 })
  assert.deepEqual(places((await chart(genre)).body.items), ['1:611', '3:613'])
})

test('a mapping reads the chart from around the list, from the file name, and from constants', async () => {
  const genre = nextGenre()
  const document = {
    meta: { store: 'JP', asked: 50, taken: '2026-03-01T22:10:00Z' },
    data: { ranking: [{ pos: 1, app: { ref: 'https://apps.apple.com/jp/app/x/id621', label: 'アプリ' } }] },
  }
  await bringIn([folder.write('ranking-topfreeipadapplications.json', JSON.stringify(document))], {
    mapping: mapping({
      list: 'data.ranking',
      fields: { storeId: 'app.ref', name: 'app.label', rank: 'pos' },
      document: { country: 'meta.store', requested: 'meta.asked', capturedAt: 'meta.taken' },
      constants: { category: genre },
      fileName: '^ranking-(?<chart>[a-z]+)\\.',
    }),
  })
  const { body } = await chart(genre, { country: 'jp', device: 'ipad' })
  assert.deepEqual([body.date, body.requested, body.items[0].app.name], ['2026-03-02', 50, 'アプリ'])
})

test('rows without a rank stand in the order of the file', async () => {
  const genre = nextGenre()
  const file = folder.write(
    'unranked_2026-03-01.json',
    JSON.stringify({ results: ['631', '632', '633'].map((id) => ({ id })) }),
  )
  await bringIn([file], { country: 'us', chart: 'top-free', category: genre })
  const { body } = await chart(genre)
  assert.deepEqual(places(body.items), ['1:631', '2:632', '3:633'])
  assert.deepEqual(
    body.items.map((item: { app: { catalogued: boolean } }) => item.app.catalogued),
    [false, false, false],
  )
})

test('the same chart twice stores nothing new, and of two captures on one day the last one counts', async () => {
  const genre = nextGenre()
  const capture = (hour: string, ids: string[]) =>
    folder.write(
      `day_2026-03-01T${hour}00Z.json`,
      legacyFeed(
        genre,
        ids.map((id) => legacyEntry(id)),
        { updated: `2026-03-01T${hour}:00:00Z` },
      ),
    )
  const [morning, evening] = [capture('08', ['641', '642']), capture('20', ['642', '643'])]
  await bringIn([evening])
  assert.deepEqual(counts(await bringIn([morning, evening])), { read: 4, stored: 2, unchanged: 2, rejected: 0 })
  const { body } = await chart(genre, { date: '2026-03-01' })
  assert.deepEqual(
    body.items.map((item: Entry & { entry: string; change: number | null }) => [
      item.app.storeId,
      item.entry,
      item.change,
    ]),
    [
      ['642', 'up', 1],
      ['643', 'new', null],
    ],
  )
  const history = await world.call('get_apple_chart_history', {
    storeId: '641',
    categoryId: genre,
    from: '2026-03-01',
    to: '2026-03-01',
  })
  // Of the day the evening counts, which does not have the app: no day shows it.
  const { charts, coverage } = history.body
  assert.deepEqual([charts, coverage.chartsObserved, coverage.chartsWithApp], [[], 1, 0])
})

test('what a chart says of an app fills its record but does not replace what a lookup said, in either order', async () => {
  const [genre, other] = [nextGenre(), nextGenre()]
  const lookup = (id: number) =>
    folder.write(
      `lookup-${id}.json`,
      JSON.stringify({
        resultCount: 1,
        results: [
          {
            wrapperType: 'software',
            kind: 'software',
            trackId: id,
            trackName: 'Looked up',
            artistName: 'Maker',
            artworkUrl512: 'https://example.com/512.png',
            price: 4.99,
            currency: 'USD',
          },
        ],
      }),
    )
  const lookUp = (id: number) =>
    world.import({ kind: 'catalogue', paths: [lookup(id)], observedAt: '2026-02-01' })
  const feed = (id: number, of: string) =>
    bringIn([folder.write(`feed-${id}.json`, legacyFeed(of, [legacyEntry(id, 'Charted')]))])
  await lookUp(651)
  await feed(651, genre)
  await feed(652, other)
  await lookUp(652)
  for (const storeId of ['651', '652']) {
    const { body } = await world.call('get_competitor', { platform: 'ios', storeId })
    assert.equal(body.name, 'Charted', 'the newest name counts')
    assert.deepEqual([body.icon.value, body.price.value.amount], ['https://example.com/512.png', 4.99])
    assert.equal(body.developerId.state, 'absent', 'the lookup carries it and had none')
    assert.deepEqual(
      body.evidence.map((entry: { source: string }) => entry.source),
      ['apple-rss-legacy', 'itunes-search'],
    )
    assert.ok(body.listingHistory.every((version: { field: string }) => version.field === 'name'))
  }
})

test('the days of a chart say the same of its apps brought in together or one by one, whatever came first', async () => {
  const names = ['Orchard', 'Orchard', 'Orchard', 'Orchard 2', 'Orchard', 'Orchard', 'Orchard']
  const daysOf = (id: string) => {
    const genre = nextGenre()
    return names.map((name, day) => {
      const updated = `2026-03-0${day + 1}T08:00:00Z`
      return folder.write(`of-${id}-${day}.json`, legacyFeed(genre, [legacyEntry(id, name)], { updated }))
    })
  }
  await bringIn(daysOf('661'))
  const days = daysOf('662')
  for (const day of [4, 0, 6, 2, 3, 5, 1]) await bringIn(days.slice(day, day + 1))
  const known = async (storeId: string) => {
    const { body } = await world.call('get_competitor', { platform: 'ios', storeId })
    const { name, firstObservedAt, lastObservedAt, listingHistory, evidence } = body
    const times = evidence.map(({ observedAt }: { observedAt: string }) => observedAt)
    return { name, firstObservedAt, lastObservedAt, listingHistory, times }
  }
  const together = await known('661')
  assert.deepEqual(
    together.listingHistory.map((version: { value: string }) => version.value).toSorted(),
    ['Orchard', 'Orchard', 'Orchard 2'],
    'the name was another one for a day',
  )
  assert.deepEqual(await known('662'), together)
})

test('whatever happens to the bytes of a feed, an import never throws and a chart is stored whole or not at all', async () => {
  const genre = nextGenre()
  const plain = Buffer.from(
    legacyFeed(
      genre,
      ['661', '662', '663'].map((id) => legacyEntry(id)),
    ),
  )
  const flip = fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.integer({ min: 1, max: 255 }))
  const damage = fc.record({
    flips: fc.array(flip, { maxLength: 3 }),
    cut: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  })
  await fc.assert(
    fc.asyncProperty(damage, async ({ flips, cut }) => {
      const bytes = Buffer.from(plain)
      for (const [place, mask] of flips) {
        const at = Math.floor(place * bytes.length)
        bytes[at] = (bytes[at] ?? 0) ^ mask
      }
      const file = folder.write(
        'damaged_2026-04-01.json',
        cut === null ? bytes : bytes.subarray(0, Math.floor(cut * bytes.length)),
      )
      const outcome = await bringIn([file])
      const entries = outcome.lines.filter((line) => line.position.startsWith('entry')).length
      const taken = outcome.stored + outcome.unchanged
      assert.ok([0, 1, 3].includes(taken + entries), `${taken} taken, ${entries} entries refused`)
    }),
    { numRuns: cases(100) },
  )
})

test('an id that no evidence ever named is not found, and not absent from charts; an app that is known is absent', async () => {
  const bring = (category: string, id: number) =>
    bringIn([folder.write('known.json', JSON.stringify([{ rank: 1, id, name: `App ${id}` }]))], {
      country: 'ch',
      chart: 'top-free',
      category,
      observedAt: '2026-03-01T12:00:00Z',
    })
  await bring('36', 51)
  await bring('6015', 52)
  const history = (storeId: string) => world.call('get_apple_chart_history', { storeId, country: 'ch' })
  const unknown = await history('123')
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'competitor-not-found'])
  assert.equal(unknown.body.intake.state, 'none')
  assert.equal((await history('51')).body.charts.length, 1)
  const elsewhere = await world.call('get_apple_chart_history', {
    storeId: '52',
    country: 'ch',
    categoryId: '36',
  })
  assert.deepEqual(
    [elsewhere.status, elsewhere.body.charts, elsewhere.body.coverage],
    [200, [], { chartsObserved: 1, chartsWithApp: 0 }],
  )
})
