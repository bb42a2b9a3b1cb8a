import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, skip } from '../../support/browser.ts'
import { lookAtSchedule } from '../../support/collecting.ts'
import { openFolder } from '../../support/files.ts'
import { importContent } from '../../support/imports.ts'
import { openScriptedServer, type ScriptedServer } from '../../support/scripted-server.ts'
import { storeTracked } from '../../support/tracking.ts'
import { until } from '../../support/until.ts'
import { appsOf, type OwnService, openOwnService } from '../support/own-service.ts'
import { type Device, fitsScreen, settled, type Visitor, violations, widths } from '../support/visitor.ts'

/** A service whose channels may lead to this machine: to a receiver that a test reads. */

const parts = new AsyncDisposableStack()
const folder = parts.use(openFolder())
let service: OwnService
let receiver: ScriptedServer
let browser: Browser
before(async () => {
  if (skip) return
  service = parts.use(await openOwnService({ works: true, watches: { allowPrivateAddresses: true } }))
  receiver = parts.use(await openScriptedServer())
  receiver.plays((reply) => reply.writeHead(204).end())
  const apps = [{ storeId: 7_300_001, name: 'Tidepool Habits' }]
  const paths = [folder.write('apps.ndjson', appsOf(apps))]
  await service.world.import({ kind: 'catalogue', paths, country: 'us', observedAt: '2026-02-20' })
  browser = await openBrowser()
  parts.defer(() => browser.close())
})
after(() => parts.disposeAsync())

/** The chart of a day, with the app at a rank. */
async function chart(country: string, day: number, rank: number): Promise<void> {
  const lines = Array.from({ length: 50 }, (_, index) =>
    index + 1 === rank ? `${rank},7300001,Tidepool Habits` : `${index + 1},${810_000 + index},Another app`,
  )
  await importContent(service.world, folder, 'charts', `rank,id,name\n${lines.join('\n')}\n`, {
    country,
    chart: 'top-free',
    category: '36',
    observedAt: `2026-03-${String(day).padStart(2, '0')}T06:00:00Z`,
  })
}

