import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { hangs } from '../../support/browser.ts'

/** Where the demo of this run answers. */
export const address = process.env.RIVALSCOPE_WEB_ADDRESS ?? ''
/** The key of the account that the demo shows: look, and change nothing. */
export const demoKey = process.env.RIVALSCOPE_WEB_KEY ?? ''

export const widths = { desktop: 1280, phone: 390 } as const
export type Device = keyof typeof widths
export type Theme = 'light' | 'dark'

/** Somebody who looks at the pages, in a browser of their own. */
export interface Visitor extends AsyncDisposable {
  context: BrowserContext
  page: Page
  /** What should not have happened so far: errors of pages and requests to other origins. */
  trouble: string[]
}

interface Looking {
  width?: number
  theme?: Theme
  scale?: number
}

/** Opens a browser's window on the demo, in the demo's time; without a key, to somebody who is not signed in. */
export async function visit(
  browser: Browser,
  { key = demoKey, ...looking }: Looking & { key?: string | null } = {},
): Promise<Visitor> {
  const visitor = await visitSite(browser, { address, key }, looking)
  const now = process.env.RIVALSCOPE_WEB_NOW
  if (now) await visitor.context.clock.setFixedTime(new Date(`${now.replace(' ', 'T')}Z`))
  return visitor
}

/** The same on any service, with a key of it. */
export async function visitSite(
  browser: Browser,
  { address, key }: { address: string; key: string | null },
  { width = widths.desktop, theme = 'light', scale = 1 }: Looking = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    deviceScaleFactor: scale,
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
    acceptDownloads: true,
  })
  context.setDefaultTimeout(hangs)
  if (key !== null) await signIn(context, address, key)
  const page = await context.newPage()
  const trouble: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(address) && !/^(?:data|blob):/.test(url)) trouble.push(`left the origin: ${url}`)
  })
  page.on('console', (message) => {
    // A picture or a chart that nobody has is answered 404, which a browser logs; the page shows what stands in for it.
    const isOfNobody = ['/pictures?', '/v1/charts?'].some((path) =>
      message.location().url.startsWith(`${address}${path}`),
    )
    // A clock that stands still is a script in every frame; that of the report may run none.
    const isOfClock = message.text().startsWith(`Blocked script execution in '${address}/weekly-report?`)
    if (message.type() === 'error' && !isOfNobody && !isOfClock) trouble.push(message.text())
  })
  page.on('pageerror', (error) => trouble.push(error.message))
  return { context, page, trouble, [Symbol.asyncDispose]: () => context.close() }
}

/** Gives a browser the session that the sign-in page would. */
async function signIn(context: BrowserContext, address: string, key: string): Promise<void> {
  const reply = await context.request.post(`${address}/session`, {
    headers: { 'x-rivalscope-page': '1', origin: address },
    data: { key },
  })
  if (!reply.ok()) throw new Error(`The key does not sign in: ${await reply.text()}`)
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Those of axe's rules whose findings depend on the theme. */
export const rulesOfColour = ['color-contrast', 'link-in-text-block']

interface LookedFor {
  /** Names what lies over the page, and is looked at instead of it; no landmark contains it. */
  within?: string | undefined
  /** The rules; those of WCAG 2.2 AA and axe's best practices when left out. */
  rules?: readonly string[]
}

/** What axe finds wrong on a page. */
export async function violations(page: Page, { within, rules }: LookedFor = {}): Promise<string[]> {
  await page.evaluate(axe.source)
  const options = { runOnly: rules ?? standards, rules: within ? { region: { enabled: false } } : {} }
  const found = (await page.evaluate(
    `axe.run(${JSON.stringify(within ?? 'html')}, ${JSON.stringify(options)})`,
  )) as { violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary.slice(0, 300)}`,
    ),
  )
}

/** The page, and what lies over it, that is wider than the screen or stands beside it. */
const tooWide = `[document.documentElement, ...document.querySelectorAll('[role=dialog], [role=menu]')].flatMap((element) => {
  const screen = document.documentElement.clientWidth
  const { left, right } = element.getBoundingClientRect()
  const over = Math.max(element.scrollWidth - element.clientWidth, right - screen, -left)
  return over < 1 ? [] : [(element.role ?? 'the page') + ' is ' + over + ' pixels too wide']
})`

/** Asserts that a page, and the dialogs and menus over it, fit the screen: nothing of them is reached by scrolling sideways. */
export async function fitsScreen(page: Page, where = page.url()): Promise<void> {
  assert.deepEqual(await page.evaluate(tooWide), [], where)
}

/** Waits until what has changed is drawn. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))')

/** What is still waiting on the part of the page that is seen; what lies below may wait until it is scrolled to. */
const waiting = `[...document.querySelectorAll('[aria-busy=true], [data-loading], img')].filter((element) => {
  const { top, bottom, left, right, width } = element.getBoundingClientRect()
  const isSeen = width > 0 && top < innerHeight && bottom > 0 && left < innerWidth && right > 0
  return isSeen && !(element.matches('img:not([data-loading])') && element.complete)
}).length`
/** Of those that are there: a picture that left the page before it came would never be decoded. */
const picturesDecoded = `Promise.all([...document.images]
  .filter((image) => image.complete)
  .map((image) => image.decode().catch(() => {})))`

/** Waits until the page has what it asked for, and nothing moves. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await page.locator('h1').first().waitFor()
  // A function in the page would be evaluated there, which its content security policy forbids.
  for (const began = Date.now(); Number(await page.evaluate(waiting)) > 0; await page.waitForTimeout(50))
    if (Date.now() - began > hangs) throw new Error(`Something is loading for ever on ${page.url()}`)
  await page.evaluate('document.fonts.ready')
  await page.evaluate(picturesDecoded)
}
