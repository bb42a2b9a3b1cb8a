/**
 * What opening a page costs in Chromium on loopback, with an empty cache: requests and bytes until it can be used, and when that
 * is: its heading and its first content are there. Then what each further page adds, opened from Home by its link.
 *
 *   bin/rivalscope demo   (and its key in RIVALSCOPE_KEY)
 *   bin/node bench/web/loading.ts --address http://127.0.0.1:8787 [--rounds 5]
 */
import type { Page } from 'playwright-core'
import { demoAppId } from '../../sample/demo/tracking.ts'
import { median, print, printTable } from '../figures.ts'
import { address, noteUsable, nothingWaits, openBrowser, rounds, signedIn, until, usableAt } from './visitor.ts'

const app = '/apps/9000000001'
const paths = [
  ...['/', '/apps?q=sleep', app, `${app}/ranks`, `${app}/estimates`, `${app}/listing`, `${app}/media`],
  ...['/charts', '/charts/compare', '/emerging', '/creatives/ads', '/creatives/ads/meta/1097685022341965'],
  ...['/creatives/posts', '/aso', `/aso/${demoAppId}`, `/aso/${demoAppId}/gap/9000000137`],
  ...[`/aso/${demoAppId}/audit`, '/aso/keywords/budget%20planner', '/admin/import', '/settings'],
]

/** The document, and what was loaded before the page could be used; without pictures, which it can be used without. */
const loadedBefore = `1 + performance.getEntriesByType('resource').filter(
  ({ name, initiatorType, responseEnd }) =>
    responseEnd <= ${usableAt} && initiatorType !== 'img' && !/^data:|\\/changes$/.test(name)).length`

/** Another page than Home is there, and what is in view of it waits for nothing. */
const isOtherPage = `(document.querySelector('main h1')?.textContent ?? 'What moved') !== 'What moved' && ${nothingWaits}`

interface Opened {
  /** Documents, scripts, styles and replies of the service that were there when the page could be used. */
  requests: number
  /** Compressed bytes of scripts and of the document, which holds the styles. */
  codeBytes: number
  usableMs: number
  settledMs: number
}

await using stack = new AsyncDisposableStack()
const browser = stack.adopt(await openBrowser(), (one) => one.close())

const rows: (string | number)[][] = []
for (const path of paths) {
  const runs: Opened[] = []
  for (let round = 0; round < rounds; round++) runs.push(await opened(path))
  const of = (pick: (run: Opened) => number) => median(runs.map(pick))
  rows.push([
    path.replace(demoAppId, '{appId}'),
    of(({ requests }) => requests),
    of(({ codeBytes }) => codeBytes) / 1_000,
    of(({ usableMs }) => usableMs),
    of(({ settledMs }) => settledMs),
  ])
}
printTable(['cold', 'requests', 'code kB', 'usable ms', 'settled ms'], rows)
print('')
const further: (string | number)[][] = []
for (const path of paths.slice(1))
  further.push([path.replace(demoAppId, '{appId}'), (await furtherBytes(path)) / 1_000])
printTable(['after Home', 'code kB more'], further)

async function opened(path: string): Promise<Opened> {
  const context = await signedIn(browser)
  const page = await context.newPage()
  await page.addInitScript(noteUsable)
  const codeBytes = await countCode(page)
  await page.goto(`${address}${path}`, { waitUntil: 'commit' })
  await until(page, usableAt)
  const usableMs = (await page.evaluate(usableAt)) as number
  const requests = (await page.evaluate(loadedBefore)) as number
  await page.waitForLoadState('networkidle')
  const settledMs = (await page.evaluate('performance.now()')) as number
  await context.close()
  return { requests, codeBytes: codeBytes(), usableMs, settledMs }
}

async function furtherBytes(path: string): Promise<number> {
  const context = await signedIn(browser)
  const page = await context.newPage()
  const codeBytes = await countCode(page)
  await page.goto(`${address}/`, { waitUntil: 'networkidle' })
  const before = codeBytes()
  await page.evaluate(
    `history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )
  await until(page, isOtherPage)
  const more = codeBytes() - before
  await context.close()
  return more
}

/** Counts the code that a page loads. The browser's protocol tells compressed bytes, which Playwright's sizes do not for all. */
async function countCode(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const code = new Set<string>()
  let bytes = 0
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (['Document', 'Script', 'Stylesheet'].includes(type)) code.add(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (code.has(requestId)) bytes += encodedDataLength
  })
  return () => bytes
}
