import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { choose, find, journey, saved } from '../support/journey.ts'
import { sampleIds } from '../support/sample-ids.ts'

const pasted = ['haushaltsbuch', 'sparen', 'finanzen', 'budget planer', 'ausgaben', 'geld']

journey(
  'an app is tracked, its keywords are pasted, sorted, filtered, taken away and back, and refreshed',
  async ({ page, open, holds }) => {
    await open('/aso?country=de')
    await page.getByRole('button', { name: 'Add app' }).first().click()
    const form = page.getByRole('dialog', { name: 'Add app' })
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
    await choose(page, 'Status', 'No data')
    await page.getByText('No keywords match these filters').waitFor()
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

journey(
  'keywords are tagged, noted and filtered by a saved filter, moved to another storefront and back, copied there, and columns are chosen',
  async ({ page, device, open, holds, trouble }) => {
    await open('/aso?country=de')
    await page.getByRole('button', { name: 'Add app' }).first().click()
    const form = page.getByRole('dialog', { name: 'Add app' })
    await form.getByRole('searchbox', { name: 'App' }).fill('tally ferret')
    await form.getByRole('button', { name: /^Track Tally & Ferret/ }).click()
    await page.getByRole('button', { name: 'Add keywords' }).click()
    const paste = page.getByRole('dialog', { name: 'Add keywords' })
    await paste.getByLabel('Keywords', { exact: true }).fill(pasted.join('\n'))
    await paste.getByRole('button', { name: 'Add 6' }).click()
    await paste.waitFor({ state: 'detached' })

    const table = (one: Page) => one.getByRole('group', { name: 'Keyword table' })
    const row = (one: Page, term: string) =>
      table(one)
        .getByRole('row')
        .filter({ has: one.getByRole('link', { name: term, exact: true }) })
    const tick = async (...terms: string[]) => {
      for (const term of terms) await row(page, term).getByRole('checkbox').press('Space')
    }
    const selected = page.getByRole('region', { name: 'Selected keywords' })

    await tick('geld', 'sparen')
    await selected.getByText('2 keywords selected').waitFor()
    await selected.getByRole('button', { name: 'Tags…' }).click()
    const tags = page.getByRole('dialog', { name: 'Tags of 2 keywords' })
    await tags.getByLabel('Add tags').fill('core,')
    await tags.getByRole('button', { name: 'Save 2 keywords' }).click()
    await page.getByText('Tags of 2 keywords changed').waitFor()
    await row(page, 'geld').getByText('core', { exact: true }).waitFor()
    await selected.getByRole('button', { name: 'Note…' }).click()
    const note = page.getByRole('dialog', { name: 'Note on 2 keywords' })
    await note.getByLabel('Note', { exact: true }).fill('For the spring release')
    await note.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Note on 2 keywords saved').waitFor()
    await selected.getByRole('button', { name: 'Clear selection' }).click()

    await tick('geld')
    await selected.getByRole('button', { name: 'Tags…' }).click()
    const off = page.getByRole('dialog', { name: 'Tags of 1 keyword' })
    await off.getByRole('checkbox', { name: /^core/ }).press('Space')
    await off.getByRole('button', { name: 'Save 1 keyword' }).click()
    await row(page, 'geld').getByText('core', { exact: true }).waitFor({ state: 'detached' })
    await page
      .getByRole('alertdialog')
      .filter({ hasText: 'Tags of 1 keyword changed' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await row(page, 'geld').getByText('core', { exact: true }).waitFor()
    await selected.getByRole('button', { name: 'Clear selection' }).click()

    if (device === 'phone') await page.getByRole('button', { name: 'More filters' }).click()
    await page.getByRole('button', { name: 'Any Custom tags' }).click()
    await page.getByRole('option', { name: 'core' }).click()
    await page.keyboard.press('Escape')
    await page.getByText('2 of 6 keywords').waitFor()
    await page.getByRole('button', { name: 'Save filter…' }).click()
    const keep = page.getByRole('dialog', { name: 'Saved filters' })
    await keep.getByLabel('Name').fill('Core words')
    await keep.getByRole('button', { name: 'Save' }).click()
    await keep.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await holds(async (one) => {
      await one.getByRole('button', { name: 'Saved filters', exact: true }).click()
      await one.getByRole('menuitem', { name: 'Core words' }).click()
      await one.getByText('2 of 6 keywords').waitFor()
    })

    await table(page).getByRole('checkbox', { name: 'Select all rows' }).press('Space')
    await selected.getByRole('button', { name: 'Copy or move…' }).click()
    const move = page.getByRole('dialog', { name: 'Copy or move 2 keywords' })
    await move.getByText('Move', { exact: true }).first().click()
    await find(page, 'To', 'Austria', /Austria \(not tracked yet\)$/)
    let isLost = true
    await page.route('**/v1/aso/apps/*/keywords', (route) =>
      isLost && route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await move.getByRole('button', { name: 'Move 2' }).click()
    const failed = page.getByRole('alertdialog').filter({ hasText: 'Not moved to' })
    await failed.waitFor()
    assert.ok(trouble.splice(0).every((told) => told.includes('ERR_FAILED')))
    await page.getByText('2 of 6 keywords').waitFor()
    isLost = false
    await failed.getByRole('button', { name: 'Try again' }).click()
    const moved = page.getByRole('alertdialog').filter({ hasText: '2 keywords moved to' })
    await moved.waitFor()
    await page.getByText('0 of 4 keywords').waitFor()
    await moved.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 of 6 keywords').waitFor()
    await row(page, 'sparen').getByText('core', { exact: true }).waitFor()

    const all = table(page).getByRole('checkbox', { name: 'Select all rows' })
    if (!(await all.isChecked())) await all.press('Space')
    await selected.getByRole('button', { name: 'Copy or move…' }).click()
    const copy = page.getByRole('dialog', { name: 'Copy or move 2 keywords' })
    await find(page, 'To', 'Austria', /Austria$/)
    await copy.getByRole('button', { name: 'Copy 2' }).click()
    await page.getByText(/^2 keywords copied to .*Austria/).waitFor()
    await page.getByText('2 of 6 keywords').waitFor()
    await holds(async (one) => {
      await one.goto(new URL('/aso?country=at', one.url()).href)
      await one
        .getByRole('link', { name: /Tally & Ferret/ })
        .first()
        .click()
      await one
        .getByText(/^2 keywords\b/)
        .first()
        .waitFor()
      await row(one, 'geld').getByText('core', { exact: true }).waitFor()
      await one.getByRole('button', { name: 'Saved filters', exact: true }).waitFor()
      await one.goBack()
      await one.goBack()
    })

    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Best rank' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Difficulty' }).click()
    await page.keyboard.press('Escape')
    await page.reload()
    await table(page).getByRole('columnheader', { name: 'Best rank' }).waitFor()
    assert.equal(await table(page).getByRole('columnheader', { name: 'Difficulty' }).count(), 0)
  },
  { own: 'bulk' },
)

journey(
  'the keyword table fits into a window of 1,400 pixels, and the marks of listing changes are told as a table',
  async ({ page, open }) => {
    await page.setViewportSize({ width: 1400, height: 900 })
    await open(`/aso/${sampleIds.trackedApp}`)
    const table = page.getByRole('group', { name: 'Keyword table' })
    await table.getByRole('row').nth(3).waitFor()
    const { seen, whole } = await table.evaluate(({ clientWidth, scrollWidth }) => ({
      seen: clientWidth,
      whole: scrollWidth,
    }))
    assert.ok(whole <= seen, `the table is ${whole} pixels wide, and ${seen} are seen`)
    const above = await page.getByRole('region', { name: 'Visibility over time' }).boundingBox()
    const rows = await table.boundingBox()
    assert.ok((rows?.y ?? 0) < (above?.y ?? 0) && (rows?.y ?? 900) < 700, 'the table stands first')

    const chart = page.getByRole('region', { name: 'Visibility over time' })
    await chart.getByText('Competitors’ listing changes').click()
    await chart.getByRole('button', { name: 'Table' }).click()
    await chart.getByRole('columnheader', { name: 'Changes' }).waitFor()
    const csv = await saved(page, () => chart.getByRole('button', { name: 'CSV' }).click())
    assert.match(csv.content.toString('utf8'), /first seen/)
  },
  { devices: ['desktop'] },
)
