import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inspect } from 'node:util'
import { Rivalscope, RivalscopeProblem, ServerUnreachable, WorkNotDone } from '../../src/client/client.ts'
import { pause } from '../support/pause.ts'
import {
  half,
  json,
  openScriptedServer,
  problem,
  reset,
  type ScriptedServer,
  silence,
  stall,
} from '../support/scripted-server.ts'
import { until } from '../support/until.ts'

const key = 'rsk_neverToBeShown123'
const empty = { items: [], total: { value: 0, relation: 'exact' }, nextCursor: null }
const html = (status: number) => (reply: import('node:http').ServerResponse) =>
  void reply.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')

let server: ScriptedServer
let rivalscope: Rivalscope
const unhandled: unknown[] = []
process.on('unhandledRejection', (reason) => unhandled.push(reason))
before(async () => {
  server = await openScriptedServer()
  rivalscope = new Rivalscope({ server: server.address, key })
})
after(async () => {
  await server[Symbol.asyncDispose]()
  assert.deepEqual(unhandled, [], 'every failure reached whoever called')
})

const pausesMs = () =>
  server.arrived.slice(1).map(({ atMs }, index) => atMs - (server.arrived[index]?.atMs ?? 0))

test('a busy service is asked again when it said, in seconds or as a date', async () => {
  const inTwoSeconds = () => new Date(Date.now() + 2_900).toUTCString()
  server.plays(
    problem('rate-limited', 429, { 'retry-after': '1' }),
    (...asked) => problem('unavailable', 503, { 'retry-after': inTwoSeconds() })(...asked),
    json(empty),
  )
  assert.deepEqual(await rivalscope.searchCompetitors(), empty)
  const [first = 0, second = 0] = pausesMs()
  assert.ok(first >= 990, `asked again after ${first} ms`)
  assert.ok(second >= 1_800, `asked again after ${second} ms`)
})

test('what may pass is tried again with growing pauses, and then told', async () => {
  server.plays(problem('unavailable', 503))
  const twice = new Rivalscope({ server: server.address, key, retries: 2 })
  await assert.rejects(twice.searchCompetitors(), {
    name: 'RivalscopeProblem',
    code: 'unavailable',
    status: 503,
  })
  assert.equal(server.arrived.length, 3)
  const [first = 0, second = 0] = pausesMs()
  assert.ok(first >= 200 && second >= 400, `pauses of ${first} and ${second} ms`)
})

test('who is asked to wait longer than they would gives up at once and knows how long it takes', async () => {
  server.plays(problem('rate-limited', 429, { 'retry-after': '3600' }))
  await assert.rejects(rivalscope.searchCompetitors(), { code: 'rate-limited', retryAfterSeconds: 3600 })
  assert.equal(server.arrived.length, 1)
})

for (const [what, play] of [
  ['a connection that breaks', reset],
  ['half an answer', half],
  ['the gateway of a service that restarts', html(502)],
] as const)
  test(`after ${what} the call is made again`, async () => {
    server.plays(play, play, json(empty))
    assert.deepEqual(await rivalscope.searchCompetitors(), empty)
    assert.equal(server.arrived.length, 3)
  })

test('a repeated write carries the key of the first, so that it counts once', async () => {
  server.plays(reset, problem('already-running', 409), json({ appId: 'x' }, 201))
  await rivalscope.trackAsoApp({ app: '1', role: 'own' })
  await rivalscope.trackAsoApp({ app: '1', role: 'own' })
  const keys = server.arrived.map(({ headers }) => headers['idempotency-key'])
  assert.equal(server.arrived.length, 4)
  assert.match(String(keys[0]), /^[0-9a-f]{32}$/)
  assert.deepEqual(keys.slice(0, 3), [keys[0], keys[0], keys[0]])
  assert.notEqual(keys[3], keys[0], 'another call is another write')
  assert.deepEqual(
    server.arrived.map(({ body }) => body),
    Array(4).fill('{"app":"1","role":"own"}'),
  )
})

