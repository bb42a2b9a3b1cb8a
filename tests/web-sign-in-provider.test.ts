import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { stopClock } from './support/clock.ts'
import { atProvider as cameBackAt, clientId, clientSecret, openProvider } from './support/openid-provider.ts'
import { cookieName, WebBrowser } from './support/web-browser.ts'
import { openWorld } from './support/world.ts'

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
const audience = 'https://rivalscope.test'
const home = 'http://localhost'
const callback = `${home}/session/provider/callback`
const provider = parts.use(await openProvider([audience], [callback]))
const tokenIssuer = { issuer: provider.issuer, audience, accountClaim: 'sub' }
const scopes = 'openid context:read content:write'
const signInClient = { id: clientId, secret: clientSecret, scopes }
const world = parts.use(await openWorld({ tokenIssuer, signInClient }))

const reading = '/v1/competitors/categories'
const signInCookie = await cookieName(world, 'rivalscope_sign_in')
const newBrowser = (at = world) => new WebBrowser(at, { host: 'localhost' })

/** Starts to sign in. @returns where the browser is sent */
async function start(browser: WebBrowser, returnTo = '/charts?country=jp'): Promise<string> {
  const { status, headers } = await browser.ask('GET', `/session/provider?${new URLSearchParams({ returnTo })}`)
  assert.equal(status, 303)
  return String(headers.location)
}

const atProvider = async (address: string) => (await cameBackAt(address, home)).slice(home.length)

/** Comes back from the provider, from another site. @returns where the browser is sent on */
async function back(browser: WebBrowser, path: string): Promise<string> {
  const headers = { 'sec-fetch-site': 'cross-site', 'x-rivalscope-page': '' }
  const reply = await browser.ask('GET', path, { headers })
  assert.equal(reply.status, 303, JSON.stringify(reply.body))
  return String(reply.headers.location)
}

async function signIn(browser = newBrowser()): Promise<WebBrowser> {
  assert.equal(await back(browser, await atProvider(await start(browser))), '/charts?country=jp')
  return browser
}

const sessionOf = async (browser: WebBrowser) => (await browser.ask('GET', '/session')).body
const nobody = { signedIn: false, provider: { name: new URL(provider.issuer).host } }

test('a person signs in at the provider, and may what the token says', async () => {
  provider.granted = ['context:read']
  const browser = newBrowser()
  assert.deepEqual(await sessionOf(browser), nobody)
  const address = new URL(await start(browser))
  const { state, nonce, code_challenge: challenge, ...asked } = Object.fromEntries(address.searchParams)
  for (const random of [state, nonce, challenge]) assert.match(String(random), /^[\w-]{43}$/)
  assert.deepEqual(asked, {
    client_id: clientId,
    response_type: 'code',
    redirect_uri: callback,
    scope: scopes,
    code_challenge_method: 'S256',
  })
  const flags = browser.flags.get(signInCookie) ?? ''
  for (const flag of [/HttpOnly/, /SameSite=Lax/, /Max-Age=600/]) assert.match(flags, flag)
  assert.ok(!flags.includes(String(state)), 'what is remembered is encrypted')

  assert.equal(await back(browser, await atProvider(address.href)), '/charts?country=jp')
  assert.deepEqual([...browser.cookies.keys()], [await cookieName(world)])
  const { sessionId, createdAt, expiresAt, ...rest } = await sessionOf(browser)
  assert.deepEqual(rest, {
    signedIn: true,
    account: `${provider.issuer} ann`,
    credential: { kind: 'token', name: 'Ann Example' },
    scopes: ['context:read'],
    bringsEvidence: true,
    administers: false,
    operates: false,
    provider: nobody.provider,
  })
  assert.ok(sessionId)
  const seconds = (Date.parse(expiresAt) - Date.parse(createdAt)) / 1_000
  assert.ok(Math.abs(seconds - 3_600) < 10, `${seconds} s: as long as the token`)
  assert.equal((await browser.ask('GET', reading)).status, 200)
  const refused = await browser.ask('POST', '/v1/aso/apps', { payload: {} })
  assert.deepEqual([refused.status, refused.body.scope], [403, 'content:write'])
})

