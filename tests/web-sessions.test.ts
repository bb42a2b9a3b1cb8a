import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { sql } from 'kysely'
import { contract } from '../src/contract/contract.ts'
import { createKey } from '../src/domain/accounts/keys.ts'
import { listKeys, revokeKeys } from '../src/domain/accounts/queries.ts'
import { createSignInLink, deleteEndedSessions } from '../src/domain/accounts/sessions.ts'
import { rows } from '../src/storage/database.ts'
import { stopClock } from './support/clock.ts'
import { serveHere } from './support/in-process.ts'
import { openInstallation } from './support/installation.ts'
import { operate } from './support/operator.ts'
import { cookieName, WebBrowser } from './support/web-browser.ts'
import { type BesideContract, openWorld, type Reply, type World } from './support/world.ts'

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
const world = parts.use(await openWorld({ corsOrigins: ['https://pages.example'] }))
const { db } = world.store
const sessionCookie = await cookieName(world)

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const reading = '/v1/competitors/categories'
/** Passes the scope and fails at its body, so that nothing is written. */
const writing = ['POST', '/v1/aso/apps', { payload: {} }] as const

async function signedIn(scopes?: string[], account?: string): Promise<WebBrowser> {
  const browser = new WebBrowser(world, { 'user-agent': firefox })
  assert.equal((await browser.signIn(await world.key(scopes, account))).status, 200)
  return browser
}

const statusOf = async (browser: WebBrowser, url = reading) => (await browser.ask('GET', url)).status

test('who signs in with a key may what the key may, until they sign out', async () => {
  const browser = new WebBrowser(world)
  assert.deepEqual((await browser.ask('GET', '/session')).body, { signedIn: false, provider: null })
  assert.equal(await statusOf(browser), 401)
  const key = await createKey(db, { name: 'mine', scopes: ['context:read'], account: 'studio' })
  const { status, body, headers } = await browser.signIn(` ${key}\n`)
  assert.equal(status, 200)
  const { sessionId, createdAt, expiresAt, ...rest } = body
  assert.deepEqual(rest, {
    signedIn: true,
    account: 'studio',
    credential: { kind: 'key', name: 'mine' },
    scopes: ['context:read'],
    bringsEvidence: true,
    administers: false,
    operates: false,
    provider: null,
  })
  assert.match(sessionId, /^[0-9a-f-]{36}$/)
  const hours = (Date.parse(expiresAt) - Date.parse(createdAt)) / 3_600_000
  assert.ok(Math.abs(hours - 12) < 0.01, `${hours} hours`)
  assert.equal(headers['cache-control'], 'no-store')
  assert.deepEqual((await browser.ask('GET', '/session')).body, body)

  assert.equal(await statusOf(browser), 200)
  const refused = await browser.ask(...writing)
  assert.deepEqual([refused.status, refused.body.scope], [403, 'content:write'], 'the scopes of the key hold')

  const secret = browser.cookies.get(sessionCookie) ?? ''
  assert.equal((await browser.ask('DELETE', '/session')).status, 204)
  assert.equal(browser.cookies.size, 0, 'the cookie is cleared')
  browser.cookies.set(sessionCookie, secret)
  assert.equal(await statusOf(browser), 401, 'and its secret is of no use')
})

test('a key that does not hold signs nobody in, however it is wrong', async () => {
  const revoked = await createKey(db, { name: 'revoked', scopes: [] })
  await revokeKeys(db, 'revoked')
  const browser = new WebBrowser(world)
  for (const key of [revoked, `rsk_${'A'.repeat(43)}`, '', 'eyJhbGciOiJub25lIn0.e30.']) {
    const { status, body } = await browser.signIn(key)
    assert.deepEqual([status, body.code], [401, 'unauthenticated'], key)
  }
  for (const payload of [{}, { key: 1 }, { key: null }, [], 'null'])
    assert.equal((await browser.ask('POST', '/session', { payload, headers: json })).status, 400)
  const other = await browser.ask('POST', '/session', { payload: { key: '', remember: true } })
  assert.equal(other.body.errors[0].pointer, '/body/remember')
  assert.equal(browser.cookies.size, 0)
})

