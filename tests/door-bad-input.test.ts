import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { contract, type Tool } from '../src/contract/contract.ts'
import type { Operation } from '../src/contract/operation.ts'
import { type ProblemCode, problems } from '../src/contract/problems.ts'
import { Problem } from '../src/contract/shapes/problem.ts'
import { until } from './support/until.ts'
import { type BesideContract, checkReply, openWorld, type Reply } from './support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const authorization = `Bearer ${await world.key()}`
const someId = '01890000-0000-7000-8000-000000000000'

/** The `status` of a problem has the name of a field in some replies. */
type Refusal = Reply<
  Pick<BesideContract, 'code' | 'detail' | 'type' | 'title' | 'requestId'> & { status: unknown }
>

/** Every problem is a problem+json that agrees with itself and with the table. */
function isProblem({ status, headers, body }: Refusal, code: ProblemCode, what: string): void {
  assert.deepEqual([status, body.code], [problems[code].status, code], `${what}: ${body.detail}`)
  assert.match(headers['content-type'] ?? '', /^application\/problem\+json/, what)
  assert.deepEqual(Problem.parse(body), body, what)
  assert.equal(body.status, status, what)
  assert.equal(body.type, `/docs/problems#${code}`, what)
  assert.equal(body.title, problems[code].title, what)
  assert.equal(body.requestId, headers['x-request-id'], what)
  assert.equal(headers['x-content-type-options'], 'nosniff', what)
}

function pointersOf({ body }: Reply): string[] {
  return (body.errors ?? []).map(({ pointer }) => pointer)
}

const get = (url: string) => world.request({ method: 'GET', url, headers: { authorization } })

function post(url: string, payload: string | Buffer, headers: Record<string, string> = {}) {
  const usual = { authorization, 'content-type': 'application/json' }
  return world.request({ method: 'POST', url, payload, headers: { ...usual, ...headers } })
}

/** A search that asks nobody, whatever becomes of it. */
const search = (payload: string | Buffer, headers?: Record<string, string>) =>
  post('/v1/aso/app-search', payload, headers)

async function refusesReads(cases: Record<string, string[]>): Promise<void> {
  for (const [url, pointers] of Object.entries(cases)) {
    const reply = await get(url)
    isProblem(reply, 'invalid-request', url)
    assert.deepEqual(pointersOf(reply), pointers, url)
    assert.equal(reply.body.instance, url.split('?')[0])
  }
}

async function refusesBodies(cases: Record<string, string[]>, url = '/v1/aso/app-search'): Promise<void> {
  for (const [body, pointers] of Object.entries(cases)) {
    const reply = await post(url, body)
    isProblem(reply, 'invalid-request', body)
    assert.deepEqual(pointersOf(reply), pointers, body)
  }
}

test('unknown query parameters are refused by name, all of them at once', async () => {
  await refusesReads({
    '/v1/charts?colour=red': ['/query/colour'],
    '/v1/charts?a=1&country=us&b=2': ['/query/a', '/query/b'],
    '/v1/charts?Country=us': ['/query/Country'],
    '/v1/charts?a%2Fb=1&c~d=2': ['/query/a~1b', '/query/c~0d'],
    '/v1/charts?__proto__=1&constructor=2&toString=3': [
      '/query/__proto__',
      '/query/constructor',
      '/query/toString',
    ],
    '/v1/organic/tiktok_1?x=1': ['/query/x'],
  })
})

test('a value given twice where one is meant is refused', async () => {
  await refusesReads({
    '/v1/charts?country=us&country=de': ['/query/country'],
    '/v1/charts?limit=5&limit=5': ['/query/limit'],
  })
})

test('numbers are taken only as JSON writes them and within their range', async () => {
  for (const text of [
    'ten',
    '',
    '0x10',
    '+5',
    '05',
    '5.',
    '1_000',
    '5e',
    'Infinity',
    'NaN',
    '5,0',
    '1e400',
    'null',
  ])
    await refusesReads({ [`/v1/competitors?limit=${encodeURIComponent(text)}`]: ['/query/limit'] })
  await refusesReads({
    '/v1/competitors?limit=0': ['/query/limit'],
    '/v1/competitors?limit=-1': ['/query/limit'],
    '/v1/competitors?limit=101': ['/query/limit'],
    '/v1/competitors?limit=2.5': ['/query/limit'],
    '/v1/charts?limit=201': ['/query/limit'],
    '/v1/competitors?minRating=5.1': ['/query/minRating'],
    '/v1/competitors?minRatingCount=9007199254740992': ['/query/minRatingCount'],
  })
  for (const text of ['5', ' 5 ', '5e0', '5.0', '５'])
    assert.equal((await get(`/v1/competitors?limit=${encodeURIComponent(text)}`)).status, 200, text)
})

