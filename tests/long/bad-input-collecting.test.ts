import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { ConfigurationError, readConfiguration } from '../../src/configuration.ts'
import { fitCalibration } from '../../src/domain/estimates/calibration-fit.ts'
import { rows } from '../../src/storage/database.ts'
import { playedSources, startApple } from '../support/apple.ts'
import { openFolder, rejectedLines } from '../support/files.ts'
import { run } from '../support/in-process.ts'
import { processorSeconds } from '../support/processor-time.ts'
import { until } from '../support/until.ts'
import { openWorld, type World } from '../support/world.ts'

const folder = openFolder()
after(() => folder[Symbol.dispose]())

const soon = () => new AbortController().signal
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const app = (more: object = {}) => ({
  wrapperType: 'software',
  kind: 'software',
  trackId: 700,
  trackName: 'Quiet',
  ...more,
})
const answer = (...results: unknown[]) => JSON.stringify({ resultCount: results.length, results })
const place = (id: number, more: object = {}) => ({
  'im:name': { label: `App ${id}` },
  id: { attributes: { 'im:id': String(id) } },
  ...more,
})
const feed = (entry: unknown, path = '/us/rss/topfreeapplications/limit=200/json', updated = '2026-05-06') =>
  JSON.stringify({
    feed: { id: { label: `https://itunes.apple.com${path}` }, updated: { label: updated }, entry },
  })
const topFree = { country: 'us', kind: 'top-free', categoryId: 36, device: 'iphone' } as const

