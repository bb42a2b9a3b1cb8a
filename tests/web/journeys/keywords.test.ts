import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { choose, journey } from '../support/journey.ts'

const pasted = ['haushaltsbuch', 'sparen', 'finanzen', 'budget planer', 'ausgaben', 'geld']

journey(
  'an app is tracked, its keywords are pasted, sorted, filtered, taken away and back, and refreshed',
  async ({ page, open, holds }) => {
    await open('/aso?country=de')
    await page.getByRole('button', { name: 'Track an app' }).first().click()
    const form = page.getByRole('dialog', { name: 'Track an app' })
    await form.getByRole('searchbox', { name: 'App' }).fill('tally ferret')
    await form.getByRole('button', { name: /^Track Tally & Ferret/ }).click()
    await page.getByText('No keywords yet').waitFor()

    await page.getByRole('button', { name: 'Add keywords' }).click()
    const paste = page.getByRole('dialog', { name: 'Add keywords' })
    await paste.getByLabel('Keywords', { exact: true }).fill(`${pasted.join('\n')}\nSparen`)
    await paste.getByRole('button', { name: 'Add 6' }).click()
    await page.getByText('6 keywords added').waitFor()
    await paste.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    const refresh = page.getByRole('region', { name: 'Last refresh' })
    await refresh.getByText(/Queued|Running|Done/).waitFor()
    await page.reload()
    await refresh.getByText('Done', { exact: true }).waitFor({ timeout: 240_000 })

    const rows = (one: Page) => one.getByRole('group', { name: 'Keyword table' }).getByRole('row')
    const headings = page.getByRole('group', { name: 'Keyword table' }).getByRole('columnheader')
    await headings.getByRole('button', { name: 'Keyword' }).click()
    await holds(async (one) => {
      await rows(one).nth(6).waitFor()
      const terms = await rows(one)
        .getByRole('link')
        .filter({ hasText: /^[a-z ]+$/ })
        .allTextContents()
      assert.deepEqual(terms, pasted.toSorted())
    })
    await page.getByRole('searchbox', { name: 'Keyword' }).fill('budget')
    await holds(async (one) => {
      await one.getByText('1 of 6 keywords').waitFor()
      await rows(one).getByRole('link', { name: 'budget planer' }).waitFor()
      assert.equal(await one.getByRole('searchbox', { name: 'Keyword' }).inputValue(), 'budget')
    })
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await choose(page, 'State', 'Not measured')
    await page.getByText('No keyword passes these filters').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()

    for (const term of ['geld', 'sparen'])
      await rows(page)
        .filter({ has: page.getByRole('link', { name: term, exact: true }) })
        .getByRole('checkbox')
        .press('Space')
    await page.getByRole('button', { name: 'Remove 2' }).click()
    await page.getByText('2 keywords removed').waitFor()
    await page
      .getByText(/^4 keywords\b/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await holds(async (one) => {
      await one
        .getByText(/^6 keywords\b/)
        .first()
        .waitFor()
      await rows(one).getByRole('link', { name: 'sparen', exact: true }).waitFor()
    })
  },
  { own: 'keywords' },
)