test('a country without an Apple storefront is refused, never replaced; case does not matter', async () => {
  for (const country of ['', 'zz', 'usa', 'u', 'en-US', 'uk', 'cu', 'kp', 'ß'])
    await refusesReads({
      [`/v1/competitors/categories?country=${encodeURIComponent(country)}`]: ['/query/country'],
    })
  await refusesBodies({ '{"term":"tea","live":false,"country":"zz"}': ['/body/country'] })
  for (const country of ['JP', 'jp', 'Jp', ' jp ', 'ＪＰ']) {
    const { status, body } = await world.call('list_competitor_categories', { country })
    assert.deepEqual([status, body.country], [200, 'jp'], country)
  }
})

test('words of an enum that do not exist are refused by name', async () => {
  await refusesReads({
    '/v1/competitors?sort=popular': ['/query/sort'],
    '/v1/competitors?charting=true': ['/query/charting'],
    '/v1/charts?chart=top&device=watch': ['/query/chart', '/query/device'],
    '/v1/competitors/android/1': ['/path/platform'],
  })
})

test('dates that are none, and a from after its to, are refused', async () => {
  for (const date of ['2026-02-30', '2025-02-29', '2026-13-01', '2026-00-10', '2026-1-1', '26-01-01', 'today'])
    await refusesReads({ [`/v1/charts?date=${date}`]: ['/query/date'] })
  for (const date of ['2026-02-01T00:00:00Z', '20260201', '02/01/2026', ''])
    await refusesReads({ [`/v1/charts?date=${encodeURIComponent(date)}`]: ['/query/date'] })
  await refusesReads({
    '/v1/charts/apps/1/history?from=2026-02-02&to=2026-02-01': ['/query/from'],
    '/v1/competitors?releasedFrom=2026-02-02&releasedTo=2026-02-01': ['/query/releasedFrom'],
    '/v1/competitors?releasedFrom=2026-02-02&releasedTo=2026-02-01&x=1': ['/query/x'],
  })
  await refusesBodies(
    {
      '{"platform":"meta","terms":["tea"],"deliveredFrom":"2026-02-02","deliveredTo":"2026-02-01"}': [
        '/body/deliveredFrom',
      ],
    },
    '/v1/admin/paid-ads/preview',
  )
  assert.notEqual((await get('/v1/charts?date=2024-02-29')).status, 400)
  assert.equal((await get('/v1/competitors?releasedFrom=2026-02-01&releasedTo=2026-02-01')).status, 200)
})

test('dates at the ends of the calendar are refused or find nothing', async () => {
  for (const url of [
    '/v1/competitors?releasedFrom=0000-01-01',
    '/v1/competitors?releasedTo=9999-12-31&updatedFrom=9999-12-31',
    '/v1/charts?date=0000-01-01',
    '/v1/charts/apps/1/history?from=0000-01-01&to=0000-01-02',
    '/v1/charts/apps/1/history?to=0001-01-01',
    '/v1/charts/apps/1/history?from=9999-12-30&to=9999-12-31',
  ])
    assert.ok((await get(url)).status < 500, url)
})

test('control characters are refused wherever text is taken', async () => {
  for (const hidden of ['%00', '%07', '%1B', '%7F', '%C2%85', '%0A', '%09']) {
    await refusesReads({
      [`/v1/competitors?q=te${hidden}a`]: ['/query/q'],
      [`/v1/aso/keywords/te${hidden}a`]: ['/path/query'],
    })
  }
  await refusesBodies({
    '{"term":"te\\u0000a","live":false}': ['/body/term'],
    '{"term":"te\\u001ba","live":false}': ['/body/term'],
  })
  await refusesBodies(
    { '{"kinds":["aso"],"note":"\\u0000"}': ['/body/note'] },
    '/v1/competitors/ios/1/data-requests',
  )
  const note = '{"kinds":["aso"],"note":"first line\\nsecond\\tline"}'
  assert.notEqual((await post('/v1/competitors/ios/1/data-requests', note)).status, 400)
})

