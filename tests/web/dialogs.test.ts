import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { openBrowser, skip } from '../support/browser.ts'
import { type Overlay, overlays, overlaysOfOwner, unfolding } from './overlays.ts'
import { createAccount } from './support/accounts.ts'
import { sampleIds } from './support/sample-ids.ts'
import {
  address,
  type Device,
  rulesOfColour,
  settled,
  type Theme,
  type Visitor,
  violations,
  visit,
  widths,
} from './support/visitor.ts'

/** What is looked for in each: all, and what depends on the theme. */
const themes: readonly [Theme, { rules?: readonly string[] }][] = [
  ['light', {}],
  ['dark', { rules: rulesOfColour }],
]
const devices = Object.keys(widths) as Device[]

let browser: Browser
let visitors: Record<Device, Visitor>
before(async () => {
  if (skip) return
  browser = await openBrowser()
  const [desktop, phone] = await Promise.all([visit(browser), visit(browser, { width: widths.phone })])
  visitors = { desktop, phone }
})
after(() => browser?.close())

async function show(page: Page, path: string): Promise<void> {
  await page.goto(`${address}${path}`)
  await settled(page)
}

/** What axe finds in both themes. */
async function violationsInThemes(page: Page, within?: string): Promise<string[]> {
  const found: string[] = []
  for (const [colorScheme, rules] of themes) {
    await page.emulateMedia({ colorScheme })
    found.push(...(await violations(page, { within, ...rules })).map((one) => `${colorScheme}: ${one}`))
  }
  return found
}

const focused = (page: Page): Locator => page.locator(':focus')

/** Waits until an element, or something in it, has the focus. */
const hasFocus = (element: Locator): Promise<void> =>
  element.and(focused(element.page())).or(element.locator(':focus')).first().waitFor({ state: 'attached' })

async function opensAndCloses(page: Page, overlay: Overlay): Promise<void> {
  const { path, opener, keys = ['Enter'], shown, next, focus = 'inside' } = overlay
  await show(page, path)
  await opener(page).focus()
  for (const key of keys) await page.keyboard.press(key)
  await next?.(page)
  await shown(page).waitFor()
  await hasFocus(focus === 'inside' ? shown(page) : opener(page))
  assert.deepEqual(
    await violationsInThemes(page, '[role=dialog], [role=menu], [role=listbox], [role=tooltip]'),
    [],
  )
  await page.keyboard.press('Escape')
  await shown(page).waitFor({ state: 'detached' })
  await hasFocus(opener(page))
}

for (const device of devices) {
  for (const overlay of overlays)
    if (overlay.devices?.includes(device) ?? true)
      test(`${overlay.name} on a ${device}: keys open and close it, the focus comes back, axe finds nothing`, {
        skip,
      }, async () => {
        const { page, trouble } = visitors[device]
        await opensAndCloses(page, overlay)
        assert.deepEqual(trouble, [])
      })

  test(`on a ${device} the same holds for what an account has saved and imported`, { skip }, async () => {
    const key = await createAccount(`dialogs-${randomUUID().slice(0, 8)}`)
    await write(key, `paid-ads/${sampleIds.ad}/saved`, {})
    // Its only record is rejected, so that no other test sees anything of it.
    const record = { id: '1', page_id: '2', page_name: 'Lantern Otter', ad_delivery_start_time: '2026-02-31' }
    const run = await write(key, 'admin/paid-ads/imports', { platform: 'meta', records: [record] })
    await using visitor = await visit(browser, { key, width: widths[device] })
    for (const overlay of overlaysOfOwner(run.runId)) await opensAndCloses(visitor.page, overlay)
    assert.deepEqual(visitor.trouble, [])
  })

  for (const { name, path, summary } of unfolding)
    test(`${name} on a ${device} unfold by a key, and axe finds nothing`, { skip }, async () => {
      const { page, trouble } = visitors[device]
      await show(page, path)
      const height = async () => Number(await page.evaluate('document.querySelector("main").scrollHeight'))
      const folded = await height()
      await summary(page).press('Enter')
      await settled(page)
      assert.ok((await height()) > folded, 'nothing has unfolded')
      assert.deepEqual(await violationsInThemes(page), [])
      assert.deepEqual(trouble, [])
    })

  test(`the end of a session on a ${device}: its dialog takes the focus and stays, and axe finds nothing in it`, {
    skip,
  }, async () => {
    await using visitor = await visit(browser, { width: widths[device] })
    const { page, context } = visitor
    await show(page, '/settings')
    const headers = { 'x-rivalscope-page': '1', origin: address }
    await context.request.delete(`${address}/session`, { headers })
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    await hasFocus(ended)
    await page.keyboard.press('Escape')
    await hasFocus(ended)
    assert.deepEqual(await violationsInThemes(page, '[role=dialog]'), [])
  })
}

async function write(key: string, path: string, body: object): Promise<{ runId: string }> {
  const reply = await fetch(`${address}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.ok(reply.ok, `${path} answered ${reply.status}`)
  return (await reply.json()) as { runId: string }
}
