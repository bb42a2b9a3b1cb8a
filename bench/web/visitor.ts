import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const { values } = parseArgs({
  options: {
    address: { type: 'string', default: 'http://127.0.0.1:8787' },
    key: { type: 'string', default: process.env.RIVALSCOPE_KEY ?? '' },
    rounds: { type: 'string', default: '5' },
    trace: { type: 'string' },
    before: { type: 'string' },
    'key-before': { type: 'string', default: '' },
    paths: { type: 'string', default: '/,/charts,/charts/compare,/charts/heatmap,/emerging' },
  },
})

/** The service that is measured. A `rivalscope demo` will do. */
export const { address, key } = values
/** The build before it, measured in turns with it, and the pages of both (bench/web/requests.ts). */
export const before = values.before && { name: 'before', address: values.before, key: values['key-before'] }
export const paths = values.paths.split(',')
export const rounds = Number(values.rounds)
/** Where the browser writes what it did, if that is wanted. */
export const traceFile = values.trace

/** The shell without a window: the whole browser builds its own page of new tabs beside ours, on half of two cores. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-gpu'],
  })

/** A window without a cache, signed in; to another service than the one named if told so. */
export async function signedIn(
  browser: Browser,
  service: { address: string; key: string } = { address, key },
): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' })
  const reply = await context.request.post(`${service.address}/session`, {
    headers: { 'x-rivalscope-page': '1', origin: service.address },
    data: { key: service.key },
  })
  if (!reply.ok()) throw new Error(`The key does not sign in: ${reply.status()}`)
  return context
}

/**
 * Waits in the page until an expression is true, looking at every frame. A function would be refused by the page's policy.
 * @throws after two minutes
 */
export async function until(page: Page, expression: string): Promise<void> {
  await page.evaluate(`new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('never came true: ' + ${JSON.stringify(expression)})), 120_000)
    const look = () => (${expression}) ? resolve() : requestAnimationFrame(look)
    look()
  })`)
}

/** Nothing in view waits for an answer. */
export const nothingWaits = `![...document.querySelectorAll('[aria-busy=true], [data-loading]:not(img)')].some(
  (one) => one.getBoundingClientRect().top < innerHeight)`

const content = 'main :is([data-provenance], table td, article, form, ul li)'

/** Notes in the page when its heading and its first content are there, and `usableAt` is that time in milliseconds. */
export const noteUsable = `new MutationObserver((_, observer) => {
  if (!document.querySelector('main h1') || !document.querySelector(${JSON.stringify(content)})) return
  performance.mark('usable')
  observer.disconnect()
}).observe(document, { childList: true, subtree: true })`
export const usableAt = `performance.getEntriesByName('usable')[0]?.startTime`
