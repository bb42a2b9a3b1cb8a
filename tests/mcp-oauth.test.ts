import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { stopClock } from './support/clock.ts'
import { freePort } from './support/free-port.ts'
import { connectMcp } from './support/mcp.ts'
import { atProvider, openProvider } from './support/openid-provider.ts'
import { openWorld } from './support/world.ts'

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
const port = await freePort()
const home = `http://127.0.0.1:${port}`
const resource = `${home}/mcp`
const elsewhere = 'https://elsewhere.test/mcp'
const callback = 'http://127.0.0.1:1/callback'
const provider = parts.use(await openProvider([home, resource, elsewhere]))
const issuer = { issuer: provider.issuer, accountClaim: 'sub' }
const world = parts.use(await openWorld({ tokenIssuer: { ...issuer, audience: [resource, home] } }))
await world.server.listen({ host: '127.0.0.1', port })

/** What a connector keeps of its person's sign-in. */
function connector(scope?: string) {
  const kept = new Map<string, unknown>()
  const keeper: OAuthClientProvider = {
    redirectUrl: callback,
    clientMetadata: {
      client_name: 'a connector',
      redirect_uris: [callback],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...(scope ? { scope } : {}),
    },
    clientInformation: () => kept.get('client') as never,
    saveClientInformation: (client) => void kept.set('client', client),
    tokens: () => kept.get('tokens') as never,
    saveTokens: (tokens) => void kept.set('tokens', tokens),
    redirectToAuthorization: (address) => void kept.set('sentTo', address.href),
    saveCodeVerifier: (verifier) => void kept.set('verifier', verifier),
    codeVerifier: () => String(kept.get('verifier')),
    saveDiscoveryState: (found) => void kept.set('found', found),
    discoveryState: () => kept.get('found') as never,
  }
  return {
    keeper,
    tokens: () => kept.get('tokens') as { access_token: string; scope?: string },
    sentTo: () => new URL(String(kept.get('sentTo'))).searchParams,
    comesBack: async () => new URL(await atProvider(String(kept.get('sentTo')), callback)).searchParams,
  }
}

const transportOf = (authProvider: OAuthClientProvider) =>
  new StreamableHTTPClientTransport(new URL(resource), { authProvider })
const newClient = () => new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })

/** A connector with nothing but the address, until it is connected. */
async function connected(connection = connector()) {
  const first = transportOf(connection.keeper)
  await assert.rejects(newClient().connect(first), UnauthorizedError)
  await first.finishAuth(await connection.comesBack())
  const client = newClient()
  const transport = transportOf(connection.keeper)
  await client.connect(transport)
  return { client, transport, ...connection, [Symbol.asyncDispose]: () => client.close() }
}

test('a connector that knows nothing but the address registers at the provider, signs its person in, lists and calls', async () => {
  await using agent = await connected()
  assert.deepEqual(provider.registered, ['a connector'])
  const { resource: asked, scope, code_challenge_method: challenge } = Object.fromEntries(agent.sentTo())
  assert.deepEqual([asked, scope, challenge], [resource, 'context:read content:write', 'S256'])
  assert.equal((await agent.client.listTools()).tools.length, 45)
  const { isError, structuredContent } = await agent.client.callTool({
    name: 'list_competitor_categories',
    arguments: {},
  })
  assert.notEqual(isError, true)
  assert.equal((structuredContent as { country: string }).country, 'us')
  // Keys go on beside.
  await using byKey = await connectMcp(home, await world.key())
  assert.equal((await byKey.client.listTools()).tools.length, 45)
})

test('a token that lacks a scope is refused with the scopes to ask for, and its connector asks the person for them', async () => {
  provider.granted = ['context:read']
  await using agent = await connected()
  assert.equal(agent.tokens().scope, 'context:read')
  assert.equal((await agent.client.listTools()).tools.length, 22)
  const write = { name: 'track_aso_app', arguments: { app: '1', role: 'own' } }
  const refused = await post(write, agent.tokens().access_token)
  assert.equal(refused.status, 403)
  assert.equal(
    refused.headers.get('www-authenticate'),
    `Bearer error="insufficient_scope", scope="context:read content:write", resource_metadata="${home}/.well-known/oauth-protected-resource/mcp"`,
  )
  assert.equal(((await refused.json()) as { code: string }).code, 'scope-missing')

  provider.granted = ['context:read', 'content:write']
  await assert.rejects(agent.client.callTool(write), UnauthorizedError)
  assert.equal(agent.sentTo().get('scope'), 'context:read content:write')
  await agent.transport.finishAuth(await agent.comesBack())
  const { isError, content } = await agent.client.callTool(write)
  assert.notEqual(isError, true, JSON.stringify(content))

  // A key is told by the result: its client has nobody to ask.
  const key = await world.key(['context:read'])
  await using byKey = await connectMcp(home, key)
  assert.equal((await byKey.call('track_aso_app', write.arguments)).reply.code, 'scope-missing')
})

