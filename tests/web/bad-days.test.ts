import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { after, before, test } from 'node:test'
import type { Browser, Page, Request } from 'playwright-core'
import { openBrowser, skip } from '../support/browser.ts'
import { openFolder } from '../support/files.ts'
import { png } from '../support/media.ts'
import { pause } from '../support/pause.ts'
import { storeTracked } from '../support/tracking.ts'
import { until } from '../support/until.ts'
import { appsOf, type OwnService, openOwnService } from './support/own-service.ts'
import { settled } from './support/visitor.ts'

const parts = new AsyncDisposableStack()
let service: OwnService
let browser: Browser
before(async () => {
  if (skip) return
  const folder = parts.use(openFolder())
  service = parts.use(await openOwnService())
  const { world } = service
  const apps = [1, 2, 3, 4, 5].map((number) => ({
    storeId: 7_100_000 + number,
    name: `Tidepool ${number}`,
    icon: `https://is1-ssl.mzstatic.com/image/thumb/${number}/512x512bb.jpg`,
  }))
  const paths = [folder.write('apps.ndjson', appsOf(apps))]
  await world.import({ kind: 'catalogue', paths, country: 'us', observedAt: '2026-11-20' })
  const ad = {
    platform: 'meta',
    archiveId: '900',
    advertiser: { id: '5001', name: 'Tidepool Habits' },
    creatives: [{ title: 'Small tides', text: 'Every day counts.', media: [] }],
    startedOn: '2026-11-02',
    active: true,
    countries: ['us'],
    observedAt: '2026-11-20T06:00:00Z',
  }
  await world.import({ kind: 'paid-ads', paths: [folder.write('ad.json', JSON.stringify([ad]))] })
  browser = await openBrowser()
  parts.defer(() => browser.close())
})
after(() => parts.disposeAsync())

const adPath = '/creatives/ads/meta/900'

/** Opens a page of the service as a person of an account of their own, which tracks an app. */
async function personOf(account: string) {
  const { world } = service
  const key = await world.key(undefined, account)
  const appId = await storeTracked(world, { storeId: '7100001', account, keywords: ['habit tracker'] })
  const visitor = await service.visit(browser, key)
  return { ...visitor, key, appId, [Symbol.asyncDispose]: () => visitor[Symbol.asyncDispose]() }
}

/** Drafts of a listing that an account has. */
async function draftsOf(key: string): Promise<{ name: string; texts: object; version: number }[]> {
  const { address } = service
  const headers = { authorization: `Bearer ${key}` }
  const reply = await fetch(`${address}/listing-drafts?storeId=7100001&country=us`, { headers })
  return ((await reply.json()) as { items: { name: string; texts: object; version: number }[] }).items
}

/** The parts of the page on which a listing is planned. */
const planningOn = (page: Page) => ({
  name: page.getByLabel('Draft name'),
  subtitle: page.getByRole('textbox', { name: 'Subtitle' }),
  save: page.getByRole('button', { name: 'Save draft' }),
  isSaved: page.getByText('Everyone in this account sees it'),
})

async function show(page: Page, path: string): Promise<void> {
  await page.goto(`${service.address}${path}`)
  await settled(page)
}

/** The writes that a page sends from now on. */
function writesOf(page: Page): Request[] {
  const sent: Request[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/v1/')) sent.push(request)
  })
  return sent
}

const idempotencyKeys = (sent: readonly Request[]) =>
  new Set(sent.map((request) => request.headers()['idempotency-key']))

const endedDialog = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' })

async function signInOver(page: Page, key: string): Promise<void> {
  await endedDialog(page).getByLabel('API key').fill(key)
  await endedDialog(page).getByRole('button', { name: 'Sign in' }).click()
  await endedDialog(page).waitFor({ state: 'detached' })
}

/** Ends the sessions of a key, as their owner does on another machine. */
async function revokeSessions(key: string): Promise<void> {
  const { address } = service
  await using elsewhere = await service.visit(browser, key)
  const headers = { 'x-rivalscope-page': '1' }
  const { request } = elsewhere.context
  const { items } = (await (await request.get(`${address}/sessions`, { headers })).json()) as {
    items: { sessionId: string; current: boolean }[]
  }
  for (const { sessionId } of items.filter(({ current }) => !current))
    await request.delete(`${address}/sessions/${sessionId}`, { headers })
}

