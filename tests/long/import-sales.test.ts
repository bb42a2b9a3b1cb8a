import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { parseMapping } from '../../src/ingest/mapping/mapping.ts'
import { replay } from '../../src/projections/replay.ts'
import { rows } from '../../src/storage/database.ts'
import { makeDataDirectory } from '../../src/storage/testing.ts'
import { openFolder, rejectedLines } from '../support/files.ts'
import { run, serveHere } from '../support/in-process.ts'
import { openWorld, type World } from '../support/world.ts'

const folder = openFolder()
after(() => folder[Symbol.dispose]())

const sales = (world: World, name: string, content: string | Uint8Array, more: object = {}) =>
  world.import({ kind: 'sales', paths: [folder.write(name, content)], ...more })

const stored = (world: World) =>
  rows(
    world.store.db,
    sql<Record<string, unknown>>`
      select store_id::text as app, country, day::text as day, downloads::float8 as downloads, revenue::float8 as revenue,
        currency
      from own_sales order by store_id, country, day`,
  )

const columns = [
  'Provider',
  'Provider Country',
  'SKU',
  'Developer',
  'Title',
  'Version',
  'Product Type Identifier',
  'Units',
  'Developer Proceeds',
  'Begin Date',
  'End Date',
  'Customer Currency',
  'Country Code',
  'Currency of Proceeds',
  'Apple Identifier',
  'Customer Price',
  'Promo Code',
  'Parent Identifier',
]

/** A row of a sales report: a free download in the US unless told otherwise. */
function row(more: Partial<Record<string, string>> = {}): string {
  const values: Record<string, string | undefined> = {
    Provider: 'APPLE',
    'Provider Country': 'US',
    SKU: 'quiet.app',
    Developer: 'Maker',
    Title: 'Quiet "Night" App',
    'Product Type Identifier': '1F',
    Units: '10',
    'Developer Proceeds': '0',
    'Begin Date': '03/01/2026',
    'End Date': '03/01/2026',
    'Customer Currency': 'USD',
    'Country Code': 'US',
    'Currency of Proceeds': 'USD',
    'Apple Identifier': '700',
    'Customer Price': '0',
    ...more,
  }
  return columns.map((column) => values[column] ?? ' ').join('\t')
}
const report = (...lines: string[]) => `${[columns.join('\t'), ...lines].join('\n')}\n`
const type = (name: string, more: Partial<Record<string, string>> = {}) =>
  row({ 'Product Type Identifier': name, ...more })
const purchase = (more: Partial<Record<string, string>> = {}) =>
  type('IA1', { SKU: 'quiet.gold', 'Apple Identifier': '701', 'Parent Identifier': 'quiet.app', ...more })

