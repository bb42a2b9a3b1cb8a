import assert from 'node:assert/strict'
import { choose, journey } from '../support/journey.ts'

journey(
  'the posts that outdid their authors come first; one is opened and saved, and two stand side by side',
  async ({ page, open, holds }) => {
    await open('/creatives/posts')
    await choose(page, 'Sort', 'Outlier score')
    await holds(async (one) => {
      const cards = one.getByRole('list', { name: 'Posts' }).getByRole('listitem')
      await cards.first().getByText('61.6×').waitFor()
      await cards.nth(1).getByText('28.2×').waitFor()
    })

    await page.getByRole('link', { name: /^@jules\.reads\.maps/ }).click()
    await page.getByRole('heading', { name: '@jules.reads.maps', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('region', { name: 'Saved', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Add to comparison' }).click()
    await page.getByRole('region', { name: 'Selected for comparison' }).getByText('1 of 4 selected').waitFor()

    await page.getByRole('navigation', { name: 'Creatives' }).getByRole('link', { name: 'Posts' }).click()
    const other = page
      .getByRole('list', { name: 'Posts' })
      .getByRole('listitem')
      .filter({ hasNotText: 'jules.reads.maps' })
      .first()
    await other.hover()
    await other.getByRole('button', { name: 'Add to comparison' }).click()
    const chosen = page.getByRole('region', { name: 'Selected for comparison' })
    await chosen.getByText('2 of 4 selected').waitFor()
    await chosen.getByRole('link', { name: 'Compare' }).click()
    await holds(async (one) => {
      const comparison = one.getByRole('region', { name: 'Comparison' })
      await comparison.getByRole('columnheader').nth(1).getByRole('link').waitFor()
      assert.equal(await comparison.getByRole('columnheader').count(), 2)
      await comparison.getByRole('link', { name: '@jules.reads.maps' }).waitFor()
      await comparison
        .getByRole('row')
        .filter({ has: one.getByRole('rowheader', { name: 'Outlier' }) })
        .getByText('61.6×')
        .waitFor()
    })

    await page.getByRole('navigation', { name: 'Creatives' }).getByRole('link', { name: 'Saved' }).click()
    await page.getByRole('navigation', { name: 'Type' }).getByRole('link', { name: 'Posts' }).click()
    await holds(async (one) => {
      await one
        .getByRole('list', { name: 'Saved posts' })
        .getByRole('link', { name: /^@jules\.reads\.maps/ })
        .waitFor()
    })
  },
  { own: 'posts' },
)
