import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, skip } from '../support/browser.ts'
import { sampleIds } from './support/sample-ids.ts'
import { address, demoKey, settled, visit } from './support/visitor.ts'

let browser: Browser
before(async () => {
  if (!skip) browser = await openBrowser()
})
after(() => browser?.close())

test('a chart that was never stored leads to one that is', { skip }, async () => {
  await using visitor = await visit(browser)
  const { page } = visitor
  await page.goto(`${address}/charts?category=6022`)
  // The account of the demo operates it.
  await page.getByRole('link', { name: 'Collect or schedule it' }).waitFor()
  await page.getByRole('navigation', { name: 'Collected charts' }).getByRole('link').first().click()
  await page.getByRole('group', { name: 'Chart ranks' }).waitFor()
})

test('keywords whose ranks are known are done in the first hour, however they were searched', {
  skip,
}, async () => {
  await using visitor = await visit(browser)
  const { page } = visitor
  await page.goto(`${address}/start?app=${sampleIds.trackedApp}`)
  const keywords = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Keywords', exact: true, level: 2 }) })
  await keywords.getByText('Done', { exact: true }).waitFor()
})

test('a read that does not answer hides no other step of the first hour', { skip }, async () => {
  await using visitor = await visit(browser)
  const { page } = visitor
  await page.route('**/collecting', () => undefined)
  await page.goto(`${address}/start?app=${sampleIds.trackedApp}`)
  await page.getByRole('link', { name: 'Keywords of my app' }).waitFor()
})

test('a move on Home leads to the keyword, with the app marked on its page', { skip }, async () => {
  await using visitor = await visit(browser)
  const { page } = visitor
  await page.goto(address)
  await page.getByRole('link', { name: sampleIds.keyword, exact: true }).first().click()
  const marked = page.locator('tr[aria-current="true"]')
  await marked.getByText('My app').waitFor()
  await page.getByRole('columnheader', { name: /^Change since/ }).waitFor()
  await page.getByRole('heading', { name: 'Sources', exact: true }).waitFor()
})

test('adding keywords closes its dialog and gives the focus back', { skip }, async () => {
  await using visitor = await visit(browser)
  const { page } = visitor
  await page.goto(`${address}/aso/${sampleIds.trackedApp}`)
  await settled(page)
  // The demo is shared with other tests, which count its keywords: it is not told.
  await page.route('**/keywords', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ json: { added: [{}], alreadyThere: [], refused: [] } })
      : route.continue(),
  )
  const open = page.getByRole('button', { name: 'Add keywords' })
  await open.click()
  await page.getByRole('textbox', { name: 'Keywords' }).fill('zebra cashbook')
  await page.getByRole('button', { name: 'Add 1' }).press('Enter')
  await page.getByRole('dialog', { name: 'Add keywords' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Refresh now' }).waitFor()
  assert.equal(await page.evaluate('document.activeElement?.textContent'), 'Add keywords…')
})

test('a gap begins with keywords for which the rival is ahead', { skip }, async () => {
  await using visitor = await visit(browser)
  const { page } = visitor
  await page.goto(`${address}/aso/${sampleIds.trackedApp}/gap/${sampleIds.rival}`)
  await page.getByRole('button', { name: 'Any Ahead' }).click()
  await page.getByRole('option', { name: 'Competitor', exact: true }).click()
  await page.waitForURL(/ahead=rival/)
  const rows = page.getByRole('group', { name: 'Keyword gap' }).locator('tbody tr')
  await rows.first().waitFor()
  for (const row of await rows.all()) assert.match(await row.innerText(), /competitor/)
})

test('the numbers above a gap add up: no keyword is counted twice', { skip }, async () => {
  await using visitor = await visit(browser)
  const { page } = visitor
  await page.goto(`${address}/aso/${sampleIds.trackedApp}/gap/${sampleIds.rival}`)
  const tiles = page.getByRole('navigation', { name: 'Who ranks' }).locator('strong')
  await tiles.first().waitFor()
  const [all = 0, ...parts] = (await tiles.allInnerTexts()).map(Number)
  assert.equal(
    parts.reduce((sum, part) => sum + part, 0),
    all,
  )
  await page.getByRole('link', { name: /^Competitor ahead/ }).click()
  await page.waitForURL(/ahead=rival/)
  const rows = page.getByRole('group', { name: 'Keyword gap' }).locator('tbody tr')
  await rows.first().waitFor()
  for (const row of await rows.all()) assert.match(await row.innerText(), /both/i)
})

test('who is not signed in is told that there is no page at an address, and what people call a page leads to it', {
  skip,
}, async () => {
  await using visitor = await visit(browser, { key: null })
  const { page } = visitor
  await page.goto(`${address}/nowhere/at-all`)
  await page.getByRole('status').getByText('Page not found.').waitFor()
  await page.getByLabel('API key').fill(demoKey)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${address}/nowhere/at-all`)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  for (const [word, to] of [
    ['library', '/creatives/ads'],
    ['creatives', '/creatives/ads'],
    [`competitors/${sampleIds.app}/ranks`, `/apps/${sampleIds.app}/ranks`],
  ] as const) {
    await page.goto(`${address}/${word}`)
    await settled(page)
    assert.equal(new URL(page.url()).pathname, to)
  }
})

test('an app that is tracked is not offered to be tracked, but leads to its workstation', {
  skip,
}, async () => {
  await using visitor = await visit(browser)
  const { page } = visitor
  await page.goto(`${address}/aso`)
  await settled(page)
  await page.getByRole('button', { name: 'Add app…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add app' })
  await dialog.getByRole('searchbox', { name: 'App' }).fill('tally')
  const open = dialog.getByRole('link', { name: /^Open Tally & Ferret.*, tracked as my app$/ })
  await open.waitFor()
  assert.equal(await dialog.getByRole('button', { name: /^Track Tally & Ferret/ }).count(), 0)
  await dialog.getByRole('searchbox', { name: 'App' }).fill(sampleIds.trackedStoreId)
  await dialog.getByText(`Track ID ${sampleIds.trackedStoreId}`).waitFor({ state: 'detached' })
  await open.click()
  await page.waitForURL(new RegExp(`/aso/${sampleIds.trackedApp}`))
})
