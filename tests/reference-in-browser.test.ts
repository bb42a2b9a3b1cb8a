import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { type Browser, chromium, type Page } from 'playwright-core'
import { contract } from '../src/contract/contract.ts'
import { openWorld, type World } from './support/world.ts'

const executablePath = '/usr/bin/chromium'
const skip = existsSync(executablePath) ? false : `no browser at ${executablePath}`

let world: World
let browser: Browser
let address: string
before(async () => {
  if (skip) return
  world = await openWorld()
  address = await world.server.listen({ host: '127.0.0.1', port: 0 })
  browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
})
after(async () => {
  await browser?.close()
  await world?.[Symbol.asyncDispose]()
})

async function open(path: string, width: number): Promise<{ page: Page; trouble: string[] }> {
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  const trouble: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith('data:'))
      trouble.push(`left the origin: ${request.url()}`)
  })
  page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()))
  page.on('pageerror', (error) => trouble.push(error.message))
  await page.goto(`${address}${path}`)
  return { page, trouble }
}

test('the reference lists every operation without leaving its origin', { skip }, async () => {
  const { page, trouble } = await open('/docs', 1280)
  await page.getByRole('heading', { name: 'Rivalscope' }).waitFor()
  const operations = page.locator('.opblock')
  await operations.last().waitFor()
  assert.equal(await operations.count(), Object.keys(contract).length)
  assert.deepEqual(trouble, [])
})

test('a reader of the reference can try a call with their key', { skip }, async () => {
  const { page } = await open('/docs', 1280)
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

for (const path of ['/docs', '/docs/problems']) {
  test(`${path} fits a phone`, { skip }, async () => {
    const { page } = await open(path, 390)
    await page.locator('h1, h2').first().waitFor()
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    assert.ok(Number(overflow) <= 0, `the page is ${overflow} pixels too wide`)
  })
}