async function openAsking() {
  const parts = new AsyncDisposableStack()
  const apple = parts.use(await startApple())
  const world = parts.use(
    await openWorld({ works: true, sources: playedSources(apple, { attempts: 1, callsPerMinute: 0 }) }),
  )
  return { apple, world, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}

describe('What an upstream makes up', () => {
  test('in a record is not carried where it cannot be, and every reply about the app keeps its shape', async () => {
    await using parts = await openAsking()
    const { apple, world } = parts
    const odd = app({
      artworkUrl512: 'javascript:alert(1)',
      screenshotUrls: [
        'javascript:alert(1)',
        'file:///etc/passwd',
        'https://a.example/a b.png',
        `https://a.example/${'x'.repeat(5_000)}`,
        'https://a.example/1.png',
        5,
      ],
      description: 'word '.repeat(100_000),
      version: '1'.repeat(1_000_000),
      price: 1e308,
      currency: '\ud800\ud800\ud800',
      genreIds: [true, null, {}, '6014'],
      userRatingCount: 1e300,
      fileSizeBytes: '9'.repeat(400),
      currentVersionReleaseDate: '9999-12-31T23:59:59-14:00',
    })
    apple.behave('/lookup', { does: 'serve', body: answer(odd, app({ trackId: 700.5 }), app({ trackId: -1 })) })
    const { value } = await world.collecting.collector.lookup(['700'], 'us', soon())
    assert.equal(value.rejected.length, 2)
    const record = await world.call('get_competitor', { platform: 'ios', storeId: '700' })
    assert.equal(record.body.icon.state, 'not-measured')
    const media = await world.call('get_competitor_media', { platform: 'ios', storeId: '700' })
    // Of a list with entries that cannot be read, the others are no list of their own.
    assert.deepEqual(media.body.items, [])
    const pictures = [place(700, { 'im:image': [{ label: 'javascript:alert(1)' }] })]
    apple.behave('/us/rss', { does: 'serve', body: feed(pictures) })
    await world.collecting.collector.chart(topFree, soon())
    assert.equal((await world.call('get_apple_charts', {})).status, 200)
  })

  test('as structure is refused by name: nesting without end, and more places than any chart has', async () => {
    await using parts = await openAsking()
    const { apple, world } = parts
    const { collector } = world.collecting
    const fails = (ask: Promise<unknown>) => assert.rejects(ask, { name: 'SourceFailure' })
    for (const body of [
      `{"results":[{"trackId":700,"kind":${nested(100_000)}}]}`,
      `{"results":[{"trackId":700,"trackName":"\\u0000","x":${nested(100_000)}}]}`,
    ]) {
      apple.behave('/lookup', { does: 'serve', body })
      await fails(collector.lookup(['700'], 'us', soon()))
    }
    const many = Array.from({ length: 1_001 }, (_, index) => place(index + 1))
    for (const body of [feed(many), feed(place(1)).replace('"2026-05-06"', nested(100_000))]) {
      apple.behave('/us/rss', { does: 'serve', body })
      await fails(collector.chart(topFree, soon()))
    }
    const data = (json: string) => `<script id="serialized-server-data">${json}</script>`
    const seconds = await processorSeconds(async () => {
      for (const body of [
        data(`{"data":[{"intent":{"id":${nested(100_000)}},"data":{"shelfMapping":{}}}]}`),
        '<div>'.repeat(1_000_000),
      ]) {
        apple.behave('/us/app', { does: 'serve', body })
        await fails(collector.page('700', 'us', soon()))
      }
    })
    // Reading that grew with the square of the nesting would take minutes.
    assert.ok(seconds < 20, `${seconds} s`)
    const stored = await rows(world.store.db, sql`select from app_records`)
    assert.equal(stored.length, 0)
  })

  test('on a page beside an app is bounded, and halves of letters are mended', async () => {
    await using parts = await openAsking()
    const { apple, world } = parts
    const items = Array.from({ length: 40_000 }, (_, index) => ({
      adamId: String(index + 1),
      title: 'x\udfff',
    }))
    const page = { lockup: { title: 'Quiet\ud800' }, shelfMapping: { similarItems: { items } } }
    const json = JSON.stringify({ data: [{ intent: { id: '700' }, data: page }] })
    apple.behave('/us/app', {
      does: 'serve',
      body: `<script id="serialized-server-data">${json}</script>`,
    })
    assert.equal(await world.collecting.collector.page('700', 'us', soon()), 'stored')
    const record = await world.call('get_competitor', { platform: 'ios', storeId: '700' })
    assert.equal(record.body.name, 'Quiet�')
    const similar = await world.call('get_similar_competitors', { platform: 'ios', storeId: '700', limit: 100 })
    assert.equal(similar.status, 200)
  })

  test('of another app, or cannot be read, is not told of the app asked for', async () => {
    await using parts = await openAsking()
    const { apple, world } = parts
    for (const [asked, result, failure] of [
      ['701', app({ trackId: 999 }), 'not-found-in-store'],
      ['702', app({ trackId: 999, kind: 'mac-software' }), 'not-found-in-store'],
      ['703', app({ trackId: 703, kind: 'mac-software' }), 'not-an-ios-app'],
      ['704', app({ trackId: 704, releaseDate: '2020-99-99T00:00:00Z' }), 'source-failed'],
    ] as const) {
      apple.behave('/lookup', { does: 'serve', body: answer(result) })
      const { body } = await until(
        () => world.call('request_ios_competitor', { app: asked }),
        ({ body }) => body.status === 'failed',
      )
      assert.equal(body.failure, failure, asked)
    }
  })

  test('unpacks to more than it says, or sends us elsewhere, and is not followed', async () => {
    let strayed = 0
    await using elsewhere = await listening((_request, reply) => {
      strayed++
      reply.end(answer(app()))
    })
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024))
    const gzip = { 'content-encoding': 'gzip' }
    const expected: [RequestListener, string][] = [
      [(_request, reply) => reply.writeHead(200, gzip).end(bomb), 'too-large'],
      [(_request, reply) => reply.writeHead(200, gzip).end('no gzip'), 'cut-off'],
      ...[elsewhere.url, elsewhere.url.replace('127.0.0.1', 'localhost'), 'file:///etc/passwd', 'data:,x'].map(
        (location): [RequestListener, string] => [
          (_request, reply) => reply.writeHead(302, { location }).end(),
          'unexpected-shape',
        ],
      ),
      [(_request, reply) => reply.writeHead(302, { location: '/lookup' }).end(), 'unexpected-shape'],
    ]
    let play: RequestListener = () => {}
    await using evil = await listening((request, reply) => play(request, reply))
    await using world = await openWorld({ sources: playedSources(evil, { attempts: 1, maxBytes: 1_000_000 }) })
    const countries = ['us', 'jp', 'de', 'fr', 'gb', 'it', 'es']
    for (const [index, [listener, kind]] of expected.entries()) {
      play = listener
      const asked = world.collecting.collector.lookup(['700'], countries[index] ?? 'us', soon())
      await assert.rejects(asked, { name: 'SourceFailure', kind })
    }
    assert.equal(strayed, 0)
  })
})

