import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { storeReadings } from '../../src/projections/store-readings.ts'
import { openBrowser, skip } from '../support/browser.ts'
import { collected } from '../support/collected.ts'
import { storeTracked } from '../support/tracking.ts'
import { type OwnService, openOwnService } from './support/own-service.ts'
import { settled } from './support/visitor.ts'

/** Pages of an app that its storefront no longer lists, and of its keywords. */

const parts = new AsyncDisposableStack()
let service: OwnService
let browser: Browser
before(async () => {
  if (skip) return
  service = parts.use(await openOwnService())
  browser = await openBrowser()
  parts.defer(() => browser.close())
})
after(() => parts.disposeAsync())

const [gone, other] = ['7200001', '7200002'] as const

function lookup(day: number, lists: readonly string[], country = 'us') {
  const results = lists.map((storeId) => ({
    kind: 'software',
    wrapperType: 'software',
    trackId: Number(storeId),
    trackName: storeId === gone ? 'Tidepool Gone' : 'Tidepool Here',
    price: 0,
    currency: 'USD',
  }))
  const bytes = Buffer.from(JSON.stringify({ resultCount: results.length, results }))
  const asked = { country, storeIds: [gone, other] }
  return collected('itunes-lookup', bytes, asked, new Date(Date.UTC(2026, 10, day)).toISOString())
}

test('a page says since when its storefront does not list an app, and where else it was missed', {
  skip,
}, async () => {
  const { world } = service
  await storeReadings(world.store.db, [
    lookup(1, [gone, other]),
    lookup(3, [other]),
    lookup(4, [other]),
    lookup(4, [other], 'de'),
    lookup(4, [other], 'jp'),
  ])
  const appId = await storeTracked(world, { storeId: gone, account: 'removals', keywords: ['tide'] })
  await using visitor = await service.visit(browser, await world.key(undefined, 'removals'))
  const { page } = visitor
  await page.goto(`${service.address}/apps/${gone}`)
  await settled(page)
  const banner = page.getByRole('status').filter({ hasText: 'Probably removed' })
  await banner.waitFor()
  const said = (await banner.textContent()) ?? ''
  assert.match(said, /Not found in any of the 3 storefronts checked \(de, jp, us\)/)
  assert.match(said, /Germany missing since/)
  await page.goto(`${service.address}/apps/${gone}/listing`)
  await page.getByRole('region', { name: 'Not listed' }).getByText('not listed in 2 checks').waitFor()
  await page.goto(`${service.address}/aso`)
  await page.getByText('not found', { exact: true }).first().waitFor()
  await page.goto(`${service.address}/aso/${appId}`)
  await settled(page)
  const why = page.getByRole('link', { name: 'Why there is no search volume' }).first()
  assert.equal(await why.getAttribute('href'), '/docs/search-volume')
  await page.goto(`${service.address}/apps/${other}`)
  await settled(page)
  assert.equal(await page.getByText('Not found in').count(), 0)
})
