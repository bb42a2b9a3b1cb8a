import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { runProcess } from '../../support/command-line.ts'
import { journey } from '../support/journey.ts'

const oldTool = fileURLToPath(new URL('../../../sample/old-tool', import.meta.url))

const rivals = ['Ledger Bobbin', 'Wombat Thrift', 'Ticker Heron']

journey(
  'an app moves in with its keyword history of another tool, a swipe file and three rivals, and their App Store ads are asked for without a token',
  async ({ page, account, open, holds }) => {
    await open('/aso?country=de')
    await page.getByRole('button', { name: 'Add app' }).first().click()
    const form = page.getByRole('dialog', { name: 'Add app' })
    await form.getByRole('searchbox', { name: 'App' }).fill('tally ferret')
    await form.getByRole('button', { name: /^Track Tally & Ferret/ }).click()
    await page.getByText('No keywords yet').waitFor()

    const { code, out, err } = await runProcess([
      ...['import', oldTool, '--yes', '--account', account, '--app', '9000000150', '--country', 'de'],
      ...['--observed-at', '2026-11-19', '--data-dir', process.env.RIVALSCOPE_WEB_DATA ?? ''],
    ])
    assert.equal(code, 0, err)
    assert.equal(out.match(/rejected 0/g)?.length, 4, out)

    await page.reload()
    await holds(async (one) => {
      const rows = one.getByRole('group', { name: 'Keyword table' }).getByRole('row')
      await rows.filter({ hasText: 'haushaltsbuch' }).filter({ hasText: 'Another tool' }).waitFor()
      for (const rival of rivals)
        await one
          .getByRole('link', { name: new RegExp(`^${rival}`) })
          .first()
          .waitFor()
    })

    await open('/creatives/saved')
    await holds(async (one) => {
      const saved = one.getByRole('list', { name: 'Saved ads' })
      for (const text of ['Sieben Nächte frei', 'Haushalt in fünf Minuten'])
        await saved.getByRole('listitem').filter({ hasText: text }).waitFor()
    })

    for (const storeId of ['9000000150', '9000000137']) {
      await open(`/apps/${storeId}/ads?country=de`)
      await page.getByRole('button', { name: 'Import App Store ads' }).click()
      const told = page.getByText(/^\d+ new ads?, \d+ updated, 5 requests\./)
      await told.waitFor()
      assert.doesNotMatch(await told.innerText(), /absent/)
      const ads = page.getByRole('group', { name: 'Paid ads linked to this app' }).getByRole('row')
      await ads.filter({ hasText: 'Apple' }).first().waitFor()
    }
    await open('/apps/9000000351/ads?country=de')
    await page.getByRole('button', { name: 'Import App Store ads' }).click()
    await page
      .getByText(/absent to this coverage/)
      .first()
      .waitFor()
  },
  { own: 'moving' },
)
