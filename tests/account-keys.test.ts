import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createKey, type KeyRequest } from '../src/domain/accounts/keys.ts'
import { listKeys, revokeKeys } from '../src/domain/accounts/queries.ts'
import { rows } from '../src/storage/database.ts'
import { stopClock } from './support/clock.ts'
import { run } from './support/in-process.ts'
import { operate } from './support/operator.ts'
import { WebBrowser } from './support/web-browser.ts'
import { openWorld, type Reply } from './support/world.ts'

/** Keys that admins make for their own account. Each test has accounts of its own. */

const parts = new AsyncDisposableStack()
const world = parts.use(await openWorld({ trustedProxies: ['127.0.0.1'] }))
after(() => parts.disposeAsync())
const { db } = world.store

const both = ['context:read', 'content:write']
const admin = (account: string, more: Partial<KeyRequest> = {}) =>
  createKey(db, { name: `admin of ${account}`, scopes: both, account, administers: true, ...more })

const ask = (
  key: string,
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  payload?: object,
  headers: Record<string, string> = {},
): Promise<Reply> =>
  world.request({
    method,
    url,
    headers: { authorization: `Bearer ${key}`, ...headers },
    ...(payload ? { payload } : {}),
  })
const make = (key: string, payload: object) => ask(key, 'POST', '/keys', payload)
const listed = async (key: string) => (await ask(key, 'GET', '/keys')).body.items
const reads = async (key: string) => (await ask(key, 'GET', '/v1/competitors/categories')).status
const reader = { name: 'reports', scopes: ['context:read'] }
const refusedAt = ({ status, body }: Reply) => [status, ...(body.errors ?? []).map(({ pointer }) => pointer)]

test('an admin makes, lists, rotates and revokes keys of their account, and each secret is shown once', async () => {
  const own = await admin('studio')
  const made = await make(own, { ...reader, name: '  weekly reports ', expiresAt: '2090-01-01T00:00:00+01:00' })
  assert.equal(made.status, 201)
  assert.equal(made.headers['cache-control'], 'no-store')
  const { key, keyId, createdAt, ...rest } = made.body
  assert.deepEqual(rest, {
    name: 'weekly reports',
    scopes: ['context:read'],
    bringsEvidence: true,
    administers: false,
    networks: [],
    expiresAt: '2089-12-31T23:00:00.000Z',
    lastUsedAt: null,
    current: false,
  })
  assert.equal(await reads(key), 200)
  const saved = await world.call('track_aso_app', { app: '9000000001', country: 'us', role: 'own' }, { key })
  assert.equal(saved.status, 403, 'its scopes hold')
  const items = await listed(own)
  assert.deepEqual(
    items.map(({ name, current }: { name: string; current: boolean }) => [name, current]),
    [
      ['weekly reports', false],
      ['admin of studio', true],
    ],
  )
  assert.ok(!JSON.stringify(items).includes('rsk_'))

  const rotated = await ask(own, 'POST', `/keys/${keyId}/rotation`, { overlapHours: 1 })
  assert.equal(rotated.status, 201)
  assert.deepEqual([rotated.body.name, rotated.body.scopes], ['weekly reports', ['context:read']])
  assert.deepEqual([await reads(key), await reads(rotated.body.key)], [200, 200])
  for (const ended of [keyId, rotated.body.keyId]) {
    assert.equal((await ask(own, 'DELETE', `/keys/${ended}`)).status, 204)
    assert.equal((await ask(own, 'DELETE', `/keys/${ended}`)).body.code, 'key-not-found')
  }
  assert.equal((await listed(own)).length, 1)
  const kept = await rows(db, sql<{ row: string }>`select row_to_json(k)::text as row from api_keys k`)
  assert.ok(kept.every(({ row }) => !row.includes(key) && !row.includes(rotated.body.key)))

  const { out } = await operate(world, { command: 'audit', options: { account: 'studio', json: true } })
  const events = out.trim().split('\n')
  assert.deepEqual(
    events.map((line) => JSON.parse(line)).map(({ door, operation, outcome }) => [door, operation, outcome]),
    [
      ['http', 'keys create', 'created'],
      ['http', 'keys rotate', 'created'],
      ['http', 'keys revoke', 'removed'],
      ['http', 'keys revoke', 'removed'],
    ],
  )
  assert.equal(JSON.parse(events[0] ?? '').subject.keyId, keyId)
  assert.ok(!out.includes('rsk_'))
})

