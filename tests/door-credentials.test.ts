import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { base64url, exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { sql } from 'kysely'
import { Credentials, type TokenIssuer } from '../src/api/credentials.ts'
import { serverOn } from '../src/app.ts'
import { createKey } from '../src/domain/accounts/keys.ts'
import { listKeys, revokeKeys } from '../src/domain/accounts/queries.ts'
import { rows } from '../src/storage/database.ts'
import { stopClock } from './support/clock.ts'
import { openWorld } from './support/world.ts'

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
const audience = 'https://rivalscope.test'
const provider = parts.use(await openProvider())
const world = parts.use(await openWorld({ tokenIssuer: issuerAt(provider.address) }))
const { db } = world.store

const reading = { method: 'GET', url: '/v1/competitors/categories' } as const
/** Passes the scope and fails at its body, so that nothing is written or asked upstream. */
const writing = { method: 'POST', url: '/v1/aso/apps', payload: {} } as const

const ask = (authorization: string | undefined, what: typeof reading | typeof writing = reading) =>
  world.request({ ...what, headers: authorization === undefined ? {} : { authorization } })

test('a request without a credential, or with one that does not hold, is refused without saying which it was', async () => {
  const expired = await createKey(db, {
    name: 'expired',
    scopes: ['context:read'],
    expiresAt: new Date(Date.now() - 1_000),
  })
  const revoked = await createKey(db, { name: 'revoked', scopes: ['context:read'] })
  await revokeKeys(db, 'revoked')
  const unknown = `rsk_${'A'.repeat(43)}`
  const details = new Set<string>()
  for (const key of [unknown, expired, revoked]) {
    const { status, headers, body } = await ask(`Bearer ${key}`)
    assert.deepEqual([status, body.code], [401, 'unauthenticated'])
    assert.match(headers['content-type'] ?? '', /^application\/problem\+json/)
    assert.match(headers['www-authenticate'] ?? '', /^Bearer\b/)
    details.add(body.detail)
  }
  assert.equal(details.size, 1, 'the reply tells unknown, expired and revoked keys apart')
  for (const authorization of [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Basic dTpw',
    'rsk_x',
    'Bearer a b',
    'Bearer ü',
  ]) {
    const { status, headers, body } = await ask(authorization)
    assert.deepEqual([status, body.code], [401, 'unauthenticated'], authorization)
    assert.match(headers['www-authenticate'] ?? '', /^Bearer\b/, authorization)
  }
})

test('a key works with the scheme in any case, and until the moment it expires', async () => {
  using clock = stopClock()
  const key = await createKey(db, {
    name: 'short',
    scopes: ['context:read'],
    expiresAt: new Date(Date.now() + 60_000),
  })
  for (const authorization of [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}`])
    assert.equal((await ask(authorization)).status, 200, authorization)
  await sql`update api_keys set expires_at = now() where name = 'short'`.execute(db)
  // What a process knows of a key that is in use holds for a second.
  clock.pass(1_000)
  assert.equal((await ask(`Bearer ${key}`)).status, 401)
})

test('a revoked key stops within a second where it was in use, and at once elsewhere', async () => {
  using clock = stopClock()
  const key = await createKey(db, { name: 'leaked', scopes: ['context:read'] })
  assert.equal((await ask(`Bearer ${key}`)).status, 200)
  const keyId = (await listKeys(db)).find(({ name }) => name === 'leaked')?.keyId
  assert.equal((await revokeKeys(db, String(keyId))).length, 1)
  await using otherProcess = new AsyncDisposableStack()
  const elsewhere = await openServer(otherProcess)
  assert.equal((await askAt(elsewhere, key)).statusCode, 401)
  clock.pass(1_000)
  assert.equal((await ask(`Bearer ${key}`)).status, 401)
})

test('neither scope implies the other, and the refusal names the one that is missing', async () => {
  const reader = await world.key(['context:read'])
  const writer = await world.key(['content:write'])
  const nobody = await world.key([])
  assert.equal((await ask(`Bearer ${reader}`, reading)).status, 200)
  assert.equal((await ask(`Bearer ${writer}`, writing)).status, 400, 'the scope holds, the body does not')
  for (const [key, what, scope] of [
    [reader, writing, 'content:write'],
    [writer, reading, 'context:read'],
    [nobody, reading, 'context:read'],
  ] as const) {
    const { status, headers, body } = await ask(`Bearer ${key}`, what)
    assert.deepEqual([status, body.code, body.scope], [403, 'scope-missing', scope])
    assert.match(body.detail, new RegExp(scope))
    assert.match(headers['www-authenticate'] ?? '', new RegExp(`insufficient_scope.*scope="${scope}"`))
  }
})

test('searching through POST, and looking for advertisers, need the scope to write', async () => {
  const reader = await world.key(['context:read'])
  const search = await world.call('search_ios_apps', { term: 'tea', live: false }, { key: reader })
  assert.deepEqual([search.status, search.body.scope], [403, 'content:write'])
  const lookup = await world.call('admin_search_paid_ad_advertisers', {}, { key: reader })
  assert.deepEqual([lookup.status, lookup.body.scope], [403, 'content:write'])
})

test('a missing scope is told before anything is said about the input', async () => {
  const reader = await world.key(['context:read'])
  const { status } = await world.request({
    ...writing,
    payload: { nonsense: 1 },
    headers: { authorization: `Bearer ${reader}` },
  })
  assert.equal(status, 403)
})

test('a key is shown once: the store holds only its hash', async () => {
  const key = await createKey(db, { name: 'secret one', scopes: ['context:read'], account: 'studio' })
  assert.match(key, /^rsk_[A-Za-z0-9_-]{43}$/)
  const [stored] = await rows(
    db,
    sql<{ hash: string; everything: string }>`
      select encode(key_hash, 'hex') as hash, row_to_json(k)::text as everything
      from api_keys k where name = 'secret one'`,
  )
  assert.equal(stored?.hash, hash('sha256', key))
  assert.ok(!stored?.everything.includes(key.slice(4)), 'the key itself is in the table')
  const listed = (await listKeys(db)).find(({ name }) => name === 'secret one')
  assert.equal(listed?.account, 'studio')
  assert.ok(!JSON.stringify(listed).includes(key.slice(4)))
})

test('the last use of a key is recorded, at the latest when the process stops', async () => {
  const key = await createKey(db, { name: 'used', scopes: ['context:read'] })
  await createKey(db, { name: 'idle', scopes: ['context:read'] })
  const before = Date.now() - 1_000
  {
    await using stack = new AsyncDisposableStack()
    assert.equal((await askAt(await openServer(stack), key)).statusCode, 200)
  }
  const keys = await listKeys(db)
  const lastUse = (name: string) => keys.find((one) => one.name === name)?.lastUsedAt
  assert.ok(Number(lastUse('used')) >= before, `recorded ${lastUse('used')}`)
  assert.equal(lastUse('idle'), null)
})

test('keys of one account name share the account, others have their own', async () => {
  await using credentials = new Credentials(db, undefined)
  const account = async (name: string) =>
    (await credentials.callerOf(`Bearer ${await world.key(['context:read'], name)}`)).accountId
  assert.equal(await account('studio'), await account('studio'))
  assert.notEqual(await account('studio'), await account('agency'))
})

test('a token of the configured provider is accepted, with the scopes it names in either claim', async () => {
  assert.equal((await ask(await bearer({ scope: 'openid context:read' }))).status, 200)
  assert.equal((await ask(await bearer({ scp: ['context:read', 'email'] }))).status, 200)
  assert.equal((await ask(await bearer({ scp: 'email context:read' }))).status, 200)
  const written = await bearer({ scope: 'content:write' })
  assert.equal((await ask(written, writing)).status, 400, 'the scope holds, the body does not')
  for (const claims of [{}, { scope: 'context:reader' }, { scp: ['content:write'] }, { scope: 'toString' }]) {
    const { status, body } = await ask(await bearer(claims))
    assert.deepEqual([status, body.scope], [403, 'context:read'], JSON.stringify(claims))
  }
})

test('tokens of another issuer, for another audience, out of their time or without a subject are refused', async () => {
  const now = Math.floor(Date.now() / 1000)
  const wrong: [string, Promise<string>][] = [
    ['issuer', bearer({ scope: 'context:read', iss: 'https://elsewhere.test' })],
    ['audience', bearer({ scope: 'context:read', aud: 'https://other.test' })],
    ['expired', bearer({ scope: 'context:read', exp: now - 120 })],
    ['without end', bearer({ scope: 'context:read', exp: undefined })],
    ['not yet', bearer({ scope: 'context:read', nbf: now + 600 })],
    ['no subject', bearer({ scope: 'context:read', sub: undefined })],
    ['endless subject', bearer({ scope: 'context:read', sub: 'x'.repeat(256) })],
    ['control characters in the subject', bearer({ scope: 'context:read', sub: 'a\u0000b' })],
  ]
  for (const [what, authorization] of wrong) await isRefused(what, await authorization)
})

test('tokens that the provider did not sign are refused, whatever they say about their algorithm', async () => {
  const claims = { iss: provider.address, aud: audience, sub: 'mallory', scope: 'context:read' }
  const exp = Math.floor(Date.now() / 1000) + 300
  const publicKey = new TextEncoder().encode(await exportSPKI(provider.keys.publicKey))
  const stranger = await generateKeyPair('RS256')
  const signed = (header: { alg: string; kid?: string }, key: Parameters<SignJWT['sign']>[0]) =>
    new SignJWT({ ...claims, exp }).setProtectedHeader(header).sign(key)
  const [head, , signature] = (await bearer({ scope: 'context:read' })).slice('Bearer '.length).split('.')
  const forged: Record<string, string> = {
    'alg none': new UnsecuredJWT({ ...claims, exp }).encode(),
    'alg none with kid': `${base64url.encode(JSON.stringify({ alg: 'none', kid: 'one' }))}.${base64url.encode(JSON.stringify({ ...claims, exp }))}.`,
    'HS256 with the public key': await signed({ alg: 'HS256', kid: 'one' }, publicKey),
    "another's key under the same name": await signed({ alg: 'RS256', kid: 'one' }, stranger.privateKey),
    'a key nobody knows': await signed({ alg: 'RS256', kid: 'two' }, stranger.privateKey),
    'claims changed': `${head}.${base64url.encode(JSON.stringify({ ...claims, exp }))}.${signature}`,
    'signature cut off': `${head}.${base64url.encode(JSON.stringify({ ...claims, exp }))}.`,
    'no token at all': 'abc.def.ghi',
    'one word': 'opaque',
    dots: '...',
  }
  for (const [what, token] of Object.entries(forged)) await isRefused(what, `Bearer ${token}`)
})

test('the account of a token is the one its claim names, apart from the accounts of keys', async () => {
  await using credentials = new Credentials(db, { ...issuerAt(provider.address), accountClaim: 'org' })
  const account = async (claims: Record<string, unknown>) =>
    (await credentials.callerOf(await bearer({ scope: 'context:read', ...claims }))).accountId
  const studio = await account({ sub: 'ann', org: 'studio' })
  assert.equal(await account({ sub: 'bob', org: 'studio' }), studio)
  assert.notEqual(await account({ sub: 'ann', org: 'agency' }), studio)
  const ofKey = (await credentials.callerOf(`Bearer ${await world.key(['context:read'], 'studio')}`)).accountId
  assert.notEqual(ofKey, studio)
  for (const org of [undefined, '', 7, ['studio'], 'x'.repeat(3_000), 'a\u0000b', 'a\ud800', 'a\u2028b'])
    await assert.rejects(account({ sub: 'ann', org }), { code: 'unauthenticated' }, JSON.stringify(org))
})

/** Asks for data under one `Idempotency-Key`, at a server that takes the account from the claim `org`. */
async function askForData(server: FastifyInstance, claims: Record<string, unknown>) {
  const { statusCode, headers, payload } = await server.inject({
    method: 'POST',
    url: '/v1/competitors/ios/424242/data-requests',
    headers: {
      authorization: await bearer({ scope: 'context:read content:write', ...claims }),
      'idempotency-key': 'once',
    },
    payload: { kinds: ['record'], note: 'for the launch' },
  })
  return { statusCode, replayed: headers['idempotency-replayed'], body: JSON.parse(payload) }
}

test('a reply kept for one account of a subject is never sent to another account of it', async () => {
  await using stack = new AsyncDisposableStack()
  const tokenIssuer = { ...issuerAt(provider.address), accountClaim: 'org' }
  const server = await openServer(stack, { tokenIssuer })
  const asStudio = () => askForData(server, { sub: 'ann', org: 'one studio' })
  const studio = await asStudio()
  const agency = await askForData(server, { sub: 'ann', org: 'one agency' })
  assert.deepEqual([agency.statusCode, agency.replayed], [201, undefined])
  assert.notEqual(agency.body.items[0].requestId, studio.body.items[0].requestId)
  const again = await asStudio()
  assert.deepEqual([again.replayed, again.body], ['true', studio.body])
})

test('a kept reply is sent again only to a credential that may still ask for it', async () => {
  await using stack = new AsyncDisposableStack()
  const tokenIssuer = { ...issuerAt(provider.address), accountClaim: 'org' }
  const server = await openServer(stack, { tokenIssuer })
  await askForData(server, { sub: 'eve', org: 'narrowed' })
  const { statusCode, body } = await askForData(server, { sub: 'eve', org: 'narrowed', scope: 'context:read' })
  assert.deepEqual([statusCode, body.code], [403, 'scope-missing'])
})

test('tokens may bring evidence, or those whose claim says so where one is named', async () => {
  const bringsEvidence = async (evidenceClaim: string | undefined, claims: Record<string, unknown>) => {
    const issuer = { ...issuerAt(provider.address), ...(evidenceClaim ? { evidenceClaim } : {}) }
    await using credentials = new Credentials(db, issuer)
    return (await credentials.callerOf(await bearer({ scope: 'content:write', ...claims }))).bringsEvidence
  }
  assert.equal(await bringsEvidence(undefined, {}), true)
  assert.equal(await bringsEvidence('brings', { brings: true }), true)
  for (const brings of [undefined, false, 'true', 1, null])
    assert.equal(await bringsEvidence('brings', { brings }), false, JSON.stringify(brings))
})

test('tokens administer the keys of their account where the claim that is named says so, and nowhere else', async () => {
  const administers = async (adminClaim: string | undefined, claims: Record<string, unknown>) => {
    await using credentials = new Credentials(db, {
      ...issuerAt(provider.address),
      ...(adminClaim && { adminClaim }),
    })
    return (await credentials.callerOf(await bearer({ scope: 'content:write', ...claims }))).administers
  }
  assert.equal(await administers('owner', { owner: true }), true)
  for (const owner of [undefined, false, 'true', 1, null])
    assert.equal(await administers('owner', { owner }), false, JSON.stringify(owner))
  assert.equal(await administers(undefined, { owner: true, undefined: true }), false)
})

test('each subject is a credential of its own for the rate limit, however long its name', async () => {
  await using stack = new AsyncDisposableStack()
  using _clock = stopClock()
  const server = await openServer(stack, { rateLimit: 2 })
  const ann = await bearer({ scope: 'context:read', sub: 'a'.repeat(255) })
  const again = await bearer({ scope: 'context:read', sub: 'a'.repeat(255) })
  const statuses = []
  for (const one of [ann, again, again]) statuses.push((await askAt(server, one.slice(7))).statusCode)
  assert.deepEqual(statuses, [200, 200, 429])
  assert.equal((await askAt(server, (await bearer({ scope: 'context:read' })).slice(7))).statusCode, 200)
})

test('the address of the keys can be given instead of discovered', async () => {
  await using stack = new AsyncDisposableStack()
  const tokenIssuer = { ...issuerAt('https://issuer.test'), jwksUrl: `${provider.address}/keys` }
  const server = await openServer(stack, { tokenIssuer })
  const token = (await bearer({ scope: 'context:read', iss: 'https://issuer.test' })).slice(7)
  assert.equal((await askAt(server, token)).statusCode, 200)
})

test('while the provider is down tokens get 503 and keys go on working, and tokens work when it is back', async () => {
  await using stack = new AsyncDisposableStack()
  const flaky = stack.use(await openProvider())
  const server = await openServer(stack, { tokenIssuer: { ...issuerAt(flaky.address), askAgainMs: 0 } })
  const token = (await bearer({ scope: 'context:read' }, flaky)).slice(7)
  const key = await world.key()
  for (const trouble of ['hang up', 'fail', 'answer a page', 'name no keys', 'answer other JSON'] as const) {
    flaky.trouble = trouble
    const reply = await askAt(server, token)
    assert.deepEqual([reply.statusCode, reply.json().code], [503, 'unavailable'], trouble)
    assert.ok(Number(reply.headers['retry-after']) > 0)
    assert.equal((await askAt(server, key)).statusCode, 200)
  }
  flaky.trouble = undefined
  assert.equal((await askAt(server, token)).statusCode, 200)
})

test('where no provider is configured a token is just an unknown credential', async () => {
  await using stack = new AsyncDisposableStack()
  const server = await openServer(stack, { tokenIssuer: undefined })
  const token = (await bearer({ scope: 'context:read' })).slice(7)
  assert.equal((await askAt(server, token)).statusCode, 401)
})

async function isRefused(what: string, authorization: string): Promise<void> {
  const { status, body } = await ask(authorization)
  assert.deepEqual([status, body.code], [401, 'unauthenticated'], what)
}

/** Another process over the same store. */
function openServer(
  stack: AsyncDisposableStack,
  options: { rateLimit?: number; tokenIssuer?: TokenIssuer | undefined } = {},
): Promise<FastifyInstance> {
  const usual = {
    rateLimit: 0,
    tokenIssuer: issuerAt(provider.address),
    corsOrigins: [],
    logLevel: 'silent',
    media: world.archive.store,
  }
  return serverOn(world.store, world.enqueue, world.collecting, { ...usual, ...options }, stack)
}

function askAt(server: FastifyInstance, token: string) {
  return server.inject({ ...reading, headers: { authorization: `Bearer ${token}` } })
}

function issuerAt(issuer: string): TokenIssuer {
  return { issuer, audience, accountClaim: 'sub' }
}

/** A token as the provider makes it, with some claims set, changed or left out. */
async function bearer(claims: Record<string, unknown>, of: Provider = provider): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const payload = { iss: of.address, aud: audience, sub: 'ann', iat: now, exp: now + 300, ...claims }
  const token = new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'one' })
  return `Bearer ${await token.sign(of.keys.privateKey)}`
}

type Trouble = 'hang up' | 'fail' | 'answer a page' | 'name no keys' | 'answer other JSON' | undefined

interface Provider extends AsyncDisposable {
  address: string
  keys: Awaited<ReturnType<typeof generateKeyPair>>
  trouble: Trouble
}

/** An OpenID provider on loopback. */
async function openProvider(): Promise<Provider> {
  const keys = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const answers: Record<string, () => unknown> = {
    '/.well-known/openid-configuration': () => ({ issuer: opened.address, jwks_uri: `${opened.address}/keys` }),
    '/keys': () => ({ keys: [jwk] }),
  }
  const server = createServer((request, response) => {
    const { trouble } = opened
    const discovering = request.url !== '/keys'
    if (trouble === 'hang up') return request.socket.destroy()
    if (trouble === 'fail') return response.writeHead(500).end()
    if (trouble === 'answer a page') return response.end('<html>Sign in</html>')
    if (trouble === 'name no keys' && discovering) return response.end('{}')
    if (trouble === 'answer other JSON' && !discovering) return response.end('{"error":"moved"}')
    const answer = answers[request.url ?? '']
    return answer ? response.end(JSON.stringify(answer())) : response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const opened: Provider = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    trouble: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return opened
}
