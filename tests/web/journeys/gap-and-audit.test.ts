import assert from 'node:assert/strict'
import { choose, journey } from '../support/journey.ts'
import { sampleIds } from '../support/sample-ids.ts'

const { trackedApp, rival } = sampleIds

journey(
  'the gap to a rival is read as a picture and a table, and the audit counts what is written',
  async ({ page, open, holds }) => {
    await open(`/aso/${trackedApp}/gap/${rival}`)
    await page
      .getByRole('navigation', { name: 'Standing' })
      .getByRole('link', { name: /^Both, rival ahead/ })
      .click()
    await choose(page, 'Difficulty', 'Up to 80')
    await holds(async (one) => {
      const table = one.getByRole('group', { name: 'Keywords of the gap' })
      await table.getByRole('row').filter({ hasText: 'budget planner' }).filter({ hasText: 'both' }).waitFor()
      await one
        .getByRole('figure', { name: /^Keywords by the rank of Tally & Ferret/ })
        .getByRole('group')
        .waitFor()
      await one.getByRole('button', { name: 'Up to 80 Difficulty' }).waitFor()
    })

    await page.getByRole('link', { name: 'Keyword coverage' }).click()
    const covered = page.getByRole('group', { name: 'Keywords by localization' }).getByRole('row')
    await covered.filter({ hasText: 'budget planner' }).getByText('all its words in one field: name').waitFor()
    await covered.filter({ hasText: 'receipt scanner' }).getByText('split', { exact: true }).waitFor()
    await page.getByText('Uncovered only').click()
    await covered.filter({ hasText: 'budget planner' }).waitFor({ state: 'detached' })
    await page.reload()
    await covered.filter({ hasText: 'banjo tuner left handed' }).waitFor()
    assert.equal(await covered.filter({ hasText: 'budget planner' }).count(), 0)
    await page
      .getByRole('group', { name: 'Room by localization' })
      .getByRole('row')
      .filter({ hasText: 'Spanish (Mexico)' })
      .getByText('empty')
      .waitFor()

    await page.getByRole('link', { name: 'Listing audit' }).click()
    const texts = page.getByRole('region', { name: 'Texts that search reads' })
    await texts.getByLabel('Name', { exact: true }).fill('Tally: Haushaltsbuch für alle Tage')
    await texts.getByLabel('Subtitle', { exact: true }).fill('家計簿 and budget')
    await texts.getByText('34 of 30 characters').waitFor()
    await texts.getByText('35 bytes').waitFor()
    await texts.getByRole('status').getByText('4 too many:').waitFor()
    await texts.getByText('14 of 30 characters').waitFor()
    await texts.getByText('20 bytes').waitFor()
    await texts.getByLabel('Keyword field', { exact: true }).fill('家計簿'.repeat(12))
    await texts.getByText('108 of 100 bytes for certain').waitFor()
    await texts.getByText('36 of 100 characters as is reported').waitFor()
    await texts.getByText('Taken only if App Store Connect counts characters:').waitFor()
    await page.reload()
    await texts.getByText('34 of 30 characters').waitFor()
    await page
      .getByRole('group', { name: 'Tracked keywords in these texts' })
      .getByRole('row')
      .filter({ hasText: 'budget planner' })
      .filter({ hasText: 'missing' })
      .waitFor()
    await texts.getByRole('button', { name: 'Back to the stored listing' }).click()
    await texts.getByText('34 of 30 characters').waitFor({ state: 'detached' })
  },
)