interface Listening extends AsyncDisposable {
  url: string
}

async function listening(listener: RequestListener): Promise<Listening> {
  const server = createServer(listener)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await closed
    },
  }
}

describe('At the doors', () => {
  test('an id that nothing can hold is refused for an intake and finds nothing elsewhere', async () => {
    await using parts = await openAsking()
    const { apple, world } = parts
    const app = '9223372036854775808'
    const asked = await world.call('request_ios_competitor', { app })
    assert.deepEqual([asked.status, asked.body.errors[0].pointer], [400, '/body/app'])
    for (const tool of [
      'get_similar_competitors',
      'get_competitor_estimate_history',
      'refresh_competitor_estimates',
    ] as const)
      assert.equal((await world.call(tool, { platform: 'ios', storeId: app })).status, 404, tool)
    assert.equal(apple.requests.length, 0)
  })

  test('an address that only mentions the App Store is no address of it', async () => {
    await using world = await openWorld()
    for (const app of [
      'https://evil.example/?x=apps.apple.com/id77',
      'https://apps.apple.com.evil.example/us/app/id77',
      'file:///apps.apple.com/id77',
      'https://user@evil.example/apps.apple.com/id77',
    ])
      assert.equal((await world.call('request_ios_competitor', { app })).status, 400, app)
    const real = { app: 'https://apps.apple.com/us/app/quiet/id77?mt=8', country: 'US' }
    assert.equal((await world.call('request_ios_competitor', real)).body.storeId, '77')
  })

  test('a history at either end of the calendar keeps its shape', async () => {
    await using world = await openWorld()
    await world.import({
      kind: 'catalogue',
      paths: [folder.write('app.json', answer(app()))],
      observedAt: '2026-01-01',
    })
    const history = (more: object) =>
      world.call('get_competitor_estimate_history', { platform: 'ios', storeId: '700', ...more })
    const first = await history({ to: '1900-01-02' })
    assert.deepEqual([first.status, first.body.from, first.body.points.length], [200, '1900-01-01', 4])
    assert.equal((await history({ to: '2099-12-31' })).body.to, '2099-12-31')
    assert.equal((await history({ from: '1926-01-01', to: '2026-01-01' })).status, 400)
    assert.equal((await history({ from: '2022-12-01', to: '2025-12-05' })).body.points.length, 2_202)
  })

  test('a cursor that was made by hand is refused, whether or not the list could hold what it says', async () => {
    await using world = await openWorld()
    const made = (list: unknown[], place: string[]) => {
      const mark = hash('sha256', JSON.stringify([list, place]), 'base64url').slice(0, 12)
      return Buffer.from(JSON.stringify([mark, ...place])).toString('base64url')
    }
    const list = ['list_emerging_ios_competitors', 'us', undefined, undefined]
    for (const place of [
      ['x', '1'],
      ['5', 'y'],
      ['5', '9223372036854775808'],
      ['5', ''],
      ['5', '1'],
    ]) {
      const cursor = made(list, place)
      const { status, body } = await world.call('list_emerging_ios_competitors', { cursor })
      assert.deepEqual([status, body.code], [400, 'invalid-cursor'], String(place))
    }
  })

  test('three hundred intakes at once are one for each app, and what another account asks for stays its own', async () => {
    await using world = await openWorld()
    // Whoever waits too long for the store, on a busy machine, is told to ask again.
    const ask = (app: string) =>
      until(
        () => world.call('request_ios_competitor', { app }),
        ({ status }) => status !== 503,
      )
    const same = await Promise.all(Array.from({ length: 300 }, () => ask('55')))
    assert.equal(new Set(same.map(({ body }) => body.intakeId)).size, 1)
    const different = await Promise.all(Array.from({ length: 300 }, (_, index) => ask(String(1_000 + index))))
    assert.equal(new Set(different.map(({ body }) => body.intakeId)).size, 300)
    const of = { platform: 'ios', storeId: '55' }
    const note = "\u202eright to left 😀'; drop table work; --"
    const asked = await world.call('request_competitor_data', { ...of, kinds: ['similar'], note })
    assert.equal(asked.body.items[0].note, note)
    const other = { key: await world.key(['context:read'], 'other') }
    assert.deepEqual((await world.call('list_competitor_data_requests', of, other)).body.items, [])
  })
})