test('keys of other accounts are as if they were not there', async () => {
  const [own, others] = [await admin('mine'), await admin('theirs')]
  const { keyId, key } = (await make(others, reader)).body
  for (const id of [keyId, '0190a1b2-0000-7000-8000-000000000000', 'reports', "'"]) {
    const asked = [
      await ask(own, 'DELETE', `/keys/${encodeURIComponent(id)}`),
      await ask(own, 'POST', `/keys/${encodeURIComponent(id)}/rotation`, {}),
    ]
    for (const { status, body } of asked) {
      assert.deepEqual([status, body.code], [404, 'key-not-found'], id)
      assert.equal(body.detail, 'Your account has no valid key with this id.')
    }
  }
  assert.equal(await reads(key), 200)
  assert.deepEqual(
    (await listed(own)).map(({ name }: { name: string }) => name),
    ['admin of mine'],
  )
  const { out } = await operate(world, { command: 'audit', options: { account: 'mine', json: true } })
  assert.equal(out, '')
})

test('who does not administer their account is told so, with any other right', async () => {
  const key = await world.key(both, 'members')
  const own = await admin('members')
  const [{ keyId }] = await listed(own)
  for (const refused of [
    await make(key, reader),
    await ask(key, 'GET', '/keys'),
    await ask(key, 'POST', `/keys/${keyId}/rotation`, {}),
    await ask(key, 'DELETE', `/keys/${keyId}`),
  ])
    assert.deepEqual([refused.status, refused.body.code], [403, 'not-an-admin'])
  assert.equal((await world.request({ method: 'GET', url: '/keys' })).status, 401)
  const made = (await make(own, reader)).body
  assert.equal((await make(made.key, reader)).body.code, 'not-an-admin', 'a key made by an admin is none')
})

test('no key may more than its admin, in scopes, evidence, networks or time', async () => {
  const ends = new Date(Date.now() + 3_600_000)
  const narrow = await admin('narrow', {
    scopes: ['context:read'],
    bringsEvidence: false,
    networks: ['10.0.0.0/8', '2001:db8::/32'],
    expiresAt: ends,
  })
  const inside = { 'x-forwarded-for': '10.1.2.3' }
  const makeInside = (payload: object) => ask(narrow, 'POST', '/keys', payload, inside)
  assert.equal((await make(narrow, reader)).status, 401, 'the admin is held to the networks too')
  for (const [more, pointer] of [
    [{ scopes: both }, '/body/scopes/1'],
    [{ bringsEvidence: true }, '/body/bringsEvidence'],
    [{ networks: [] }, '/body/networks'],
    [{ networks: ['10.1.0.0/16', '11.0.0.1'] }, '/body/networks/1'],
    [{ networks: ['10.0.0.0/7'] }, '/body/networks/0'],
    [{ networks: ['::/0'] }, '/body/networks/0'],
    [{ expiresAt: null }, '/body/expiresAt'],
    [{ expiresAt: new Date(ends.getTime() + 1_000).toISOString() }, '/body/expiresAt'],
  ] as const)
    assert.deepEqual(refusedAt(await makeInside({ ...reader, ...more })), [400, pointer], JSON.stringify(more))
  const { body } = await makeInside(reader)
  assert.deepEqual(
    [body.bringsEvidence, body.networks, body.expiresAt],
    [false, ['10.0.0.0/8', '2001:db8::/32'], ends.toISOString()],
    'what is not said is as with the admin',
  )
  const narrower = { ...reader, networks: ['10.2.0.0/16', '10.3.0.1', '2001:db8:1::/48'] }
  assert.equal((await makeInside(narrower)).status, 201)
  assert.equal((await ask(narrow, 'GET', '/keys', undefined, inside)).body.items.length, 3)
})

test('an admin renews no key that may more, which would hand its rights on, but ends it', async () => {
  using clock = stopClock()
  const narrow = await admin('of few rights', { scopes: ['context:read'] })
  const wide = await admin('of few rights', { name: 'wide' })
  const wideId = (await listed(wide)).find(({ current }: { current: boolean }) => current).keyId
  const refused = await ask(narrow, 'POST', `/keys/${wideId}/rotation`, {})
  assert.deepEqual(refusedAt(refused), [400, '/path/keyId'])
  assert.equal(await reads(wide), 200)
  assert.equal((await ask(narrow, 'DELETE', `/keys/${wideId}`)).status, 204)
  clock.pass(1_000)
  assert.equal(await reads(wide), 401)
})

