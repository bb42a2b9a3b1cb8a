/**
 * How soon a page answers: from a click or a key to the next paint, by the event timing API, over what people do most on the
 * pages: menus, filters, typing, sorting, tabs, moving through a table. Pages are settled first.
 *
 *   bin/rivalscope demo   (and its key in RIVALSCOPE_KEY)
 *   bin/node bench/web/interaction.ts --address http://127.0.0.1:8787 [--rounds 5]
 */
import type { Page } from 'playwright-core'
import { demoAppId } from '../../sample/demo/tracking.ts'
import { median, percentile, print, printTable } from '../figures.ts'
import { address, nothingWaits, openBrowser, rounds, signedIn, until } from './visitor.ts'

const press = (page: Page, role: 'button' | 'link', name: string) =>
  page.getByRole(role, { name, exact: true }).first().click()
const keys = async (page: Page, ...pressed: string[]) => {
  for (const key of pressed) await page.keyboard.press(key)
}

const journeys: { name: string; path: string; act: (page: Page) => Promise<void> }[] = [
  { name: 'Home: own apps, 30 days', path: '/', act: chooseSpan },
  { name: 'palette: typing, moving', path: '/', act: usePalette },
  { name: 'account menu', path: '/', act: openAccountMenu },
  { name: 'search: typing', path: '/apps', act: typeSearch },
  { name: 'storefront: menu', path: '/charts', act: openStorefronts },
  { name: 'keywords: filter by text', path: `/aso/${demoAppId}`, act: filterKeywords },
  { name: 'keywords: sorting', path: `/aso/${demoAppId}`, act: sortKeywords },
  { name: 'keywords: j, k, select', path: `/aso/${demoAppId}`, act: walkKeywords },
  { name: 'app: from tab to tab', path: '/apps/9000000001', act: changeTabs },
]

/** Each interaction by its longest event: a click is several, and only those that share an id belong together. */
const record = `globalThis.interactions = new Map()
new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries())
    if (interactionId) interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0))
}).observe({ type: 'event', durationThreshold: 16, buffered: true })`

await using stack = new AsyncDisposableStack()
const browser = stack.adopt(await openBrowser(), (one) => one.close())
const all: number[] = []
const rows: (string | number)[][] = []
for (const { name, path, act } of journeys) {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(...(await timesOf(path, act)))
  all.push(...times)
  rows.push([name, ...figuresOf(times)])
}
rows.push(['all', ...figuresOf(all)])
print('milliseconds to the next paint, in steps of 8; interactions under 16 ms are not reported by the browser')
printTable(['', 'interactions', 'median', 'p95', 'slowest'], rows)

function figuresOf(times: readonly number[]): number[] {
  return [times.length, median(times), percentile(times, 0.95), Math.max(...times)]
}

async function timesOf(path: string, act: (page: Page) => Promise<void>): Promise<number[]> {
  const context = await signedIn(browser)
  const page = await context.newPage()
  await page.addInitScript(record)
  await page.goto(`${address}${path}`)
  await page.locator('main h1').first().waitFor()
  await until(page, nothingWaits)
  await act(page)
  // An entry is reported after the paint that ends it.
  await until(page, 'globalThis.seen === (globalThis.seen = interactions.size) && interactions.size > 0')
  const times = (await page.evaluate('[...interactions.values()]')) as number[]
  await context.close()
  return times
}

async function chooseSpan(page: Page): Promise<void> {
  // The radio itself is hidden behind its label, which is what people click.
  for (const name of ['30 days', 'Own']) await page.locator('label').filter({ hasText: name }).first().click()
}

async function usePalette(page: Page): Promise<void> {
  await press(page, 'button', 'Search or jump to')
  await page.getByRole('searchbox', { name: 'Search apps, keywords and pages' }).pressSequentially('sleep')
  await keys(page, 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Escape')
}

async function openAccountMenu(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button').last().click()
  await page.getByRole('menu').waitFor()
  await keys(page, 'ArrowDown', 'ArrowDown', 'Escape')
}

async function typeSearch(page: Page): Promise<void> {
  await page.getByRole('searchbox').first().pressSequentially('sleep tracker')
}

async function openStorefronts(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Storefront' }).click()
  await page.getByRole('listbox').waitFor()
  await keys(page, 'ArrowDown', 'ArrowDown', 'Escape')
}

async function filterKeywords(page: Page): Promise<void> {
  await page.getByRole('searchbox', { name: 'Keyword' }).pressSequentially('plan')
}

async function sortKeywords(page: Page): Promise<void> {
  const table = page.getByRole('group', { name: 'Keyword table' })
  for (const column of ['Rank', 'Difficulty', 'Opportunity'])
    await table.getByRole('button', { name: column }).first().click()
}

async function walkKeywords(page: Page): Promise<void> {
  await page.getByRole('group', { name: 'Keyword table' }).focus()
  await keys(page, 'j', 'j', 'j', 'k', 'Space')
}

async function changeTabs(page: Page): Promise<void> {
  for (const tab of ['Ranks', 'Estimates', 'Listing']) await press(page, 'link', tab)
}
