import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { serverOn } from '../src/app.ts'
import { contract } from '../src/contract/contract.ts'
import { createKey } from '../src/domain/accounts/keys.ts'
import { revokeKeys } from '../src/domain/accounts/queries.ts'
import { stopClock } from './support/clock.ts'
import { storeListings } from './support/listings.ts'
import { connectMcp } from './support/mcp.ts'
import { until } from './support/until.ts'
import { type BesideContract, openWorld, type World } from './support/world.ts'

const page = 'https://research.example.com'
let world: World
let address: string
let key: string
before(async () => {
  world = await openWorld({ corsOrigins: [page] })
  address = await world.server.listen({ host: '127.0.0.1', port: 0 })
  key = await world.key()
})
after(() => world[Symbol.asyncDispose]())

const bearer = () => ({ authorization: `Bearer ${key}` })
const readable = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

/** A message of the protocol of 2025, as any program could send it. */
function post(body: unknown, headers: Record<string, string> = bearer()): Promise<Response> {
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(`${address}/mcp`, { method: 'POST', headers: { ...readable, ...headers }, body: payload })
}

test('clients of 2026 and of 2025 are answered alike', async () => {
  for (const era of ['modern', 'legacy'] as const) {
    await using agent = await connectMcp(address, key, era)
    assert.equal(agent.client.getNegotiatedProtocolVersion(), era === 'modern' ? '2026-07-28' : '2025-11-25')
    assert.equal(agent.client.getServerVersion()?.name, 'rivalscope')
    for (const words of [/`fields`/, /at most 60 kB/, /`\{ entries: 50, … \}`/])
      assert.match(agent.client.getInstructions() ?? '', words)
    assert.equal((await agent.client.listTools()).tools.length, Object.keys(contract).length)
    const { reply } = await agent.call('list_competitor_categories')
    assert.equal(reply.country, 'us')
    await assert.rejects(agent.call('nothing'), { code: -32602 })
  }
})

interface Told {
  isError?: boolean
  content: { text: string; annotations?: { audience: string[] } }[]
  structuredContent: object
}

/** What a tool answered to a client of a revision, at an address of the service. */
async function reported(name: string, given: object, version?: string, at = '/mcp'): Promise<Told> {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
  const headers = { ...readable, ...bearer(), ...(version ? { 'mcp-protocol-version': version } : {}) }
  const reply = await fetch(`${address}${at}`, { method: 'POST', headers, body: JSON.stringify(call) })
  return ((await reply.json()) as { result: Told }).result
}

test('a reply says the same as JSON in its text, for clients that show their model nothing else', async () => {
  for (const version of [undefined, '2025-03-26', '2025-06-18', '2025-11-25'])
    for (const [tool, given] of [
      ['list_competitor_categories', {}],
      ['list_competitor_categories', { fields: ['*'] }],
      ['get_competitor', { storeId: '1' }],
    ] as const) {
      const { content, structuredContent, isError } = await reported(tool, given, version)
      const [line, json, ...others] = content
      assert.deepEqual([others, isError ?? false], [[], tool === 'get_competitor'])
      assert.deepEqual(JSON.parse(json?.text ?? ''), structuredContent, version)
      // The line is for people and the JSON for the model, where a client tells them apart.
      assert.deepEqual(
        [line?.annotations, json?.annotations],
        [{ audience: ['user'] }, { audience: ['assistant'] }],
      )
    }
})

