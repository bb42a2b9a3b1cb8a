import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { listKeys } from '../../src/domain/accounts/queries.ts'
import { createSignInLink } from '../../src/domain/accounts/sessions.ts'
import { openBrowser, skip } from '../support/browser.ts'
import { clientId, clientSecret, type OpenIdProvider, openProvider } from '../support/openid-provider.ts'
import { openScriptedServer, type ScriptedServer } from '../support/scripted-server.ts'
import { openWorld, type World } from '../support/world.ts'

/** What browsers do with the cookie, the link and the provider's redirect is up to them: so it is tried in one. */
const audience = 'https://rivalscope.test'
const parts = new AsyncDisposableStack()
let world: World
let browser: Browser
/** By a name of its own: to a browser, the provider and the other pages on 127.0.0.1 are another site. */
let home: string
let provider: OpenIdProvider
let foreign: ScriptedServer
before(async () => {
  if (skip) return
  provider = parts.use(await openProvider([audience]))
  const scopes = 'openid context:read content:write'
  world = parts.use(
    await openWorld({
      tokenIssuer: { issuer: provider.issuer, audience, accountClaim: 'sub' },
      signInClient: { id: clientId, secret: clientSecret, scopes },
      corsOrigins: [],
    }),
  )
  const listening = await world.server.listen({ host: 'localhost', port: 0 })
  home = `http://localhost:${new URL(listening).port}`
  provider.redirectUris = [`${home}/session/provider/callback`]
  foreign = parts.use(await openScriptedServer())
  browser = await openBrowser()
  parts.defer(() => browser.close())
})
after(() => parts.disposeAsync())

async function openContext(): Promise<BrowserContext> {
  const context = await browser.newContext()
  parts.defer(() => context.close())
  return context
}

const newLink = async () => {
  const [key] = await listKeys(world.store.db)
  return `${home}${await createSignInLink(world.store.db, String(key?.keyId))}`
}

/** What a page of ours, or of others, gets when its script asks. */
const asked = (context: BrowserContext, on: string, path: string, init: object = {}) =>
  onPage(
    context,
    on,
    `fetch('${path}', ${JSON.stringify(init)}).then(async (reply) => [reply.status, await reply.text()], String)`,
  )

async function onPage(context: BrowserContext, on: string, script: string): Promise<unknown> {
  const page = await context.newPage()
  try {
    await page.goto(on)
    return await page.evaluate(script)
  } finally {
    await page.close()
  }
}

const signedIn = async (context: BrowserContext) => {
  const [, text] = (await asked(context, `${home}/docs/reference`, '/session')) as [number, string]
  return JSON.parse(text).signedIn as boolean
}

test('a link signs in by one click, and only that', { skip }, async () => {
  const context = await openContext()
  const page = await context.newPage()
  const link = await newLink()
  await page.goto(link)
  assert.equal(await signedIn(context), false)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${home}/`)
  assert.equal(await signedIn(context), true)
  const [cookie] = await context.cookies(home)
  assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Lax'])
  await page.goto(link)
  assert.equal(page.url(), `${home}/sign-in?problem=link-used`)
})

test('who comes from another site by a link is signed in still; what its scripts and forms send is refused', {
  skip,
}, async () => {
  const context = await openContext()
  const page = await context.newPage()
  await page.goto(await newLink())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${home}/`)
  foreign.plays((reply) =>
    reply
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        `<a href="${home}/session">Look</a><form method="post" action="${home}/session/link/x"><button>Win</button></form><form method="post" enctype="text/plain" action="${home}/v1/aso/apps"><button>Track</button></form>`,
      ),
  )
  await page.goto(foreign.address)
  await page.getByRole('link').click()
  assert.equal(JSON.parse(await page.locator('body').innerText()).signedIn, true)
  await page.goto(foreign.address)
  const posted = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Win' }).click()
  assert.equal((await posted).status(), 403)

  // Another port of this machine is the same site, and its cookies travel: only the checks of the service are left.
  const neighbour = foreign.address.replace('127.0.0.1', 'localhost')
  for (const on of [foreign.address, neighbour]) {
    const read = onPage(
      context,
      on,
      `fetch('${home}/sessions', { credentials: 'include' }).then((r) => r.status, String)`,
    )
    assert.match(String(await read), /Failed to fetch/)
    const sent = onPage(
      context,
      on,
      `fetch('${home}/session', { method: 'DELETE', credentials: 'include' }).then((r) => r.status, String)`,
    )
    assert.match(String(await sent), /Failed to fetch/)
  }
  await page.goto(neighbour)
  const tracked = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Track' }).click()
  const request = await tracked
  assert.ok((await request.allHeaders()).cookie, 'the browser sends the cookie there')
  assert.equal((await request.response())?.status(), 403)
  assert.equal(await signedIn(context), true)
})

test('who signs in at the provider is signed in on the page they return to', { skip }, async () => {
  const context = await openContext()
  const page = await context.newPage()
  await page.goto(`${home}/session/provider?returnTo=/session`)
  await page.waitForURL(`${home}/session`)
  const session = JSON.parse(await page.locator('body').innerText())
  assert.deepEqual([session.signedIn, session.credential?.kind], [true, 'token'])
})

test('the client calls with the session of the page, and the browser asks again by tag', { skip }, async () => {
  const context = await openContext()
  const page = await context.newPage()
  await page.goto(`${home}/session/provider?returnTo=/session`)
  await page.waitForURL(`${home}/session`)
  await page.goto(`${home}/docs/reference`)
  const sent: Promise<Record<string, string>>[] = []
  page.on('request', (request) => request.url().includes('/v1/') && sent.push(request.allHeaders()))
  const call = (then: string) =>
    page.evaluate(`import('/client.js').then(({ Rivalscope }) => {
      const rivalscope = new Rivalscope({ server: location.origin, session: true, retries: 0 })
      return rivalscope.${then}
    })`)
  const first = await call('listCompetitorCategories()')
  assert.deepEqual(await call('listCompetitorCategories()'), first)
  const [fresh, again] = await Promise.all(sent)
  assert.match(again?.['if-none-match'] ?? '', /^"/, JSON.stringify(again))
  assert.deepEqual([fresh?.authorization, fresh?.['if-none-match']], [undefined, undefined])
  const asked = await call(
    `requestCompetitorData({ storeId: '1', kinds: ['media'] }).then(({ items }) => items.length)`,
  )
  assert.equal(asked, 1)
  await context.clearCookies()
  assert.equal(await call(`listCompetitorCategories().catch(({ code }) => code)`), 'unauthenticated')
})
