/**
 * How smoothly a table of 2,000 keywords scrolls, by wheel and with j held down: times between frames. The store is filled by
 * the benchmark, with a page of results for every keyword on each of 30 days, and served by a process of its own.
 *
 *   bin/node bench/web/keyword-table.ts [--rounds 5] [--trace trace.json]
 *
 * With `--trace` the browser writes what it did in the last round, for the Performance panel of its developer tools.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
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

const rows: (string | number)[][] = []
for (const [name, scroll] of Object.entries({ 'by wheel': byWheel, 'j held': byKey })) {
  const frames: number[] = []
  const long: number[] = []
  for (let round = 0; round < rounds; round++) {
    const seen = await framesOf(browser, scroll, round === rounds - 1)
    frames.push(...seen)
    long.push(seen.filter((ms) => ms > longestFrameMs).length)
  }
  rows.push([name, frames.length, median(frames), percentile(frames, 0.99), Math.max(...frames), median(long)])
}
print(`${keywords} keywords, ${rounds} rounds, times between frames`)
printTable(['', 'frames', 'median ms', 'p99 ms', 'longest ms', `over ${longestFrameMs} ms a round`], rows)

async function fill(directory: string): Promise<string> {
  await using store = await openStore({ dataDir: directory }, 'bench')
  await fillAso(store.db, { keywords, terms: keywords, days: 30, depth: 50 })
  return await createKey(store.db, { name: 'visitor', scopes: ['context:read'], account: benchAccount })
}

async function framesOf(
  on: Browser,
  scroll: (page: Page) => Promise<void>,
  isLast: boolean,
): Promise<number[]> {
  const context = await signedIn(on, { address: service.address, key })
  const page = await context.newPage()
  await page.goto(`${service.address}/aso/${trackedAppId}`)
  const table = page.getByRole('group', { name: 'Keyword table' })
  await table.locator('[data-index="0"]').waitFor()
  await until(page, nothingWaits)
  await table.scrollIntoViewIfNeeded()
  await table.hover()
  await table.focus()
  if (isLast && traceFile) await on.startTracing(page)
  await page.evaluate(`globalThis.frames = []
    let last = performance.now()
    requestAnimationFrame(function frame(now) { frames.push(now - last); last = now; requestAnimationFrame(frame) })`)
  await scroll(page)
  const frames = (await page.evaluate('frames.slice(1)')) as number[]
  if (isLast && traceFile) await writeFile(traceFile, await on.stopTracing())
  await context.close()
  return frames
}

async function byWheel(page: Page): Promise<void> {
  for (let turn = 0; turn < 120; turn++) await page.mouse.wheel(0, notch * 3)
}

/** Pressed again without being let go, as the keyboard does. */
async function byKey(page: Page): Promise<void> {
  for (let row = 0; row < 150; row++) await page.keyboard.down('j')
  await page.keyboard.up('j')
}
