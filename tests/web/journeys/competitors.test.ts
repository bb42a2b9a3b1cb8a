import assert from 'node:assert/strict'
import { choose, journey } from '../support/journey.ts'

journey(
  'a competitor is found by a misspelt name, and its page opens from the table and from its card',
  async ({ page, open, holds }) => {
    await open('/apps')
    await page.getByRole('searchbox', { name: 'Search apps' }).fill('budegt planer')
    await choose(page, 'Price', 'Free')
    await choose(page, 'Rating', '4 stars or more')
    await choose(page, 'Sort by', 'Most ratings')
    await holds(async (one) => {
      const table = one.getByRole('group', { name: 'Apps found' })
      await table.getByRole('link', { name: 'Tally & Ferret: Budget Planner', exact: true }).waitFor()
      await one.getByRole('button', { name: 'Remove filter Price: free' }).waitFor()
      await one.getByRole('button', { name: 'Remove filter Rating: 4 or more' }).waitFor()
      await table
        .getByRole('columnheader', { name: 'Ratings' })
        .and(one.locator('[aria-sort=descending]'))
        .waitFor()
      assert.equal(await one.getByRole('searchbox', { name: 'Search apps' }).inputValue(), 'budegt planer')
    })

    await page.getByText('Cards', { exact: true }).click()
    await holds(async (one) => {
      await one
        .getByRole('listitem')
        .getByRole('link', { name: 'Tally & Ferret: Budget Planner', exact: true })
        .waitFor()
      await one.getByRole('radio', { name: 'Cards', checked: true }).waitFor()
    })
    await page.getByRole('link', { name: 'Tally & Ferret: Budget Planner', exact: true }).click()
    await holds(async (one) => {
      await one.getByRole('heading', { name: 'Tally & Ferret: Budget Planner', level: 1 }).waitFor()
      await one.getByRole('link', { name: 'Luc Parapluie' }).waitFor()
    })

    await page.goBack()
    await page.getByText('Table', { exact: true }).click()
    await page
      .getByRole('group', { name: 'Apps found' })
      .getByRole('link', { name: 'Tally & Ferret: Budget Planner', exact: true })
      .click()
    await page.getByRole('heading', { name: 'Tally & Ferret: Budget Planner', level: 1 }).waitFor()
  },
)
