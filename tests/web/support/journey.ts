import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, Download, Locator, Page } from 'playwright-core'
import { openBrowser, skip } from '../../support/browser.ts'
import { createAccount } from './accounts.ts'
import { address, type Device, demoKey, drawn, settled, type Visitor, visit, widths } from './visitor.ts'

/** What was seen where a journey failed: CI keeps it as an artefact. */
const failures = fileURLToPath(new URL('../../../.scratch/screenshots/failed-', import.meta.url))

let browser: Browser
before(async () => {
  if (!skip) browser = await openBrowser()
})
after(() => browser?.close())

/** Somebody on the way through the pages. */
export interface Journey {
  page: Page
  device: Device
  /** What should not have happened so far; a journey that provokes some of it takes that away. */
  trouble: string[]
  /** Name and key of the account: one that was made for it, or the demo's. */
  account: string
  key: string
  /** Opens the browser of somebody who is not signed in. */
  newcomer(): Promise<Visitor>
  /** Opens an address of the service and waits until it is shown. */
  open(path: string): Promise<void>
  /** Asserts the same on the page and in the browser of a colleague who was sent its address. */
  holds(check: (page: Page) => Promise<void>): Promise<void>
}

interface Options {
  /** An account of its own instead of the demo's, for who writes: its name begins so. */
  own?: string
  /** Whether that account's key is an admin's. */
  admin?: boolean
  /** Whether it begins signed in. */
  signedIn?: boolean
  devices?: readonly Device[]
}

/** A test of what somebody does, on a desktop and on a phone. Nothing may go wrong unseen on the way. */
export function journey(
  name: string,
  tell: (journey: Journey) => Promise<void>,
  { own, admin = false, signedIn = true, devices = Object.keys(widths) as Device[] }: Options = {},
): void {
  for (const device of devices)
    test(`${name} (${device})`, { skip }, async () => {
      const account = own ? `${own}-${device}-${randomUUID().slice(0, 8)}` : 'demo'
      const key = own ? await createAccount(account, ...(admin ? ['--admin'] : [])) : demoKey
      const width = widths[device]
      await using visitor = await visit(browser, { width, key: signedIn ? key : null })
      const { page, trouble } = visitor
      const told = tell({
        page,
        device,
        trouble,
        account,
        key,
        newcomer: () => visit(browser, { width, key: null }),
        open: async (path) => {
          await page.goto(address + path)
          await settled(page)
        },
        holds: async (check) => {
          await check(page)
          await using colleague = await visit(browser, { width, key })
          await colleague.page.goto(page.url())
          await check(colleague.page)
          assert.deepEqual(colleague.trouble, [])
        },
      })
      await told.catch(async (error) => {
        const path = `${failures}${own ?? name.slice(0, 40)}-${device}.png`
        await page.screenshot({ path }).catch(() => undefined)
        throw error
      })
      assert.deepEqual(trouble, [])
    })
}

/** Chooses one of a few in a list. The button that opens it is called after what is chosen and its label. */
export async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`\\S ${label}$`) }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Chooses one of many by typing the beginning of its name. */
export async function find(
  page: Page,
  label: string,
  typed: string,
  option: string | RegExp = typed,
): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).fill(typed)
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Points at a value to read where it comes from. Scrolling hides what is told, so it is over before. */
export async function pointAt(value: Locator): Promise<void> {
  await value.scrollIntoViewIfNeeded()
  await drawn(value.page())
  await value.hover()
}

/** What the browser saves when something is done. */
export async function saved(
  page: Page,
  act: () => Promise<unknown>,
): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return { name: download.suggestedFilename(), content: await contentOf(download) }
}

async function contentOf(download: Download): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
