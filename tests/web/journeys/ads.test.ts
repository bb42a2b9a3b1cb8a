import assert from 'node:assert/strict'
import { until } from '../../support/until.ts'
import { choose, journey, saved } from '../support/journey.ts'
import { playVideoOf } from '../support/played-video.ts'
import { spokenAd } from '../support/sample-ids.ts'

journey(
  'an ad is found by filters, heard from a sentence on, read with its quotes, saved with a note, and leaves with its board',
  async ({ page, open, holds }) => {
    await playVideoOf(page, spokenAd.path, 15)
    await open('/creatives/ads')
    await page.getByRole('searchbox', { name: 'Search ads' }).fill('tidepool')
    await page.getByRole('button', { name: 'More filters' }).click()
    await choose(page, 'Format', 'Video')
    await page.keyboard.press('Escape')
    await choose(page, 'Ad library', 'Meta')
    await holds(async (one) => {
      await one
        .getByRole('list', { name: 'Ads' })
        .getByRole('link', { name: /^Tidepool Habits/ })
        .first()
        .waitFor()
      const set = one.getByRole('list', { name: 'Active filters' })
      await set.getByRole('button', { name: 'Remove filter Format Video' }).waitFor()
      await set.getByRole('button', { name: 'Remove filter Ad library Meta' }).waitFor()
    })
    await page
      .getByRole('link', { name: /^Tidepool Habits.*Small tides, every day/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Tidepool Habits', level: 1 }).waitFor()

    const transcript = page.getByRole('region', { name: 'Transcript' })
    const make = /^(Create transcript|Redo)…?$/
    await transcript.getByRole('button', { name: make }).click()
    await page.getByRole('dialog').getByRole('button', { name: make }).click()
    await transcript.getByRole('button', { name: /Tidepool forgives it/ }).click()
    await page.getByLabel('Video of the creative').waitFor()
    const second = () => page.evaluate("document.querySelector('video').currentTime")
    await until(second, (now) => Number(now) >= 5.2)

    const analysis = page.getByRole('region', { name: 'Analysis' })
    await analysis.getByRole('button', { name: /^Analyse/ }).click()
    await analysis.getByRole('button', { name: /Start your free trial.* Text$/ }).click()
    await page
      .getByRole('region', { name: 'Text' })
      .locator('mark')
      .getByText('Start your free trial')
      .waitFor()
    await analysis.getByRole('button', { name: /I missed a day again.* Transcript, 0:00$/ }).click()
    await transcript.locator('mark').getByText('I missed a day again').waitFor()

    const saving = page.getByRole('region', { name: 'Save', exact: true })
    await saving.getByLabel('Note').fill('Opens with a confession')
    await saving.getByLabel('Tags').fill('hooks')
    await page.keyboard.press('Enter')
    await saving.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('region', { name: 'Saved', exact: true }).waitFor()

    await page.getByRole('navigation', { name: 'Creatives' }).getByRole('link', { name: 'Saved' }).click()
    await page.getByRole('navigation', { name: 'Boards by tag' }).getByRole('link', { name: 'hooks' }).click()
    await holds(async (one) => {
      await one.getByRole('heading', { name: 'hooks', level: 1 }).waitFor()
      const card = one.getByRole('list', { name: 'Saved ads' }).getByRole('listitem')
      await card.getByRole('link', { name: /^Tidepool Habits/ }).waitFor()
      await card.getByText('Opens with a confession').waitFor()
    })
    await page.getByRole('button', { name: 'Export' }).click()
    const { content } = await saved(page, () =>
      page.getByRole('dialog').getByRole('button', { name: 'CSV' }).click(),
    )
    const [head = '', row = '', ...others] = content.toString('utf8').trim().split(/\r?\n/)
    assert.match(head, /note/i)
    assert.match(row, /Opens with a confession/)
    assert.deepEqual(others, [])
  },
  { own: 'ads' },
)
