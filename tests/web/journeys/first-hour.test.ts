import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { sample } from '../../../sample/demo/evidence.ts'
import { openDemoSources } from '../../../sample/demo/sources.ts'
import { firstRow } from '../../../src/storage/database.ts'
import { openBrowser, skip } from '../../support/browser.ts'
import { type OwnService, openOwnService } from '../support/own-service.ts'
import { type Device, settled, violations, widths } from '../support/visitor.ts'

/** What a made-up store sells that nothing is known of: a budget planner. */
const mine = '9000000150'

let browser: Browser
let parts: AsyncDisposableStack
let service: OwnService
before(async () => {
  if (skip) return
  browser = await openBrowser()
  parts = new AsyncDisposableStack()
  const { sources, adTokens } = parts.use(await openDemoSources(sample))
  service = parts.use(await openOwnService({ works: true, sources, adTokens }))
})
after(async () => {
  await browser?.close()
  await parts?.disposeAsync()
})

const step = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true, level: 2 }) })
const done = (page: Page, name: string) => step(page, name).getByText('Done', { exact: true }).first().waitFor()

/** Nothing is wider than the screen, and axe finds nothing. */
async function looksGood(page: Page): Promise<void> {
  await settled(page)
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'no overflow')
  assert.deepEqual(await violations(page), [])
}

for (const device of Object.keys(widths) as Device[])
  test(`the first hour of an empty store begins with one question and ends with ranks (${device})`, {
    skip,
  }, async () => {
    const key = await service.world.key(undefined, `first hour ${device}`)
    await using visitor = await service.visit(browser, key, widths[device])
    const { page, trouble } = visitor
    await page.goto(service.address)
    await page.getByRole('heading', { name: 'Which app is yours?' }).waitFor()
    await looksGood(page)
    if (device === 'desktop') {
      const work = await firstRow(
        service.world.store.db,
        sql<{ asked: number }>`select (select count(*) from work)::int + (select count(*) from readings)::int as asked`,
      )
      assert.equal(work?.asked, 0, 'who only looks asks for nothing')
    }
    await page.getByRole('searchbox', { name: 'App' }).fill(mine)
    await page.getByRole('button', { name: `Track id ${mine}` }).click()
    await page.waitForURL(/\/start\?app=/)
    await done(page, 'My app')

    const competitors = step(page, 'Competitors')
    await competitors.getByRole('button', { name: /^Add all \d/ }).click()
    await done(page, 'Competitors')
    const keywords = step(page, 'Keywords')
    await keywords.getByRole('list', { name: 'Suggested keywords' }).getByRole('checkbox').first().waitFor()
    await keywords.getByRole('textbox', { name: 'Keywords of your own' }).fill('budget planner')
    await keywords.getByRole('button', { name: /^Add \d+ and search them$/ }).click()
    await done(page, 'Keywords')
    await step(page, 'App Store ads').getByRole('button', { name: 'Ask for its App Store ads' }).click()
    await done(page, 'App Store ads')
    await step(page, 'Charts').getByText('rivalscope collect charts --country us').waitFor()
    await looksGood(page)

    // Left and gone on with, in another window.
    await using again = await service.visit(browser, key, widths[device])
    await again.page.goto(`${service.address}/start`)
    for (const name of ['My app', 'Competitors', 'Keywords', 'App Store ads']) await done(again.page, name)
    assert.deepEqual(again.trouble, [])

    await page.getByRole('link', { name: 'Keywords of my app' }).click()
    await page.waitForURL(/\/aso\//)
    await page.getByRole('row').filter({ hasText: 'budget planner' }).first().waitFor()
    assert.deepEqual(trouble, [])
  })

test('where no worker runs, the list says so and what to do', { skip }, async () => {
  await using idle = await openOwnService()
  const key = await idle.world.key()
  await sql`update pgboss.version set cron_on = now() - interval '10 minutes'`.execute(idle.world.store.db)
  await using visitor = await idle.visit(browser, key)
  const { page } = visitor
  await page.goto(idle.address)
  await page.getByRole('searchbox', { name: 'App' }).fill(mine)
  await page.getByRole('button', { name: `Track id ${mine}` }).click()
  await step(page, 'My app').getByText('No worker has run since').waitFor()
  await step(page, 'My app').getByText('rivalscope work').waitFor()
})

test('who may only read is told what key it takes, and changes nothing', { skip }, async () => {
  await using visitor = await service.visit(browser, await service.world.key(['context:read'], 'reader'))
  const { page } = visitor
  await page.goto(service.address)
  await page.getByText('Your key may only read.').waitFor()
  assert.equal(await page.getByRole('searchbox', { name: 'App' }).count(), 0)
})
