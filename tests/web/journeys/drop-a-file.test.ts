import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import type { Page } from 'playwright-core'
import { sharedData } from '../../support/world.ts'
import { journey } from '../support/journey.ts'

/** What a browser hands over when something is dropped. */
interface Transfer {
  items: { add(file: File): void }
}

/** Drops files on the page as somebody does who drags them from a folder. */
async function drop(page: Page, ...files: { name: string; text: string }[]): Promise<void> {
  const held = await page.evaluateHandle((files) => {
    const { DataTransfer } = globalThis as unknown as { DataTransfer: new () => Transfer }
    const data = new DataTransfer()
    for (const { name, text } of files) data.items.add(new File([text], name))
    return data
  }, files)
  await page.dispatchEvent('body', 'dragover', { dataTransfer: held })
  await page.dispatchEvent('body', 'drop', { dataTransfer: held })
}

const dialog = (page: Page) => page.getByRole('dialog', { name: /^Import/ })

const daysIn = (country: string) =>
  Array.from({ length: 4 }, (_, day) => `2026-03-0${day + 1},9000000150,${country},${20 + day}`)

journey(
  'own sales are dropped on a page, previewed, imported, listed, and the estimates are calibrated with a verdict',
  async ({ page, device, open, holds }) => {
    await open('/charts')
    const name = `own-${device}.csv`
    // Of a storefront each, so that what one device brings is new to the other.
    const country = { desktop: 'de', phone: 'fr' }[device]
    const rows = [...daysIn(country), `2026-02-31,9000000150,${country},4`]
    const text = ['date,app,country,downloads', ...rows].join('\n')
    await drop(page, { name, text })
    const shown = dialog(page)
    await shown.getByText('Your sales', { exact: true }).waitFor()
    await shown.getByText('5 records of 1 app, 1–4 Mar', { exact: true }).waitFor()
    await shown.getByText(/^1 rejected\. First:/).waitFor()
    await shown.getByRole('button', { name: 'Import 4 records' }).click()
    await shown.getByText('4 new, 0 already imported, 1 rejected of 5 records').waitFor()
    await shown.getByText('Rejected records').click()
    await shown.getByRole('listitem').filter({ hasText: '2026-02-31' }).waitFor()
    await shown.getByRole('button', { name: 'Calibrate estimates' }).click()
    // No chart of those days is in the demo.
    await shown
      .getByText(/^Nothing to calibrate: no collected chart has your app on the \d+ days of your sales/)
      .waitFor()
    await shown.getByRole('button', { name: 'Close', exact: true }).last().click()
    await shown.waitFor({ state: 'detached' })

    await open('/admin/files')
    await holds(async (one) => {
      const row = one
        .getByRole('list', { name: 'Imported files' })
        .getByRole('listitem')
        .filter({ hasText: name })
      await row.getByText('Partly done').first().waitFor()
    })
    // What was imported before is found known: nothing is stored twice.
    await page
      .getByLabel('Choose files…')
      .or(page.getByRole('button', { name: 'Choose files…' }))
      .first()
      .waitFor()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
    await dialog(page).getByRole('button', { name: 'Import 4 records' }).click()
    await dialog(page).getByText('0 new, 4 already imported, 1 rejected of 5 records').waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  },
  { own: 'files', admin: true },
)

journey(
  'what is no file of ours is told by name, what is not recognised can be named, and an account without the right is refused by name',
  async ({ page, open }) => {
    await open('/aso?country=de')
    await drop(
      page,
      { name: 'empty.csv', text: '' },
      { name: 'photo.pdf', text: '%PDF-1.7' },
      { name: 'own.csv', text: ['date,app,country,downloads', ...daysIn('de')].join('\n') },
      { name: 'words.txt', text: 'habit tracker\nmeal planner\n' },
    )
    const shown = dialog(page)
    await shown.getByText('Import file 1 of 4').waitFor()
    await shown.getByText('the file is empty').waitFor()
    assert.equal(await shown.getByRole('button', { name: 'Import', exact: true }).isDisabled(), true)
    await shown.getByRole('button', { name: 'Skip' }).click()
    await shown.getByText(/a PDF/).waitFor()
    await shown.getByRole('button', { name: 'Skip' }).click()
    await shown.getByText(/an admin of the account imports them/).waitFor()
    assert.equal(await shown.getByRole('button', { name: 'Import 4 records' }).isDisabled(), true)
    await shown.getByRole('button', { name: 'Skip' }).click()
    await shown.getByText(/if they are keywords/).waitFor()
    await shown.getByRole('button', { name: /Import as$/ }).click()
    await page.getByRole('option', { name: 'Keywords', exact: true }).click()
    await shown.getByRole('button', { name: 'Preview again' }).click()
    await shown.getByRole('button', { name: 'Import 2 records' }).click()
    await shown.getByText('0 new, 0 already imported, 2 rejected of 2 records').waitFor()
    await shown.getByText('Failed', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await shown.waitFor({ state: 'detached' })
  },
  { own: 'plain' },
)

const posts = join(sharedData, 'social/tiktok-trending-2020.json')
const chart = join(sharedData, 'apple/charts/rss-v1-hk-2019/top100.json')

describe('real files', { skip: existsSync(posts) ? false : 'shared/data is not here' }, () => {
  journey(
    'a chart that another program saved and an answer that is an error are dropped: one is imported, the other told',
    async ({ page, open }) => {
      await open('/apps')
      await drop(
        page,
        { name: 'top100.json', text: readFileSync(chart, 'utf8') },
        { name: 'rate-limit.json', text: '{"error":{"message":"Application request limit reached","code":4}}' },
      )
      const shown = dialog(page)
      await shown.getByText('Charts', { exact: true }).waitFor()
      await shown.getByRole('button', { name: /^Import \d+ records/ }).click()
      await shown.getByText(/ of \d+ records$/).waitFor()
      await shown.getByRole('button', { name: 'Next file' }).click()
      await shown.getByText(/Application request limit reached/).waitFor()
      await page.keyboard.press('Escape')
      await shown.waitFor({ state: 'detached' })
    },
    { own: 'real', admin: true, devices: ['desktop'] },
  )
})
