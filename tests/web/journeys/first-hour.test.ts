import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { sample } from '../../../sample/demo/evidence.ts'
import { openDemoSources } from '../../../sample/demo/sources.ts'
import { createKey } from '../../../src/domain/accounts/keys.ts'
import { firstRow } from '../../../src/storage/database.ts'
import { openBrowser, skip } from '../../support/browser.ts'
import { openFolder } from '../../support/files.ts'
import { storeTracked } from '../../support/tracking.ts'
import { appsOf, openOwnService } from '../support/own-service.ts'
import { type Device, fitsScreen, rulesOfColour, settled, violations, widths } from '../support/visitor.ts'

/** The account on the desktop operates the installation, the one on the phone does not. */
const operator = 'first hour desktop'

/** What a made-up store sells that nothing is known of: a budget planner. */
const mine = '9000000150'

let browser: Browser
let apple: Awaited<ReturnType<typeof openDemoSources>>
before(async () => {
  if (skip) return
  browser = await openBrowser()
  apple = await openDemoSources(sample)
})
after(async () => {
  await browser?.close()
  await apple?.[Symbol.asyncDispose]()
})

const step = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true, level: 2 }) })
const done = (page: Page, name: string) => step(page, name).getByText('Done', { exact: true }).first().waitFor()

/** Nothing is wider than the screen, and axe finds nothing on the page, beside which what was done is announced for a while. */
async function looksGood(page: Page): Promise<void> {
  await settled(page)
  await fitsScreen(page)
  assert.deepEqual(await violations(page, { within: 'main' }), [])
  await page.emulateMedia({ colorScheme: 'dark' })
  assert.deepEqual(await violations(page, { within: 'main', rules: rulesOfColour }), [])
  await page.emulateMedia({ colorScheme: 'light' })
}

