import assert from 'node:assert/strict'
import sharp from 'sharp'
import { journey, saved } from '../support/journey.ts'
import { sampleIds } from '../support/sample-ids.ts'

journey(
  'the ranks of an app in two storefronts are drawn beside each other, and leave as CSV and PNG',
  async ({ page, open, holds }) => {
    await open(`/apps/${sampleIds.app}/ranks`)
    await page.getByRole('button', { name: '+ Japan' }).click()
    await page.getByRole('radiogroup', { name: 'Last days' }).getByText('30', { exact: true }).click()
    await holds(async (one) => {
      const compared = one.getByRole('list', { name: 'Compared storefronts' })
      await compared.getByRole('button', { name: 'Remove United States' }).waitFor()
      await compared.getByRole('button', { name: 'Remove Japan' }).waitFor()
      const rows = one.getByRole('region', { name: 'Charts in this period' }).getByRole('row')
      await rows.filter({ hasText: 'United States' }).first().waitFor()
      await rows.filter({ hasText: 'Japan' }).first().waitFor()
      await one.getByRole('radio', { name: '30', checked: true }).waitFor()
    })

    const chart = page.getByRole('figure', { name: /^Ranks of / })
    const csv = await saved(page, () => chart.getByRole('button', { name: 'CSV' }).click())
    const [head = '', ...lines] = csv.content.toString('utf8').trim().split(/\r?\n/)
    assert.match(csv.name, /^ranks-of-.*\.csv$/)
    assert.match(head, /United States.*Japan|Japan.*United States/)
    assert.equal(lines.length, 30, 'a line for each day')
    assert.ok(
      lines.some((line) => /,\d+/.test(line)),
      'with ranks',
    )

    await chart.getByRole('img').waitFor()
    const png = await saved(page, () => chart.getByRole('button', { name: 'PNG' }).click())
    assert.match(png.name, /^ranks-of-.*\.png$/)
    const { channels } = await sharp(png.content).stats()
    assert.ok(
      channels.some(({ stdev }) => stdev > 5),
      'the picture is not empty',
    )
  },
)
