/**
 * What pages ask for and when they can be used, of two services in turns: requests in all, those of the API (operations, `/changes`, and the
 * reads beside the contract), those of icons, the time until nothing in view waits, kB of the API and of scripts, and the layout shift.
 *
 *   bin/node bench/web/requests.ts --address http://127.0.0.1:8801 --key KEY [--before http://127.0.0.1:8802 --key-before KEY] [--rounds 5]
 */
import { median, printTable } from '../figures.ts'
import { address, before, key, nothingWaits, openBrowser, paths, rounds, signedIn, until } from './visitor.ts'

interface Opened {
  all: number
  api: number
  pictures: number
  readyMs: number
  kB: number
  scriptKB: number
  shift: number
}

/** Reading is over where Home and the heat map say so of their parts. */
const isReady = `document.querySelector('main h1') && ${nothingWaits} && !document.querySelector('[data-reading]') &&
  !/Reading \\d|loading/.test(document.querySelector('main').textContent) &&
  [...document.querySelectorAll('progress')].every((one) => one.value === one.max)`

const ofApi = /^\/(v1|reads|changes|chart-ranks|app-summaries|keyword-matrix)\b/

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
      of((run) => run.readyMs),
      of((run) => run.kB),
      of((run) => run.scriptKB),
      of((run) => run.shift * 1_000),
    ])
  }
}
printTable(['path', '', 'requests', 'of the API', 'pictures', 'ready ms', 'API kB', 'script kB', 'shift ‰'], rows)

async function opened(service: (typeof services)[number], path: string): Promise<Opened> {
  const context = await signedIn(browser, service)
  const page = await context.newPage()
  await page.addInitScript(noteShift)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(service.address)) asked.push(new URL(request.url()).pathname)
  })
  let bytes = 0
  let scripts = 0
  page.on('requestfinished', async (request) => {
    const { pathname } = new URL(request.url())
    const isRead = ofApi.test(pathname)
    if (!isRead && !pathname.startsWith('/assets/')) return
    const size = (await request.sizes().catch(() => undefined))?.responseBodySize ?? 0
    if (isRead) bytes += size
    else scripts += size
  })
  await page.goto(`${service.address}${path}`, { waitUntil: 'commit' })
  await until(page, isReady)
  const readyMs = (await page.evaluate('performance.now()')) as number
  await page.waitForLoadState('networkidle')
  const shift = (await page.evaluate('window.shift')) as number
  await context.close()
  return {
    all: asked.length,
    api: asked.filter((one) => ofApi.test(one)).length,
    pictures: asked.filter((one) => /^\/(pictures|icons)$/.test(one)).length,
    readyMs,
    kB: bytes / 1_000,
    scriptKB: scripts / 1_000,
    shift,
  }
}
