import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, skip } from '../support/browser.ts'
import { pages } from './pages.ts'
import { compareWithAccepted, whole } from './support/screenshots.ts'
import {
  address,
  type Device,
  drawn,
  fitsScreen,
  rulesOfColour,
  type Theme,
  violations,
  visit,
  widths,
} from './support/visitor.ts'

let browser: Browser
before(async () => {
  if (!skip) browser = await openBrowser()
})
after(() => browser?.close())

/** In which theme a page is opened on each device; the other one is changed to while it is shown. */
const openedIn: Record<Device, readonly [Theme, Theme]> = {
  desktop: ['light', 'dark'],
  phone: ['dark', 'light'],
}

// Two at a time: one draws while the other waits for the service.
describe('pages', { concurrency: 2 }, () => {
  for (const device of Object.keys(widths) as Device[])
    for (const { name, path } of pages)
      test(`${name} on a ${device}, in both themes: no error, nothing too wide, nothing axe finds, and it looks as accepted`, {
        skip,
      }, async () => {
        const [first, other] = openedIn[device]
        await using visitor = await visit(browser, { width: widths[device], theme: first })
        const { page, trouble } = visitor
        await page.goto(`${address}${path}`)
        await whole(page)
        await fitsScreen(page)
        assert.deepEqual(await violations(page), [])
        await compareWithAccepted(await page.screenshot(), `${name}-${device}-${first}`)
        await page.emulateMedia({ colorScheme: other })
        await drawn(page)
        assert.deepEqual(await violations(page, { rules: rulesOfColour }), [])
        await compareWithAccepted(await page.screenshot(), `${name}-${device}-${other}`)
        assert.deepEqual(trouble, [])
      })
})
