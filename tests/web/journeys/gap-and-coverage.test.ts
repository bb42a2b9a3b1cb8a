import assert from 'node:assert/strict'
import { choose, journey } from '../support/journey.ts'
import { sampleIds } from '../support/sample-ids.ts'

const { trackedApp, rival } = sampleIds

journey(
  'the gap to a rival is read as a picture and a table, and the address of the audit leads to the plan',
  async ({ page, open, holds }) => {
    await open(`/aso/${trackedApp}/gap/${rival}`)
    await page
      .getByRole('navigation', { name: 'Who ranks' })
      .getByRole('link', { name: /^Competitor ahead/ })
      .click()
    await choose(page, 'Difficulty', 'Up to 80')
    await holds(async (one) => {
      const table = one.getByRole('group', { name: 'Keyword gap' })
      await table.getByRole('row').filter({ hasText: 'budget planner' }).filter({ hasText: 'Both' }).waitFor()
      await one
        .getByRole('figure', { name: /^Keyword ranks of Tally & Ferret/ })
        .getByRole('group')
        .waitFor()
      await one.getByRole('button', { name: 'Up to 80 Difficulty' }).waitFor()
    })

    await page.getByRole('link', { name: 'Keyword coverage' }).click()
    const covered = page.getByRole('group', { name: 'Keywords by localization' }).getByRole('row')
    await covered.filter({ hasText: 'budget planner' }).getByText('all words in one field: name').waitFor()
    await covered.filter({ hasText: 'receipt scanner' }).getByText('split', { exact: true }).waitFor()
    await page.getByText('Uncovered only').click()
    await covered.filter({ hasText: 'budget planner' }).waitFor({ state: 'detached' })
    await page.reload()
    await covered.filter({ hasText: 'banjo tuner left handed' }).waitFor()
    assert.equal(await covered.filter({ hasText: 'budget planner' }).count(), 0)
    await page
      .getByRole('group', { name: 'Characters left by localization' })
      .getByRole('row')
      .filter({ hasText: 'Spanish (Mexico)' })
      .getByText('empty')
      .waitFor()

    await open(`/aso/${trackedApp}/audit`)
    await page.getByRole('link', { name: 'Plan listing' }).and(page.locator('[aria-current=page]')).waitFor()
    assert.equal(new URL(page.url()).pathname, `/aso/${trackedApp}/plan`)
  },
)
