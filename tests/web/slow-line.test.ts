import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, skip } from '../support/browser.ts'
import { sampleIds } from './support/sample-ids.ts'
import { onSlowLine } from './support/slow-line.ts'
import { address, type Device, settled, visit, widths } from './support/visitor.ts'

/** Up to which the shifts of a page's layout count as good (web.dev/articles/cls). */
const most = 0.1

const pages = [
  { name: 'Home', path: '/' },
  { name: "an app's page", path: `/apps/${sampleIds.app}` },
  { name: 'the keyword table', path: `/aso/${sampleIds.trackedApp}` },
  { name: 'the charts', path: '/charts' },
  { name: 'the gallery of ads', path: '/creatives/ads' },
]

let browser: Browser
before(async () => {
  if (!skip) browser = await openBrowser()
})
after(() => browser?.close())

interface Shift {
  value: number
  /** When, in milliseconds since the page was opened. */
  at: number
  /** What moved, and from where to where. */
  moved: string[]
}

const watchShifts = `
  window.shifts = []
  new PerformanceObserver((list) => {
    for (const { value, startTime, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput)
        shifts.push({
          value,
          at: Math.round(startTime),
          moved: sources.map(({ node, previousRect: from, currentRect: to }) => {
            const element = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node
            return [element?.tagName, element?.className, Math.round(from.y), '→', Math.round(to.y)].join(' ')
          }),
        })
  }).observe({ type: 'layout-shift', buffered: true })`

async function shiftsOf(page: Page, path: string): Promise<Shift[]> {
  await page.addInitScript(watchShifts)
  await onSlowLine(page)
  await page.goto(`${address}${path}`)
  await settled(page)
  await page.waitForLoadState('networkidle')
  return (await page.evaluate('shifts')) as Shift[]
}

for (const [device, width] of Object.entries(widths) as [Device, number][])
  for (const { name, path } of pages)
    test(`on a slow line what is shown of ${name} stays in its place while the rest comes, on a ${device}`, {
      skip,
    }, async (context) => {
      await using visitor = await visit(browser, { width })
      const shifts = await shiftsOf(visitor.page, path)
      const sum = shifts.reduce((before, { value }) => before + value, 0)
      context.diagnostic(`${path} on a ${device}: ${sum.toFixed(3)}`)
      assert.ok(sum <= most, JSON.stringify(shifts, null, 1))
      assert.deepEqual(visitor.trouble, [])
    })