test('a call that is repeated is judged as the first one was, and answered with its own id from what is stored by then', async () => {
  const revision = '2026-07-28'
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const ask = (id: unknown, given: unknown, headers: Record<string, string> = {}) =>
    post(
      {
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'list_competitor_categories', arguments: given, _meta: meta },
      },
      {
        ...bearer(),
        'mcp-protocol-version': revision,
        'mcp-method': 'tools/call',
        'mcp-name': 'list_competitor_categories',
        ...headers,
      },
    )
  type Answer = { id: unknown; result: { structuredContent: object } }
  const country = 'us'
  const answers: Answer[] = []
  for (const id of [7, 'seven', '"}', 7]) answers.push((await (await ask(id, { country })).json()) as Answer)
  assert.deepEqual(
    answers.map(({ id }) => id),
    [7, 'seven', '"}', 7],
  )
  assert.deepEqual(answers.at(-1), answers[0])
  await storeListings(world, [
    {
      trackId: 471,
      trackName: 'Reed',
      observedAt: '2026-03-01T06:00:00Z',
      primaryGenreId: 6002,
      genreIds: ['6002'],
    },
  ])
  const later = (await (await ask(8, { country })).json()) as Answer
  assert.notDeepEqual(later.result.structuredContent, answers[0]?.result.structuredContent)
  for (const [id, given, headers] of [
    [9, { country }, { 'mcp-name': 'get_competitor' }],
    [9, 'us', {}],
    [{}, { country }, {}],
  ] as const)
    assert.match(await (await ask(id, given, headers)).text(), /"error":\{/)
  const refused = await (await ask(10, { country: 'nowhere' })).text()
  assert.match(refused, /"id":10\b/)
  assert.match(refused, /"isError":true/)
})

test('a client that shows its model structured content as well can leave the JSON out of the text', async () => {
  const brief = await reported('list_competitor_categories', {}, '2025-06-18', '/mcp?text=line')
  assert.deepEqual([brief.content.length, brief.content[0]?.annotations], [1, undefined])
  assert.ok('items' in brief.structuredContent)
  // One too old for structured content would be left with nothing.
  for (const version of [undefined, '2025-03-26'])
    assert.equal(
      (await reported('list_competitor_categories', {}, version, '/mcp?text=line')).content.length,
      2,
    )
  const { status } = await fetch(`${address}/mcp?text=all`, {
    ...{ method: 'POST', headers: { ...readable, ...bearer() }, body: JSON.stringify(listTools) },
  })
  assert.equal(status, 400)
})

test('without a credential that holds, the reply says where to learn how to get one', async () => {
  for (const [headers, error] of [
    [{}, false],
    [{ authorization: 'Bearer rsk_nobody_nobody_nobody' }, true],
  ] as const) {
    const reply = await post(listTools, headers as Record<string, string>)
    assert.equal(reply.status, 401)
    const challenge = reply.headers.get('www-authenticate') ?? ''
    assert.equal(challenge.includes('error="invalid_token"'), error)
    const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? ''
    assert.equal(metadata, `${address}/.well-known/oauth-protected-resource/mcp`)
    const { resource, scopes_supported, ...others } = (await (await fetch(metadata)).json()) as Record<
      string,
      unknown
    >
    assert.equal(resource, `${address}/mcp`)
    assert.deepEqual(scopes_supported, ['context:read', 'content:write'])
    assert.ok(!('authorization_servers' in others), 'nobody issues tokens here')
  }
  const whole = await fetch(`${address}/.well-known/oauth-protected-resource`)
  assert.equal(((await whole.json()) as { resource: string }).resource, address)
})

test('a client that asks to be registered is told that it needs a key, unless an issuer of tokens does it', async () => {
  const asked = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"redirect_uris":[]}',
  }
  const reply = await fetch(`${address}/register`, asked)
  assert.equal(reply.status, 403)
  const { error, error_description } = (await reply.json()) as Record<string, string>
  assert.equal(error, 'access_denied')
  assert.match(error_description ?? '', /key is missing, unknown, expired or revoked.*rivalscope keys create/)
})

test('a key that is revoked in the middle of a session fails within a second', async () => {
  using clock = stopClock()
  const { db } = world.store
  await using agent = await connectMcp(
    address,
    await createKey(db, { name: 'leaver', scopes: ['context:read'] }),
  )
  assert.equal((await agent.call('list_aso_apps')).failed, false)
  await revokeKeys(db, 'leaver')
  clock.pass(1_000)
  await assert.rejects(agent.call('list_aso_apps'), (error: Error) =>
    /401|nauthori/.test(`${error.name} ${error.message}`),
  )
})

