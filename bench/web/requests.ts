/**
 * What pages ask for and when they can be used, of two services in turns: requests in all, those of the API (operations, `/changes`, and the
 * reads beside the contract), those of icons, the time until the heading and the first content are there, until nothing in view waits and until nothing waits, the processor time of the page until then, kB of all that came over
 * the line, as it was packed, and of the API, and the layout shift.
 *
 *   bin/node bench/web/requests.ts --address http://127.0.0.1:8801 --key KEY [--before http://127.0.0.1:8802 --key-before KEY] [--rounds 5]
 */
import { median, printTable } from '../figures.ts'
import {
  address,
  before,
  key,
  noteUsable,
  nothingWaits,
  openBrowser,
  paths,
  rounds,
  signedIn,
  until,
  usableAt,
} from './visitor.ts'

interface Opened {
  all: number
  api: number
  pictures: number
  usableMs: number
  inViewMs: number
  cpuMs: number
  readyMs: number
  kB: number
  apiKB: number
  shift: number
}

/** The page can be used: nothing in view waits. */
const isInView = `document.querySelector('main h1') && ${nothingWaits}`

/** Reading is over where Home and the heat map say so of their parts. */
const isReady = `document.querySelector('main h1') && ${nothingWaits} && !document.querySelector('[data-reading]') &&
  !/(Reading|Loading) \\d|loading/.test(document.querySelector('main').textContent) &&
  [...document.querySelectorAll('progress')].every((one) => one.value === one.max)`

const ofApi = /^\/(v1|reads|changes|chart-ranks|app-summaries|keyword-matrix)\b/

const isRead = (path: string) => path !== '/changes' && ofApi.test(path)

const noteShift = `window.shift = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value
}).observe({ type: 'layout-shift', buffered: true })`

await using stack = new AsyncDisposableStack()
const browser = stack.adopt(await openBrowser(), (one) => one.close())
const services = [...(before ? [before] : []), { name: 'now', address, key }]

const rows: (string | number)[][] = []
for (const path of paths) {
  const runs = new Map<string, Opened[]>(services.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const service of services) runs.get(service.name)?.push(await opened(service, path))
  for (const [name, all] of runs) {
    const of = (pick: (run: Opened) => number) => median(all.map(pick))
    rows.push([
      path,
      name,
      of((run) => run.all),
      of((run) => run.api),
      of((run) => run.pictures),
      of((run) => run.usableMs),
      of((run) => run.inViewMs),
      of((run) => run.readyMs),
      of((run) => run.cpuMs),
      of((run) => run.kB),
      of((run) => run.apiKB),
      of((run) => run.shift * 1_000),
    ])
  }
}
printTable(
  [
    'path',
    '',
    'requests',
    'of the API',
    'pictures',
    'usable ms',
    'in view ms',
    'ready ms',
    'page CPU ms',
    'kB',
    'API kB',
    'shift ‰',
  ],
  rows,
)

async function opened(service: (typeof services)[number], path: string): Promise<Opened> {
  const context = await signedIn(browser, service)
  const page = await context.newPage()
  await page.addInitScript(noteShift)
  await page.addInitScript(noteUsable)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(service.address)) asked.push(new URL(request.url()).pathname)
  })
  // The browser's protocol tells compressed bytes, which Playwright's sizes do not for all.
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Performance.enable')
  const [ofApiIds, underWay, bytes] = [new Set<string>(), new Set<string>(), { all: 0, api: 0 }]
  session.on('Network.requestWillBeSent', ({ requestId, request: { url } }) => {
    if (!url.startsWith(service.address)) return
    underWay.add(requestId)
    if (ofApi.test(new URL(url).pathname)) ofApiIds.add(requestId)
  })
  // A reply of several is let go of after its last part, and counts what came of it.
  const parts = new Map<string, number>()
  session.on('Network.dataReceived', ({ requestId, dataLength }) =>
    parts.set(requestId, (parts.get(requestId) ?? 0) + dataLength),
  )
  session.on('Network.loadingFailed', ({ requestId }) => {
    underWay.delete(requestId)
    bytes.all += parts.get(requestId) ?? 0
    if (ofApiIds.has(requestId)) bytes.api += parts.get(requestId) ?? 0
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    underWay.delete(requestId)
    bytes.all += encodedDataLength
    if (ofApiIds.has(requestId)) bytes.api += encodedDataLength
  })
  await page.goto(`${service.address}${path}`, { waitUntil: 'commit' })
  await until(page, isInView)
  const inViewMs = (await page.evaluate('performance.now()')) as number
  await until(page, isReady)
  const readyMs = (await page.evaluate('performance.now()')) as number
  const { metrics } = await session.send('Performance.getMetrics')
  const cpuMs = (metrics.find(({ name }) => name === 'ProcessTime')?.value ?? Number.NaN) * 1_000
  const usableMs = (await page.evaluate(usableAt)) as number
  await page.waitForLoadState('networkidle')
  // What is far down is asked for last, and a reply of several ends after its last part was shown.
  do await page.waitForTimeout(1_000)
  while (underWay.size > 0)
  const shift = (await page.evaluate('window.shift')) as number
  await context.close()
  return {
    all:
      new Set(asked.filter((one) => one === '/changes')).size +
      asked.filter((one) => one !== '/changes').length,
    // The markers are asked for again every few seconds: on a busy machine that says nothing of the page.
    api: new Set(asked.filter((one) => one === '/changes')).size + asked.filter(isRead).length,
    pictures: asked.filter((one) => /^\/(pictures|icons)$/.test(one)).length,
    usableMs,
    inViewMs,
    readyMs,
    cpuMs,
    kB: bytes.all / 1_000,
    apiKB: bytes.api / 1_000,
    shift,
  }
}