describe('A sales report of App Store Connect', () => {
  test('counts first-time downloads and what customers paid; updates and repeated downloads are neither', async () => {
    await using world = await openWorld()
    const bytes = gzipSync(
      report(
        row(),
        type('1', { Units: '3' }),
        type('7F', { Units: '900' }),
        type('3F', { Units: '80' }),
        purchase({ Units: '4', 'Customer Price': '4.99', 'Developer Proceeds': '3.49' }),
        type('IAY', {
          SKU: 'quiet.year',
          'Apple Identifier': '702',
          'Parent Identifier': 'quiet.app',
          Units: '2',
          'Customer Price': '29.99',
        }),
        purchase({ Units: '-1', 'Customer Price': '-4.99' }),
        type('1', { 'Country Code': 'JP', 'Customer Price': '400', 'Customer Currency': 'JPY', Units: '5' }),
      ),
    )
    const summary = await sales(world, 'S_D_80000000_20260301.txt.gz', bytes)
    assert.deepEqual([summary.read, summary.stored, summary.rejected, summary.weaklyDated], [8, 8, 0, 0])
    assert.deepEqual(await stored(world), [
      { app: '700', country: 'jp', day: '2026-03-01', downloads: 5, revenue: 2000, currency: 'JPY' },
      { app: '700', country: 'us', day: '2026-03-01', downloads: 13, revenue: 74.95, currency: 'USD' },
    ])
  })

  test('has its bad rows refused by name, and the others stored', async () => {
    await using world = await openWorld()
    const summary = await sales(
      world,
      'report.txt',
      report(
        row(),
        type('XX'),
        row({ Units: 'many', 'Begin Date': '03/02/2026', 'End Date': '03/02/2026' }),
        row({ 'Country Code': 'ZZ' }),
        row({ 'Begin Date': '02/30/2026', 'End Date': '02/30/2026' }),
        row({ 'End Date': '03/07/2026' }),
        row({ 'Apple Identifier': '' }),
        purchase({ 'Parent Identifier': 'other.app', 'Customer Price': '1' }),
        purchase({ Units: '1', 'Customer Price': '2.99' }),
        purchase({ Units: '1', 'Customer Price': '2.99', 'Country Code': 'DE' }),
        purchase({ Units: '1', 'Customer Price': '2.79', 'Customer Currency': 'EUR', 'Country Code': 'DE' }),
        'half a row\tonly',
      ),
    )
    assert.deepEqual([summary.read, summary.stored, summary.rejected], [12, 2, 10])
    assert.deepEqual(
      rejectedLines(summary.rejectedFile)
        .map(({ position, reason }) => [position, reason])
        .sort(),
      [
        ['line 9', 'no row of this report tells the app with the SKU "other.app"'],
        ['line 11', 'USD and EUR of one day are not added up'],
        ['line 12', 'USD and EUR of one day are not added up'],
        ['line 13', '2 columns where the header has 18'],
        ['line 3', 'unknown product type "XX"'],
        ['line 4', 'impossible units "many"'],
        ['line 5', '"zz" is not an App Store country'],
        ['line 6', 'impossible date "02/30/2026"'],
        ['line 7', 'covers several days; only daily reports tell a day'],
        ['line 8', 'no app id'],
      ].sort(),
    )
    assert.deepEqual(await stored(world), [
      { app: '700', country: 'us', day: '2026-03-01', downloads: 10, revenue: 2.99, currency: 'USD' },
    ])
  })

  test('takes downloads given back off their day, wherever in the report they stand', async () => {
    await using world = await openWorld()
    const back = (more: Partial<Record<string, string>> = {}) => type('1', { Units: '-3', ...more })
    await sales(
      world,
      'report.txt',
      report(
        back(),
        type('1', { Units: '10' }),
        back({ 'Country Code': 'JP' }),
        back({ 'Country Code': 'DE' }),
      ),
    )
    assert.deepEqual(
      (await stored(world)).map(({ country, downloads }) => [country, downloads]),
      [
        ['de', 0],
        ['jp', 0],
        ['us', 7],
      ],
    )
  })

  test('counts no Mac products and no restored purchases, and says how many rows of a Mac it left out', async () => {
    await using world = await openWorld()
    const mac = ['F1', 'F1-B', 'F7', 'FI1', 'IA1-M', 'IA9-M', 'IAY-M']
    const summary = await sales(
      world,
      'report.txt',
      report(
        row(),
        ...mac.map((name) => type(name, { 'Customer Price': '3', 'Parent Identifier': 'quiet.app' })),
        purchase({ Units: '1', 'Customer Price': '9.99' }),
        type('IA3', { Units: '7', 'Customer Price': '9.99', 'Parent Identifier': 'quiet.app' }),
      ),
    )
    assert.deepEqual([summary.read, summary.rejected], [10, 0])
    assert.deepEqual(summary.notes, ['report.txt: 7 rows of Mac products not counted'])
    assert.deepEqual(await stored(world), [
      { app: '700', country: 'us', day: '2026-03-01', downloads: 10, revenue: 9.99, currency: 'USD' },
    ])
  })

  test('of which one row of a day cannot be read has that day refused, since a part of it is not the day', async () => {
    await using world = await openWorld()
    const summary = await sales(
      world,
      'report.txt',
      report(row(), type('1', { Units: 'many' }), row({ 'Country Code': 'DE' })),
    )
    assert.equal(summary.rejected, 2)
    assert.deepEqual(
      (await stored(world)).map(({ country }) => country),
      ['de'],
    )
  })

  test('of another kind is named, with the report that tells days', async () => {
    await using world = await openWorld()
    const others: [string, RegExp][] = [
      [
        'Date\tApp Name\tApp Apple Identifier\tDownload Type\tSource Type\tDevice\tTerritory\tCounts',
        /downloads of App Analytics/,
      ],
      [
        'Date\tApp Apple Identifier\tEvent\tPage Type\tEngagement Type\tCounts\tUnique Counts',
        /discovery and engagement/,
      ],
      ['App Name\tApp Apple ID\tSubscription Name\tSubscription Apple ID\tCountry', /the Subscription report/],
      [
        'Event Date\tEvent\tApp Apple ID\tSubscription Name\tCountry\tQuantity',
        /the Subscription Event report/,
      ],
      [
        'Start Date\tEnd Date\tVendor Identifier\tQuantity\tPartner Share\tExtended Partner Share\tCountry Of Sale',
        /a financial report/,
      ],
    ]
    for (const [at, [header, name]] of others.entries()) {
      const cells = header.split('\t').map(() => '1')
      const summary = await sales(world, `${at}.txt`, `${header}\n${cells.join('\t')}\n`)
      assert.deepEqual([summary.stored, summary.rejected], [0, 1], header)
      const reason = summary.firstRejection?.reason ?? ''
      assert.match(reason, name)
      assert.match(reason, /Summary Sales/)
    }
    assert.deepEqual(await stored(world), [])
  })

  test('longer than a piece of other files is still read as a whole', async () => {
    await using world = await openWorld()
    const many = Array.from({ length: 6_000 }, () => row({ Units: '1' }))
    const summary = await sales(world, 'long.txt', report(purchase({ 'Customer Price': '1' }), ...many))
    assert.deepEqual([summary.read, summary.rejected], [6_001, 0])
    assert.deepEqual((await stored(world))[0]?.downloads, 6_000)
  })
})

