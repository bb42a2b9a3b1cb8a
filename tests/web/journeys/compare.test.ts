import assert from 'node:assert/strict'
import { find, journey, saved } from '../support/journey.ts'
import { fitsScreen } from '../support/visitor.ts'

journey(
  'apps from two lists stand side by side with their keywords, and one app stands beside itself in another storefront',
  async ({ page, open, holds }) => {
    await open('/apps?country=us&q=Ledger%20Bobbin')
    await page.getByRole('link', { name: 'Compare Ledger Bobbin: Budget Planner' }).click()
    await page.getByText('1 of 6, United States').waitFor()

    await open('/aso?country=us')
    await page.getByRole('link', { name: 'Compare Tally & Ferret: Budget Planner' }).first().click()
    await holds(async (one) => {
      await one.getByText('2 of 6, United States').waitFor()
      const table = one.getByRole('region', { name: 'Side by side' }).getByRole('table')
      await table.getByRole('row', { name: /^Price \$0\.99 Free$/ }).waitFor()
      await table.getByRole('row', { name: /^New ratings, 30 days \+\d+ .* until 20 Nov/ }).waitFor()
      await one.getByText('Based on the keywords below, the same for all apps.').waitFor()
      const keywords = one.getByRole('group', { name: 'Keywords by apps' })
      await keywords.getByRole('row', { name: /^budget planner 1 .*3 / }).waitFor()
      await keywords.getByRole('row', { name: /^to do list ∅? ?not in top 50/ }).waitFor()
      await fitsScreen(one)
    })
    const { name, content } = await saved(page, () => page.getByRole('button', { name: 'CSV' }).click())
    assert.equal(name, 'keywords-by-apps.csv')
    assert.match(content.toString('utf8'), /\r\nbudget planner,1,0,3,0\r\n/)

    await page.getByRole('button', { name: 'Remove Tally & Ferret: Budget Planner, United States' }).click()
    await page.getByText('1 of 6, United States').waitFor()
    await find(page, 'Add app (United States)', 'Vicar Bubble', 'Vicar Bubble: Games for Kids')
    await page.getByRole('button', { name: 'Remove Ledger Bobbin: Budget Planner, United States' }).click()
    await page.getByRole('button', { name: 'Compare across storefronts' }).click()
    await holds(async (one) => {
      await one.getByText(/of 6, each in its own storefront/).waitFor()
      await one.getByRole('region', { name: 'Side by side' }).getByText('Japan', { exact: true }).waitFor()
    })
  },
)

journey('an address that names no app, or nonsense, says how apps are chosen', async ({ page, open }) => {
  for (const apps of ['', 'x,0,1.zz', '%3Cb%3E']) {
    await open(`/apps/compare?apps=${apps}`)
    await page.getByText('No apps selected').waitFor()
  }
  await open('/apps/compare?country=us&apps=77')
  await page.getByText('No search results with these apps yet').waitFor()
})