test('while the service is away the page says so and keeps what is typed; once it is back the page goes on by itself', {
  skip,
}, async () => {
  await using person = await personOf('away')
  const { page, appId } = person
  await show(page, `/aso/${appId}`)
  await page.getByRole('button', { name: 'Add keywords' }).click()
  const box = page.getByRole('textbox', { name: 'Keywords' })
  await box.fill('night owl')
  service.way.cut()
  const away = page.getByText('Rivalscope cannot be reached. The data shown was loaded before')
  await away.waitFor()
  await page.getByRole('button', { name: 'Add 1' }).click()
  await page.getByText('Keywords that were not added are still in the box.').waitFor()
  assert.equal(await box.inputValue(), 'night owl')
  await service.way.mend()
  await away.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add 1' }).click()
  await page.getByText('1 keyword added').waitFor()
})

test('a planned listing outlives a service that is away, an answer that is lost and what is typed meanwhile, and is stored once', {
  skip,
}, async () => {
  await using person = await personOf('plans')
  const { page, appId, key } = person
  const { name, subtitle, save, isSaved } = planningOn(page)
  await show(page, `/aso/${appId}/plan`)
  service.way.cut()
  await name.fill('Summer')
  await subtitle.fill('Tides for two')
  await page.getByText('cannot be reached').first().waitFor()
  await save.click()
  await page.getByText('Failed:').first().waitFor()
  assert.deepEqual([await name.inputValue(), await subtitle.inputValue()], ['Summer', 'Tides for two'])
  await service.way.mend()

  // Stored, and the answer is lost; then more is typed.
  await page.route('**/listing-drafts/*-*', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await save.click()
  await page.waitForURL(/draft=/)
  await isSaved.waitFor()
  await page.unroute('**/listing-drafts/*-*')
  assert.deepEqual(
    (await draftsOf(key)).map(({ name, texts, version }) => [name, texts, version]),
    [['Summer', { 'en-US': { subtitle: 'Tides for two' } }, 1]],
  )

  // What is typed while a save is under way is neither lost nor taken as saved.
  const underWay = Promise.withResolvers<void>()
  await page.route('**/listing-drafts/*-*', async (route) => {
    await underWay.promise
    await route.continue()
  })
  await subtitle.fill('Tides for three')
  await save.click()
  await subtitle.fill('Tides for four')
  underWay.resolve()
  await page.getByText('Draft “\u2068Summer\u2069” saved').waitFor()
  await page.unroute('**/listing-drafts/*-*')
  assert.equal(await subtitle.inputValue(), 'Tides for four')
  await save.click()
  await isSaved.waitFor()
  assert.deepEqual(
    (await draftsOf(key)).map(({ texts, version }) => [texts, version]),
    [[{ 'en-US': { subtitle: 'Tides for four' } }, 3]],
  )
})

test('a planned listing that meets an ended session waits for a new sign-in, and a second tab overwrites nothing unseen', {
  skip,
}, async () => {
  await using person = await personOf('plans in two tabs')
  const { page, appId, key, context } = person
  const { name, subtitle, save, isSaved } = planningOn(page)
  await show(page, `/aso/${appId}/plan`)
  await name.fill('Summer')
  await subtitle.fill('Tides for two')
  await revokeSessions(key)
  await save.click()
  await signInOver(page, key)
  await isSaved.waitFor()
  assert.deepEqual(
    (await draftsOf(key)).map(({ texts, version }) => [texts, version]),
    [[{ 'en-US': { subtitle: 'Tides for two' } }, 1]],
  )

  const other = await context.newPage()
  await other.goto(page.url())
  await settled(other)
  const second = planningOn(other)
  await subtitle.fill('Typed in the first tab')
  await other.getByText('Not saved:').waitFor()
  assert.equal(await second.subtitle.inputValue(), 'Typed in the first tab')
  await second.subtitle.fill('Typed in the second tab')
  await second.save.click()
  await second.isSaved.waitFor()
  await isSaved.waitFor()
  assert.equal(await subtitle.inputValue(), 'Typed in the second tab')
  assert.deepEqual(
    (await draftsOf(key)).map(({ texts, version }) => [texts, version]),
    [[{ 'en-US': { subtitle: 'Typed in the second tab' } }, 2]],
  )
})

test('a text that the service refuses can be mended, also after the page was opened anew', {
  skip,
}, async () => {
  await using person = await personOf('plans oddly')
  const { page, appId } = person
  const { subtitle } = planningOn(page)
  await show(page, `/aso/${appId}/plan`)
  await subtitle.fill(`a${'\u0301'.repeat(40)}`)
  await page.getByText('too many marks').waitFor()
  await page.reload()
  await page.getByText('too many marks').waitFor()
  await subtitle.fill('Tides')
  await page.getByText('too many marks').waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'Effect of each edit' }).getByText('en-US Subtitle').waitFor()
})