describe('A table of own figures', () => {
  test('tells downloads, revenue or both; what it does not tell stays unknown', async () => {
    await using world = await openWorld()
    const table = `date,app,country,downloads,revenue,currency
2026-03-01,700,us,12,,
2026-03-02,https://apps.apple.com/us/app/quiet/id700,US,0,9.5,usd
2026-03-01,701,de,,3,EUR
`
    const summary = await sales(world, 'own.csv', table)
    assert.deepEqual([summary.stored, summary.rejected], [3, 0])
    assert.deepEqual(await stored(world), [
      { app: '700', country: 'us', day: '2026-03-01', downloads: 12, revenue: null, currency: null },
      { app: '700', country: 'us', day: '2026-03-02', downloads: 0, revenue: 9.5, currency: 'USD' },
      { app: '701', country: 'de', day: '2026-03-01', downloads: null, revenue: 3, currency: 'EUR' },
    ])
    assert.deepEqual((await sales(world, 'own.csv', table)).unchanged, 3)
  })

  test('has its bad rows refused by name, and the others stored', async () => {
    await using world = await openWorld()
    const table = `date,app,country,downloads,revenue,currency
2026-03-01,700,us,12,,
2026-02-30,700,us,12,,
2026-03-02,none,us,12,,
2026-03-02,700,uk,12,,
2026-03-02,700,us,-3,,
2026-03-02,700,us,1.5,,
2026-03-02,700,us,,,
2026-03-02,700,us,,12,
2026-03-01,700,us,13,,
2026-03-02,700,,5,,
`
    const summary = await sales(world, 'bad.csv', table)
    assert.deepEqual([summary.read, summary.stored, summary.rejected], [10, 0, 10])
    assert.deepEqual(
      rejectedLines(summary.rejectedFile).map(({ position, reason }) => `${position}: ${reason}`),
      [
        'line 3: impossible date "2026-02-30"',
        'line 4: no app id in "none"',
        'line 5: "uk" is not an App Store country; did you mean "gb"?',
        'line 6: impossible downloads "-3"',
        'line 7: impossible downloads "1.5"; a mapping can name its form, such as "numbers": {"downloads": "1,234.5"}',
        'line 8: neither downloads nor revenue',
        'line 9: revenue without a currency',
        'line 11: no country: name it with --country or in a mapping',
        'line 2: its day stands in several rows, and no column tells them apart',
        'line 10: its day stands in several rows, and no column tells them apart',
      ],
    )
  })

  test('adds the rows of a day up where a column tells them apart, and refuses a day that it cannot add', async () => {
    await using world = await openWorld()
    const table = `date,app,country,device,version,downloads,impressions
2026-03-01,700,us,iPhone,1.0,900,5000
2026-03-01,700,us,iPhone,1.1,40,4000
2026-03-01,700,us,iPad,1.1,1,30
2026-03-02,700,us,iPhone,1.1,900,1
2026-03-02,700,us,All,1.1,941,2
2026-03-03,700,us,iPhone,1.1,900,1
2026-03-03,700,us,iPhone,1.1,901,2
2026-03-04,700,us,iPhone,1.1,900,1
2026-03-04,700,us,iPad,1.1,some,2
2026-03-05,700,us,iPhone,1.1,900,1
2026-03-05,700,us,iPad,1.1,,2
`
    const summary = await sales(world, 'finer.csv', table)
    assert.deepEqual(
      (await stored(world)).map(({ day, downloads }) => [day, downloads]),
      [['2026-03-01', 941]],
    )
    assert.deepEqual([summary.read, summary.stored, summary.rejected], [11, 3, 8])
  })

  test('may have other names, given a mapping, and be NDJSON or JSON', async () => {
    await using world = await openWorld()
    const mapping = parseMapping(
      {
        fields: { day: 'when', downloads: 'got.first' },
        constants: { storeId: '700' },
        list: 'rows',
        document: { country: 'market' },
      },
      'sales',
      'map.json',
    )
    const document = { market: 'jp', rows: [{ when: '2026-03-01', got: { first: 4 } }] }
    assert.equal((await sales(world, 'own.json', JSON.stringify(document), { mapping })).stored, 1)
    const lines =
      '{"day":"2026-03-02","appId":"700","downloads":6}\n{"day":"2026-03-03","appId":"700","downloads":7}\n'
    assert.equal((await sales(world, 'own.ndjson', lines, { country: 'jp' })).stored, 2)
    assert.deepEqual(
      (await stored(world)).map(({ country, day, downloads }) => [country, day, downloads]),
      [
        ['jp', '2026-03-01', 4],
        ['jp', '2026-03-02', 6],
        ['jp', '2026-03-03', 7],
      ],
    )
  })

  test('corrects what was told before, and a replay tells it again', async () => {
    await using world = await openWorld()
    await sales(world, 'first.csv', 'date,app,country,downloads\n2026-03-01,700,us,12\n2026-03-02,700,us,13\n')
    await sales(world, 'money.csv', 'date,app,country,revenue,currency\n2026-03-01,700,us,50,USD\n')
    await sales(world, 'fixed.csv', 'date,app,country,downloads\n2026-03-02,700,us,31\n')
    const before = await stored(world)
    assert.deepEqual(before, [
      { app: '700', country: 'us', day: '2026-03-01', downloads: 12, revenue: 50, currency: 'USD' },
      { app: '700', country: 'us', day: '2026-03-02', downloads: 31, revenue: null, currency: null },
    ])
    await sql`update own_sales set downloads = 1`.execute(world.store.db)
    await replay(world.store.db, () => {}, new AbortController().signal)
    assert.deepEqual(await stored(world), before)
  })
})