test('text is trimmed and NFKC-normalised before anything is made of it', async () => {
  await refusesReads({
    '/v1/competitors?q=%20%E3%80%80': ['/query/q'],
    '/v1/aso/keywords/%20': ['/path/query'],
  })
  await refusesBodies({ '{"term":"\\u2003 ","live":false}': ['/body/term'] })
  const { body } = await get(`/v1/competitors/ios/${encodeURIComponent(' １２３ ')}`)
  assert.match(body.detail, /\b123\b/)
})

test('text that is too long is refused', async () => {
  const long = 'é'.repeat(201)
  await refusesReads({
    [`/v1/competitors?q=${encodeURIComponent(long)}`]: ['/query/q'],
    [`/v1/aso/keywords/${encodeURIComponent(long)}`]: ['/path/query'],
    [`/v1/aso/keywords/${'a'.repeat(1_001)}`]: ['/path'],
    [`/v1/competitors?cursor=${'a'.repeat(601)}`]: ['/query/cursor'],
  })
  await refusesBodies({ [JSON.stringify({ term: long, live: false })]: ['/body/term'] })
  assert.equal((await get(`/v1/competitors?q=${encodeURIComponent('漢'.repeat(200))}`)).status, 200)
  assert.notEqual((await get(`/v1/aso/keywords/${encodeURIComponent('漢'.repeat(200))}`)).status, 400)
})

test('a store id has 1 to 19 digits and no leading zero; one that no app can have is simply not found', async () => {
  for (const storeId of [
    '0',
    '0123',
    '12345678901234567890',
    '-1',
    '1e3',
    '1.0',
    'abc',
    'id1',
    '１２３a',
    '%00',
  ])
    await refusesReads({ [`/v1/competitors/ios/${encodeURIComponent(storeId)}`]: ['/path/storeId'] })
  for (const storeId of ['1', '9223372036854775807', '9223372036854775808', '9999999999999999999']) {
    for (const part of ['', '/similar', '/media'])
      isProblem(await get(`/v1/competitors/ios/${storeId}${part}`), 'competitor-not-found', `${storeId}${part}`)
    isProblem(await get(`/v1/charts/apps/${storeId}/history`), 'competitor-not-found', `history of ${storeId}`)
    for (const input of [
      { q: storeId },
      { q: `https://apps.apple.com/us/app/x/id${storeId}` },
      { developerId: storeId },
    ]) {
      const found = await world.call('search_competitors', input)
      assert.deepEqual([found.status, found.body.items], [200, []], JSON.stringify(input))
    }
  }
})

test('a cursor of which one letter was changed is refused, or still means the same', async () => {
  const apps = [1, 2, 3].map((trackId) => ({ kind: 'software', trackId, trackName: `App ${trackId}` }))
  await world.import({
    kind: 'catalogue',
    paths: ['-'],
    stdin: Readable.from([Buffer.from(JSON.stringify({ resultCount: 3, results: apps }))]),
    country: 'vn',
    observedAt: '2026-03-01T00:00:00Z',
  })
  const list = { country: 'vn', sort: 'name', limit: 1 }
  const first = await world.call('search_competitors', list)
  const whole: string = first.body.nextCursor
  const second = await world.call('search_competitors', { ...list, cursor: whole })
  assert.deepEqual([second.status, second.body.items[0].storeId], [200, '2'])
  for (let at = 0; at < whole.length; at++) {
    for (const letter of ['A', 'z', '7', '']) {
      const cursor = `${whole.slice(0, at)}${letter}${whole.slice(at + 1)}`
      const reply = await world.call('search_competitors', { ...list, cursor })
      if (reply.status === 200) assert.deepEqual(reply.body, second.body, cursor)
      else isProblem(reply, 'invalid-cursor', cursor)
    }
  }
  for (const other of [{ sort: 'rating' }, { country: 'us' }, { price: 'free' }, { q: 'app' }])
    isProblem(
      await world.call('search_competitors', { ...list, ...other, cursor: whole }),
      'invalid-cursor',
      'other list',
    )
  assert.equal((await world.call('search_competitors', { ...list, limit: 2, cursor: whole })).status, 200)
})