test('a refusal is a typed error, and nobody asks again', async () => {
  const intake = { state: 'none', intakeId: null, country: 'us' }
  const refusals = [
    ['invalid-request', 400, { errors: [{ pointer: '/query/limit', message: 'too many' }] }],
    ['unauthenticated', 401, {}],
    ['scope-missing', 403, { scope: 'content:write' }],
    ['competitor-not-found', 404, { intake }],
    ['already-running', 409, {}],
    ['internal', 500, {}],
    ['upstream-failed', 502, {}],
    ['source-not-configured', 503, {}],
    ['upstream-timeout', 504, {}],
  ] as const
  for (const [code, status, extras] of refusals) {
    server.plays(problem(code, status, {}, extras))
    const error = await rivalscope.searchCompetitors().catch((reason: unknown) => reason)
    assert.ok(error instanceof RivalscopeProblem, code)
    const { errors, scope, intake: taking, requestId, detail, tool, message } = error
    assert.deepEqual(
      { code: error.code, status: error.status, errors, scope, intake: taking, requestId, tool, detail },
      {
        code,
        status,
        errors: [],
        scope: null,
        intake: null,
        requestId: 'r-1',
        tool: 'search_competitors',
        detail: `It is ${code}.`,
        ...extras,
      },
    )
    assert.equal(message, detail)
    assert.equal(server.arrived.length, 1, code)
  }
})

test('what is not Rivalscope is told apart from it', async () => {
  for (const play of [
    html(200),
    html(404),
    json([1], 500),
    (reply: import('node:http').ServerResponse) =>
      void reply.writeHead(200, { 'content-type': 'application/json' }).end('{"items": ['),
  ]) {
    server.plays(play)
    await assert.rejects(rivalscope.searchCompetitors(), {
      name: 'ServerUnreachable',
      reason: 'not-rivalscope',
      server: server.address,
    })
    assert.equal(server.arrived.length, 1)
  }
})

test('the key is not carried to where an address points', async () => {
  await using other = await openScriptedServer()
  other.plays(json(empty))
  for (const status of [301, 302, 307, 308]) {
    server.plays((reply) => reply.writeHead(status, { location: `${other.address}v1/competitors` }).end())
    await assert.rejects(rivalscope.searchCompetitors(), (error: unknown) => {
      assert.ok(error instanceof ServerUnreachable)
      assert.equal(error.reason, 'redirected')
      assert.ok(error.message.includes(other.address))
      return true
    })
  }
  assert.equal(other.arrived.length, 0)
})

for (const [what, play] of [
  ['never answers', silence],
  ['stops in the middle of its answer', stall],
] as const)
  test(`a server that ${what} is given up, attempt after attempt`, async (t) => {
    const { mock } = t.mock.method(globalThis, 'fetch')
    server.plays(play)
    const hasty = new Rivalscope({ server: server.address, key, timeoutSeconds: 1, retries: 1 })
    await assert.rejects(hasty.searchCompetitors(), { name: 'ServerUnreachable', reason: 'timeout' })
    assert.equal(mock.callCount(), 2)
    await until(
      () => server.open(),
      (count) => count === 0,
    )
  })

test('where nobody listens, the address and what to do are said', async () => {
  const gone = await openScriptedServer()
  await gone[Symbol.asyncDispose]()
  const nobody = new Rivalscope({ server: gone.address, key, retries: 1 })
  await assert.rejects(nobody.getAppleCharts(), (error: unknown) => {
    assert.ok(error instanceof ServerUnreachable)
    assert.equal(error.reason, 'no-connection')
    assert.ok(error.message.includes(gone.address) && error.message.includes('ECONNREFUSED'), error.message)
    return true
  })
})

test('a call is ended in any phase, with the reason its caller gave', async () => {
  const state = { status: 'running', progress: null, lastError: null, createdAt: '2026-11-20T10:00:00.000Z' }
  const reason = new Error('enough')
  const phases: [
    what: string,
    play: Parameters<ScriptedServer['plays']>,
    call: (signal: AbortSignal) => Promise<unknown>,
  ][] = [
    ['before an answer', [silence], async (signal) => rivalscope.searchCompetitors({}, { signal })],
    ['within an answer', [stall], async (signal) => rivalscope.searchCompetitors({}, { signal })],
    [
      'waiting for the next attempt',
      [problem('unavailable', 503, { 'retry-after': '50' })],
      async (signal) => rivalscope.searchCompetitors({}, { signal }),
    ],
    [
      'on the second page',
      [json({ items: [1], nextCursor: 'b' }), silence],
      async (signal) => Array.fromAsync(rivalscope.searchCompetitors({}, { signal })),
    ],
    [
      'between two looks at work',
      [json(state, 202)],
      async (signal) =>
        rivalscope
          .refreshAsoApp({ appId: 'a' })
          .ended({ signal, firstPauseSeconds: 50, longestPauseSeconds: 50 }),
    ],
    [
      'within a look at work',
      [json(state, 202), silence],
      async (signal) => rivalscope.refreshAsoApp({ appId: 'a' }, { signal }).ended({ firstPauseSeconds: 0.01 }),
    ],
  ]
  for (const [what, plays, call] of phases) {
    server.plays(...plays)
    const controller = new AbortController()
    const called = call(controller.signal)
    await until(
      async () => server.arrived.length,
      (count) => count === plays.length,
    )
    await pause(50, 'the answer, if there is one, is read')
    controller.abort(reason)
    await assert.rejects(called, (error) => error === reason, what)
    assert.equal(server.arrived.length, plays.length, what)
  }
  await until(
    () => server.open(),
    (count) => count === 0,
  )
})

