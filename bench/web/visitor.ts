import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

const { values } = parseArgs({
  options: {
    address: { type: 'string', default: 'http://127.0.0.1:8787' },
    key: { type: 'string', default: process.env.RIVALSCOPE_KEY ?? '' },
    rounds: { type: 'string', default: '5' },
  },
})

/** The service that is measured, and a key of it. A `rivalscope demo` will do. */
export const { address, key } = values
export const rounds = Number(values.rounds)

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })

/** A window without a cache, signed in. */
export async function signedIn(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' })
  const reply = await context.request.post(`${address}/session`, {
    headers: { 'x-rivalscope-page': '1', origin: address },
    data: { key },
  })
  if (!reply.ok()) throw new Error(`The key does not sign in: ${reply.status()}`)
  return context
}