test('a renewed key ends no later than that of its admin, their own as well', async () => {
  const expiresAt = new Date(Date.now() + 3_600_000)
  const own = await admin('passing', { expiresAt })
  const [{ keyId }] = await listed(own)
  const renew = (payload: object) => ask(own, 'POST', `/keys/${keyId}/rotation`, payload)
  assert.deepEqual(refusedAt(await renew({ expiresAt: null })), [400, '/body/expiresAt'])
  const { body, status } = await renew({ overlapHours: 0 })
  assert.deepEqual([status, body.expiresAt, body.administers], [201, expiresAt.toISOString(), true])
  assert.deepEqual((await make(own, reader)).status, 401, 'the old one has ended with its overlap')
  assert.equal((await make(body.key, reader)).status, 201)
})

test('who is revoked or has expired makes no key any longer, from that moment on', async () => {
  const [revoked, expired] = [await admin('revoked'), await admin('expired')]
  for (const key of [revoked, expired]) assert.equal((await make(key, reader)).status, 201)
  const asked = Array.from({ length: 8 }, () => make(revoked, reader))
  await revokeKeys(db, 'admin of revoked')
  const count = async () => {
    const keys = await listKeys(db)
    return keys.filter(({ account }) => account === 'revoked').length
  }
  const before = await count()
  await sql`update api_keys set expires_at = now() where name = 'admin of expired'`.execute(db)
  for (const key of [revoked, expired])
    assert.equal((await make(key, reader)).status, 401, 'though the server knew it a moment ago')
  await Promise.all(asked)
  assert.equal(await count(), before)
})

test('of many asked for at once exactly as many are made as an account may have', async () => {
  const own = await admin('many')
  for (let count = 0; count < 96; count++)
    await createKey(db, { name: `n${count}`, scopes: [], account: 'many' })
  const replies = await Promise.all(Array.from({ length: 7 }, () => make(own, reader)))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 201, 201, 400, 400, 400, 400])
  const refused = replies.find(({ status }) => status === 400)
  assert.match(refused?.body.detail ?? '', /100 valid keys .* Nothing was stored: revoke some/)
  const one = replies.find(({ status }) => status === 201)?.body.keyId
  const renew = (overlapHours: number) => ask(own, 'POST', `/keys/${one}/rotation`, { overlapHours })
  assert.equal((await renew(1)).status, 400, 'the old one would work on beside it')
  assert.equal((await renew(0)).status, 201)
})

test('what is no key is refused by name, and a request that could be repeated would keep the key', async () => {
  const own = await admin('careful')
  for (const [payload, ...pointers] of [
    [{}, '/body/name', '/body/scopes'],
    [[], '/body'],
    [{ ...reader, name: ' ' }, '/body/name'],
    [{ ...reader, name: 'n'.repeat(101) }, '/body/name'],
    [{ ...reader, name: 'a\u0007b' }, '/body/name'],
    [{ ...reader, scopes: [] }, '/body/scopes'],
    [{ ...reader, scopes: ['context:read', 'admin'] }, '/body/scopes/1'],
    [{ ...reader, expiresAt: '2027-02-30T00:00:00Z' }, '/body/expiresAt'],
    [{ ...reader, expiresAt: '2020-01-01T00:00:00Z' }, '/body/expiresAt'],
    [{ ...reader, networks: ['10.0.0.0/33'] }, '/body/networks/0'],
    [{ ...reader, networks: ['fe80::1%eth0'] }, '/body/networks/0'],
    [{ ...reader, networks: ['home'] }, '/body/networks/0'],
    [{ ...reader, networks: Array(51).fill('10.0.0.1') }, '/body/networks'],
    [{ ...reader, account: 'default' }, '/body/account'],
    [{ ...reader, administers: true }, '/body/administers'],
  ] as const)
    assert.deepEqual(refusedAt(await make(own, payload)), [400, ...pointers], JSON.stringify(payload))
  const [{ keyId }] = await listed(own)
  for (const [payload, pointer] of [
    [{ overlapHours: -1 }, '/body/overlapHours'],
    [{ overlapHours: 2_161 }, '/body/overlapHours'],
    [{ overlap: 1 }, '/body/overlap'],
  ] as const)
    assert.deepEqual(refusedAt(await ask(own, 'POST', `/keys/${keyId}/rotation`, payload)), [400, pointer])
  for (const url of ['/keys', `/keys/${keyId}/rotation`])
    assert.deepEqual(refusedAt(await ask(own, 'POST', url, reader, { 'idempotency-key': 'again' })), [
      400,
      '/header/idempotency-key',
    ])
  assert.equal((await ask(own, 'GET', `/keys/${keyId}`)).headers.allow, 'DELETE')
  assert.equal((await listed(own)).length, 1)
})