test('a write that meets an ended session waits for a new sign-in over the page, and is done once', {
  skip,
}, async () => {
  await using person = await personOf('ended')
  const { page, key } = person
  await show(page, adPath)
  const note = page.getByRole('textbox', { name: 'Note' })
  await note.fill('Worth a look')
  const sent = writesOf(page)
  await page.route('**/v1/**', async (route) => {
    if (route.request().method() === 'POST' && sent.length === 1) await revokeSessions(key)
    await route.continue()
  })
  await page.getByRole('button', { name: 'Save', exact: true }).last().click()
  await endedDialog(page).waitFor()
  assert.equal(await note.inputValue(), 'Worth a look')
  await signInOver(page, key)
  await page.getByRole('heading', { name: 'Saved', exact: true }).waitFor()
  assert.equal(await note.inputValue(), 'Worth a look')
  assert.equal(sent.length, 2)
  assert.equal(idempotencyKeys(sent).size, 1)
})

test('a page at rest notices that its session was ended elsewhere, and keeps what is typed, looked at again or not', {
  skip,
}, async () => {
  await using person = await personOf('rest')
  const { page, key, appId } = person
  await show(page, `/aso/${appId}`)
  await page.getByRole('button', { name: 'Add keywords' }).click()
  await page.getByRole('textbox', { name: 'Keywords' }).fill('night owl')
  await revokeSessions(key)
  await endedDialog(page).waitFor()
  const asked = page.waitForResponse(`${service.address}/session`)
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  await asked
  await signInOver(page, key)
  assert.equal(await page.getByRole('textbox', { name: 'Keywords' }).inputValue(), 'night owl')
  await page.getByRole('button', { name: 'Add 1' }).click()
  await page.getByText('1 keyword added').waitFor()
})

test('who signs out is not asked to sign in over the page that is left, however slowly the next one comes', {
  skip,
}, async () => {
  await using person = await personOf('leaving')
  const { page } = person
  // A page that is on its way to another tells no test what it shows, but goes on to log.
  await page.addInitScript(`new MutationObserver(() => {
    for (const { innerText } of document.querySelectorAll('[role=dialog], [role=alertdialog]')) console.log(innerText)
  }).observe(document, { childList: true, subtree: true })`)
  const shown: string[] = []
  page.on('console', (message) => void shown.push(message.text()))
  await show(page, '/settings')
  const noticed = page.waitForResponse(
    (response) => response.url().endsWith('/changes') && response.status() === 401,
  )
  await page.route('**/sign-in', async (route) => {
    await noticed
    await pause(1_000, 'a dialog would open')
    await route.continue()
  })
  await page
    .getByRole('region', { name: 'Sessions' })
    .getByRole('button', { name: 'Sign out', exact: true })
    .click()
  await page.waitForURL('**/sign-in')
  assert.deepEqual(
    shown.filter((text) => text.includes('session has ended')),
    [],
  )
})

