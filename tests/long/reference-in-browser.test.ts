import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { contract } from '../../src/contract/contract.ts'
import { openBrowser, openPage, skip } from '../support/browser.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let browser: Browser
let address: string
before(async () => {
  if (skip) return
  world = await openWorld()
  address = await world.server.listen({ host: '127.0.0.1', port: 0 })
  browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await world?.[Symbol.asyncDispose]()
})

const desk = 1280

test('the reference lists every operation on a large screen', { skip }, async () => {
  const { page, trouble } = await openPage(browser, address, '/docs/reference', desk)
  await page.locator('.opblock').last().waitFor()
  assert.equal(await page.locator('.opblock').count(), Object.keys(contract).length)
  assert.deepEqual(trouble, [])
})

test('a reader of the reference can try a call with their key', { skip }, async () => {
  const { page } = await openPage(browser, address, '/docs/reference', desk)
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  await page
    .locator('.auth-container input')
    .first()
    .fill(await world.key())
  await page.locator('.auth-btn-wrapper button.authorize').first().click()
  await page.locator('.auth-btn-wrapper .btn-done').first().click()
  await page.locator('#operations-competitors-list_competitor_categories').getByRole('button').first().click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await page.locator('.live-responses-table .response-col_status').filter({ hasText: '200' }).waitFor()
})