test('sessions belong to the person, in whichever browser', async () => {
  provider.granted = ['context:read']
  const [one, two] = [await signIn(), await signIn()]
  provider.person = 'bob'
  const bob = await signIn()
  provider.person = 'ann'
  const { items } = (await one.ask('GET', '/sessions')).body
  const own = (await sessionOf(two)).sessionId
  assert.ok(items.some(({ sessionId }: { sessionId: string }) => sessionId === own))
  assert.equal((await bob.ask('GET', '/sessions')).body.items.length, 1)
  assert.equal((await sessionOf(bob)).credential.name, 'bob', 'the subject, where there is no name')
  assert.equal((await bob.ask('DELETE', `/sessions/${own}`)).status, 404)
  assert.equal((await one.ask('DELETE', `/sessions/${own}`)).status, 204)
  assert.deepEqual(await sessionOf(two), nobody)
})

test('where the access token is not for this service, the id token says what a person may', async () => {
  provider.granted = undefined
  const poor = await signIn()
  assert.deepEqual((await sessionOf(poor)).scopes, [])
  assert.equal((await poor.ask('GET', reading)).body.code, 'scope-missing')
  provider.claims = { scp: ['context:read', 'admin'] }
  assert.deepEqual((await sessionOf(await signIn())).scopes, ['context:read'])
  provider.claims = {}
  provider.granted = ['context:read']
})

test('a person whom the claim of the operator makes an admin makes keys of their account, no wider than they are', async () => {
  await using other = await openWorld({ tokenIssuer: { ...tokenIssuer, adminClaim: 'owner' }, signInClient })
  provider.granted = undefined
  for (const owner of [undefined, 'true']) {
    provider.claims = { scp: ['context:read'], owner }
    const member = await signIn(newBrowser(other))
    assert.equal((await member.ask('GET', '/keys')).body.code, 'not-an-admin', JSON.stringify(owner))
  }
  provider.claims = { scp: ['context:read'], owner: true }
  const browser = await signIn(newBrowser(other))
  const { account, administers } = await sessionOf(browser)
  assert.equal(administers, true)
  const make = (scopes: string[]) => browser.ask('POST', '/keys', { payload: { name: 'mine', scopes } })
  const wider = await make(['context:read', 'content:write'])
  assert.equal(wider.body.errors[0].pointer, '/body/scopes/1')
  const { key, current } = (await make(['context:read'])).body
  assert.equal(current, false)
  const own = new WebBrowser(other)
  assert.equal((await own.signIn(key)).body.account, account)
  provider.claims = {}
  provider.granted = ['context:read']
})

test('accounts and evidence follow the claims of the operator', async () => {
  const issuer = { ...tokenIssuer, accountClaim: 'team', evidenceClaim: 'analyst' }
  await using other = await openWorld({ tokenIssuer: issuer, signInClient })
  provider.granted = undefined
  provider.claims = { team: 'growth' }
  const member = await sessionOf(await signIn(newBrowser(other)))
  assert.equal(member.account, `${provider.issuer} growth`)
  assert.equal(member.bringsEvidence, false)
  provider.claims = {}
  const browser = newBrowser(other)
  const place = await back(browser, await atProvider(await start(browser)))
  assert.equal(place, '/sign-in?problem=provider-failed', 'whose token names no account has none')
  assert.equal((await sessionOf(browser)).signedIn, false)
  provider.granted = ['context:read']
})

test('a session ends with the token it came from', async () => {
  using clock = stopClock()
  provider.lasts = 600
  const browser = await signIn()
  provider.lasts = 3_600
  const { signedIn, sessionId, createdAt, expiresAt } = await sessionOf(browser)
  assert.equal(signedIn, true)
  const seconds = (Date.parse(expiresAt) - Date.parse(createdAt)) / 1_000
  assert.ok(seconds > 0 && seconds <= 601, `${seconds} s`)
  await sql`update sessions set expires_at = now() where session_id = ${sessionId}::uuid`.execute(
    world.store.db,
  )
  clock.pass(1_000)
  assert.deepEqual(await sessionOf(browser), nobody)
  assert.equal((await browser.ask('GET', reading)).status, 401)
})

