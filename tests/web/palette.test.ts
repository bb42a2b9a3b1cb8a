import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, skip } from '../support/browser.ts'
import { address, settled, visit } from './support/visitor.ts'

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
  const explore = page.getByRole('menuitem', { name: /^Explore the keyword/ })
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
    .getByRole('menuitem', { name: /^Explore the keyword/ })
    .filter({ hasText: 'budget' })
    .waitFor()
  assert.equal(await field.inputValue(), 'budget')
  assert.equal(new URL(page.url()).pathname, '/settings')
  assert.deepEqual(trouble, [])
})