test('what is changed in one tab is seen in the others', { skip }, async () => {
  await using person = await personOf('tabs')
  const { page, context, appId } = person
  const [keywords, saved] = [await context.newPage(), await context.newPage()]
  await show(keywords, `/aso/${appId}`)
  await show(saved, '/creatives/saved')
  await show(page, `/aso/${appId}`)
  await page.getByRole('button', { name: 'Add keywords' }).click()
  await page.getByRole('textbox', { name: 'Keywords' }).fill('night owl')
  await page.getByRole('button', { name: 'Add 1' }).click()
  await keywords.getByText('night owl').first().waitFor()
  await show(page, adPath)
  await page.getByRole('button', { name: 'Save', exact: true }).last().click()
  await saved.getByText('Tidepool Habits').first().waitFor()
})

test('signing out in one tab ends the others, and signing in there lets them go on; another account starts them anew', {
  skip,
}, async () => {
  await using person = await personOf('leaving in tabs')
  const { page, context, key } = person
  const other = await context.newPage()
  await show(other, adPath)
  await other.getByRole('textbox', { name: 'Note' }).fill('Worth a look')
  await show(page, '/')
  const signOut = async () => {
    await page.getByRole('button', { name: /^(leaving in tabs|stranger)$/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Rivalscope' }).waitFor()
  }
  const signIn = async (as: string) => {
    await page.getByLabel('API key').fill(as)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation', { name: 'Areas' }).waitFor()
  }
  await signOut()
  await endedDialog(other).waitFor()
  await signIn(key)
  await endedDialog(other).waitFor({ state: 'detached' })
  assert.equal(await other.getByRole('textbox', { name: 'Note' }).inputValue(), 'Worth a look')
  await signOut()
  await endedDialog(other).waitFor()
  await signIn(await service.world.key(undefined, 'stranger'))
  await other.getByRole('button', { name: 'stranger' }).waitFor()
})

test('a write whose answer is lost is repeated under the same key, also by pressing the button again', {
  skip,
}, async () => {
  await using person = await personOf('lost')
  const { page } = person
  await show(page, adPath)
  const sent = writesOf(page)
  let isLosing = true
  await page.route('**/v1/**', async (route) => {
    if (route.request().method() !== 'POST' || !isLosing) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('textbox', { name: 'Note' }).fill('Worth a look')
  const save = page.getByRole('button', { name: 'Save', exact: true }).last()
  await save.click()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  const tried = sent.length
  assert.equal(idempotencyKeys(sent).size, 1)
  isLosing = false
  await save.click()
  await page.getByRole('heading', { name: 'Saved', exact: true }).waitFor()
  assert.equal(sent.length, tried + 1)
  assert.equal(idempotencyKeys(sent).size, 1)
})

const icons = 'main img[src^="/pictures?"]'

test('an icon that the service is too busy for, or that the line breaks for, is asked for again and then shown', {
  skip,
}, async () => {
  await using person = await personOf('busy')
  const { page, appId } = person
  const body = await png(3)
  const asked: string[] = []
  await page.route('**/icons?**', (route) => route.abort())
  await page.route('**/pictures?**', (route) => {
    const kind = route.request().resourceType()
    asked.push(kind)
    // The line breaks for the element; the page looks into the cache, meets a service that is busy, and then the picture.
    if (asked.filter((each) => each === 'fetch').length > 2)
      return route.fulfill({ contentType: 'image/png', body })
    return kind === 'fetch' ? route.fulfill({ status: 503, headers: { 'retry-after': '1' } }) : route.abort()
  })
  await show(page, `/aso/${appId}`)
  await until(
    () => page.evaluate(`document.querySelector('${icons}')?.naturalWidth`),
    (width) => width === 8,
  )
})

test('an icon that nobody has is asked for once', { skip }, async () => {
  await using person = await personOf('nobody')
  const { page, appId } = person
  const asked: string[] = []
  const count = ({ url = '' }: IncomingMessage) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    if (!/^\/(?:icons|pictures)$/.test(pathname)) return
    asked.push(...searchParams.getAll('url').map((one) => `${searchParams.get('width')} ${one}`))
  }
  service.world.server.server.on('request', count)
  await show(page, `/aso/${appId}`)
  await page.waitForTimeout(2_500)
  service.world.server.server.off('request', count)
  assert.ok(asked.length > 0)
  assert.deepEqual(asked, [...new Set(asked)])
  assert.equal(await page.locator(`${icons}, main img[src^="data:image/webp"]`).count(), 0)
})