const columns = [
  'Provider',
  'SKU',
  'Title',
  'Product Type Identifier',
  'Units',
  'Begin Date',
  'End Date',
  'Customer Currency',
  'Country Code',
  'Apple Identifier',
  'Customer Price',
  'Parent Identifier',
]
function row(more: Record<string, string> = {}): string {
  const day = more.day ?? '03/01/2026'
  const values: Record<string, string> = {
    Provider: 'APPLE',
    SKU: 'quiet',
    Title: 'Quiet',
    'Product Type Identifier': '1F',
    Units: '10',
    'Begin Date': day,
    'End Date': day,
    'Customer Currency': 'USD',
    'Country Code': 'US',
    'Apple Identifier': '700',
    'Customer Price': '0',
    ...more,
  }
  return columns.map((column) => values[column] ?? ' ').join('\t')
}
const report = (...lines: string[]) => `${[columns.join('\t'), ...lines].join('\n')}\n`

async function imported(world: World, name: string, content: string | Uint8Array) {
  await sql`delete from own_sales`.execute(world.store.db)
  const summary = await world.import({ kind: 'sales', paths: [folder.write(name, content)] })
  const days = await rows(
    world.store.db,
    sql<{ reported: string }>`
      select concat_ws(' ', country, day, downloads, revenue) as reported from own_sales order by country, day`,
  )
  return {
    days: days.map(({ reported }) => reported),
    reasons: rejectedLines(summary.rejectedFile).map((one) => one.reason),
  }
}