test('a damaged cursor is refused as such', async () => {
  for (const cursor of ['x', '!!!', 'eyJhIjoxfQ', Buffer.from('["a","b","c"]').toString('base64url')])
    isProblem(await get(`/v1/competitors?cursor=${encodeURIComponent(cursor)}`), 'invalid-cursor', cursor)
})

test('unknown properties of a body are refused by name, however deep they lie', async () => {
  await refusesBodies({
    '{"term":"tea","live":false,"colour":1}': ['/body/colour'],
    '{"term":"tea","live":false,"a/b":1,"c~d":2}': ['/body/a~1b', '/body/c~0d'],
    '{"live":false,"colour":1}': ['/body/term', '/body/colour'],
  })
  await refusesBodies(
    { '{"kinds":["aso","wishes"],"country":"us"}': ['/body/kinds/1'], '{"kinds":[]}': ['/body/kinds'] },
    '/v1/competitors/ios/1/data-requests',
  )
})

test('a body of the wrong kind, or none where one is needed, is refused', async () => {
  await refusesBodies({
    '[]': ['/body'],
    '"tea"': ['/body'],
    '5': ['/body'],
    null: ['/body'],
    '{"term":5,"live":"no"}': ['/body/term', '/body/live'],
  })
  const missing = await search('')
  isProblem(missing, 'invalid-request', 'empty body')
  assert.deepEqual(pointersOf(missing), ['/body/term'])
  const absent = await world.request({ method: 'POST', url: '/v1/aso/app-search', headers: { authorization } })
  assert.deepEqual(pointersOf(absent), ['/body/term'])
})

test('an operation that takes no body refuses anything but none', async () => {
  const url = `/v1/aso/apps/${someId}/refresh`
  await refusesBodies({ '{"a":1}': ['/body/a'], '5': ['/body'], '[]': ['/body'], null: ['/body'] }, url)
  const reply = await post(url, JSON.stringify('a'.repeat(1_000_000)))
  isProblem(reply, 'invalid-request', 'a million letters')
  assert.deepEqual(pointersOf(reply), ['/body'])
  for (const body of ['', '{}']) assert.notEqual((await post(url, body)).status, 400, body)
})

test('a body that is not JSON is refused, and says where', async () => {
  for (const body of [
    '{',
    '{"term":',
    "{'term':'tea'}",
    '{"term":"tea",}',
    'tea',
    '{"term":"te\na"}',
    '\u0000',
    '{} {}',
    'NaN',
  ])
    await refusesBodies({ [body]: ['/body'] })
})

test('a body in another encoding, media type or wrapping is refused', async () => {
  const invalid = Buffer.concat([Buffer.from('{"term":"'), Buffer.from([0xff, 0xc0]), Buffer.from('"}')])
  const reply = await search(invalid)
  isProblem(reply, 'invalid-request', 'invalid UTF-8')
  assert.deepEqual(pointersOf(reply), ['/body'])
  const body = '{"term":"tea","live":false}'
  for (const type of [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/vnd.api+json',
    'application/json5',
    '*/*',
    'nonsense',
  ])
    isProblem(await search(body, { 'content-type': type }), 'unsupported-media-type', type)
  for (const charset of ['utf-16', 'iso-8859-1', '"us-ascii"'])
    isProblem(
      await search(body, { 'content-type': `application/json; charset=${charset}` }),
      'unsupported-media-type',
      charset,
    )
  for (const encoding of ['gzip', 'br', 'deflate', 'x'])
    isProblem(await search(body, { 'content-encoding': encoding }), 'unsupported-media-type', encoding)
  for (const type of [
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'APPLICATION/JSON',
  ])
    assert.ok(![400, 415].includes((await search(body, { 'content-type': type })).status), type)
})

test('a body over 1 MiB is refused, one of exactly 1 MiB is read', async () => {
  const sized = (bytes: number) => `{"term":"${'a'.repeat(bytes - 11)}"}`
  isProblem(await search(sized(1024 * 1024 + 1)), 'body-too-large', 'a byte too many')
  isProblem(await search(sized(1024 * 1024)), 'invalid-request', 'as large as may be, its text too long')
})