test('a signal that was raised before the call keeps it from being sent', async () => {
  server.plays(json(empty))
  await assert.rejects(rivalscope.searchCompetitors({}, { signal: AbortSignal.abort() }), {
    name: 'AbortError',
  })
  assert.equal(server.arrived.length, 0)
})

test('pages are asked for one by one, and not beyond what is wanted', async () => {
  server.plays((reply, request, nth) =>
    json({ items: [2 * nth, 2 * nth + 1], nextCursor: nth < 9 ? `c${nth + 1}` : null })(reply, request, nth),
  )
  const taken: unknown[] = []
  for await (const item of rivalscope.searchCompetitors({ q: 'a b', sort: 'name' })) {
    taken.push(item)
    assert.equal(server.arrived.length, Math.ceil(taken.length / 2), 'no page is asked for ahead')
    if (taken.length === 5) break
  }
  assert.deepEqual(taken, [0, 1, 2, 3, 4])
  assert.deepEqual(
    server.arrived.map(({ url }) => url),
    [
      '/v1/competitors?q=a+b&sort=name',
      '/v1/competitors?q=a+b&sort=name&cursor=c1',
      '/v1/competitors?q=a+b&sort=name&cursor=c2',
    ],
  )
  await pause(50, 'a page too many would be asked for')
  assert.equal(server.arrived.length, 3)
})

test('a list that breaks off goes on from the cursor of the last page that came', async () => {
  server.plays(
    json({ items: [1], nextCursor: 'b' }),
    problem('internal', 500),
    json({ items: [2], nextCursor: null }),
  )
  let cursor: string | null = null
  await assert.rejects(
    async () => {
      for await (const page of rivalscope.searchCompetitors().pages()) cursor = page.nextCursor
    },
    { code: 'internal' },
  )
  assert.equal(cursor, 'b')
  assert.deepEqual(await Array.fromAsync(rivalscope.searchCompetitors({ cursor: 'b' })), [2])
})

test('work is looked at where it is shown, with growing pauses, until it has ended', async () => {
  const state = (status: string, more = {}) => ({
    status,
    progress: null,
    lastError: null,
    createdAt: 'then',
    appId: 'a',
    ...more,
  })
  server.plays(
    json(state('queued'), 202),
    json({ refresh: state('running') }),
    json({ refresh: state('running') }),
    json({ refresh: state('partial') }),
  )
  const seen: string[] = []
  const ended = await rivalscope
    .refreshAsoApp({ appId: 'a' })
    .ended({ onProgress: ({ status }) => seen.push(status), firstPauseSeconds: 0.2 })
  assert.equal(ended.status, 'partial')
  assert.deepEqual(seen, ['queued', 'running', 'running', 'partial'])
  assert.deepEqual(
    server.arrived.map(({ method, url }) => `${method} ${url}`),
    ['POST /v1/aso/apps/a/refresh', ...Array(3).fill('GET /v1/aso/apps/a')],
  )
  const [first = 0, second = 0, third = 0] = pausesMs()
  assert.ok(first >= 195 && second >= 295 && third >= 445, `pauses of ${[first, second, third]} ms`)
})