describe('Own sales', () => {
  test('that no app can have had are refused row by row, and the others are stored', async () => {
    await using world = await openWorld()
    const jp = row({ 'Country Code': 'JP', Units: '5' })
    for (const [name, bad, reason] of [
      ['many', row({ Units: '1e21' }), 'impossible units "1e21"'],
      ['more', row({ Units: '1000000000000000000' }), 'impossible units "1000000000000000000"'],
      ['hex', row({ Units: '0x10' }), 'impossible units "0x10"'],
      ['dear', row({ 'Customer Price': '1e308' }), 'impossible price "1e308"'],
      ['early', row({ day: '12/31/1899' }), 'impossible date "12/31/1899"'],
      ['late', row({ day: '01/01/2100' }), 'impossible date "01/01/2100"'],
      ['name', row({ 'Country Code': 'United States' }), '"united states" is not an App Store country'],
    ] as const) {
      const { days, reasons } = await imported(world, `${name}.txt`, report(bad, jp))
      assert.deepEqual([reasons, days], [[reason], ['jp 2026-03-01 5']], name)
    }
    const most = row({ Units: String(Number.MAX_SAFE_INTEGER) })
    const sum = await imported(world, 'sum.txt', report(most, row(), jp))
    const uncounted = 'more on one day than can be counted'
    assert.deepEqual([sum.reasons, sum.days], [[uncounted, uncounted], ['jp 2026-03-01 5']])
    const table = ['2026-03-01,700,us,0x1F,,', '2026-03-02,700,us,,1e308,USD', '2026-03-03,700,us,,9.999,USD']
    const csv = await imported(
      world,
      'own.csv',
      `date,app,country,downloads,revenue,currency\n${table.join('\n')}\n`,
    )
    assert.deepEqual(csv.days, ['us 2026-03-03 10'])
    assert.deepEqual(csv.reasons, ['impossible downloads "0x1F"', 'impossible revenue "1e308"'])
  })

  test('do not depend on whether a refund stands before or after what it takes back', async () => {
    await using world = await openWorld()
    const [bought, back] = [row({ Units: '10' }), row({ Units: '-4' })]
    assert.deepEqual((await imported(world, 'a.txt', report(bought, back))).days, ['us 2026-03-01 6'])
    assert.deepEqual((await imported(world, 'b.txt', report(back, bought))).days, ['us 2026-03-01 6'])
    assert.deepEqual((await imported(world, 'c.txt', report(back))).days, ['us 2026-03-01 0'])
  })

  test('of an app whose title begins with a quote are read to the last row, with a BOM and CRLF too', async () => {
    await using world = await openWorld()
    const text = report(row({ Title: '"Best app' }), row({ 'Country Code': 'JP' }))
    for (const content of [text, `\uFEFF${text.replaceAll('\n', '\r\n')}`]) {
      const { days, reasons } = await imported(world, 'quote.txt', content)
      assert.deepEqual([days, reasons], [['jp 2026-03-01 10', 'us 2026-03-01 10'], []])
    }
  })

  test('in a file that is none store nothing and say why', async () => {
    await using world = await openWorld()
    for (const [name, content, reason] of [
      ['empty', '', /the file is empty/],
      ['zipped', gzipSync(report(row())).subarray(0, 60), /truncated or damaged/],
      ['binary', Buffer.from(Array.from({ length: 500 }, (_, at) => (at * 7_919) % 256)), /./],
      ['columns', 'a\tb\n1\t2\n', /no app id/],
      ['line', Buffer.alloc(20 * 1024 * 1024, 'a'), /over 8 MiB/],
      ['deep', nested(200_000), /nested deeper than 200 levels/],
      ['entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', /HTML or XML/],
    ] as const) {
      const { days, reasons } = await imported(world, `${name}.none`, content)
      assert.deepEqual(days, [], name)
      assert.match(reasons[0] ?? '', reason, name)
    }
  })

  test('fit a finite law whatever the ranks and figures are', () => {
    const days = Array.from({ length: 20 }, (_, index) => `2026-03-${String(index + 1).padStart(2, '0')}`)
    for (const [name, rank, value] of [
      ['one place', () => 5, () => 100],
      ['cents', (at: number) => 2 + at * 2, () => 0.01],
      ['the most', (at: number) => 2 + at * 2, () => Number.MAX_SAFE_INTEGER],
      ['a cliff', (at: number) => 1 + at, (at: number) => (at === 0 ? Number.MAX_SAFE_INTEGER : 0.01)],
    ] as const) {
      const points = days.map((day, at) => ({
        app: '7',
        maker: null,
        day,
        rank: rank(at),
        value: value(at),
        before: null,
      }))
      const fit = fitCalibration(points, 0.7)
      assert.ok(fit, name)
      for (const [field, number] of Object.entries(fit))
        if (typeof number === 'number') assert.ok(Number.isFinite(number), `${name}: ${field}`)
    }
  })
})

test('a feed from another age, or of a chart that cannot be, is refused or dated otherwise', async () => {
  await using world = await openWorld()
  const imported = async (name: string, content: string) => {
    const summary = await world.import({ kind: 'charts', paths: [folder.write(name, content)] })
    return [summary.stored, ...rejectedLines(summary.rejectedFile).map(({ reason }) => reason)]
  }
  for (const [index, updated] of [
    '1600-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    'Wed, 6 May 20260 10:00:00 +0000',
  ].entries())
    assert.match(
      String(await imported(`age-${index}.json`, feed(place(1), undefined, updated))),
      /^0,no capture time/,
    )
  for (const [index, genre] of ['abc', '99999999999', '0', '1.5', '-5'].entries()) {
    const path = `/us/rss/topfreeapplications/genre=${genre}/json`
    assert.deepEqual(await imported(`genre-${index}.json`, feed(place(1), path)), [
      0,
      'the feed names no genre of Apple',
    ])
  }
  const path = '/us/rss/topfreeapplications/limit=1.5/json'
  assert.deepEqual(await imported('limit.json', feed(place(1), path)), [1])
  assert.equal((await world.call('get_apple_charts', {})).status, 200)
})

