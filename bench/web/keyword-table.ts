/**
 * How smoothly a table of 2,000 keywords scrolls, by wheel and with j held down: times between frames, and the time of the page's
 * thread in each. Without a graphics processor the browser draws slowly whatever the page does, so a bare list of 2,000 rows of
 * text is scrolled beside it as a floor. The store is filled by the benchmark, with a page of results for every keyword on each
 * of 30 days, and served by a process of its own.
 *
 *   bin/node bench/web/keyword-table.ts [--rounds 5] [--trace trace.json]
 *
 * With `--trace` the browser writes what it did in the last round, for the Performance panel of its developer tools.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { createKey } from '../../src/domain/accounts/keys.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { benchAccount, fillAso, trackedAppId } from '../aso-store.ts'
import { median, percentile, print, printTable } from '../figures.ts'
import { serveStore } from '../service.ts'
import { nothingWaits, openBrowser, rounds, signedIn, traceFile, until } from './visitor.ts'

const keywords = 2_000
const longestFrameMs = 32
/** One notch of a usual mouse wheel. */
const notch = 120

await using stack = new AsyncDisposableStack()
const dataDir = stack.adopt(await mkdtemp(join(tmpdir(), 'keyword-table-')), (path) =>
  rm(path, { recursive: true }),
)
const key = await fill(dataDir)
const service = stack.use(await serveStore({ dataDir }))
const browser = stack.adopt(await openBrowser(), (one) => one.close())

const measured: Record<string, (isLast: boolean) => Promise<Scrolled>> = {
  'a bare list, three notches at a time': () => scrolled(openBareList, byWheel(3), false),
  'the table, a notch at a time': () => scrolled(openTable, byWheel(1), false),
  'the table, three notches at a time': (isLast) => scrolled(openTable, byWheel(3), isLast),
  'the table, j held': (isLast) => scrolled(openTable, byKey, isLast),
}
const rows: (string | number)[][] = []
for (const [name, once] of Object.entries(measured)) {
  const all: Scrolled[] = []
  for (let round = 0; round < rounds; round++) all.push(await once(round === rounds - 1))
  const frames = all.flatMap((one) => one.frames)
  const long = all.map((one) => one.frames.filter((ms) => ms > longestFrameMs).length)
  const threadMs = median(all.map((one) => one.threadMs / one.frames.length))
  rows.push([
    name,
    frames.length,
    median(frames),
    percentile(frames, 0.99),
    Math.max(...frames),
    median(long),
    threadMs,
  ])
}
print(`${keywords} keywords, ${rounds} rounds, times between frames`)
printTable(
  ['', 'frames', 'median ms', 'p99 ms', 'longest ms', `over ${longestFrameMs} ms a round`, 'thread ms a frame'],
  rows,
)

interface Scrolled {
  /** Milliseconds between frames. */
  frames: number[]
  /** What the page's thread worked in all of them. */
  threadMs: number
}

async function fill(directory: string): Promise<string> {
  await using store = await openStore({ dataDir: directory }, 'bench')
  await fillAso(store.db, { keywords, terms: keywords, days: 30, depth: 50 })
  return await createKey(store.db, { name: 'visitor', scopes: ['context:read'], account: benchAccount })
}

async function scrolled(
  open: (context: BrowserContext) => Promise<Page>,
  scroll: (page: Page) => Promise<void>,
  isTraced: boolean,
): Promise<Scrolled> {
  const context = await signedIn(browser, { address: service.address, key })
  const page = await open(context)
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  const workedMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
  }
  if (isTraced && traceFile) await browser.startTracing(page)
  const before = await workedMs()
  await page.evaluate(`globalThis.frames = []
    let last = performance.now()
    requestAnimationFrame(function frame(now) { frames.push(now - last); last = now; requestAnimationFrame(frame) })`)
  await scroll(page)
  const frames = (await page.evaluate('frames.slice(1)')) as number[]
  const threadMs = (await workedMs()) - before
  if (isTraced && traceFile) await writeFile(traceFile, await browser.stopTracing())
  await context.close()
  return { frames, threadMs }
}

async function openTable(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${service.address}/aso/${trackedAppId}`)
  const table = page.getByRole('group', { name: 'Keyword table' })
  await table.locator('[data-index="0"]').waitFor()
  await until(page, nothingWaits)
  await table.scrollIntoViewIfNeeded()
  await table.hover()
  await table.focus()
  return page
}

async function openBareList(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  const row = `<div style="display:flex;height:36px">${'<span style="flex:1">habit tracker 12</span>'.repeat(10)}</div>`
  await page.setContent(`<main style="height:700px;overflow:auto">${row.repeat(keywords)}</main>`)
  await page.locator('main').hover()
  return page
}

/** Turns follow one another as soon as the page has taken the one before, which is faster than a hand. */
function byWheel(notches: number): (page: Page) => Promise<void> {
  return async (page) => {
    for (let turn = 0; turn < 120; turn++) await page.mouse.wheel(0, notch * notches)
  }
}

/** Pressed again without being let go, as the keyboard does. */
async function byKey(page: Page): Promise<void> {
  for (let row = 0; row < 150; row++) await page.keyboard.down('j')
  await page.keyboard.up('j')
}