test('a body cannot touch the prototype of anything', async () => {
  for (const body of [
    '{"term":"tea","live":false,"__proto__":{"polluted":true}}',
    '{"term":"tea","live":false,"constructor":{"prototype":{"polluted":true}}}',
    '{"platform":"meta","records":[{"__proto__":{"polluted":true}}]}',
  ])
    isProblem(await search(body), 'invalid-request', body)
  assert.ok(!('polluted' in {}))
})

test('a body nested a hundred thousand levels deep is refused, with an idempotency key or without', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const deeper = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
  for (const body of [
    deep,
    deeper,
    `{"term":${deep},"live":false}`,
    `{"term":"tea","live":false,"x":${deep}}`,
  ]) {
    const reply = await search(body)
    isProblem(reply, 'invalid-request', body.slice(0, 20))
    isProblem(await search(body, { 'idempotency-key': 'deep' }), 'invalid-request', body.slice(0, 20))
  }
  const records = `{"platform":"meta","records":[{"a":${deep}}]}`
  isProblem(await post('/v1/admin/paid-ads/preview', records), 'invalid-request', 'records')
  const brackets = JSON.stringify({ term: `a${'[{'.repeat(99)}`, live: false })
  assert.notEqual((await search(brackets)).status, 400, 'brackets inside a text are no nesting')
})

