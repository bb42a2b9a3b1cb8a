import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { pagePrefixes } from '../../src/http/web-pages.ts'
import { openBrowser, openPage, skip } from '../support/browser.ts'
import { openWorld, type World } from '../support/world.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const built = join(root, 'dist/docs')

let world: World
let browser: Browser
let address: string
before(async () => {
  // A link to a page that does not exist fails it.
  await promisify(execFile)(process.execPath, ['scripts/build-docs.ts'], { cwd: root })
  world = await openWorld()
  address = await world.server.listen({ host: '127.0.0.1', port: 0 })
  if (!skip) browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await world?.[Symbol.asyncDispose]()
})

const desk = 1280
const phone = 390

const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

/** The built pages by their address. */
const pages = () =>
  new Map(
    readdirSync(built, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.html') && file !== '404.html')
      .map((file) => [
        `/docs/${file.replace(/(?:(^|\/)index)?\.html$/, '$1')}`,
        readFileSync(join(built, file), 'utf8'),
      ]),
  )

test('every link of every page leads to a page, and to a place on it, to the reference or to the workstation', async () => {
  const known = pages()
  assert.ok(known.size > 100, `${known.size} pages`)
  const dead: string[] = []
  for (const [from, html] of known)
    for (const [, href = ''] of html.matchAll(/<a\b[^>]*? href="([^"]+)"/g)) {
      if (/^(?:https?|mailto):/.test(href)) continue
      const { pathname, hash } = new URL(href.replaceAll('&amp;', '&'), `http://x${from}`)
      const target = known.get(pathname)
      const isElsewhere =
        pathname === '/' ||
        ['/docs/reference', '/docs/problems'].includes(pathname) ||
        pagePrefixes.some((prefix) => pathname === prefix || pathname.startsWith(`${prefix}/`))
      const id = decodeURIComponent(hash.slice(1))
      if (target ? id !== '' && !target.includes(`id="${id}"`) : !isElsewhere) dead.push(`${from}: ${href}`)
    }
  assert.deepEqual(dead, [])
})

test('a word is found from the keyboard, without a request beyond the origin or anything the policy forbids', {
  skip,
}, async () => {
  const { page, trouble } = await openPage(browser, address, '/docs/', desk)
  await page.getByRole('heading', { level: 1, name: 'Rivalscope' }).waitFor()
  await page.keyboard.press('/')
  await page.getByRole('searchbox').or(page.getByRole('combobox')).fill('quiet hours')
  await page
    .getByRole('option', { name: /Watches/ })
    .first()
    .waitFor()
  const [, title = ''] = (await page.getByRole('option').first().innerText()).split('\n')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/docs\/[a-z]/)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  assert.deepEqual(trouble, [])
})

test('pages fit a phone, in both themes, and their links lead on', { skip }, async () => {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const path of [
      '/docs/',
      '/docs/tutorials/keyword-gap',
      '/docs/cli',
      '/docs/results',
      '/docs/decisions/0044-a-built-package',
    ]) {
      const { page, trouble } = await openPage(browser, address, path, phone)
      await page.emulateMedia({ colorScheme })
      await page.locator('main h1').first().waitFor()
      assert.ok(Number(await overflow(page)) <= 0, `${path} is too wide`)
      assert.deepEqual(trouble, [], path)
      await page.close()
    }
  const { page, trouble } = await openPage(browser, address, '/docs/tutorials/', phone)
  await page.getByRole('main').getByRole('link', { name: 'Keyword gap' }).click()
  await page.getByRole('heading', { level: 1, name: 'Keyword gap' }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/docs/tutorials/keyword-gap')
  assert.deepEqual(trouble, [])
})

test('an address of an operation from before leads to it in the reference', { skip }, async () => {
  const { page } = await openPage(browser, address, '/docs#/charts/get_apple_charts', desk)
  await page.waitForURL(/\/docs\/reference#\/charts\/get_apple_charts$/)
  await page.locator('.opblock').first().waitFor()
})

test('a page that is not there says so', { skip }, async () => {
  const { page } = await openPage(browser, address, '/docs/nothing', desk)
  await page.getByText('404').first().waitFor()
})
