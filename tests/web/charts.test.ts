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

for (const scale of [1, 1.5, 2])
  test(`a chart fills its frame and no more on a screen of ${scale} device pixels a pixel`, {
    skip,
  }, async () => {
    await using visitor = await visit(browser, { scale })
    const { page } = visitor
    await page.goto(`${address}/apps/${sampleIds.app}/ranks`)
    await settled(page)
    const frame = page.getByRole('img', { name: /^Ranks of / }).first()
    const [around, drawn] = [await frame.boundingBox(), await frame.locator('canvas').boundingBox()]
    assert.ok(around && drawn)
    assert.deepEqual(
      { width: drawn.width, height: drawn.height },
      { width: around.width, height: around.height },
    )
  })