function post(call: object, token: string | undefined, headers: Record<string, string> = {}) {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }
  return fetch(resource, {
    method: 'POST',
    headers: {
      ...{ accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify(body),
  })
}
const reading = { name: 'list_competitor_categories', arguments: {} }

/** A token of a client that asks for this resource; for the home of the service where it asks for none. */
async function tokenFor(audience?: string): Promise<string> {
  const client = connector()
  client.keeper.validateResourceURL = async () => (audience === undefined ? undefined : new URL(audience))
  const transport = transportOf(client.keeper)
  await assert.rejects(newClient().connect(transport), UnauthorizedError)
  await transport.finishAuth(await client.comesBack())
  return client.tokens().access_token
}

test('a token counts for the audiences that the operator names, and no other', async () => {
  const [ofMcp, ofHome, ofOthers] = [await tokenFor(resource), await tokenFor(), await tokenFor(elsewhere)]
  assert.equal((await post(reading, ofMcp)).status, 200)
  assert.equal((await post(reading, ofHome)).status, 200)
  const refused = await post(reading, ofOthers)
  assert.equal(refused.status, 401)
  const challenge = refused.headers.get('www-authenticate') ?? ''
  assert.match(challenge, /error="invalid_token".*resource_metadata="[^"]+\/oauth-protected-resource\/mcp"/)
  await using narrow = await openWorld({ tokenIssuer: { ...issuer, audience: resource } })
  const asked = async (token: string) =>
    (
      await narrow.request({
        method: 'GET',
        url: '/v1/competitors/categories',
        headers: { authorization: `Bearer ${token}` },
      })
    ).status
  assert.deepEqual([await asked(ofMcp), await asked(ofHome), await asked(ofOthers)], [200, 401, 401])
})

test('a token that has expired is refused as invalid, and its connector signs in anew', async () => {
  await using agent = await connected()
  using clock = stopClock()
  clock.pass(3_700_000)
  const refused = await post(reading, agent.tokens().access_token)
  assert.equal(refused.status, 401)
  assert.match(refused.headers.get('www-authenticate') ?? '', /error="invalid_token"/)
  await assert.rejects(agent.client.callTool(reading), UnauthorizedError)
})

test('a page on this machine, such as the Inspector, may call and read what it is refused; a page of others may not', async () => {
  const inspector = 'http://localhost:6274'
  const asks = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,mcp-protocol-version',
  }
  const preflight = (url: string, origin: string) =>
    fetch(url, { method: 'OPTIONS', headers: { origin, ...asks } })
  const allowed = await preflight(resource, inspector)
  assert.equal(allowed.status, 204)
  assert.equal(allowed.headers.get('access-control-allow-origin'), inspector)
  assert.equal(allowed.headers.get('access-control-allow-headers'), asks['access-control-request-headers'])
  const refused = await post(reading, undefined, { origin: inspector })
  assert.equal(refused.status, 401)
  assert.equal(refused.headers.get('access-control-allow-origin'), inspector)
  assert.match(refused.headers.get('access-control-expose-headers') ?? '', /www-authenticate/)
  const stranger = 'https://evil.example.com'
  for (const reply of [
    await preflight(resource, stranger),
    await post(reading, undefined, { origin: stranger }),
  ]) {
    assert.ok(reply.status >= 400)
    assert.equal(reply.headers.get('access-control-allow-origin'), null)
  }
  // Where to sign in is public.
  const metadata = `${home}/.well-known/oauth-protected-resource/mcp`
  assert.equal((await preflight(metadata, stranger)).status, 204)
  const told = await fetch(metadata, { headers: { origin: stranger } })
  assert.equal(told.headers.get('access-control-allow-origin'), '*')
  // Operations are for the origins that the operator names.
  const operation = await fetch(`${home}/v1/competitors/categories`, { headers: { origin: inspector } })
  assert.equal(operation.headers.get('access-control-allow-origin'), null)
})

test('what the provider says of itself is found through this service: where to register, sign in and get tokens', async () => {
  const { authorization_servers: servers } = (await (
    await fetch(`${home}/.well-known/oauth-protected-resource/mcp`)
  ).json()) as { authorization_servers: string[] }
  assert.deepEqual(servers, [provider.issuer])
  const said = await fetch(`${servers[0]}/.well-known/openid-configuration`)
  const { issuer: named, registration_endpoint: registers } = (await said.json()) as Record<string, string>
  assert.equal(named, provider.issuer)
  assert.ok(registers?.startsWith(provider.issuer))
  assert.equal((await fetch(`${home}/register`, { method: 'POST' })).status, 404, 'nobody registers here')
})
