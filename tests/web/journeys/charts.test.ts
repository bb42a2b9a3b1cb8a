import assert from 'node:assert/strict'
import { choose, find, journey, saved } from '../support/journey.ts'

journey(
  'a chart of another storefront, category and kind is compared on two days and seen over a month',
  async ({ page, open, holds }) => {
    await open('/charts')
    await find(page, 'Storefront', 'Germany')
    await choose(page, 'Chart', 'Top Grossing')
    await page.getByText('Top Grossing · All apps · iPhone · Germany').waitFor()
    await choose(page, 'Chart', 'Top Free')
    await find(page, 'Category', 'Finance')
    await holds(async (one) => {
      await one.getByText('Top Free · Finance · iPhone · Germany').waitFor()
      await one.getByRole('row').nth(3).waitFor()
    })

    await page.getByRole('link', { name: 'Compare days' }).click()
    await page.getByLabel('Earlier day', { exact: true }).fill('2026-11-02')
    await page.getByLabel('Later day', { exact: true }).fill('2026-11-16')
    await holds(async (one) => {
      await one.getByText('Top Free · Finance · iPhone · Germany').waitFor()
      assert.equal(await one.getByLabel('Earlier day', { exact: true }).inputValue(), '2026-11-02')
      assert.equal(await one.getByLabel('Later day', { exact: true }).inputValue(), '2026-11-16')
      await one.getByRole('heading', { name: /2 Nov.*16 Nov/ }).waitFor()
    })

    await page.getByRole('link', { name: 'Heat map' }).click()
    const month = page.getByRole('grid', { name: /Germany/ })
    await month.waitFor()
    // The sample has no snapshot of 28 October.
    await page.getByText('29 of 30 days collected').waitFor()
    await holds(async (one) => {
      await one.getByText('29 of 30 days collected').waitFor()
      assert.equal(await one.getByRole('grid').getByRole('columnheader').count(), 31, 'the app and thirty days')
    })
    const { name, content } = await saved(page, () => page.getByRole('button', { name: 'CSV' }).click())
    assert.match(name, /^top-free-6015-de-iphone-.*-heat-map\.csv$/)
    assert.ok(content.toString('utf8').split('\n').length > 10)
  },
)