test('work that fails, or is followed by other work unseen, is an error with its last state', async () => {
  const state = (status: string, more = {}) => ({
    status,
    progress: null,
    lastError: null,
    createdAt: 'then',
    runId: 'r',
    country: 'us',
    ...more,
  })
  const lastError = { at: 'now', code: 'source-failed', message: 'Apple answered 500.' }
  server.plays(json(state('queued'), 202), json({ lastRun: state('failed', { lastError }) }))
  await assert.rejects(
    rivalscope.discoverEmergingIosCompetitors().ended({ firstPauseSeconds: 0.01 }),
    (error) => {
      assert.ok(error instanceof WorkNotDone)
      assert.equal(error.reason, 'failed')
      assert.deepEqual(error.work.lastError, lastError)
      assert.match(error.message, /Apple answered 500/)
      return true
    },
  )
  assert.equal(server.arrived[1]?.url, '/v1/competitors/intake/emerging?country=us&runId=r')
  for (const lastRun of [state('running', { createdAt: 'later' }), null]) {
    server.plays(json(state('queued'), 202), json({ lastRun }))
    await assert.rejects(rivalscope.discoverEmergingIosCompetitors().ended({ firstPauseSeconds: 0.01 }), {
      name: 'WorkNotDone',
      reason: 'out-of-sight',
    })
  }
})

test('the intake of an app is looked at by asking again', async () => {
  const state = (status: string) => ({ status, progress: null, lastError: null, createdAt: 'then' })
  server.plays(json(state('queued'), 202), json(state('succeeded'), 202))
  await rivalscope.requestIosCompetitor({ app: '1' }).ended({ firstPauseSeconds: 0.01 })
  const [first, second] = server.arrived
  assert.deepEqual([second?.method, second?.url, second?.body], ['POST', first?.url, '{"app":"1"}'])
  assert.notEqual(first?.headers['idempotency-key'], second?.headers['idempotency-key'])
})

test('the service may be behind a path', async () => {
  server.plays(json(empty))
  for (const address of [
    `${server.address}rival/scope`,
    `${server.address}rival/scope/`,
    new URL('rival/scope', server.address),
  ])
    await new Rivalscope({ server: address, key }).getCompetitor({ storeId: '1' })
  assert.deepEqual(
    new Set(server.arrived.map(({ url }) => url)),
    new Set(['/rival/scope/v1/competitors/ios/1']),
  )
})

test('arguments that no address can carry are refused before anything is sent', async () => {
  server.plays(json(empty))
  const wrong = [
    rivalscope.call('get_competitor', {}),
    rivalscope.call('get_competitor', { storeId: '' }),
    rivalscope.call('get_competitor', { storeId: '..' }),
    rivalscope.call('get_competitor', { storeId: {} }),
    rivalscope.call('search_organic_content', { network: [] }),
    rivalscope.call('search_competitors', { q: { a: 1 } }),
    rivalscope.call('search_competitors', { q: null }),
    rivalscope.call('constructor' as 'get_competitor', {}),
    rivalscope.call('no_such_tool' as 'get_competitor'),
  ]
  for (const call of wrong) await assert.rejects(call, TypeError)
  await assert.rejects(Array.fromAsync(rivalscope.call('get_competitor', { storeId: '1' })), TypeError)
  await assert.rejects(rivalscope.call('get_competitor', { storeId: '1' }).ended(), TypeError)
  assert.deepEqual(new Set(server.arrived.map(({ url }) => url)), new Set(['/v1/competitors/ios/1']))
})

test('text with slashes, spaces and letters of any script stays one argument', async () => {
  server.plays(json(empty))
  await rivalscope.exploreAsoKeyword({ query: 'a/b ?#%2e 瞑想&' })
  assert.equal(server.arrived[0]?.url, '/v1/aso/keywords/a%2Fb%20%3F%23%252e%20%E7%9E%91%E6%83%B3%26')
})

test('the key is in no failure, and in nothing that is printed', async () => {
  const gone = new Rivalscope({ server: 'http://127.0.0.1:9', key, retries: 0 })
  server.plays(problem('unauthenticated', 401))
  const shown: unknown[] = [rivalscope, gone, rivalscope.getAppleCharts]
  for (const one of [rivalscope, gone]) {
    const call = one.searchCompetitors()
    shown.push(call, await call.catch((error: unknown) => error))
  }
  for (const bad of ['', `${key}\n`, `${key} ${key}`, 'schlüssel-neverToBeShown123'])
    assert.throws(
      () => new Rivalscope({ server: server.address, key: bad }),
      (error) => shown.push(error) > 0,
    )
  for (const bad of ['', 'localhost', 'ftp://a', `http://me:${key}@host`, 'http://host/?a=1'])
    assert.throws(
      () => new Rivalscope({ server: bad, key }),
      (error) => shown.push(error) > 0 && error instanceof TypeError,
    )
  for (const one of shown) {
    const texts = [String(one), JSON.stringify(one) ?? '', inspect(one, { depth: 20, showHidden: true })]
    for (const text of texts) assert.ok(!text.includes('neverToBeShown123'), text)
  }
})
