import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, skip } from '../support/browser.ts'
import { storeListings } from '../support/listings.ts'
import { appsOf as results, storePages } from '../support/result-pages.ts'
import { type OwnService, openOwnService } from './support/own-service.ts'
import { fitsScreen, settled } from './support/visitor.ts'

/** Until when the evidence of a page goes, where the schedule has it late. */

const parts = new AsyncDisposableStack()
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
let service: OwnService
let browser: Browser
before(async () => {
  if (skip) return
  const schedule = { keywords: { everyHours: 24 } }
  service = parts.use(await openOwnService({ schedule }))
  await storePages(service.world, [
    { term: 'old term', observedAt: daysAgo(5), apps: results([1]) },
    { term: 'new term', observedAt: daysAgo(0), apps: results([1]) },
  ])
  await storeListings(service.world, [{ trackId: 7, observedAt: daysAgo(5), trackName: 'Tidepool' }])
  browser = await openBrowser()
  parts.defer(() => browser.close())
})
after(() => parts.disposeAsync())

test('a page of late evidence says until when it goes and since when it is late, any other nothing', {
  skip,
}, async () => {
  const { world, address } = service
  await using visitor = await service.visit(browser, await world.key(), 390)
  const { page } = visitor
  const note = page.getByText(/^Newest data on this page:/)
  await page.goto(`${address}/aso/keywords/old%20term?country=us`)
  await settled(page)
  assert.match(
    (await note.innerText()).replaceAll(/\s+/g, ' '),
    /^Newest data on this page: .* \(5 days ago\)\. Scheduled collection overdue since .*\.$/,
  )
  assert.equal(await note.count(), 1)
  await fitsScreen(page)
  await page.goto(`${address}/aso/keywords/new%20term?country=us`)
  await settled(page)
  assert.equal(await note.count(), 0)
})
