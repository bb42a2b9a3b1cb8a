import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, skip } from '../support/browser.ts'
import { until } from '../support/until.ts'
import { pages } from './pages.ts'
import { compareWithAccepted } from './support/screenshots.ts'
import { address, settled, type Theme, violations, visit, widths } from './support/visitor.ts'

let browser: Browser
before(async () => {
  if (!skip) browser = await openBrowser()
})
after(() => browser?.close())

for (const theme of ['light', 'dark'] satisfies Theme[])
  for (const [device, width] of Object.entries(widths))
    for (const { name, path } of pages)
      test(`${name}, ${theme}, on a ${device}: no error, nothing too wide, nothing axe finds, and it looks as accepted`, {
        skip,
      }, async () => {
        await using visitor = await visit(browser, { width, theme })
        const { page, trouble } = visitor
        await page.goto(`${address}${path}`)
        await settled(page)
        const overflow = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        )
        assert.ok(Number(overflow) <= 0, `the page is ${overflow} pixels too wide`)
        // Home keeps what is below its sections hidden until these have come, and rows are drawn once their table has its size.
        const withoutRows = page
          .locator('table[aria-rowcount]:not([aria-rowcount="1"]):not(:has(tr[data-index]))')
          .filter({ visible: true })
        await until(
          () => withoutRows.count(),
          (count) => count === 0,
        )
        assert.deepEqual(await violations(page), [])
        assert.deepEqual(trouble, [])
        await compareWithAccepted(await page.screenshot(), `${name}-${device}-${theme}`)
      })