const json = { 'content-type': 'application/json' }

test('wrong keys are counted with those of programs, and wrong sessions as one', async () => {
  await using busy = await openWorld()
  using _clock = stopClock()
  const key = await busy.key()
  const wrong = new WebBrowser(busy)
  wrong.cookies.set(await cookieName(busy), 'B'.repeat(43))
  for (let time = 0; time < 200; time++) assert.equal((await wrong.ask('GET', reading)).status, 401)
  let status = 401
  for (let time = 0; status === 401 && time < 200; time++)
    status = (await wrong.signIn(`rsk_${'x'.repeat(40)}${100 + time}`)).status
  assert.equal(status, 429)
  const right = await wrong.signIn(key)
  assert.deepEqual([right.status, right.body.code], [429, 'rate-limited'])
  assert.ok(Number(right.headers['retry-after']) > 0)
})

/** What signs nobody in, each time. */
const failedSignIns: Record<string, (browser: WebBrowser, time: number) => Promise<unknown>> = {
  'a body without a key': (browser) => browser.ask('POST', '/session', { payload: {}, headers: json }),
  'a body with more than a key': (browser) =>
    browser.ask('POST', '/session', { payload: { key: '', remember: true } }),
  'a wrong key': (browser, time) => browser.signIn(`rsk_${'x'.repeat(40)}${100 + time}`),
  'a wrong link': (browser, time) => browser.ask('GET', `/session/link/${'x'.repeat(40)}${100 + time}`),
  'a wrong address of a feed': (browser, time) =>
    browser.ask('GET', `/feeds/${'x'.repeat(40)}${100 + time}.atom`),
}

for (const [kind, fail] of Object.entries(failedSignIns))
  test(`after too many of ${kind}, an address is not listened to for a minute`, async () => {
    await using busy = await openWorld()
    using _clock = stopClock()
    const key = await busy.key()
    const browser = new WebBrowser(busy)
    for (let time = 0; time < 120; time++) await fail(browser, time)
    const { status, body } = await browser.signIn(key)
    assert.deepEqual([status, body.code], [429, 'rate-limited'])
    const again = (await fail(browser, 120)) as { status: number }
    assert.equal(again.status, 429)
  })

test('the store keeps no secret of a session, and the cookie keeps to this host and to HTTP', async () => {
  const browser = await signedIn()
  const secret = browser.cookies.get(sessionCookie) ?? ''
  assert.match(secret, /^[A-Za-z0-9_-]{43}$/)
  const stored = await rows(db, sql<{ row: string }>`select row_to_json(s)::text as row from sessions s`)
  assert.ok(stored.length > 0 && stored.every(({ row }) => !row.includes(secret)))
  const flags = browser.flags.get(sessionCookie) ?? ''
  assert.match(flags, /; Path=\/(;|$)/)
  assert.match(flags, /; HttpOnly/)
  assert.match(flags, /; SameSite=Lax/)
  assert.doesNotMatch(flags, /Secure|Domain/)
})

test('two installations on one machine do not sign each other out: browsers send cookies to every port of a host', async () => {
  await using other = await openWorld()
  await sql`update store_secret set secret = sha256('another')`.execute(other.store.db)
  await using started = await anotherProcess(other)
  const [one, two] = [new WebBrowser(world), new WebBrowser(started)]
  const { cookies } = one
  await one.signIn(await world.key())
  for (const [name, value] of cookies) two.cookies.set(name, value)
  await two.signIn(await other.key())
  for (const [name, value] of two.cookies) cookies.set(name, value)
  const states = await Promise.all(
    [one, two].map(async (each) => (await each.ask('GET', '/session')).body.signedIn),
  )
  assert.deepEqual(states, [true, true])
})

