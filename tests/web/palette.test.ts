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

test('a keyword typed into the palette letter by letter is explored', { skip }, async () => {
  await using visitor = await visit(browser)
  const { page, trouble } = visitor
  await page.goto(`${address}/settings`)
  await settled(page)
  await page.keyboard.press('/')
  await page.getByRole('searchbox', { name: 'Search apps, keywords and pages' }).pressSequentially('budget')
  await page.getByRole('menuitem', { name: 'Explore keyword' }).click()
  await page.waitForURL('**/aso/keywords/budget*')
  assert.deepEqual(trouble, [])
})
