import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, skip } from '../support/browser.ts'
import { storeListings } from '../support/listings.ts'
import { appsOf as results, storePages } from '../support/result-pages.ts'
import { type OwnService, openOwnService } from './support/own-service.ts'
import { settled } from './support/visitor.ts'

/** What nobody looked for is not shown as none. */

const parts = new AsyncDisposableStack()
let service: OwnService
let browser: Browser
before(async () => {
  if (skip) return
  service = parts.use(await openOwnService())
  const observedAt = new Date().toISOString()
  await storePages(service.world, [{ term: 'tide', observedAt, apps: results([7]) }])
  await storeListings(service.world, [{ trackId: 7, observedAt, trackName: 'Tidepool' }])
  browser = await openBrowser()
  parts.defer(() => browser.close())
})
after(() => parts.disposeAsync())

test('one search result moves nothing on Home, and a subtitle that was never collected is unknown in the preview', {
  skip,
}, async () => {
  const { world, address } = service
  const key = await world.key()
  const post = async (path: string, body: object): Promise<{ appId: string }> => {
    const reply = await fetch(`${address}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    assert.ok(reply.ok, await reply.clone().text())
    return (await reply.json()) as { appId: string }
  }
  const { appId } = await post('/aso/apps', { app: '7', country: 'us', role: 'own' })
  await post(`/aso/apps/${appId}/keywords`, { terms: ['tide'] })

  await using visitor = await service.visit(browser, key)
  const { page } = visitor
  await page.goto(`${address}/`)
  const row = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Tidepool' }) })
  await row.first().waitFor()
  await settled(page)
  const tracked = row.filter({ hasText: 'US' }).first()
  assert.match(await tracked.innerText(), /no data yet/)
  assert.doesNotMatch(await tracked.innerText(), /▲|▼/)

  await page.goto(`${address}/aso/${appId}/plan`)
  const preview = page.getByRole('region', { name: 'Search result preview' })
  await preview.getByText('Tidepool').first().waitFor()
  await settled(page)
  assert.match(await preview.innerText(), /Subtitle unknown/)
  assert.doesNotMatch(await preview.innerText(), /No subtitle/)
  await page.getByLabel('Subtitle', { exact: true }).fill('x')
  await preview.getByText('x', { exact: true }).first().waitFor()
})