test('over https, as a trusted proxy says it, the cookie is for https alone', async () => {
  await using behind = await openWorld({ trustedProxies: ['loopback'] })
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'apps.example.com' }
  const browser = new WebBrowser(behind, { ...forwarded, origin: 'https://apps.example.com' })
  assert.equal((await browser.signIn(await behind.key())).status, 200)
  const flags = browser.flags.get(`__Host-${await cookieName(behind)}`) ?? ''
  assert.match(flags, /; Secure/)
  assert.match(flags, /; Path=\/(;|$)/)
  assert.equal((await browser.ask('GET', '/session')).body.signedIn, true)
  const [[, secret = ''] = []] = browser.cookies
  const plain = new WebBrowser(behind)
  plain.cookies.set(`__Host-${await cookieName(behind)}`, secret)
  assert.equal((await plain.ask('GET', '/session')).body.signedIn, false)
  // Nobody is trusted here: what a caller says was forwarded changes nothing.
  const untrusted = new WebBrowser(world, forwarded)
  await untrusted.signIn(await world.key())
  assert.ok(untrusted.cookies.has(sessionCookie))
})

test('people see their own sessions, newest first, and end any of them', async () => {
  const key = await createKey(db, { name: 'laptop and phone', scopes: ['context:read'] })
  const laptop = new WebBrowser(world, { 'user-agent': firefox })
  const phone = new WebBrowser(world, { 'user-agent': 'curl/8' })
  await laptop.signIn(key)
  await phone.signIn(key)
  const stranger = await signedIn()
  const { items } = (await phone.ask('GET', '/sessions')).body
  assert.deepEqual(
    items.map(({ current, browser, address }: Record<string, unknown>) => [current, browser, address]),
    [
      [true, null, '127.0.0.1'],
      [false, 'Firefox on Linux', '127.0.0.1'],
    ],
  )
  for (const one of items)
    assert.deepEqual(Object.keys(one), [
      ...['sessionId', 'createdAt', 'lastUsedAt', 'expiresAt', 'current', 'browser', 'address'],
    ])
  const url = `/sessions/${items[1].sessionId}`
  assert.equal((await stranger.ask('DELETE', url)).status, 404, 'what belongs to others is not there')
  assert.equal((await phone.ask('DELETE', '/sessions/1')).status, 404)
  assert.equal(await statusOf(laptop), 200)
  assert.equal((await phone.ask('DELETE', url)).status, 204)
  assert.equal(await statusOf(laptop), 401, 'at once, in the process that was told')
  assert.equal((await laptop.ask('GET', '/sessions')).status, 401)
  assert.equal((await laptop.ask('DELETE', url)).status, 401)
  assert.equal((await phone.ask('DELETE', url)).status, 404)
  assert.equal((await phone.ask('DELETE', `/sessions/${items[0].sessionId}`)).status, 204)
  assert.equal(phone.cookies.size, 0)
})

test('who signs in again has one session in that browser', async () => {
  const key = await world.key()
  const browser = new WebBrowser(world)
  await browser.signIn(key)
  const before = browser.cookies.get(sessionCookie) ?? ''
  await browser.signIn(key)
  assert.equal((await browser.ask('GET', '/sessions')).body.items.length, 1)
  browser.cookies.set(sessionCookie, before)
  assert.equal(await statusOf(browser), 401)
})

