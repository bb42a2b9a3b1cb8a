/**
 * What opening a page costs in Chromium on loopback, with an empty cache: requests and bytes until it can be used, and when that
 * is. Then what each further page adds, opened from Home by its link.
 *
 *   bin/rivalscope demo   (and its key in RIVALSCOPE_KEY)
 *   bin/node bench/web/loading.ts --address http://127.0.0.1:8787 [--rounds 5]
 */
import type { Page } from 'playwright-core'
import { demoAppId } from '../../sample/demo/tracking.ts'
import { median, print, printTable } from '../figures.ts'
import { address, openBrowser, rounds, signedIn } from './visitor.ts'

const app = '/apps/9000000001'
const paths = [
  ...['/', '/apps?q=sleep', app, `${app}/ranks`, `${app}/estimates`, `${app}/listing`, `${app}/media`],
  ...['/charts', '/charts/compare', '/emerging', '/creatives/ads', '/creatives/ads/meta/1097685022341965'],
  ...['/creatives/posts', '/creatives/saved', '/aso', `/aso/${demoAppId}`, `/aso/${demoAppId}/gap/9000000137`],
  ...[`/aso/${demoAppId}/audit`, '/aso/keywords/budget%20planner', '/admin/import', '/settings'],
]

const content = 'main :is([data-provenance], table td, article, form, ul li)'

interface Opened {
  /** Documents, scripts, styles and replies of the service, without pictures, which a page can be used without. */
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

/** Opens a page in a window of its own. It can be used when its heading and its first content are there. */
async function opened(path: string): Promise<Opened> {
  const context = await signedIn(browser)
  const page = await context.newPage()
  const seen = await watch(page)
  await page.goto(`${address}${path}`, { waitUntil: 'commit' })
  await page.locator('main h1').first().waitFor({ state: 'attached' })
  await page.locator(content).first().waitFor({ state: 'attached' })
  const usableMs = (await page.evaluate('performance.now()')) as number
  const requests = seen.requests()
  await page.waitForLoadState('networkidle')
  const settledMs = (await page.evaluate('performance.now()')) as number
  const codeBytes = seen.codeBytes()
  await context.close()
  return { requests, codeBytes, usableMs, settledMs }
}

async function furtherBytes(path: string): Promise<number> {
  const context = await signedIn(browser)
  const page = await context.newPage()
  const seen = await watch(page)
  await page.goto(`${address}/`, { waitUntil: 'networkidle' })
  const before = seen.codeBytes()
  await page.evaluate(
    `history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )
  await page.waitForTimeout(300)
  await page.waitForLoadState('networkidle')
  const more = seen.codeBytes() - before
  await context.close()
  return more
}

/** Counts what a page loads. The browser's protocol tells compressed bytes, which Playwright's sizes do not for all. */
async function watch(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const types = new Map<string, string>()
  const counted = new Set(['Document', 'Script', 'Stylesheet', 'Fetch', 'XHR'])
  let requests = 0
  let codeBytes = 0
  session.on('Network.requestWillBeSent', ({ requestId, type = 'Other', request }) => {
    types.set(requestId, type)
    if (counted.has(type) && !request.url.endsWith('/changes') && !request.url.startsWith('data:'))
      requests += 1
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (['Document', 'Script', 'Stylesheet'].includes(types.get(requestId) ?? ''))
      codeBytes += encodedDataLength
  })
  return { requests: () => requests, codeBytes: () => codeBytes }
}
