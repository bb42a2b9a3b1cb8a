import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, skip } from '../../support/browser.ts'
import { createAccount } from '../support/accounts.ts'
import { sampleIds } from '../support/sample-ids.ts'
import { address, settled, violations, visit } from '../support/visitor.ts'

let browser: Browser
before(async () => {
  if (!skip) browser = await openBrowser()
})
after(() => browser?.close())

test('what is typed into the palette can be changed, and is then explored as a keyword', { skip }, async () => {
  await using visitor = await visit(browser)
  const { page, trouble } = visitor
  await page.goto(`${address}/settings`)
  await settled(page)
  await page.keyboard.press('/')
  const field = page.getByRole('searchbox', { name: 'Search apps, keywords and pages' })
  const explore = page.getByRole('menuitem', { name: /^Open the keyword/ })
  await field.fill('b')
  await explore.waitFor()
  await field.fill('budget')
  await explore.filter({ hasText: 'budget' }).click()
  await page.waitForURL('**/aso/keywords/budget*')
  assert.deepEqual(trouble, [])
})

test('every letter that is typed into the palette stands in it, also those that are a shortcut elsewhere', {
  skip,
}, async () => {
  await using visitor = await visit(browser)
  const { page, trouble } = visitor
  await page.goto(`${address}/settings`)
  await settled(page)
  await page.keyboard.press('/')
  const field = page.getByRole('searchbox', { name: 'Search apps, keywords and pages' })
  await field.waitFor()
  await page.keyboard.type('budget')
  await page
    .getByRole('menuitem', { name: /^Open the keyword/ })
    .filter({ hasText: 'budget' })
    .waitFor()
  assert.equal(await field.inputValue(), 'budget')
  assert.equal(new URL(page.url()).pathname, '/settings')
  assert.deepEqual(trouble, [])
})

test('the palette begins with tracked apps and what was looked at lately, and goes there', {
  skip,
}, async () => {
  await using visitor = await visit(browser)
  const { page, trouble } = visitor
  await page.goto(`${address}/aso/keywords/${encodeURIComponent(sampleIds.keyword)}?country=us`)
  await page.getByRole('heading', { level: 1, name: sampleIds.keyword }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.waitForURL('**/settings*')
  await page.keyboard.press('/')
  const palette = page.getByRole('dialog', { name: 'Search or jump to' })
  const groups = palette.getByRole('group')
  await groups
    .first()
    .getByRole('menuitem', { name: /Tally & Ferret/ })
    .first()
    .waitFor()
  assert.deepEqual(await groups.evaluateAll((all) => all.map((one) => one.firstElementChild?.textContent)), [
    'Tracked apps',
    'Recent',
    'Pages',
  ])
  assert.deepEqual(await violations(page, { within: '[role=dialog]' }), [])
  await groups.nth(1).getByRole('menuitem', { name: sampleIds.keyword }).click()
  await page.waitForURL('**/aso/keywords/budget*')
  assert.deepEqual(trouble, [])
})

test('what was looked at lately stands in the palette of every page but its own', { skip }, async () => {
  await using visitor = await visit(browser)
  const { page, trouble } = visitor
  const palette = page.getByRole('dialog', { name: 'Search or jump to' })
  const recent = palette.getByRole('group', { name: 'Recent' }).getByRole('menuitem')
  const lately = async () => {
    await settled(page)
    await page.getByRole('button', { name: 'Search or jump to' }).click()
    await palette.getByRole('group', { name: 'Pages' }).waitFor()
    const names = await recent.locator('bdi').allInnerTexts()
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    return names
  }
  await page.goto(`${address}/aso/keywords/${encodeURIComponent(sampleIds.keyword)}?country=us`)
  await page.getByRole('heading', { level: 1, name: sampleIds.keyword }).waitFor()
  await page.goto(`${address}/apps/${sampleIds.trackedStoreId}/listing?country=us`)
  await page.getByRole('heading', { level: 1, name: /Tally & Ferret/ }).waitFor()
  const [keyword] = await lately()
  assert.equal(keyword, sampleIds.keyword)
  await page.goto(`${address}/apps/${sampleIds.trackedStoreId}?country=us`)
  await page.getByRole('heading', { level: 1, name: /Tally & Ferret/ }).waitFor()
  assert.deepEqual(await lately(), [keyword], 'another tab of the app is the same thing')
  for (const path of ['/', '/apps', '/aso']) {
    await page.goto(`${address}${path}?country=us`)
    const names = await lately()
    assert.equal(names.length, 2, `${path}: ${names}`)
  }
  assert.deepEqual(trouble, [])
})

test('the palette tracks an app by name, refreshes it from its page, and offers neither to who only reads', {
  skip,
}, async () => {
  const account = `palette-${randomUUID().slice(0, 8)}`
  await using visitor = await visit(browser, { key: await createAccount(account) })
  const { page, trouble } = visitor
  await page.goto(`${address}/settings?country=us`)
  await settled(page)
  await page.keyboard.press('/')
  await page.getByRole('searchbox', { name: 'Search apps, keywords and pages' }).fill('track tally ferret')
  const actions = page.getByRole('group', { name: 'Actions' })
  await actions.getByRole('menuitem', { name: /^Track as my app: Tally & Ferret/ }).click()
  await page.getByText(/Tally & Ferret.* is tracked as my app in United States\./).waitFor()
  await page.goto(`${address}/apps/${sampleIds.trackedStoreId}?country=us`)
  await settled(page)
  await page.keyboard.press('/')
  await actions.getByRole('menuitem', { name: /^Refresh Tally & Ferret/ }).click()
  await page.getByText(/^Refreshing: \d+ searches?\./).waitFor()
  await page.goto(`${address}/apps/${sampleIds.rival}?country=us`)
  await settled(page)
  await page.keyboard.press('/')
  await actions.getByRole('menuitem', { name: /^Track as a competitor of .?Tally & Ferret/ }).click()
  await page.getByText(/ is tracked as a competitor of .?Tally & Ferret/).waitFor()
  assert.deepEqual(trouble, [])
})