test('calibrate tells the error before and after, says what it needs, and fails when there is nothing to fit', async () => {
  const dataDir = `${folder.path}/store`
  await makeDataDirectory(dataDir)
  const store = ['--data-dir', dataDir]
  // Commands that a service takes over are done sooner than ones that open the store.
  await using _service = await serveHere(store)
  const nothing = await run(['calibrate', ...store])
  assert.deepEqual([nothing.code, nothing.out], [1, ''])
  assert.match(nothing.err, /rivalscope import sales/)

  const day = (index: number) => new Date(Date.UTC(2026, 2, 1 + index)).toISOString().slice(0, 10)
  const days = Array.from({ length: 20 }, (_, index) => ({ day: day(index), rank: 5 + index * 2 }))
  const own = days.map(({ day, rank }) => `${day},700,us,${Math.round(9_000 * rank ** -0.9)}`)
  const table = folder.write('own.csv', `date,app,country,downloads\n${own.join('\n')}\n`)
  const imported = await run(['import', 'sales', table, ...store])
  assert.match(imported.out, /^sales: read 20, stored 20, unchanged 0, rejected 0 sales rows from 1 file$/m)
  const uncharted = await run(['calibrate', ...store])
  assert.equal(uncharted.code, 1)
  assert.match(uncharted.err, /none of the 20 days/)

  const places = days.flatMap(({ day, rank }) =>
    Array.from({ length: 60 }, (_, index) => ({
      country: 'us',
      chart: 'top-free',
      category: '36',
      capturedAt: `${day}T12:00:00Z`,
      rank: index + 1,
      id: index + 1 === rank ? 700 : 1_000 + index,
    })),
  )
  await run(['import', 'charts', folder.write('charts.json', JSON.stringify(places)), ...store])
  const reported = await run(['calibrate', ...store])
  assert.equal(reported.code, 0, reported.err)
  assert.match(
    reported.out,
    /^us top-free 36 iphone, downloads: 20 days of 1 app, ranks 5 to 43, error between days \d+%, between apps 3\d% \(assumed: one app cannot tell it\), median error on 15 days not fitted to \d+% before, \d+% constant, [0-5]% after: used as cal-1$/m,
  )
  const json = JSON.parse((await run(['calibrate', '--json', ...store])).out)
  assert.deepEqual(
    [json.charts[0].calibration, json.charts[0].used, json.charts[0].heldOut, json.charts[0].why],
    ['cal-1', true, 15, null],
  )
})
