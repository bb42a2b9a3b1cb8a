import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { after, before, type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { addApp } from '../src/domain/add-app/add-app.ts'
import { dismissRequest } from '../src/domain/demand/request-data.ts'
import { askForWork } from '../src/domain/work/ask-for-work.ts'
import { replay } from '../src/projections/replay.ts'
import { storeReadings } from '../src/projections/store-readings.ts'
import { firstRow } from '../src/storage/database.ts'
import { parsePayload } from '../src/suppliers/formats.ts'
import { answerOf, playedApps } from './support/apple-answers.ts'
import { cases } from './support/cases.ts'
import { openFolder } from './support/files.ts'
import { pause } from './support/pause.ts'
import { type CallOptions, openWorld, type World } from './support/world.ts'

const folder = openFolder()
let world: World
let rival: CallOptions
before(async () => {
  world = await openWorld()
  rival = { key: await world.key(undefined, 'rival') }
})
after(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const kinds = ['record', 'similar', 'organic', 'aso', 'estimates', 'media', 'charts']
const app = (storeId: number | string) => ({ platform: 'ios', storeId: String(storeId) })
const ask = (storeId: number | string, wish: object, options?: CallOptions) =>
  world.call('request_competitor_data', { ...app(storeId), ...wish }, options)
const list = (storeId: number | string, filters: object = {}, options?: CallOptions) =>
  world.call('list_competitor_data_requests', { ...app(storeId), ...filters }, options)

async function statuses(storeId: number | string, options?: CallOptions): Promise<Record<string, string>> {
  const { items } = (await list(storeId, { limit: 100 }, options)).body
  return Object.fromEntries(
    items.map((item: { kind: string; country: string; status: string }) => [
      `${item.kind} ${item.country}`,
      item.status,
    ]),
  )
}

const pictures = { screenshotUrls: ['https://example.com/1.png'] }
const result = (trackId: number, more: object = {}) => ({
  wrapperType: 'software',
  kind: 'software',
  trackId,
  trackName: `App ${trackId}`,
  ...more,
})
const itunesAnswer = (...results: object[]) => JSON.stringify({ resultCount: results.length, results })
const feedOf = (country: string, ...ids: number[]) =>
  JSON.stringify({
    feed: {
      id: `https://rss.marketingtools.apple.com/api/v2/${country}/apps/top-free/100/apps.json`,
      updated: new Date(Date.UTC(2026, 2, 1, 0, 0, feeds++)).toISOString(),
      results: ids.map((id) => ({
        id: String(id),
        name: `App ${id}`,
        artworkUrl100: 'https://example.com/i.png',
      })),
    },
  })
let feeds = 0
const bringAnswer = (country: string, ...results: object[]) =>
  bringAnswerOf(new Date(Date.UTC(2026, 2, 1, 0, 0, feeds++)), country, ...results)
const bringAnswerOf = (observedAt: Date, country: string, ...results: object[]) =>
  world.import({
    kind: 'catalogue',
    country,
    paths: [folder.write('answer.json', itunesAnswer(...results))],
    observedAt: observedAt.toISOString(),
  })
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
const bringFeed = (country: string, ...ids: number[]) =>
  world.import({ kind: 'charts', paths: [folder.write('feed.json', feedOf(country, ...ids))] })

test('each kind becomes one request, in the order asked, also for an app nobody knows', async () => {
  const asked = await ask('9999999999999999999', { kinds: ['charts', 'record', 'charts'], note: ' why not ' })
  assert.equal(asked.status, 201)
  const [charts, record, ...more] = asked.body.items
  assert.deepEqual([charts.kind, record.kind, more.length], ['charts', 'record', 0])
  assert.deepEqual(
    { ...charts, requestId: null, firstRequestedAt: charts.lastRequestedAt },
    {
      ...app('9999999999999999999'),
      requestId: null,
      country: 'us',
      kind: 'charts',
      status: 'open',
      demand: 1,
      firstRequestedAt: charts.lastRequestedAt,
      lastRequestedAt: charts.lastRequestedAt,
      closedAt: null,
      note: 'why not',
      dismissalReason: null,
    },
  )
  assert.deepEqual((await list('9999999999999999999', { kind: 'charts' })).body.items, [charts])
  assert.equal((await world.call('get_competitor', app('9999999999999999999'))).status, 404)
})

test('asking again counts, keeps the first time and the newest note; 201 only when one is new', async () => {
  const first = await ask(11, { kinds: ['aso'], note: 'first' })
  const again = await ask(11, { kinds: ['aso'], country: 'US' })
  assert.deepEqual([first.status, again.status], [201, 200])
  const [{ lastRequestedAt, ...known }] = again.body.items
  const { lastRequestedAt: before, ...made } = first.body.items[0]
  assert.deepEqual(known, { ...made, demand: 2 })
  assert.ok(lastRequestedAt >= before)
  assert.equal((await ask(11, { kinds: ['aso'], note: '   ' })).body.items[0].note, 'first')
  const mixed = await ask(11, { kinds: ['media', 'aso'], note: 'newer' })
  assert.equal(mixed.status, 201)
  assert.deepEqual(
    mixed.body.items.map((item: { kind: string; demand: number; note: string }) => [
      item.kind,
      item.demand,
      item.note,
    ]),
    [
      ['media', 1, 'newer'],
      ['aso', 4, 'newer'],
    ],
  )
  assert.equal(
    (await ask(11, { kinds: ['aso'], country: 'de' })).status,
    201,
    'another storefront is another request',
  )
})

test('twenty who ask at once make one request with a demand of twenty', async () => {
  const asked = await Promise.all(Array.from({ length: 20 }, () => ask(12, { kinds: ['charts', 'record'] })))
  assert.equal(asked.filter(({ status }) => status === 201).length, 1)
  const { items } = (await list(12)).body
  assert.deepEqual(
    items.map(({ demand }: { demand: number }) => demand),
    [20, 20],
  )
})

test('demand belongs to an account; others neither see nor share it', async () => {
  await ask(13, { kinds: ['aso'], note: 'ours' })
  const { asOf: _, ...seen } = (await list(13, {}, rival)).body
  assert.deepEqual(seen, { items: [], nextCursor: null, intakes: [] })
  const theirs = await ask(13, { kinds: ['aso'] }, rival)
  assert.deepEqual([theirs.status, theirs.body.items[0].demand, theirs.body.items[0].note], [201, 1, null])
  assert.equal((await list(13)).body.items[0].demand, 1)
})

test('recording, listing and reading start no job and open no connection but to the store', async (t) => {
  await bringAnswer('us', result(14))
  const opened = watchConnections(t)
  const store = new URL(world.store.pool.options.connectionString ?? '')
  const directory = store.searchParams.get('host')
  const ours = directory ? `${directory}/.s.PGSQL.${store.port}` : store.port
  const elsewhere = () => opened.filter((target) => target !== ours)
  const jobs = async () => {
    const counted = await firstRow(
      world.store.db,
      sql<{ jobs: number; work: number }>`
        select (select count(*)::int from pgboss.job) as jobs, (select count(*)::int from work) as work`,
    )
    return counted ?? assert.fail('nothing was counted')
  }
  const before = await jobs()

  await ask(14, { kinds, note: 'everything', country: 'us' })
  await ask(14, { kinds })
  await ask(15, { kinds })
  await list(14)
  assert.equal((await world.call('get_competitor', app(14))).body.openDataRequests.length, 7)
  await pause(300, 'a job would start, or a connection open')
  assert.deepEqual(await jobs(), before)
  assert.deepEqual(elsewhere(), [])

  // What is watched would have been seen.
  const outside = createServer((_request, reply) => reply.end())
  await once(outside.listen(0, '127.0.0.1'), 'listening')
  const { port } = outside.address() as AddressInfo
  await fetch(`http://127.0.0.1:${port}/`)
  await once(get({ port }), 'response')
  assert.deepEqual(elsewhere(), [String(port), String(port)])
  outside.close().closeAllConnections()
  await askForWork(world.store.db, world.enqueue, {
    kind: addApp,
    subject: 'watched',
    input: { storeId: '1', bundleId: null, country: 'us' },
  })
  assert.deepEqual(await jobs(), { jobs: before.jobs + 1, work: before.work + 1 })
})

/** The ports this process connects to from now on: HTTP, TLS, fetch and the driver of PostgreSQL all pass here. */
function watchConnections(t: TestContext): string[] {
  const opened: string[] = []
  const connect = Socket.prototype.connect as (...args: unknown[]) => Socket
  t.mock.method(Socket.prototype, 'connect', function (this: Socket, ...args: unknown[]) {
    const [target] = args.flat()
    const port = typeof target === 'object' && target !== null && 'port' in target ? target.port : target
    opened.push(String(port))
    return connect.apply(this, args)
  })
  return opened
}

test('evidence that arrives fulfils the requests it answers, of every account, and no others', async () => {
  await ask(21, { kinds })
  await ask(21, { kinds, country: 'de' })
  await ask(21, { kinds: ['record'] }, rival)
  await ask(22, { kinds })
  const open = (country: string) => Object.fromEntries(kinds.map((kind) => [`${kind} ${country}`, 'open']))

  await bringFeed('de', 21, 30)
  assert.deepEqual(await statuses(21), { ...open('us'), ...open('de'), 'charts de': 'fulfilled' })
  await bringAnswer('us', result(21, { screenshotUrls: [] }))
  assert.equal((await statuses(21))['record us'], 'fulfilled')
  assert.equal((await statuses(21))['media us'], 'open', 'no picture came')
  assert.equal((await statuses(21, rival))['record us'], 'fulfilled')
  await bringAnswer('us', result(21, pictures))
  assert.deepEqual(await statuses(21), {
    ...open('us'),
    ...open('de'),
    'charts de': 'fulfilled',
    'record us': 'fulfilled',
    'media us': 'fulfilled',
  })
  assert.deepEqual(await statuses(22), open('us'))

  const [closed] = (await list(21, { kind: 'charts', status: 'fulfilled' })).body.items
  assert.ok(closed.closedAt >= closed.lastRequestedAt)
  const record = (await world.call('get_competitor', { ...app(21), country: 'us' })).body
  assert.deepEqual(record.openDataRequests.map((request: { kind: string }) => request.kind).sort(), [
    'aso',
    'charts',
    'estimates',
    'organic',
    'similar',
  ])
})

test('a table of the operator answers a wish for a record, and for media where it has pictures', async () => {
  await ask(23, { kinds: ['record', 'media'], country: 'fr' })
  await ask(24, { kinds: ['record', 'media'], country: 'fr' })
  await world.import({
    kind: 'catalogue',
    country: 'fr',
    paths: [
      folder.write('table.csv', 'id,name,shots\n23,Vingt-trois,https://example.com/a.png\n24,Vingt-quatre,\n'),
    ],
    mapping: {
      fields: { storeId: 'id', name: 'name', screenshotsIphone: 'shots' },
      constants: {},
      document: {},
    },
  })
  assert.deepEqual(await statuses(23), { 'record fr': 'fulfilled', 'media fr': 'fulfilled' })
  assert.deepEqual(await statuses(24), { 'record fr': 'fulfilled', 'media fr': 'open' })
})

test("the page of an app answers for the app, and its list of similar ones is Apple's own; its neighbours wait on", async () => {
  const [shown, neighbour] = playedApps()
  if (!shown || !neighbour) assert.fail('no apps to show')
  const wanted = { kinds: ['record', 'media', 'similar', 'charts'] }
  await ask(shown.storeId, wanted)
  await ask(neighbour.storeId, wanted)
  const path = `/us/app/shown/id${shown.storeId}`
  const bytes = Buffer.from(answerOf(playedApps(), { path, headers: {} }, false).body)
  const context = { layout: 'document', country: 'us', storeId: shown.storeId } as const
  const parsed = parsePayload('app-page', bytes, context)
  const observed = { origin: 'collected', observedAt: new Date(), timeBasis: 'clock' } as const
  await storeReadings(world.store.db, [
    { bytes, format: 'app-page', context, country: 'us', ...observed, parsed },
  ])
  assert.deepEqual(await statuses(shown.storeId), {
    'record us': 'fulfilled',
    'media us': 'fulfilled',
    'similar us': 'fulfilled',
    'charts us': 'open',
  })
  assert.deepEqual([...new Set(Object.values(await statuses(neighbour.storeId)))], ['open'])
})

test('a request that was fulfilled stays so while the newest evidence is of the last day; its demand grows', async () => {
  await ask(25, { kinds: ['record', 'media'] })
  await bringAnswerOf(hoursAgo(23), 'us', result(25, pictures))
  const again = await ask(25, { kinds: ['record', 'media'], note: 'newer ones' })
  for (const request of again.body.items)
    assert.deepEqual(
      [again.status, request.status, request.demand, request.note],
      [200, 'fulfilled', 2, 'newer ones'],
    )
})

test('asked again after its end, a request reopens when the newest evidence of its kind is older than a day', async () => {
  const wish = { kinds: ['record', 'media', 'charts'] }
  await ask(28, wish)
  await bringAnswerOf(hoursAgo(25), 'us', result(28, pictures))
  await bringFeed('us', 28)
  assert.deepEqual([...new Set(Object.values(await statuses(28)))], ['fulfilled'])
  await bringAnswerOf(hoursAgo(23), 'us', result(28))
  const [record, media, charts] = (await ask(28, wish)).body.items
  assert.deepEqual([record.status, charts.status, charts.closedAt], ['fulfilled', 'open', null])
  assert.equal(media.status, 'fulfilled', 'somebody has looked since, and there were none')
  await bringFeed('us', 28)
  assert.equal((await statuses(28))['charts us'], 'fulfilled', 'and is fulfilled anew')
  assert.equal(
    (await list(28, { kind: 'charts' })).body.items[0].demand,
    2,
    'reading and arriving ask for nothing',
  )
})

test('every kind of evidence grows old by when it was observed, each for itself', async () => {
  const shown = playedApps()[2]
  if (!shown) assert.fail('no app to show')
  const { storeId } = shown
  await ask(storeId, { kinds, country: 'us' })
  const bytes = Buffer.from(
    answerOf(playedApps(), { path: `/us/app/shown/id${storeId}`, headers: {} }, false).body,
  )
  const context = { layout: 'document', country: 'us', storeId } as const
  const parsed = parsePayload('app-page', bytes, context)
  const page = {
    bytes,
    format: 'app-page',
    context,
    country: 'us',
    origin: 'collected',
    timeBasis: 'clock',
  } as const
  const close = (at: Date) =>
    sql`update data_requests set status = 'fulfilled', closed_at = ${at} where store_id = ${storeId}`.execute(
      world.store.db,
    )
  const asked = async () => {
    await close(hoursAgo(0))
    const { items } = (await ask(storeId, { kinds, country: 'us' })).body
    return items
      .filter((item: { status: string }) => item.status === 'open')
      .map((item: { kind: string }) => item.kind)
  }
  assert.deepEqual(await asked(), [], 'what nobody ever had cannot have grown old')
  await storeReadings(world.store.db, [{ ...page, observedAt: hoursAgo(30), parsed }])
  assert.deepEqual(await asked(), ['record', 'similar', 'media'])
  await storeReadings(world.store.db, [{ ...page, observedAt: hoursAgo(2), parsed }])
  assert.deepEqual(await asked(), [])
})

test('a request that was dismissed reopens by the same rule; without any evidence the word of the operator stands', async () => {
  const [request] = (await ask(29, { kinds: ['charts'] })).body.items
  await dismissRequest(world.store.db, request.requestId, 'It has none.')
  const [still] = (await ask(29, { kinds: ['charts'] })).body.items
  assert.deepEqual([still.status, still.demand, still.dismissalReason], ['dismissed', 2, 'It has none.'])
  await bringFeed('us', 29)
  const [open] = (await ask(29, { kinds: ['charts'] })).body.items
  assert.deepEqual(
    [open.requestId, open.status, open.demand, open.closedAt, open.dismissalReason],
    [request.requestId, 'open', 3, null, null],
  )
})

test('a request that was dismissed stays so when its evidence arrives', async () => {
  const [request] = (await ask(27, { kinds: ['charts'] })).body.items
  assert.equal(await dismissRequest(world.store.db, request.requestId, undefined), 'open')
  await bringFeed('us', 27)
  assert.deepEqual(await statuses(27), { 'charts us': 'dismissed' })
})

test('evidence stored before, brought again or replayed is no arrival', async () => {
  await bringFeed('us', 26)
  const file = { kind: 'charts' as const, paths: [folder.write('feed.json', feedOf('us', 26))] }
  await world.import(file)
  await ask(26, { kinds: ['charts'] })
  await world.import(file)
  await replay(world.store.db, () => {}, new AbortController().signal)
  assert.deepEqual(await statuses(26), { 'charts us': 'open' })
})

test('the list is last asked first, is filtered, and holds still while requests are added', async () => {
  for (const country of ['us', 'de', 'fr', 'jp', 'gb']) await ask(31, { kinds: ['aso', 'organic'], country })
  await ask(31, { kinds: ['aso'], country: 'us' })
  const whole = (await list(31)).body.items
  assert.equal(whole.length, 10)
  assert.deepEqual([whole[0].kind, whole[0].country], ['aso', 'us'])
  const times = whole.map((item: { lastRequestedAt: string }) => item.lastRequestedAt)
  assert.deepEqual(times, times.toSorted().reverse())

  const walked: unknown[] = []
  let cursor: string | null = null
  do {
    const page: { items: unknown[]; nextCursor: string | null } = (
      await list(31, { limit: 3, ...(cursor ? { cursor } : {}) })
    ).body
    walked.push(...page.items)
    cursor = page.nextCursor
    await ask(31, { kinds: ['similar'], country: 'se' })
  } while (cursor)
  assert.deepEqual(walked, whole)

  assert.equal((await list(31, { kind: 'organic' })).body.items.length, 5)
  assert.equal((await list(31, { status: 'dismissed' })).body.items.length, 0)
  const first = (await list(31, { limit: 1 })).body.nextCursor
  for (const other of [{ kind: 'aso' }, { status: 'open' }])
    assert.equal((await list(31, { limit: 1, cursor: first, ...other })).body.code, 'invalid-cursor')
  assert.equal((await list(32, { cursor: first })).body.code, 'invalid-cursor')
  assert.equal((await list(31, { cursor: first }, rival)).body.code, 'invalid-cursor')
})

test('what cannot be asked is refused by name, and nothing is stored', async () => {
  const refused = [
    [{ kinds: ['record', 'weather'] }, '/body/kinds/1'],
    [{ kinds: [] }, '/body/kinds'],
    [{ kinds: [...kinds, 'record'] }, '/body/kinds'],
    [{ kinds: 'record' }, '/body/kinds'],
    [{}, '/body/kinds'],
    [{ kinds: ['record'], note: 'a\u001bb' }, '/body/note'],
    [{ kinds: ['record'], note: 'a'.repeat(2_001) }, '/body/note'],
    [{ kinds: ['record'], country: 'xx' }, '/body/country'],
  ] as const
  for (const [wish, pointer] of refused) {
    const reply = await ask(41, wish)
    assert.equal(reply.status, 400, JSON.stringify(wish))
    assert.ok(
      reply.body.errors.some((error: { pointer: string }) => error.pointer === pointer),
      JSON.stringify(reply.body.errors),
    )
  }
  assert.equal((await ask('041', { kinds })).status, 400)
  assert.equal((await list(41, { status: 'closed' })).status, 400)
  assert.equal((await list(41, { kind: 'weather' })).status, 400)
  const reader = { key: await world.key(['context:read']) }
  assert.equal((await ask(41, { kinds }, reader)).status, 403)
  assert.deepEqual((await list(41)).body.items, [])
})

test('whatever is asked and arrives, in any order, every request is what its history makes it', async () => {
  const countries = ['us', 'de']
  const event = fc.record({
    storeId: fc.constantFrom(0, 1),
    country: fc.constantFrom(...countries),
    kind: fc.constantFrom('record', 'media', 'charts'),
    does: fc.constantFrom('ask', 'theirs', 'arrive'),
  })
  let base = 1_000
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 12 }), async (events) => {
      base += 2
      const expected = new Map<string, { demand: number; status: string }>()
      for (const { storeId, country, kind, does } of events) {
        const id = base + storeId
        if (does === 'arrive') {
          if (kind === 'charts') await bringFeed(country, id)
          else await bringAnswer(country, result(id, kind === 'media' ? pictures : {}))
          for (const answered of kind === 'media' ? ['media', 'record'] : [kind])
            for (const account of ['ask', 'theirs']) {
              const request = expected.get(`${account} ${id} ${answered} ${country}`)
              if (request) request.status = 'fulfilled'
            }
        } else {
          const key = `${does} ${id} ${kind} ${country}`
          const known = expected.get(key)
          const reply = await ask(id, { kinds: [kind], country }, does === 'theirs' ? rival : {})
          assert.equal(reply.status, known ? 200 : 201)
          // All that arrives here is of months ago, so that whoever asks again wants newer.
          expected.set(key, { demand: (known?.demand ?? 0) + 1, status: 'open' })
        }
      }
      const stored = new Map<string, { demand: number; status: string }>()
      for (const id of [base, base + 1])
        for (const account of ['ask', 'theirs']) {
          const { items } = (await list(id, {}, account === 'theirs' ? rival : {})).body
          for (const { kind, country, demand, status } of items)
            stored.set(`${account} ${id} ${kind} ${country}`, { demand, status })
        }
      assert.deepEqual(new Map([...stored].sort()), new Map([...expected].sort()))
    }),
    { numRuns: cases(25) },
  )
})