test('a body that is wrong in very many places gets a short answer', async () => {
  const many = `{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":1`).join(',')}}`
  const reply = await search(many)
  isProblem(reply, 'invalid-request', 'many unknown properties')
  assert.ok(pointersOf(reply).length <= 100)
})

test('bad percent-encoding is refused in paths, in names and in values', async () => {
  await refusesReads({
    '/v1/competitors/ios/%zz': ['/path'],
    '/v1/competitors/ios/%ff': ['/path'],
    '/v1/aso/keywords/%E3%81': ['/path'],
    '/v1/charts?country=%zz': ['/query'],
    '/v1/charts?country=%ff': ['/query'],
    '/v1/charts?%E0%A4=1': ['/query'],
    '/v1/competitors?q=100%': ['/query'],
  })
})

test('an address where nothing is served is not found', async () => {
  for (const url of [
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v2/charts',
    '/v1/charts/',
    '//v1/charts',
    '/V1/charts',
    '/v1/charts/..',
  ])
    isProblem(await get(url), 'route-not-found', url)
  const stranger = await world.request({ method: 'GET', url: '/v1/nothing' })
  isProblem(stranger, 'route-not-found', 'without a key')
})

test('a method that an address does not have is refused with those it has, before credential and body', async () => {
  const methods: [InjectOptions['method'], string, string][] = [
    ['POST', '/v1/charts', 'GET, HEAD'],
    ['DELETE', '/v1/competitors/ios/1', 'GET, HEAD'],
    ['PUT', '/v1/aso/apps', 'GET, HEAD, POST'],
    ['GET', '/v1/competitors/intake/requested', 'POST'],
    ['HEAD', '/v1/aso/app-search', 'POST'],
    ['GET', '/v1/aso/app-search', 'POST'],
    ['POST', `/v1/aso/apps/${someId}`, 'DELETE, GET, HEAD, PATCH'],
    ['PATCH', '/healthz', 'GET, HEAD'],
    ['POST', '/docs', 'GET, HEAD'],
    ['POST', '/docs/cli', 'GET, HEAD'],
    ['DELETE', '/docs/reference', 'GET, HEAD'],
  ]
  for (const [method, url, allowed] of methods) {
    const reply = await world.request({
      method,
      url,
      ...(method === 'HEAD' || method === 'GET' ? {} : { payload: '{' }),
    } as InjectOptions)
    const what = `${method} ${url}`
    assert.equal(reply.status, 405, what)
    assert.equal(reply.headers.allow?.split(', ').sort().join(', '), allowed, what)
    if (method !== 'HEAD') isProblem(reply, 'method-not-allowed', what)
  }
})

test('HEAD answers what GET would, without the body', async () => {
  const url = '/v1/competitors/categories'
  const head = await world.request({ method: 'HEAD', url, headers: { authorization } })
  const full = await get(url)
  assert.deepEqual([head.status, head.body], [200, ''])
  for (const name of ['etag', 'content-type', 'content-length', 'cache-control', 'vary'])
    assert.equal(head.headers[name], full.headers[name], name)
  assert.equal((await world.request({ method: 'HEAD', url })).status, 401)
})

test('OPTIONS is a method like any other while no origin is allowed to call from a browser', async () => {
  const reply = await world.request({
    method: 'OPTIONS',
    url: '/v1/charts',
    headers: { origin: 'https://app.test', 'access-control-request-method': 'GET' },
  })
  isProblem(reply, 'method-not-allowed', 'OPTIONS')
  assert.equal(reply.headers['access-control-allow-origin'], undefined)
})

test('what is not HTTP is answered as a problem, and cannot hold the connection', async () => {
  const address = new URL(await world.server.listen({ host: '127.0.0.1', port: 0 }))
  const say = async (text: string | Buffer): Promise<string> => {
    // Keeps its own end open: the server has to let go by itself.
    const socket = connect({ host: address.hostname, port: Number(address.port), allowHalfOpen: true })
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => {})
    socket.write(text)
    await once(socket, 'end')
    socket.on('close', () => socket.destroy())
    return answer
  }
  const host = `Host: ${address.host}\r\n`
  const broken: Record<string, string | Buffer> = {
    'garbage bytes': Buffer.from([0, 1, 2, 255, 254, 13, 10, 13, 10]),
    'another protocol': 'SSH-2.0-OpenSSH_9.2\r\n',
    'a TLS hello': Buffer.from('160301020001000200030300', 'hex'),
    'a version there is not': `GET /v1/charts HTTP/9.9\r\n${host}\r\n`,
    'a header without a colon': `GET /v1/charts HTTP/1.1\r\n${host}broken\r\n\r\n`,
    'a header that is too large': `GET /v1/charts HTTP/1.1\r\n${host}X-Large: ${'a'.repeat(40_000)}\r\n\r\n`,
    'an address that is too long': `GET /v1/charts?q=${'a'.repeat(40_000)} HTTP/1.1\r\n${host}\r\n`,
    'two lengths': `POST /v1/aso/app-search HTTP/1.1\r\n${host}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde`,
    'a length beside chunks': `POST /v1/aso/app-search HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'a negative length': `POST /v1/aso/app-search HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`,
  }
  for (const [what, text] of Object.entries(broken)) {
    const answer = await say(text)
    assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/, what)
    assert.match(answer, /\r\ncontent-type: application\/problem\+json\r\n/i, what)
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
    assert.deepEqual(Problem.parse(body), body, what)
    assert.equal(body.code, 'invalid-request', what)
    assert.ok(answer.includes(`\r\nx-request-id: ${body.requestId}\r\n`), what)
  }
  const connections = () =>
    new Promise<number>((resolve) => world.server.server.getConnections((_error, count) => resolve(count)))
  // Peers that keep their end open hold no connection.
  await until(connections, (count) => count === 0)
})

const readable = Object.entries(contract).filter(([, row]) => row.method === 'GET') as [Tool, Operation][]
const writable = Object.entries(contract).filter(([, row]) => row.method !== 'GET') as [Tool, Operation][]

/** Whatever is asked: a reply of the row's shape, or a problem that is not our fault. */
/** Nobody answers upstream calls here: the rows that make them say so. */
function isAnswered(tool: Tool, reply: Reply, what: string): void {
  const row: Operation = contract[tool]
  const reported = reply.status < 500 || row.problems.includes(reply.body.code)
  assert.ok(reported, `${what}: ${reply.status}`)
  if (reply.status >= 400)
    assert.match(reply.headers['content-type'] ?? '', /^application\/problem\+json/, what)
  checkReply(tool, contract[tool], reply)
}

const oddities = fc.constantFrom(
  '9999999999999999999',
  '-9223372036854775809',
  '1e308',
  '-0',
  'null',
  'true',
  '2026-02-28',
  '9999-12-31',
  'us',
  "'; drop table apps; --",
  "a & !b | (c <-> d):* '",
  '\\',
  '%',
  '_',
  '{}',
  '日本語 テスト',
  'é'.repeat(40),
  '👩‍👩‍👧‍👦',
  'com.example.app',
  'https://apps.apple.com/us/app/x/id5',
)
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme' }),
  oddities,
)

