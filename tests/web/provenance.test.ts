import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, skip } from '../support/browser.ts'
import { address, drawn, settled, type Visitor, visit } from './support/visitor.ts'

let browser: Browser
before(async () => {
  if (!skip) browser = await openBrowser()
})
after(() => browser?.close())

async function atCandidates(): Promise<Visitor> {
  const visitor = await visit(browser)
  await visitor.page.goto(`${address}/emerging?country=de`)
  await settled(visitor.page)
  return visitor
}

/** Scrolls by a pixel, as a page does where something above grows; over when that is drawn. */
async function scroll(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((over) => { document.addEventListener("scroll", over, { once: true, capture: true }); scrollBy(0, 1) })',
  )
  await drawn(page)
}

test('where a value comes from is told again once the page has scrolled below a pointer at rest', {
  skip,
}, async () => {
  await using visitor = await atCandidates()
  const { page, trouble } = visitor
  const tooltip = page.getByRole('tooltip')
  await page.getByText('New in charts', { exact: true }).first().hover()
  await tooltip.waitFor()
  await scroll(page)
  await tooltip.waitFor()
  await page.mouse.move(0, 0)
  await tooltip.waitFor({ state: 'detached' })
  await scroll(page)
  assert.equal(await tooltip.count(), 0)
  assert.deepEqual(trouble, [])
})

test('where a value comes from is told to who reaches it with the keyboard beyond the edge of the page', {
  skip,
}, async () => {
  await using visitor = await atCandidates()
  const { page, trouble } = visitor
  const kinds = page.getByText('New in charts', { exact: true })
  await page.setViewportSize({ width: 1280, height: 300 })
  await page.keyboard.press('Tab')
  await kinds.last().locator('xpath=ancestor-or-self::*[@data-provenance]').focus()
  await drawn(page)
  await page.getByRole('tooltip').waitFor()
  assert.deepEqual(trouble, [])
})
