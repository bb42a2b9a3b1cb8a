import { journey, pointAt } from '../support/journey.ts'

journey(
  'an emerging app says why, and is tracked with one click',
  async ({ page, open, holds }) => {
    await open('/emerging?country=de')
    const candidate = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'MarginKettle - Stocks' }) })
    await candidate
      .getByRole('list', { name: 'Signals, strongest first' })
      .getByRole('listitem')
      .first()
      .waitFor()
    await pointAt(candidate.getByText('New in charts'))
    await page.getByRole('tooltip').getByText('Not in any earlier collected chart.').waitFor()

    await page.getByRole('button', { name: 'Add to watchlist: MarginKettle - Stocks' }).waitFor()
    await page.getByRole('button', { name: 'Track as a competitor: MarginKettle - Stocks' }).click()
    // Unseen signs around the name keep its direction from the words of the notice.
    await page.getByText(/MarginKettle - Stocks.? is tracked as a competitor\./).waitFor()
    await holds(async (one) => {
      const its = one
        .getByRole('listitem')
        .filter({ has: one.getByRole('heading', { name: 'MarginKettle - Stocks' }) })
      await its.getByText('Competitor', { exact: true }).waitFor()
    })
    await open('/aso?country=de')
    await page
      .getByRole('region', { name: 'Competitors' })
      .getByRole('link', { name: 'MarginKettle - Stocks', exact: true })
      .waitFor()
  },
  { own: 'emerging' },
)