/** A person of an account of their own, with what was seen where the journey failed. */
function journey(
  name: string,
  tell: (one: { visitor: Visitor; device: Device; account: string; key: string }) => Promise<void>,
) {
  for (const device of Object.keys(widths) as Device[])
    test(`${name} (${device})`, { skip, timeout: 600_000 }, async () => {
      const account = `${name} ${device}`
      const key = await service.world.key(undefined, account)
      await using visitor = await service.visit(browser, key, widths[device])
      await tell({ visitor, device, account, key }).catch(async (error) => {
        const path = new URL(`../../../.scratch/screenshots/failed-watches-${device}.png`, import.meta.url)
          .pathname
        await visitor.page.screenshot({ path }).catch(() => undefined)
        throw error
      })
      // A browser logs that a session has ended; the page asks for another.
      assert.deepEqual(
        visitor.trouble.filter((told) => !/status of 401/.test(told)),
        [],
      )
    })
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${service.address}${path}`)
  await settled(page)
}

/** Asserts that a page fits its screen, and that axe finds nothing wrong on it. */
async function fits(page: Page): Promise<void> {
  await fitsScreen(page)
  // What is read aloud beside the page names buttons that have gone, for some seconds.
  assert.deepEqual(await violations(page, { within: '#content' }), [])
}

journey('watch and be told', async ({ visitor: { page }, device }) => {
  const country = { desktop: 'us', phone: 'gb' }[device]
  await chart(country, 1, 40)
  receiver.arrived.length = 0
  await open(page, `/apps/7300001?country=${country}`)
  await page.getByRole('button', { name: 'Watch', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Watch / })
  await dialog.getByText('No channel yet').waitFor()
  assert.deepEqual(await violations(page, { within: '[role=dialog]' }), [])
  await dialog.getByText('Charts: enters or leaves the top 3, 10 or 50').click()
  await dialog.getByText('Listing changes').click()
  await dialog.getByRole('button', { name: 'Add 2 watches' }).dblclick()
  await page.getByText('2 watches added.').waitFor()
  await dialog.waitFor({ state: 'detached' })

  await page.getByRole('link', { name: 'Alerts' }).click()
  const watches = page.getByRole('list', { name: 'Watches' })
  const ranks = watches.getByRole('listitem').filter({ hasText: 'Enters or leaves the top 3, 10 or 50' })
  await ranks.getByText('Not checked yet').waitFor()
  assert.equal(await watches.getByRole('listitem').count(), 2)
  await fits(page)

  await page.getByRole('link', { name: 'Channels' }).click()
  await page.getByText('Until you add one').waitFor()
  await fits(page)
  await page.getByRole('button', { name: /Send to$/ }).click()
  await page.getByRole('option', { name: 'Webhook', exact: true }).click()
  await page.getByLabel('Webhook URL').fill(`${receiver.address}hook?token=hidden`)
  await page.getByRole('button', { name: 'Add channel' }).dblclick()
  await page.getByText('is shown only once').waitFor()
  await page.getByText(/^whsec_/).waitFor()
  const channels = page.getByRole('list', { name: 'Channels' }).getByRole('listitem')
  assert.equal(await channels.count(), 1)
  await page.getByRole('button', { name: /^Test: Webhook/ }).dblclick()
  await channels.getByText(/^Tested .*: delivered$/).waitFor()
  assert.equal(receiver.arrived.length, 1)
  await page.reload()
  await channels.first().waitFor()
  assert.equal(await page.getByText(/whsec_|hidden/).count(), 0, 'its secrets are not shown again')
  await fits(page)

  await chart(country, 2, 8)
  await lookAtSchedule(service.world)
  await until(
    async () => receiver.arrived.length,
    (count) => count >= 2,
  )
  await page.getByRole('link', { name: 'History' }).click()
  const told = page.getByRole('list', { name: 'Events, newest first' }).getByRole('listitem').first()
  await told.getByText('Tidepool Habits entered the top 10: 40 to 8').waitFor()
  await told.getByText('Webhook: sent').waitFor()
  await told.getByText('Details', { exact: true }).click()
  await told.getByText('now rank').waitFor()
  await fits(page)
  await told.getByRole('link', { name: /^Tidepool Habits entered/ }).click()
  await page.waitForURL(/\/apps\/7300001\/ranks\?/)

  await open(page, '/alerts')
  await page.getByRole('button', { name: /^Mute: Enters or leaves/ }).click()
  await ranks.getByText('Muted', { exact: true }).waitFor()
  await chart(country, 3, 30)
  await lookAtSchedule(service.world)
  await until(
    async () => {
      await open(page, '/alerts/history')
      return page.getByText('Muted, not sent').count()
    },
    (count) => count >= 1,
  )
  assert.equal(receiver.arrived.length, 2)

  await open(page, '/alerts')
  await page.getByRole('button', { name: /^Remove: Enters or leaves/ }).click()
  await ranks.waitFor({ state: 'detached' })
  await open(page, '/alerts/channels')
  await page.getByRole('button', { name: /^Remove: Webhook/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No channel yet').waitFor()
})

journey('a channel of two tabs and two sessions', async ({ visitor: { page, context }, key }) => {
  await open(page, '/alerts/channels')
  const other = await context.newPage()
  await open(other, '/alerts/channels')
  await page.getByRole('button', { name: /Send to$/ }).click()
  await page.getByRole('option', { name: 'Webhook', exact: true }).click()
  const address = page.getByLabel('Webhook URL')
  await address.fill(`${receiver.address}typed`)
  await context.request.delete(`${service.address}/session`, { headers: { 'x-rivalscope-page': '1' } })
  await page.getByRole('button', { name: 'Add channel' }).click()
  const ended = page.getByRole('dialog', { name: 'Your session has ended' })
  await ended.getByLabel('API key').fill(key)
  assert.equal(await address.inputValue(), `${receiver.address}typed`)
  await ended.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('is shown only once').waitFor()
  for (const tab of [page, other]) {
    const channels = tab.getByRole('list', { name: 'Channels' }).getByRole('listitem')
    await channels.first().waitFor()
    assert.equal(await channels.count(), 1)
  }
  await other.getByRole('button', { name: /^Mute: Webhook/ }).click()
  await page.getByText('Muted', { exact: true }).waitFor()
})

journey('a channel whose answer was lost', async ({ visitor: { page, trouble } }) => {
  await open(page, '/alerts/channels')
  await page.getByRole('button', { name: /Send to$/ }).click()
  await page.getByRole('option', { name: 'Webhook', exact: true }).click()
  const address = page.getByLabel('Webhook URL')
  const add = page.getByRole('button', { name: 'Add channel' })
  /** The next channel is made, and its answer does not arrive. */
  const loseAnswer = async () => {
    let isLost = false
    await page.route('**/channels', async (route) => {
      if (isLost || route.request().method() !== 'POST') return route.fallback()
      isLost = true
      await route.fetch()
      await route.abort()
    })
    await add.click()
    await page.getByRole('alertdialog').getByText('Rivalscope cannot be reached').first().waitFor()
    await page.unroute('**/channels')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).first().click()
  }
  const channels = page.getByRole('list', { name: 'Channels' }).getByRole('listitem')
  await address.fill(`${receiver.address}wrong`)
  await loseAnswer()
  await channels.first().waitFor()
  await address.fill(`${receiver.address}right`)
  await add.click()
  await page.getByText('is shown only once').waitFor()
  await channels.nth(1).waitFor()

  await address.fill(`${receiver.address}third`)
  await loseAnswer()
  await channels.nth(2).waitFor()
  await add.click()
  await page.getByText('To see its secret, remove it and add it again.').waitFor()
  assert.equal(await channels.count(), 3)
  // What the browser says of the lost answers.
  assert.ok(trouble.splice(0).every((told) => told.includes('ERR_FAILED')))
})

journey('share a report', async ({ visitor: { page }, account }) => {
  await storeTracked(service.world, { storeId: '7300001', account })
  await open(page, '/alerts/report?week=2026-W10')
  const report = page.frameLocator('iframe[title="Weekly report"]')
  await report.getByRole('heading', { name: 'Weekly report, 2–8 Mar 2026' }).waitFor()
  await fits(page)
  await until(
    () => page.evaluate('document.querySelector("iframe").clientHeight - frames[0].document.body.offsetHeight'),
    (room) => Number(room) >= 0,
  )

  await page.getByRole('button', { name: 'Share…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share this report' })
  assert.deepEqual(await violations(page, { within: '[role=dialog]' }), [])
  await dialog.getByRole('button', { name: 'Create link' }).dblclick()
  const link = await dialog.locator('pre').innerText()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const links = page.getByRole('list', { name: 'Shared links' }).getByRole('listitem')
  assert.equal(await links.count(), 1)

  await using reader = await service.visit(browser, await service.world.key(undefined, 'a reader'))
  await reader.context.clearCookies()
  await reader.page.goto(link)
  await reader.page.getByRole('heading', { name: 'Weekly report, 2–8 Mar 2026' }).waitFor()
  assert.equal(await reader.page.locator(`a[href^="${service.address}"], a[href^="/"]`).count(), 0)
  await fitsScreen(reader.page)

  await page.getByRole('button', { name: 'Share…' }).click()
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await dialog.locator('pre').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const revoke = page.getByRole('button', { name: /^Revoke: / })
  await links.nth(1).waitFor()
  // The second is revoked while the first is under way.
  const held = Promise.withResolvers<void>()
  await page.route('**/report-links/*', async (route) => {
    await held.promise
    await route.continue()
  })
  await revoke.nth(0).click()
  await revoke.nth(1).click()
  held.resolve()
  await page.getByText('No shared reports').waitFor()
  await reader.page.goto(link)
  await reader.page.getByRole('heading', { name: 'Report not available' }).waitFor()
})

journey(
  'the week of a report is one of the account’s time zone',
  async ({ visitor: { page, context }, account }) => {
    await storeTracked(service.world, { storeId: '7300001', account })
    const times = { timeZone: 'Pacific/Kiritimati', quietHours: null }
    const reply = await context.request.put(`${service.address}/watch-times`, {
      headers: { 'x-rivalscope-page': '1', origin: service.address },
      data: times,
    })
    assert.ok(reply.ok(), await reply.text())
    // Sunday in UTC, and Monday where the account counts.
    await context.clock.setFixedTime(new Date('2026-03-08T12:00:00Z'))
    await open(page, '/alerts/report')
    await page.getByRole('button', { name: '2–8 Mar Week' }).waitFor()
    const report = page.frameLocator('iframe[title="Weekly report"]')
    await report.getByRole('heading', { name: 'Weekly report, 2–8 Mar 2026' }).waitFor()
  },
)
