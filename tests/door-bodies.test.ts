import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { contract, type Tool } from '../src/contract/contract.ts'
import type { Operation } from '../src/contract/operation.ts'
import { type ProblemCode, problems } from '../src/contract/problems.ts'
import { Problem } from '../src/contract/shapes/problem.ts'
import { possibleProblemsOf } from '../src/http/openapi-replies.ts'
import { pause } from './support/pause.ts'
import { untilTrue } from './support/until.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const authorization = `Authorization: Bearer ${await world.key()}\r\n`
const json = 'Content-Type: application/json\r\n'
// How often the engine looks for requests whose time is over, read as it begins to listen.
Object.assign(world.server.server, { connectionsCheckingInterval: 100 })
const address = new URL(await world.server.listen({ host: '127.0.0.1', port: 0 }))

interface Line {
  socket: Socket
  heard: () => string
  /** Whether the service has ended the connection, or what it came to. */
  over: () => boolean
}

function open(): Line {
  const socket = connect({ host: address.hostname, port: Number(address.port) })
  let heard = ''
  let over = false
  socket.on('data', (chunk) => {
    heard += chunk
  })
  for (const event of ['end', 'error', 'close'])
    socket.on(event, () => {
      over = true
    })
  return { socket, heard: () => heard, over: () => over }
}

