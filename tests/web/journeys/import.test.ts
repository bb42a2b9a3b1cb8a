import assert from 'node:assert/strict'
import { find, journey } from '../support/journey.ts'

/** Two ads of an advertiser that nobody else has, and a record that no library would give. */
const recordsOf = (number: number) =>
  [
    {
      id: `${number}1`,
      page_id: `${number}`,
      page_name: `Lantern Otter ${number}`,
      ad_creative_bodies: ['Light the way home.'],
      ad_delivery_start_time: '2026-03-02',
    },
    {
      id: `${number}2`,
      page_id: `${number}`,
      page_name: `Lantern Otter ${number}`,
      ad_creative_bodies: ['A lantern for every night.'],
      ad_delivery_start_time: '2026-03-09',
    },
    {
      id: `${number}3`,
      page_id: `${number}`,
      page_name: `Lantern Otter ${number}`,
      ad_creative_bodies: ['Yesterday.'],
      ad_delivery_start_time: '2026-02-31',
    },
  ]
    .map((record) => JSON.stringify(record))
    .join('\n')

journey(
  'pasted ads are previewed, imported with their progress, linked to an app with a reason, unlinked and withdrawn',
  async ({ page, device, open, holds }) => {
    const advertiser = device === 'desktop' ? 730_000_000_001 : 730_000_000_002
    await open('/admin')
    await page.getByRole('searchbox', { name: 'Advertiser' }).fill('tin parrot')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await holds(async (one) => {
      await one
        .getByRole('group', { name: 'Advertisers found' })
        .getByRole('row', { name: /^Tin Parrot Entertainment Meta/ })
        .waitFor()
      assert.equal(await one.getByRole('searchbox', { name: 'Advertiser' }).inputValue(), 'tin parrot')
    })

    await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Import ads' }).click()
    await page.getByText('Paste records').click()
    await page.getByLabel('Records', { exact: true }).fill(recordsOf(advertiser))
    await page.getByRole('button', { name: 'Preview', exact: true }).click()
    await page
      .getByRole('group', { name: 'Sample of ads to import' })
      .getByText('Light the way home.')
      .waitFor()
    const rejected = page.getByRole('group', { name: 'Rejected records' })
    await rejected.getByText('Invalid date').waitFor()

    await page.getByRole('button', { name: /^Import \d/ }).click()
    await holds(async (one) => {
      await one.getByText('Done', { exact: true }).waitFor()
      await one.getByRole('definition').first().waitFor()
      await one.getByRole('group', { name: 'Rejected records' }).getByText('Invalid date').waitFor()
    })
    const run = page.url()
    // A colleague's browser did not start it.
    await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Import history' }).click()
    await holds(async (one) => {
      const runs = one.getByRole('region', { name: 'Ad imports' }).getByRole('listitem')
      await runs
        .filter({ hasText: 'Meta: 3 pasted records' })
        .filter({ hasText: '2 new, 1 rejected' })
        .waitFor()
    })

    await open(`/admin/links?advertiser=${advertiser}`)
    await find(page, 'App', 'baustelle', /Baustelle/)
    await page.getByLabel('Reason (optional)').fill('Its maker says so')
    await page.getByRole('button', { name: 'Link', exact: true }).click()
    await holds(async (one) => {
      const ads = one.getByRole('group', { name: 'Ads with their links and reasons' })
      await ads
        .getByRole('row')
        .filter({ hasText: 'Light the way home.' })
        .filter({ hasText: 'Its maker says so' })
        .waitFor()
    })
    await page.getByRole('button', { name: 'Unlink', exact: true }).click()
    const ad = page
      .getByRole('group', { name: 'Ads with their links and reasons' })
      .getByRole('row')
      .filter({ hasText: 'Light the way home.' })
    await ad.filter({ hasText: 'not linked' }).waitFor()
    await page.getByRole('button', { name: 'Undo unlink' }).click()
    await page.getByRole('button', { name: 'Undo unlink' }).waitFor({ state: 'detached' })

    await page.goto(run)
    await page.getByRole('button', { name: 'Withdraw…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw for good' }).click()
    await page.getByText(/^Withdrawn .*with everything derived from it/).waitFor()
  },
  { own: 'imports' },
)