describe('A configuration file', () => {
  const itunes = (body: string) => `sources: {itunes: {${body}}}`
  const bomb = [...'bcdefg'].map((name, at) => `${name}: &${name} [${Array(10).fill(`*${'abcdef'[at]}`)}]`)
  const mistakes: [name: string, content: string | Uint8Array, says: RegExp][] = [
    ['aliases of aliases', `a: &a [x]\n${bomb.join('\n')}`, /Excessive alias count/],
    ['an alias of nothing', 'sources: *nothing', /alias/],
    ['an unknown tag', 'sources: !!js/function "x"', /Unresolved tag/],
    ['a tag of YAML 1.1', 'sources: !!binary aGk=', /Unresolved tag/],
    ['depth without end', '['.repeat(20_000), /cannot be read/],
    ['two documents', 'a: 1\n---\nb: 2', /multiple documents/],
    ['a key twice', 'sources: {}\nsources: {}', /unique/],
    ['no text', Buffer.from([0xff, 0xfe, 0, 1]), /expected object/],
    ['an unknown key', 'source: {}', /"source"/],
    ['a prototype', '__proto__: {a: 1}', /"__proto__"/],
    ['a credential', itunes('baseUrl: "http://user:secret@x.example"'), /no credentials/],
    ['an empty query', itunes('baseUrl: "http://x.example/?"'), /no credentials, query/],
    ['a line break in an address', itunes('baseUrl: "http://x/\\r\\nHost: y"'), /no blanks/],
    ['a file', itunes('baseUrl: "file:///etc/passwd"'), /http or https/],
    ['a header in a header', itunes('headers: {x: "a\\r\\nHost: y"}'), /must be HTTP headers/],
    ['a length of its own', itunes('headers: {Content-Length: "5"}'), /none of the connection/],
    ['another host', itunes('headers: {Host: evil.example}'), /none of the connection/],
    ['a pace of years', itunes('callsPerMinute: 1e-300'), /one call a day/],
    ['an endless pace', itunes('callsPerMinute: .inf'), /callsPerMinute/],
    ['a text for a number', itunes('attempts: "3"'), /attempts/],
    ['a genre beyond all', 'schedule: {charts: [{countries: [us], categories: [99999999999]}]}', /categories/],
    ['a country as text', 'schedule: {charts: [{countries: us}]}', /a list of storefronts/],
    [
      'a genre as text',
      'schedule: {charts: [{countries: [us], categories: ["36"]}]}',
      /list of Apple genre ids/,
    ],
  ]
  for (const [name, content, says] of mistakes) {
    test(`with ${name} is refused by name`, async () => {
      const file = folder.write('rivalscope.yaml', content)
      await assert.rejects(
        () => readConfiguration(file, {}),
        (error) => error instanceof ConfigurationError && says.test(error.message),
      )
    })
  }

  test('that is a directory, or is not there, is refused as such', async () => {
    mkdirSync(`${folder.path}/directory`)
    for (const name of ['directory', 'nothing', 'a\0b'])
      await assert.rejects(() => readConfiguration(`${folder.path}/${name}`, {}), ConfigurationError)
  })
})

test('collecting by hand refuses what names nothing before anybody is asked', async () => {
  for (const [surface, what] of [
    ['apps', '9223372036854775808'],
    ['pages', '1,,2'],
    ['searches', ''],
    ['hints', 'x'.repeat(201)],
    ['hints', 'a\nb'],
  ] as const) {
    const { code, err } = await run(['collect', surface, what, '--data-dir', `${folder.path}/store`])
    assert.deepEqual([code, /^error: .*(App Store id|a term has)/s.test(err)], [2, true], err)
  }
})