test('who comes back with another state, or nothing of ours, is not signed in', async () => {
  const expired = '/sign-in?problem=expired'
  const browser = newBrowser()
  const path = await atProvider(await start(browser))
  assert.equal(await back(newBrowser(), path), expired, 'in a browser that began nothing')
  const other = newBrowser()
  await start(other)
  assert.equal(await back(other, path), expired, 'in a browser that began something else')
  const wrong = path.replace(/state=[^&]+/, 'state=of-somebody')
  assert.equal(await back(browser, wrong), expired)
  assert.equal(await back(browser, path), expired, 'and the one try is over')
  for (const forged of ['x', 'eyJhbGciOiJub25lIn0.e30.', `${'A'.repeat(40)}`]) {
    const forger = newBrowser()
    forger.cookies.set(signInCookie, forged)
    assert.equal(await back(forger, path), expired)
    assert.deepEqual(await sessionOf(forger), nobody)
  }
  assert.deepEqual(await sessionOf(browser), nobody)
})

test('who comes back with nothing of ours too often is not listened to for a minute', async () => {
  await using busy = await openWorld({ tokenIssuer, signInClient })
  using _clock = stopClock()
  const browser = newBrowser(busy)
  for (let time = 0; time < 120; time++)
    assert.match(await back(browser, `/session/provider/callback?code=c&state=${time}`), /problem=expired/)
  const { status, body } = await browser.ask('GET', '/session/provider/callback?code=c&state=s')
  assert.deepEqual([status, body.code], [429, 'rate-limited'])
})

test('a callback works once', async () => {
  const browser = newBrowser()
  const path = await atProvider(await start(browser))
  const sealed = browser.cookies.get(signInCookie) ?? ''
  assert.equal(await back(browser, path), '/charts?country=jp')
  assert.equal(await back(browser, path), '/sign-in?problem=expired')
  const thief = newBrowser()
  thief.cookies.set(signInCookie, sealed)
  assert.equal(await back(thief, path), '/sign-in?problem=provider-failed', 'the provider takes a code once')
  assert.deepEqual(await sessionOf(thief), nobody)
  assert.equal((await sessionOf(browser)).signedIn, true, 'who is signed in stays so')
})

test('a code of another sign-in is refused, though the state is right', async () => {
  const [victim, attacker] = [newBrowser(), newBrowser()]
  const theirs = new URLSearchParams((await atProvider(await start(attacker))).split('?')[1])
  const own = new URLSearchParams((await atProvider(await start(victim))).split('?')[1])
  own.set('code', String(theirs.get('code')))
  const place = await back(victim, `/session/provider/callback?${own}`)
  assert.equal(place, '/sign-in?problem=provider-failed', 'its verifier is not ours')
  assert.deepEqual(await sessionOf(victim), nobody)
})

test('a page of another site starts no sign-in, and whoever is signed in stays so', async () => {
  const browser = await signIn()
  for (const site of ['cross-site', 'same-site']) {
    const { status, headers } = await browser.ask('GET', '/session/provider', {
      headers: { 'sec-fetch-site': site, 'x-rivalscope-page': '' },
    })
    assert.deepEqual([status, headers.location], [303, '/'], site)
    assert.equal(browser.cookies.get(signInCookie) || undefined, undefined)
  }
  assert.equal((await sessionOf(browser)).signedIn, true)
  assert.match(await start(browser), /^http/, 'our own page may')
})

test('who refuses at the provider is told so', async () => {
  provider.person = undefined
  const browser = newBrowser()
  const path = await atProvider(await start(browser))
  provider.person = 'ann'
  assert.match(path, /error=access_denied/)
  assert.equal(await back(browser, path), '/sign-in?problem=provider-refused')
  assert.deepEqual(await sessionOf(browser), nobody)
})