/** Addresses of an operation, with parameters of its own and others, sane and not. */
function addresses([tool, row]: [Tool, Operation]): fc.Arbitrary<{
  tool: Tool
  url: string
  oddPath: boolean
}> {
  const own = Object.keys(row.query?.shape ?? {})
  const name = own.length > 0 ? fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...own) }, anyText) : anyText
  const pair = fc.tuple(name, anyText).map(([key, value]) => `${encoded(key)}=${encoded(value)}`)
  const raw = fc.string({ unit: fc.constantFrom(...'abq=&?%+;/[]1'), maxLength: 20 })
  const query = fc.oneof(
    { weight: 9, arbitrary: fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.join('&')) },
    raw,
  )
  const sane = fc.constant({ path: pathOf(row, row.example.params ?? {}), oddPath: false })
  const parts = Object.keys(row.params?.shape ?? {}).map((part) => fc.tuple(fc.constant(part), anyText))
  const odd = fc
    .tuple(...parts)
    .map((values) => ({ path: pathOf(row, Object.fromEntries(values)), oddPath: true }))
  return fc
    .tuple(fc.oneof(sane, odd), query)
    .map(([{ path, oddPath }, text]) => ({ tool, url: `${path}?${text}`, oddPath }))
}

function pathOf({ path }: Operation, values: Record<string, unknown>): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => encoded(String(values[name])))
}

/** Percent-encoded; halves of surrogate pairs, which no address can carry, become replacement characters. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

test('no address, however odd, makes the service fail', async () => {
  const asked = fc.oneof(...readable.map(addresses))
  await fc.assert(
    fc.asyncProperty(asked, async ({ tool, url, oddPath }) => {
      const reply = await get(url)
      // An odd part can make a path that of another operation: then only the failing is looked for.
      if (oddPath) assert.ok(reply.status < 500, `${url}: ${reply.status}`)
      else isAnswered(tool, reply, url)
    }),
    { numRuns: 600 },
  )
})

/** The example body with one part replaced, removed or added, or JSON that has nothing to do with it. */
function bodies([tool, row]: [Tool, Operation]): fc.Arbitrary<[Tool, string]> {
  const example = { ...row.example.body, ...(row.body && 'live' in row.body.shape ? { live: false } : {}) }
  const names = ['x', ...Object.keys(row.body?.shape ?? {})]
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    anyText,
    fc.constant(undefined),
    fc.double(),
    fc.bigInt().map(String),
  )
  const altered = fc
    .tuple(fc.constantFrom(...names), value)
    .map(([name, odd]) => JSON.stringify({ ...example, [name]: odd }))
  const unrelated = fc.jsonValue({ maxDepth: 4 }).map((json) => JSON.stringify(json))
  const broken = fc.tuple(fc.nat(40), anyText).map(([at, text]) => {
    const whole = JSON.stringify(example)
    return `${whole.slice(0, at)}${text}${whole.slice(at)}`
  })
  return fc.oneof({ weight: 3, arbitrary: altered }, unrelated, broken).map((body) => [tool, body])
}

test('no body, however odd, makes the service fail', async () => {
  const sent = fc.oneof(...writable.map(bodies))
  await fc.assert(
    fc.asyncProperty(sent, fc.boolean(), async ([tool, body], keyed) => {
      const row: Operation = contract[tool]
      const { method } = row
      const url = pathOf(row, row.example.params ?? {})
      const headers = { authorization, 'content-type': 'application/json' }
      const key = keyed ? { 'idempotency-key': `odd-${Math.random()}` } : {}
      const reply = await world.request({ method, url, payload: body, headers: { ...headers, ...key } })
      isAnswered(tool, reply, `${method} ${url} ${body}`)
    }),
    { numRuns: 600 },
  )
})

test('no bytes, however odd, make the service fail', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      const reply = await search(Buffer.from(bytes))
      isProblem(reply, 'invalid-request', Buffer.from(bytes).toString('hex'))
    }),
    { numRuns: 200 },
  )
})
