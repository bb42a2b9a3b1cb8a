import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page, Request } from 'playwright-core'
import { openBrowser, skip } from '../support/browser.ts'
import { pages } from './pages.ts'
import { whole } from './support/screenshots.ts'
import { address, type Device, drawn, visit, widths } from './support/visitor.ts'

let browser: Browser
before(async () => {
  if (!skip) browser = await openBrowser()
})
after(() => browser?.close())

/** What every page may ask of the service, and how far what is shown may move while it comes. */
const [mostReads, mostIconRequests, mostShift] = [6, 3, 0.02]

const noteShift = `window.shifted = []; new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries())
    if (!hadRecentInput)
      window.shifted.push({ value, what: sources.map(({ node }) => (node?.outerHTML ?? '').slice(0, 120)) })
}).observe({ type: 'layout-shift', buffered: true })`

describe('the weight of pages', { concurrency: 2 }, () => {
  for (const device of Object.keys(widths) as Device[])
    for (const { name, path } of pages)
      test(`${name} on a ${device} asks for little and does not jump`, { skip }, async () => {
        await using visitor = await visit(browser, { width: widths[device] })
        const { page } = visitor
        await page.addInitScript(noteShift)
        const reads: string[] = []
        const icons: string[] = []
        page.on('request', (request) => {
          const { pathname } = new URL(request.url())
          if (pathname === '/icons') icons.push(pathname)
          else if (request.resourceType() === 'fetch') reads.push(pathname)
        })
        await page.goto(`${address}${path}`)
        await whole(page)
        await drawn(page)
        // What is asked again later is the state of work and markers, every few seconds.
        const once = [
          ...new Set(reads.filter((one) => one === '/changes')),
          ...reads.filter((one) => one !== '/changes'),
        ]
        assert.ok(once.length <= mostReads, `${once.length} reads: ${once.join(' ')}`)
        assert.ok(icons.length <= mostIconRequests, `${icons.length} requests of icons`)
        const shifted = (await page.evaluate('window.shifted')) as { value: number; what: string[] }[]
        const sum = shifted.reduce((total, { value }) => total + value, 0)
        assert.ok(sum < mostShift, `a layout shift of ${sum}: ${JSON.stringify(shifted)}`)
      })
})

/** What a browser reports of a request at its end. */
async function failureOf(page: Page, request: Request): Promise<string | undefined> {
  const isIt = (other: Request) => other === request
  const ended = [page.waitForEvent('requestfinished', isIt), page.waitForEvent('requestfailed', isIt)]
  return (await Promise.race(ended)).failure()?.errorText
}

test('the bundled reads of Home end, and none is reported as aborted', { skip }, async () => {
  await using visitor = await visit(browser)
  const { page } = visitor
  const failures: Promise<string | undefined>[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/reads') failures.push(failureOf(page, request))
  })
  await page.goto(`${address}/`)
  await whole(page)
  await drawn(page)
  assert.notEqual(failures.length, 0)
  for (const failure of await Promise.all(failures)) assert.equal(failure, undefined)
})
