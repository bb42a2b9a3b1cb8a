import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Milliseconds for which one task may block a page. */
const longestMs = 200

/**
 * Fails where an action blocks a page for longer than `longestMs`. Another measurement has to confirm it: what an action costs
 * it costs each time, while other work of the machine passes.
 * @param prepare is called before each of up to five measurements; answers the action
 */
export async function staysResponsive(page: Page, prepare: () => Promise<() => Promise<void>>): Promise<void> {
  const longest: number[] = []
  while (longest.length < 5 && (longest.at(-1) ?? Number.POSITIVE_INFINITY) > longestMs)
    longest.push(await longestTaskMs(page, await prepare()))
  assert.ok(Math.min(...longest) <= longestMs, `the page was blocked for ${longest.join(', ')} ms`)
}

/** The longest task of the page while something is done, in milliseconds; 0 when none is above 50. */
async function longestTaskMs(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(`
    window.longTasks = []
    window.longTaskObserver = new PerformanceObserver((list) => longTasks.push(...list.getEntries()))
    longTaskObserver.observe({ type: 'longtask' })`)
  await act()
  return (await page.evaluate(`
    longTasks.push(...longTaskObserver.takeRecords())
    longTaskObserver.disconnect()
    Math.max(0, ...longTasks.map(({ duration }) => duration))`)) as number
}
