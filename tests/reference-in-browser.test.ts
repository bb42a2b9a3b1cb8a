import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { contract } from '../src/contract/contract.ts'
import { openBrowser, openPage, skip } from './support/browser.ts'
import { openWorld, type World } from './support/world.ts'

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

const phone = 390

async function assertFits(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  assert.ok(Number(overflow) <= 0, `the page is ${overflow} pixels too wide`)
}

test('the reference lists every operation, fits a phone, and does not leave its origin', { skip }, async () => {
  const { page, trouble } = await openPage(browser, address, '/docs/reference', phone)
  await page.getByRole('heading', { name: 'Rivalscope' }).waitFor()
  const operations = page.locator('.opblock')
  await operations.last().waitFor()
  assert.equal(await operations.count(), Object.keys(contract).length)
  await assertFits(page)
  assert.deepEqual(trouble, [])
})

test('the page of problems fits a phone', { skip }, async () => {
  const { page } = await openPage(browser, address, '/docs/problems', phone)
  await page.locator('h1').first().waitFor()
  await assertFits(page)
})