test('a session ends unused after twelve hours, used after two weeks, and use is what makes it last', async () => {
  const key = await createKey(db, { name: 'lasting', scopes: ['context:read'] })
  const { sessionId, browser } = await sessionOf(key)
  const age = (used: string, made = used) =>
    sql`update sessions set created_at = now() - ${made}::interval, last_used_at = now() - ${used}::interval,
        ends_at = now() - ${made}::interval + interval '14 days',
        expires_at = least(now() - ${used}::interval + interval '12 hours', now() - ${made}::interval + interval '14 days')
      where session_id = ${sessionId}::uuid`.execute(db)
  const times = async () => {
    const [found] = await rows(
      db,
      sql<{ idle: number; left: number }>`
        select extract(epoch from now() - last_used_at)::float as idle, extract(epoch from expires_at - now())::float as left
        from sessions where session_id = ${sessionId}::uuid`,
    )
    return found
  }
  await age('11 hours 59 minutes')
  {
    await using process = await anotherProcess()
    assert.equal((await process.ask(browser)).status, 200)
  }
  const used = await times()
  assert.ok(used && used.idle < 5 && Math.abs(used.left - 12 * 3_600) < 5, JSON.stringify(used))
  await age('1 minute', '13 days 23 hours')
  {
    await using process = await anotherProcess()
    assert.equal((await process.ask(browser)).status, 200)
  }
  const late = await times()
  assert.ok(late && late.idle < 5 && Math.abs(late.left - 3_600) < 5, JSON.stringify(late))
  for (const [idle, made] of [
    ['12 hours 1 second', '12 hours 1 second'],
    ['1 minute', '14 days 1 second'],
  ] as const) {
    await age(idle, made)
    await using process = await anotherProcess()
    const { status, body } = await process.ask(browser)
    assert.deepEqual([status, body.code], [401, 'unauthenticated'], `${idle} idle, ${made} old`)
  }
  await deleteEndedSessions(db)
  assert.equal(await times(), undefined)
})

async function sessionOf(key: string) {
  const browser = new WebBrowser(world)
  const { sessionId } = (await browser.signIn(key)).body
  return { sessionId, browser }
}