for (const device of Object.keys(widths) as Device[])
  test(`the first hour of an empty store begins with one question and ends with ranks (${device})`, {
    skip,
  }, async () => {
    const { sources, adTokens } = apple
    await using service = await openOwnService({ works: true, sources, adTokens, operators: [operator] })
    const account = `first hour ${device}`
    const key = await createKey(service.world.store.db, {
      ...{ name: account, account, scopes: ['context:read', 'content:write'] },
      administers: account === operator,
    })
    await using visitor = await service.visit(browser, key, widths[device])
    const { page, trouble } = visitor
    await page.goto(service.address)
    await page.getByRole('heading', { name: 'Which app is yours?' }).waitFor()
    await looksGood(page)
    const work = await firstRow(
      service.world.store.db,
      sql<{
        asked: number
      }>`select (select count(*) from work)::int + (select count(*) from readings)::int as asked`,
    )
    assert.equal(work?.asked, 0, 'who only looks asks for nothing')
    await page.getByRole('searchbox', { name: 'App' }).fill(mine)
    await page.getByRole('button', { name: `Track ID ${mine}` }).click()
    await page.waitForURL(/\/start\?app=/)
    await done(page, 'My app')

    const competitors = step(page, 'Competitors')
    await competitors.getByRole('button', { name: /^Add all \d/ }).click()
    await done(page, 'Competitors')
    const keywords = step(page, 'Keywords')
    await keywords.getByRole('list', { name: 'Suggested keywords' }).getByRole('checkbox').first().waitFor()
    await keywords.getByRole('textbox', { name: 'More keywords' }).fill('budget planner')
    await keywords.getByRole('button', { name: /^Add \d+ keywords? and search$/ }).click()
    await done(page, 'Keywords')
    await step(page, 'App Store ads').getByRole('button', { name: 'Request App Store ads' }).click()
    await done(page, 'App Store ads')
    const charts = step(page, 'Charts')
    if (account === operator) {
      await charts.getByRole('button', { name: 'Collect daily' }).click()
      await done(page, 'Charts')
    } else await charts.getByText('rivalscope collect charts --country us').waitFor()
    await step(page, 'Alerts').getByRole('button', { name: 'Watch my keyword ranks' }).click()
    await done(page, 'Alerts')
    await looksGood(page)

    // Left and gone on with, in another window.
    await using again = await service.visit(browser, key, widths[device])
    await again.page.goto(`${service.address}/start`)
    for (const name of ['My app', 'Competitors', 'Keywords', 'App Store ads', 'Alerts'])
      await done(again.page, name)
    assert.deepEqual(again.trouble, [])

    await page.getByRole('link', { name: 'Keywords of my app' }).click()
    await page.waitForURL(/\/aso\//)
    await page.getByRole('row').filter({ hasText: 'budget planner' }).first().waitFor()
    assert.deepEqual(trouble, [])
  })

test('Enter searches the App Store for a name that is not stored, and says nothing but what it found', {
  skip,
}, async () => {
  await using service = await openOwnService({ works: true, ...apple })
  await using visitor = await service.visit(browser, await service.world.key())
  const { page, trouble } = visitor
  await page.goto(service.address)
  const app = page.getByRole('searchbox', { name: 'App' })
  await app.fill('tally')
  await page.getByRole('button', { name: 'Search the App Store for “tally”', exact: true }).waitFor()
  await app.press('Enter')
  await page.getByRole('button', { name: /^Track Tally & Ferret/ }).click()
  await page.waitForURL(/\/start\?app=/)
  await done(page, 'My app')
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
  await page.getByRole('button', { name: `Track ID ${mine}` }).click()
  await step(page, 'My app').getByText('No worker has run since').waitFor()
  await step(page, 'My app').getByText('rivalscope work').waitFor()
})

/** A service without a worker, in which an account follows an app that is in the catalogue, and the page of its first hour. */
async function openFollowed() {
  const service = await openOwnService()
  using folder = openFolder()
  const paths = [folder.write('apps.ndjson', appsOf([{ storeId: Number(mine), name: 'Tally & Ferret' }]))]
  await service.world.import({ kind: 'catalogue', paths, country: 'us', observedAt: '2026-02-20' })
  const appId = await storeTracked(service.world, { storeId: mine })
  return { service, appId, path: `${service.address}/start?app=${appId}&country=us` }
}

test('pasted keywords are all added with their tags and notes, and what is not added stays or is said', {
  skip,
}, async () => {
  const { service, appId, path } = await openFollowed()
  await using _ = service
  await using visitor = await service.visit(browser, await service.world.key())
  const { page, trouble } = visitor
  await page.goto(path)
  const keywords = step(page, 'Keywords')
  const box = keywords.getByRole('textbox', { name: 'More keywords' })
  const tooLong = 'x'.repeat(201)
  const many = Array.from({ length: 230 }, (_, index) => `habit ${index}`)
  const lines = [
    'Keyword\tTags\tNote\tCountry',
    'tide planner\tsea\tfrom Ada\tus',
    'marée\t\t\tfr',
    ...[tooLong, ...many].map((term) => `${term}\t\t\tus`),
  ]
  await box.fill(lines.join('\n'))
  await keywords.getByText('1 for another storefront, skipped').waitFor()
  await keywords.getByText('1 too long, left in the box').waitFor()
  await keywords.getByRole('button', { name: 'Add 231 keywords and search' }).click()
  await page.getByText('231 keywords added').waitFor()
  assert.equal(await box.inputValue(), tooLong)
  const { keywords: added } = (await service.world.call('get_aso_workstation', { appId, windowDays: 7 })).body
  assert.equal(added.length, 231)
  const planner = added.find(({ term }) => term === 'tide planner')
  assert.deepEqual([planner?.tags, planner?.note], [['sea'], 'from Ada'])
  assert.deepEqual(trouble, [])
})

test('what is scheduled and watched is said once it is read, and nothing of it where it cannot be read', {
  skip,
}, async () => {
  const { service, path } = await openFollowed()
  await using _ = service
  await using visitor = await service.visit(browser, await service.world.key())
  const { page } = visitor
  const held = Promise.withResolvers<void>()
  const reads = /\/(?:collecting|watches)$/
  await page.route(reads, async (route) => {
    await held.promise
    await route.abort()
  })
  await page.goto(path)
  const claimed = /^To do$|^Not scheduled yet|^Watch my keyword ranks$/
  const claims = (name: string) => step(page, name).getByText(claimed).count()
  // The steps are shown together, once all that they read at first is there.
  await page.getByRole('heading', { name: 'Getting started' }).waitFor()
  assert.equal(await page.getByText(claimed).filter({ visible: true }).count(), 0, 'while it is read')
  held.resolve()
  for (const name of ['Charts', 'Alerts']) {
    await step(page, name).getByRole('alert').waitFor()
    assert.equal(await claims(name), 0, `${name} that could not be read`)
  }
  await page.unroute(reads)
  for (const name of ['Charts', 'Alerts']) {
    await step(page, name).getByRole('button', { name: 'Try again' }).click()
    await step(page, name).getByText('To do', { exact: true }).waitFor()
  }
})

test('who may only read is told what key it takes, and changes nothing', { skip }, async () => {
  await using service = await openOwnService()
  await using visitor = await service.visit(browser, await service.world.key(['context:read']))
  const { page } = visitor
  await page.goto(service.address)
  await page.getByText('Your key is read-only.').waitFor()
  assert.equal(await page.getByRole('searchbox', { name: 'App' }).count(), 0)
})