const head = (method: string, path: string, fields: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: ${address.host}\r\n${fields}\r\n`

/** Sends blanks until the service ends the connection. @returns what was heard */
async function floods(request: string, isChunked: boolean): Promise<string> {
  const { socket, heard, over } = open()
  const part = Buffer.alloc(64 * 1024, ' ')
  const sent = isChunked ? Buffer.concat([Buffer.from('10000\r\n'), part, Buffer.from('\r\n')]) : part
  socket.write(request)
  await sendsUntilOver({ socket, heard, over }, sent, 5)
  return heard()
}

/** Sends the same again and again, as fast as it is taken, until the service ends the connection. */
async function sendsUntilOver({ socket, over }: Line, sent: string | Buffer, everyMs: number): Promise<void> {
  const send = async () => {
    while (!over()) {
      if (socket.writableNeedDrain)
        await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {})
      if (!over()) socket.write(sent)
      await pause(everyMs, 'there is more to come')
    }
  }
  await Promise.all([send(), untilTrue(over)])
  socket.destroy()
}

function answered(text: string): { status: number; body: unknown } {
  const [headers = '', body = ''] = text.split('\r\n\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(headers)?.[1] ?? 0)
  return { status, body: /content-type: application\/problem\+json/i.test(headers) ? JSON.parse(body) : body }
}

function isProblem(text: string, code: ProblemCode, what: string): void {
  const { status, body } = answered(text)
  assert.equal(status, problems[code].status, `${what}: ${text.slice(0, 200)}`)
  assert.equal(Problem.parse(body).code, code, what)
}

const authorized = authorization + json
const appSearch = '/v1/aso/app-search'
const saved = '/v1/paid-ads/meta/1/saved'
/** What is asked, and what is answered to it, however much follows. */
const endless: Record<string, [method: string, path: string, fields: string, code: ProblemCode]> = {
  'a body': ['POST', appSearch, authorized, 'body-too-large'],
  'a body to be deleted by': ['DELETE', saved, authorized, 'body-too-large'],
  'a body to be read by': ['GET', '/v1/charts', authorized, 'chart-not-found'],
  'a body without a credential': ['POST', appSearch, json, 'unauthenticated'],
  'a body of no type': ['POST', appSearch, authorization, 'unsupported-media-type'],
  'a body for agents': ['POST', '/mcp', authorized, 'body-too-large'],
  'a body by a method there is not': ['PUT', '/v1/charts', authorized, 'method-not-allowed'],
  'a body where nothing is': ['GET', '/nothing', json, 'route-not-found'],
  'a body for an address that is none': ['POST', '/v1/%zz', authorized, 'invalid-request'],
}
const lengths: [what: string, field: string, isChunked: boolean][] = [
  ['in chunks without end', 'Transfer-Encoding: chunked\r\n', true],
  ['said to be a terabyte long', 'Content-Length: 1000000000000\r\n', false],
]

test('a body without end is answered, and the connection closed, with no more kept of it than a body may have', async () => {
  const before = process.memoryUsage().rss
  await Promise.all(
    lengths.flatMap(([how, length, isChunked]) =>
      Object.entries(endless).map(async ([what, [method, path, fields, code]]) => {
        isProblem(await floods(head(method, path, fields + length), isChunked), code, `${what} ${how}`)
      }),
    ),
  )
  const grown = (process.memoryUsage().rss - before) / 1024 / 1024
  assert.ok(grown < 250, `${grown} MiB`)
})

test('a body that was not waited for leaves the connection to the next request, once it has come', async () => {
  const { socket, heard, over } = open()
  socket.write(head('POST', appSearch, `${json}Content-Length: 200000\r\n`))
  await untilTrue(() => heard().includes('unauthenticated'))
  socket.write(' '.repeat(200_000))
  socket.write(head('GET', '/healthz', 'Connection: close\r\n'))
  await untilTrue(over)
  assert.match(heard(), /"status":"ok"/)
})

test('what follows a body that was too large is not answered, and does no harm', async () => {
  const { socket, heard, over } = open()
  socket.write(head('POST', appSearch, `${authorized}Transfer-Encoding: chunked\r\n`))
  socket.write(`180000\r\n${' '.repeat(0x18_00_00)}\r\n`)
  await untilTrue(() => heard().includes('body-too-large'))
  socket.write(`0\r\n\r\n${head('GET', '/healthz', '').repeat(100)}not HTTP at all\r\n\r\n`)
  await untilTrue(over)
  assert.doesNotMatch(heard(), /"status":"ok"/)
  assert.equal((await fetch(new URL('/healthz', address))).status, 200)
})

test('every operation that is sent a body it does not take answers what it declares', async () => {
  const crowd = `{${Array.from({ length: 60_000 }, (_, i) => `"k${i}":1`).join(',')}}`
  const bodies: [type: string, body: string][] = [
    ['application/json', '{"unknown":1}'],
    ['application/json', '{}'],
    ['application/json', '"text"'],
    ['application/json', crowd],
    ['text/plain', 'text'],
    ['application/json', `{"unknown":"${'a'.repeat(1024 * 1024)}"}`],
  ]
  for (const [tool, row] of Object.entries(contract) as [Tool, Operation][]) {
    if (row.method === 'POST' || row.method === 'PATCH') continue
    const path = row.path.replace(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(String(row.example.params?.[name as never])),
    )
    for (const [type, body] of bodies) {
      const { socket, heard, over } = open()
      const fields = `${authorization}Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n`
      socket.write(head(row.method, path, fields) + body)
      await untilTrue(over)
      const { status, body: reply } = answered(heard())
      const what = `${tool} with ${type} ${body.slice(0, 20)}: ${heard().slice(0, 300)}`
      if (status >= 400)
        assert.ok(possibleProblemsOf(row).includes(Problem.parse(reply).code as ProblemCode), what)
      else assert.ok(status === 200 || status === 204, what)
      assert.ok(heard().length < 100_000 || row.method === 'GET', what)
      if (row.method !== 'GET' && body !== '{}') assert.ok([400, 413, 415].includes(status), what)
    }
  }
})

test('a request that comes in drops ends when its time is over', async () => {
  // As in service, but sooner. The engine takes the longer of the two for bodies.
  Object.assign(world.server.server, { requestTimeout: 1_500, headersTimeout: 1_500 })
  const drops: Record<string, string> = {
    'a body in chunks': head('POST', appSearch, `${authorized}Transfer-Encoding: chunked\r\n`),
    'a body of a length': head('POST', appSearch, `${authorized}Content-Length: 1000000\r\n`),
    'a body to delete by': head('DELETE', saved, `${authorized}Content-Length: 1000000\r\n`),
    'a head': `POST ${appSearch} HTTP/1.1\r\nHost: ${address.host}\r\nX-Slow: `,
  }
  await Promise.all(
    Object.entries(drops).map(async ([what, beginning]) => {
      const line = open()
      line.socket.write(beginning)
      await sendsUntilOver(line, beginning.includes('chunked') ? '1\r\n \r\n' : ' ', 50)
      isProblem(line.heard(), 'request-timeout', what)
    }),
  )
})

test('an object of more properties than any record has, and more values than a route has use for, are refused by name before they are parsed', async () => {
  const authorization = `Bearer ${await world.key()}`
  const ask = async (url: string, payload: string) => {
    const headers = {
      authorization,
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'x-rivalscope-page': '1',
    }
    const { status, body } = await world.request({ method: 'POST', url, headers, payload })
    return [status, body.detail]
  }
  const crowd = (properties: number) =>
    `{${Array.from({ length: properties }, (_, i) => `"k${i}":1`).join(',')}}`
  const records = (ads: number) => `{"platform":"meta","records":[${Array(ads).fill(crowd(400)).join(',')}]}`
  const keywords = (terms: number) => JSON.stringify({ terms: Array(terms).fill('tide') })
  const properties = 'The body holds an object of more than 500 properties.'
  for (const url of ['/v1/aso/app-search', '/v1/admin/paid-ads/preview', '/mcp', '/keys'])
    assert.deepEqual(await ask(url, crowd(501)), [400, properties], url)
  assert.deepEqual(await ask('/v1/aso/app-search', keywords(6_000)), [
    400,
    'The body holds more than 5,000 values.',
  ])
  assert.deepEqual(await ask('/v1/admin/paid-ads/preview', records(200)), [
    400,
    'The body holds more than 50,000 values.',
  ])
  const long = JSON.stringify({ key: 'a'.repeat(20_000) })
  assert.deepEqual(await ask('/session', long), [413, 'The body is larger than 4 KiB.'])
  assert.deepEqual(await ask('/keys', long), [413, 'The body is larger than 16 KiB.'])
})