/** A further process on the same store, which remembers nothing and notes what was used when it stops. */
async function anotherProcess({ store, archive, enqueue, collecting }: World = world) {
  const stack = new AsyncDisposableStack()
  const { serverOn } = await import('../src/app.ts')
  const config = {
    ...{ rateLimit: 0, corsOrigins: [], tokenIssuer: undefined, logLevel: 'silent' },
    media: archive.store,
  }
  const server = await serverOn(store, enqueue, collecting, config, stack)
  const request = async <Body>(asked: InjectOptions): Promise<Reply<Body>> => {
    const { statusCode: status, headers, body } = await server.inject(asked)
    return { status, headers: headers as Record<string, string | undefined>, body: JSON.parse(body) }
  }
  return {
    request,
    ask({ cookies }: WebBrowser, url = reading) {
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
      return request<BesideContract>({ method: 'GET', url, headers: { cookie } })
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

test('a session ends with the key it rests on, within a second', async () => {
  using clock = stopClock()
  const ends = {
    revoked: () => revokeKeys(db, 'revoked soon'),
    expired: () => sql`update api_keys set expires_at = now() where name = 'expired soon'`.execute(db),
  }
  for (const [how, end] of Object.entries(ends)) {
    const { browser } = await sessionOf(await createKey(db, { name: `${how} soon`, scopes: ['context:read'] }))
    assert.equal(await statusOf(browser), 200)
    await end()
    clock.pass(1_000)
    assert.equal(await statusOf(browser), 401, how)
    assert.equal((await browser.ask('GET', '/session')).body.signedIn, false)
  }
  await deleteEndedSessions(db)
  const left = await rows(
    db,
    sql`select 1 from sessions join api_keys k using (key_id) where k.name like '% soon'`,
  )
  assert.equal(left.length, 0)
})

test('a session says when its key ends, if that is earlier', async () => {
  const expiresAt = new Date(Date.now() + 60_000)
  const key = await createKey(db, { name: 'minute', scopes: [], expiresAt })
  assert.equal((await new WebBrowser(world).signIn(key)).body.expiresAt, expiresAt.toISOString())
})

test('use of a session is use of its key', async () => {
  const { browser } = await sessionOf(await createKey(db, { name: 'used by a page', scopes: ['context:read'] }))
  {
    await using process = await anotherProcess()
    await process.ask(browser)
  }
  const key = (await listKeys(db)).find(({ name }) => name === 'used by a page')
  assert.ok(key?.lastUsedAt)
})

test('a page counts against the limit of its key, and repeats its writes', async () => {
  await using limited = await openWorld({ rateLimit: 10 })
  using _clock = stopClock()
  const key = await limited.key()
  const page = new WebBrowser(limited)
  await page.signIn(key)
  const write = { headers: { 'idempotency-key': 'once' }, payload: { kinds: ['media'] } }
  const url = contract.request_competitor_data.path.replace('{platform}', 'ios').replace('{storeId}', '1')
  const first = await page.ask('POST', url, write)
  const again = await limited.request({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${key}`, ...write.headers },
    payload: write.payload,
  })
  assert.equal(first.headers['idempotency-replayed'], undefined)
  assert.equal(again.headers['idempotency-replayed'], 'true', JSON.stringify([first.body, again.body]))
  const left = [first, again].map(({ headers }) => Number(/r=(\d+)/.exec(headers.ratelimit ?? '')?.[1]))
  assert.equal(left[1], Number(left[0]) - 1)
})

test('pages of other sites cannot use the session of a person', async () => {
  const browser = await signedIn()
  const own = { origin: 'http://localhost', 'sec-fetch-site': 'same-origin', host: 'localhost' }
  assert.equal((await browser.ask(writing[0], writing[1], { payload: {}, headers: own })).status, 400)
  assert.equal((await browser.ask('GET', reading, { headers: { 'sec-fetch-site': 'none' } })).status, 200)
  const foreign: Record<string, string>[] = [
    { 'x-rivalscope-page': '' },
    { 'x-rivalscope-page': '0' },
    { origin: 'https://evil.example' },
    { origin: 'http://localhost:3000', host: 'localhost:8787' },
    { origin: 'https://localhost', host: 'localhost' },
    { origin: 'null' },
    { origin: 'https://pages.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { ...own, 'sec-fetch-site': 'cross-site' },
  ]
  const before = browser.cookies.get(sessionCookie)
  for (const headers of foreign) {
    const changes = [
      browser.ask(writing[0], writing[1], { payload: {}, headers }),
      browser.ask('DELETE', `/v1/aso/apps/${crypto.randomUUID()}`, { headers }),
      browser.ask('POST', '/session', { payload: { key: 'x' }, headers }),
      browser.ask('DELETE', '/session', { headers }),
      browser.ask('DELETE', `/sessions/${crypto.randomUUID()}`, { headers }),
    ]
    for (const { status, body } of await Promise.all(changes))
      assert.deepEqual([status, body.code], [403, 'origin-refused'], JSON.stringify(headers))
    if ('x-rivalscope-page' in headers) continue
    for (const url of [reading, '/sessions']) {
      const { status, body } = await browser.ask('GET', url, { headers })
      assert.deepEqual([status, body.code], [403, 'origin-refused'], `${url} ${JSON.stringify(headers)}`)
    }
  }
  assert.equal(browser.cookies.get(sessionCookie), before)
  assert.equal(await statusOf(browser), 200)
})

test('an origin that may call is never allowed to call with cookies', async () => {
  const preflight = await world.request({
    method: 'OPTIONS',
    url: reading,
    headers: {
      origin: 'https://pages.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-rivalscope-page',
    },
  })
  assert.equal(preflight.headers['access-control-allow-origin'], 'https://pages.example')
  assert.equal(preflight.headers['access-control-allow-credentials'], undefined)
})

test('with an Authorization header the cookie is nothing, and neither is it at /mcp', async () => {
  const reader = await signedIn(['context:read'])
  const key = await world.key(['content:write'])
  const evil = { origin: 'https://evil.example', 'x-rivalscope-page': '' }
  const asKey = { ...evil, authorization: `Bearer ${key}` }
  assert.equal((await reader.ask(writing[0], writing[1], { payload: {}, headers: asKey })).status, 400)
  for (const authorization of ['', 'Bearer x', `Bearer rsk_${'C'.repeat(43)}`])
    assert.equal((await reader.ask('GET', reading, { headers: { authorization } })).status, 401)
  const mcp = await reader.ask('POST', '/mcp', {
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    headers: { accept: 'application/json, text/event-stream' },
  })
  assert.equal(mcp.status, 401)
})

test('what a page reads is kept apart by cookie, and revalidated', async () => {
  const browser = await signedIn()
  const { headers } = await browser.ask('GET', reading)
  assert.equal(headers.vary, 'Origin, Authorization, Cookie')
  assert.equal(headers['cache-control'], 'private, no-cache')
  const again = await browser.ask('GET', reading, { headers: { 'if-none-match': String(headers.etag) } })
  assert.equal(again.status, 304)
})

test('a link signs in once, when its button is pressed', async () => {
  const key = await createKey(db, { name: 'linked', scopes: ['context:read'], account: 'linked' })
  const link = await linkTo('linked')
  const browser = new WebBrowser(world, { 'user-agent': firefox })
  for (const method of ['HEAD', 'GET', 'GET'] as const) {
    const { status, body, headers } = await browser.ask<string>(method, link)
    assert.equal(status, 200)
    assert.match(String(headers['content-security-policy']), /form-action 'self'/)
    assert.equal(headers['referrer-policy'], 'same-origin')
    if (method !== 'GET') continue
    assert.match(body, /<form method="post"><button/)
    assert.doesNotMatch(body, /openapi/, 'whoever signs in came for the pages')
  }
  assert.equal(browser.cookies.size, 0, 'looking at it changes nothing')
  const press = (browser: WebBrowser, headers = {}) =>
    browser.ask('POST', link, { headers: { ...form, ...headers } })
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }])
    assert.equal((await press(browser, headers)).status, 403)
  const both = [browser, new WebBrowser(world), new WebBrowser(world), new WebBrowser(world)]
  const replies = await Promise.all(both.map((one) => press(one)))
  const places = replies.map(({ status, headers }) => `${status} ${headers.location}`).sort()
  const used = '303 /sign-in?problem=link-used'
  assert.deepEqual(places, ['303 /', used, used, used])
  assert.equal(both.filter(({ cookies }) => cookies.has(sessionCookie)).length, 1)
  const [one] = both.filter(({ cookies }) => cookies.has(sessionCookie))
  const { body } = (await one?.ask('GET', '/session')) ?? assert.fail()
  assert.deepEqual([body.account, body.credential.name], ['linked', 'linked'])
  assert.equal((await new WebBrowser(world).ask('GET', link)).headers.location, '/sign-in?problem=link-used')
  assert.ok(key)
})

const form = { 'content-type': 'application/x-www-form-urlencoded', 'x-rivalscope-page': '' }

async function linkTo(name: string): Promise<string> {
  const keyId = (await listKeys(db)).find((key) => key.name === name)?.keyId
  return createSignInLink(db, String(keyId))
}

test('a link that has expired, whose key is revoked, or that never was signs nobody in', async () => {
  await createKey(db, { name: 'soon gone', scopes: [] })
  const [expired, revoked] = [await linkTo('soon gone'), await linkTo('linked')]
  await sql`update sign_in_links set expires_at = now() where link_hash in
    (select link_hash from sign_in_links join api_keys using (key_id) where name = 'soon gone')`.execute(db)
  await revokeKeys(db, 'linked')
  const browser = new WebBrowser(world)
  for (const link of [expired, revoked, `/session/link/${'D'.repeat(43)}`, '/session/link/x'])
    assert.equal(
      (await browser.ask('POST', link, { headers: form })).headers.location,
      '/sign-in?problem=link-used',
    )
  assert.equal(browser.cookies.size, 0)
})

test('where the service stands below a path, a link leads there', async () => {
  await using below = await openWorld({ publicUrl: 'https://example.org/rivalscope' })
  await createKey(below.store.db, { name: 'linked', scopes: [] })
  const keyId = (await listKeys(below.store.db)).find(({ name }) => name === 'linked')?.keyId
  const link = await createSignInLink(below.store.db, String(keyId))
  const browser = new WebBrowser(below, { host: 'example.org', origin: 'https://example.org' })
  const { headers } = await browser.ask('POST', link, { headers: form })
  assert.equal(headers.location, '/rivalscope/')
  assert.ok(browser.cookies.has(`__Host-${await cookieName(below)}`), 'the public address is https')
})

test('the operator makes a link for one key, by its id or its name', async () => {
  const link = (options: { key: string; publicUrl?: string }) =>
    operate(world, { command: 'keys link', options: { publicUrl: 'https://example.org/r/', ...options } })
  await createKey(db, { name: 'ann', scopes: [], account: 'north' })
  const { code, out, notes } = await link({ key: 'ann' })
  assert.equal(code, 0)
  assert.match(out, /^https:\/\/example\.org\/r\/session\/link\/[\w-]{43}\n$/, 'the link alone, for scripts')
  assert.match(notes, /as ann of north, within 15 minutes/)
  const browser = new WebBrowser(world)
  const { headers } = await browser.ask('POST', new URL(out).pathname.slice(2), { headers: form })
  assert.equal(headers.location, '/')
  assert.equal((await browser.ask('GET', '/session')).body.account, 'north')

  await createKey(db, { name: 'ann', scopes: [], account: 'south' })
  const several = await link({ key: 'ann' })
  assert.deepEqual([several.code, several.out], [1, ''])
  const ids = (await listKeys(db)).filter(({ name }) => name === 'ann').map(({ keyId }) => keyId)
  assert.ok(ids.every((id) => several.notes.includes(id)))
  assert.equal((await link({ key: String(ids[0]) })).code, 0)
  await revokeKeys(db, 'ann')
  for (const key of ['ann', String(ids[0]), 'nobody']) assert.equal((await link({ key })).code, 1)
  await assert.rejects(link({ key: 'ann', publicUrl: 'ftp://example.org' }))
})

test('the first start on a terminal shows a link that signs in to the pages, once, beside the key', async () => {
  await using installation = await openInstallation()
  await using service = await serveHere(installation.location, { isTTY: true })
  const [, link = ''] = await service.says(/^ {2}open +(http\S+)$/m)
  const [, key = ''] = await service.says(/^ {2}key +(rsk_\S+)$/m)
  const press = () => fetch(link, { method: 'POST', redirect: 'manual' })
  const first = await press()
  const [cookie = ''] = first.headers.getSetCookie()
  assert.deepEqual([first.status, first.headers.get('location')], [303, '/'])
  const session = await fetch(`${service.address}/session`, {
    headers: { cookie: cookie.split(';', 1)[0] ?? '' },
  })
  const { signedIn, administers } = (await session.json()) as Record<string, unknown>
  assert.deepEqual([signedIn, administers], [true, true])
  assert.equal((await press()).headers.get('location'), '/sign-in?problem=link-used')
  const { status } = await fetch(service.address + reading, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(status, 200)
})

test('however many requests a session makes, it costs the store two queries in a second: its own, and the limits of its account', async (t) => {
  const browser = await signedIn(['context:read'])
  let acquired = 0
  const count = () => acquired++
  world.store.requests.pool.on('acquire', count)
  t.after(() => world.store.requests.pool.off('acquire', count))
  using clock = stopClock()
  for (let second = 1; second <= 3; second++) {
    // What was looked up while the browser signed in is known for a second.
    clock.pass(1_000)
    // Refused for its scope before anything else is asked of the store.
    for (let request = 0; request < 50; request++) assert.equal((await browser.ask(...writing)).status, 403)
    assert.ok(acquired > 0 && acquired <= 2 * second, `${acquired} queries in ${second} s`)
  }
})