test('pages of others are refused, those the operator allows and those on this machine are not', async () => {
  const asked = async (origin: string) => (await post(listTools, { ...bearer(), origin })).status
  assert.equal(await asked(page), 200)
  assert.equal(await asked('http://localhost:6274'), 200)
  assert.equal(await asked(address), 200)
  const foreign = [
    'https://evil.example.com',
    'null',
    'http://localhost.evil.example.com',
    `${page}.evil.com`,
    '',
  ]
  for (const origin of foreign) assert.equal(await asked(origin), 403, origin)
  const refusal = await post(listTools, { ...bearer(), origin: 'https://evil.example.com' })
  assert.equal(((await refusal.json()) as { code: string }).code, 'origin-refused')
})

test('a name that was made to lead here is refused while only this machine is listened to', async () => {
  const asked = async (host: string) =>
    (
      await world.request({
        method: 'POST',
        url: '/mcp',
        headers: { ...readable, ...bearer(), host },
        payload: listTools,
      })
    ).status
  for (const host of ['localhost:8787', '127.0.0.1', '[::1]:8787']) assert.equal(await asked(host), 200, host)
  for (const host of ['rebound.example.com', 'localhost.example.com:8787', '0x7f.1.evil', 'a b'])
    assert.equal(await asked(host), 403, host)
})

test('an address given by the operator is where the service says it is', async () => {
  const publicUrl = 'https://apps.example.com/rivalscope'
  await using parts = new AsyncDisposableStack()
  const server = await serverOn(
    world.store,
    world.enqueue,
    world.collecting,
    {
      publicUrl,
      tokenIssuer: { issuer: 'https://id.example.com', audience: publicUrl, accountClaim: 'sub' },
      corsOrigins: [],
      rateLimit: 0,
      logLevel: 'silent',
      media: world.archive.store,
    },
    parts,
  )
  const metadata = await server.inject('/.well-known/oauth-protected-resource/mcp')
  assert.equal(metadata.json().resource, `${publicUrl}/mcp`)
  assert.deepEqual(metadata.json().authorization_servers, ['https://id.example.com'])
  const headers = { ...readable, host: 'apps.example.com', origin: 'https://apps.example.com' }
  const refused = await server.inject({ method: 'POST', url: '/mcp', headers, payload: listTools })
  assert.equal(refused.statusCode, 401)
  assert.ok(refused.headers['www-authenticate']?.includes(`${publicUrl}/.well-known/`))
  assert.equal((await server.inject({ method: 'POST', url: '/register', payload: {} })).statusCode, 404)
})

test('streams and sessions of others are not offered: only POST is', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const reply = await fetch(`${address}/mcp`, {
      method,
      headers: { ...bearer(), accept: 'text/event-stream' },
    })
    assert.deepEqual([reply.status, reply.headers.get('allow')], [405, 'POST'], method)
  }
  // Clients that are refused with a wrong key try the older transport, and show what that is answered.
  const wrong = { authorization: 'Bearer rsk_wrong', accept: 'text/event-stream' }
  assert.equal((await fetch(`${address}/mcp`, { headers: wrong })).status, 401)
})

test('a body that is no message is refused and says why', async () => {
  for (const [body, status, headers] of [
    ['{"jsonrpc":', 400, {}],
    ['', 400, {}],
    ['[]', 400, {}],
    ['{"jsonrpc":"1.0"}', 400, {}],
    [`${'['.repeat(300)}${']'.repeat(300)}`, 400, {}],
    [`"${'x'.repeat(1024 * 1024)}"`, 413, {}],
    [listTools, 415, { 'content-type': 'text/plain' }],
    [listTools, 406, { accept: 'text/html' }],
  ] as const) {
    const reply = await post(body, { ...bearer(), ...headers })
    assert.equal(reply.status, status, JSON.stringify(body).slice(0, 40))
    assert.ok((await reply.text()).length > 20)
  }
})