test('an admin at the pages does the same, from our own pages only', async () => {
  const browser = new WebBrowser(world)
  await browser.signIn(await admin('people'))
  assert.equal((await browser.ask('GET', '/session')).body.administers, true)
  const made = await browser.ask('POST', '/keys', { payload: reader })
  assert.equal(made.status, 201)
  for (const headers of [{ 'x-rivalscope-page': '' }, { origin: 'https://elsewhere.example' }]) {
    const { status, body } = await browser.ask('POST', '/keys', { payload: reader, headers })
    assert.deepEqual([status, body.code], [403, 'origin-refused'])
  }
  const { items } = (await browser.ask('GET', '/keys')).body
  assert.deepEqual(
    items.map(({ current }: { current: boolean }) => current),
    [false, true],
  )
  const { out } = await operate(world, { command: 'audit', options: { account: 'people', json: true } })
  assert.match(out, /"door":"pages".*"operation":"keys create"/)
  const own = items[1].keyId
  assert.equal((await browser.ask('DELETE', `/keys/${own}`)).status, 204)
  assert.equal((await browser.ask('POST', '/keys', { payload: reader })).status, 401)
})

test('requests about keys count as any other of the account', async () => {
  using _clock = stopClock()
  const own = await admin('counted')
  await operate(world, { command: 'accounts limit', options: { account: 'counted', requestsPerMinute: '2' } })
  const statuses = []
  for (let time = 0; time < 3; time++) statuses.push((await ask(own, 'GET', '/keys')).status)
  assert.deepEqual(statuses, [200, 200, 429])
})

test('the commands about keys ask a server with the key of an admin', async () => {
  const { out } = await operate(world, {
    command: 'keys create',
    options: { name: 'the admin', scopes: both, account: 'at distance', admin: true },
  })
  const own = out.trim()
  assert.match(
    (await operate(world, { command: 'keys list', options: {} })).out,
    /context:read,content:write, admin {2}/,
  )
  const server = await world.server.listen({ host: '127.0.0.1', port: 0 })
  const env = { RIVALSCOPE_KEY: own }
  const keys = (...words: string[]) => run(['keys', ...words, '--server', server], { env })
  const created = await keys('create', '--name', 'agent', '--scopes', 'context:read', '--expires', '2090-01-01')
  assert.equal(created.code, 0, created.err)
  assert.match(created.err, /not shown again/)
  assert.equal(await reads(created.out.trim()), 200)
  const shown = await keys('list')
  assert.match(
    shown.out,
    /^\S{36} {2}valid {4}agent {2}context:read {2}used \S+ {2}ends 2090-01-01T00:00Z$|never used/m,
  )
  assert.equal(JSON.parse((await keys('list', '--json')).out).length, 2)

  const rotated = await run(['keys', 'rotate', 'agent', '--server', server, '--key', own])
  assert.equal(rotated.code, 0, rotated.err)
  assert.match(rotated.err, /works for 24 more hours at most/)
  assert.equal(await reads(rotated.out.trim()), 200)
  const ambiguous = await keys('rotate', 'agent')
  assert.deepEqual([ambiguous.code, /2 valid keys are named "agent"/.test(ambiguous.err)], [1, true])
  const revoked = await keys('revoke', 'agent')
  assert.match(revoked.out, /^(revoked \S{36} {2}agent\n){2}$/)
  assert.equal((await keys('revoke', 'agent')).code, 1)

  const [first, second] = [await world.key(both, 'one'), await world.key(both, 'two')]
  const several = await operate(world, { command: 'keys revoke', options: { key: 'test' } })
  assert.equal(several.code, 1, 'a name that keys of several accounts have')
  assert.match(several.notes, /accounts are named "test", and none was revoked: give their ids/)
  assert.deepEqual([await reads(first), await reads(second)], [200, 200])

  const plain = await world.key(both, 'at distance')
  const refusals: [string[], Record<string, string>, number, RegExp][] = [
    [['list'], { RIVALSCOPE_KEY: plain }, 1, /\(not-an-admin\)/],
    [['list'], {}, 2, /no key for/],
    [['create', '--name', 'n', '--scopes', 'context:read', '--account', 'x'], env, 2, /go with a store/],
    [
      ['create', '--name', 'n', '--scopes', 'context:read', '--expires', '2020-01-01'],
      env,
      2,
      /--expires: lies in the past/,
    ],
  ]
  for (const [words, around, code, said] of refusals) {
    const refused = await run(['keys', ...words, '--server', server], { env: around })
    assert.equal(refused.code, code, refused.err)
    assert.match(refused.err, said)
    assert.ok(!refused.err.includes('rsk_'))
  }
  const nobody = await run(['keys', 'list', '--server', 'http://127.0.0.1:1'], { env })
  assert.deepEqual([nobody.code, /cannot be reached/.test(nobody.err)], [1, true])
})
