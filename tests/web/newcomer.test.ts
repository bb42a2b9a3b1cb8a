import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, skip } from '../support/browser.ts'
import { sampleIds } from './support/sample-ids.ts'
import { address, settled, visit } from './support/visitor.ts'

let browser: Browser
before(async () => {
  if (!skip) browser = await openBrowser()
})
after(() => browser?.close())

test('a chart that was never stored leads to one that is', { skip }, async () => {
  await using visitor = await visit(browser)
  const { page } = visitor
  await page.goto(`${address}/charts?category=6022`)
  await page.getByRole('navigation', { name: 'Stored charts' }).getByRole('link').first().click()
  await page.getByRole('group', { name: 'Places of the chart' }).waitFor()
})

test('a move on Home leads to the keyword, with the app marked on its page', { skip }, async () => {
  await using visitor = await visit(browser)
  const { page } = visitor
  await page.goto(address)
  await page.getByRole('link', { name: sampleIds.keyword, exact: true }).first().click()
  const marked = page.locator('tr[aria-current="true"]')
  await marked.getByText('Own').waitFor()
  await page.getByRole('columnheader', { name: /^Change since/ }).waitFor()
  await page.getByRole('heading', { name: 'Evidence' }).waitFor()
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
  await page.getByRole('link', { name: /^Rival ahead/ }).click()
  await page.waitForURL(/ahead=rival/)
  const rows = page.getByRole('group', { name: 'Keywords of the gap' }).locator('tbody tr')
  await rows.first().waitFor()
  for (const row of await rows.all()) assert.match(await row.innerText(), /rival/)
})