test('a provider that is away fails the sign-in, before and in the middle', async () => {
  const gone = await openProvider([audience], [callback])
  await using other = await openWorld({ tokenIssuer: { ...tokenIssuer, issuer: gone.issuer }, signInClient })
  await using away = await openWorld({
    tokenIssuer: { ...tokenIssuer, issuer: 'http://127.0.0.1:1' },
    signInClient,
  })
  assert.equal(await start(newBrowser(away)), '/sign-in?problem=provider-failed')
  const browser = newBrowser(other)
  const path = await atProvider(await start(browser))
  await gone[Symbol.asyncDispose]()
  assert.equal(await back(browser, path), '/sign-in?problem=provider-failed')
  assert.equal((await sessionOf(browser)).signedIn, false)
  assert.equal((await browser.ask('GET', '/healthz')).status, 200)
})

test('a wrong secret of ours, or none, signs nobody in; a public client needs none', async () => {
  for (const [client, place] of [
    [{ id: clientId, secret: 'wrong', scopes }, '/sign-in?problem=provider-failed'],
    [{ id: clientId, scopes }, '/sign-in?problem=provider-failed'],
    [{ id: 'public', scopes }, '/charts?country=jp'],
  ] as const) {
    await using other = await openWorld({ tokenIssuer, signInClient: client })
    const browser = newBrowser(other)
    assert.equal(await back(browser, await atProvider(await start(browser))), place)
  }
})

test('afterwards people are sent to a path of this service and nowhere else', async () => {
  for (const returnTo of [
    ...['https://evil.example/', '//evil.example', '/\\evil.example', '\\\\evil.example', '/\t/evil.example'],
    ...[
      'javascript:alert(1)',
      'charts',
      '',
      ' /charts',
      '/\n/evil.example',
      '/a\\b',
      '/ü',
      `/${'a'.repeat(2_001)}`,
    ],
  ]) {
    const url = `/session/provider?${new URLSearchParams({ returnTo })}`
    const { status, body, headers } = await newBrowser().ask('GET', url)
    assert.deepEqual([status, body.errors?.[0].pointer], [400, '/query/returnTo'], returnTo)
    assert.equal(headers.location, undefined)
  }
  const twice = await newBrowser().ask('GET', '/session/provider?returnTo=/a&returnTo=/b')
  assert.equal(twice.status, 400)
  for (const returnTo of ['/', '/apps/1?a=%2F%2Fb#c', '/%5Cevil', '/..//evil.example']) {
    const browser = newBrowser()
    assert.equal(await back(browser, await atProvider(await start(browser, returnTo))), returnTo)
  }
  const browser = newBrowser()
  const { headers } = await browser.ask('GET', '/session/provider')
  assert.equal(await back(browser, await atProvider(String(headers.location))), '/')
})

test('behind a proxy the provider is given the public address', async () => {
  const publicUrl = 'https://apps.example.com/rivalscope'
  await using behind = await openWorld({ tokenIssuer, signInClient, publicUrl, trustedProxies: ['loopback'] })
  const browser = new WebBrowser(behind, { host: 'apps.example.com' })
  const { headers } = await browser.ask('GET', '/session/provider')
  const { searchParams } = new URL(String(headers.location))
  assert.equal(searchParams.get('redirect_uri'), `${publicUrl}/session/provider/callback`)
  assert.match(browser.flags.get(`__Host-${await cookieName(behind, 'rivalscope_sign_in')}`) ?? '', /Secure/)
  const { headers: failed } = await browser.ask('GET', '/session/provider/callback?state=x')
  assert.equal(failed.location, '/rivalscope/sign-in?problem=expired')
})

test('where no provider is configured, there is nothing to sign in at', async () => {
  await using without = await openWorld({ tokenIssuer })
  for (const path of ['/session/provider', '/session/provider/callback?code=x&state=y'])
    assert.equal((await newBrowser(without).ask('GET', path)).status, 404)
  assert.deepEqual(await sessionOf(newBrowser(without)), { signedIn: false, provider: null })
})