test('a client that asks to be told of changes is answered at once: nothing changes while the service runs', async () => {
  const reply = await post(
    {
      jsonrpc: '2.0',
      id: 7,
      method: 'subscriptions/listen',
      params: {
        notifications: { toolsListChanged: true },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
    { ...bearer(), 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
  )
  assert.equal(reply.status, 200)
  assert.match(await reply.text(), /"resultType":"complete"/)
})

test('two hundred clients at once are all answered, and leave nothing behind', async () => {
  const agents = await Promise.all(
    Array.from({ length: 200 }, (_, index) => connectMcp(address, key, index % 2 ? 'legacy' : 'modern')),
  )
  const replies = await Promise.all(agents.map((agent) => agent.call('list_competitor_categories')))
  assert.ok(replies.every(({ failed }) => !failed))
  await Promise.all(agents.map((agent) => agent[Symbol.asyncDispose]()))
  world.server.server.closeIdleConnections()
  await until(connections, (count) => count === 0)
})

test('requests that are abandoned, and streams half closed, leave nothing behind', async () => {
  const call = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'list_competitor_categories' },
  })
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    ...Object.entries(readable).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${call.length}`,
    '',
    '',
  ].join('\r\n')
  const open = async () => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }
  for (let count = 0; count < 20; count++) {
    const abandoned = await open()
    abandoned.write(head + call)
    abandoned.destroy()
    const halfSent = await open()
    halfSent.write(head + call.slice(0, 10))
    halfSent.destroy()
  }
  const halfClosed = await open()
  halfClosed.end(head + call)
  // Who closes its half is answered if that is quick enough, else taken for gone: the connection ends either way.
  await once(halfClosed.resume(), 'close')
  await until(connections, (count) => count === 0)
})

test('each message of a batch counts as a request', async () => {
  await using limited = await openWorld({ rateLimit: 5 })
  using _clock = stopClock()
  const headers = { ...readable, authorization: `Bearer ${await limited.key()}` }
  const ask = <Body>(payload: object) =>
    limited.request<Body>({ method: 'POST', url: '/mcp', headers, payload })
  const three = [1, 2, 3].map((id) => ({ ...listTools, id }))
  const first = await ask<object[]>(three)
  assert.deepEqual([first.status, first.body.length], [200, 3])
  const second = await ask<BesideContract>(three)
  assert.deepEqual([second.status, second.body.code], [429, 'rate-limited'])
  assert.ok(Number(second.headers['retry-after']) > 0)
})

function connections(): Promise<number> {
  return new Promise((resolve, reject) =>
    world.server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}

test('a request without the parameters it needs is told so, and is no failure of the service', async () => {
  for (const method of ['initialize', 'tools/call', 'prompts/get'])
    for (const params of [undefined, {}, [], { name: 7, protocolVersion: 7 }]) {
      const reply = await post({ jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) })
      const { error } = (await reply.json()) as { error: { code: number; message: string } }
      assert.ok(
        [-32602, -32600].includes(error?.code),
        `${method} ${JSON.stringify(params)}: ${JSON.stringify(error)}`,
      )
    }
})

test('in a batch it alone is told so, and the others are answered', async () => {
  const without = { jsonrpc: '2.0', id: 'without', method: 'initialize', params: {} }
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
  const answersTo = async (batch: object[]) => {
    const replies = (await (await post(batch)).json()) as { id: unknown; error?: { code: number } }[]
    return new Map(replies.map(({ id, error }) => [id, error?.code]))
  }
  const mixed = await answersTo([without, { ...listTools, id: 'whole' }, notification])
  assert.deepEqual(Object.fromEntries(mixed), { without: -32602, whole: undefined })
  assert.deepEqual(Object.fromEntries(await answersTo([without, notification])), { without: -32602 })
  assert.deepEqual(Object.fromEntries(await answersTo([without, { ...without, id: 'again' }])), {
    without: -32602,
    again: -32602,
  })
})
