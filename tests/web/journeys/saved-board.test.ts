import assert from 'node:assert/strict'
import { journey, saved } from '../support/journey.ts'

journey(
  'saved ads are chosen, tagged together, found on their board with its cover, taken out as a zip, and taken off and put back',
  async ({ page, open, holds }) => {
    await open('/creatives/ads')
    const cards = page.getByRole('list', { name: 'Ads' }).getByRole('listitem')
    for (const index of [0, 1]) {
      await cards.nth(index).hover()
      await cards.nth(index).getByRole('button', { name: 'Save', exact: true }).click()
      await cards.nth(index).getByRole('button', { name: 'Remove from saved' }).waitFor()
    }
    await open('/creatives/saved')
    const kept = page.getByRole('list', { name: 'Saved ads' }).getByRole('listitem')
    // The box that is drawn is what a person presses.
    for (const index of [0, 1])
      await kept
        .nth(index)
        .locator('label')
        .filter({ has: page.getByRole('checkbox', { name: 'Select' }) })
        .click()
    const bar = page.getByRole('region', { name: 'Selected' })
    await bar.getByText('2 items selected').waitFor()
    await bar.getByRole('button', { name: 'Add tags…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add tags to 2 items' })
    await dialog.getByLabel('Tags').fill('openers')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await bar.waitFor({ state: 'detached' })

    const boards = page.getByRole('navigation', { name: 'Boards by tag' })
    await boards.getByRole('link', { name: 'openers 2' }).click()
    await holds(async (one) => {
      await one.getByRole('heading', { name: 'openers', level: 1 }).waitFor()
      await one.getByText('2 saved ads').waitFor()
    })
    await kept
      .first()
      .locator('label')
      .filter({ has: page.getByRole('checkbox', { name: 'Select' }) })
      .click()
    const { name, content } = await saved(page, () => bar.getByRole('link', { name: 'ZIP with media' }).click())
    assert.equal(name, 'saved-creatives.zip')
    assert.equal(content.subarray(0, 2).toString('latin1'), 'PK')
    assert.ok(content.includes('ads.csv'))
    await bar.getByRole('button', { name: 'Remove from saved' }).click()
    await page.getByText('1 saved ad', { exact: true }).waitFor()
    const told = page.getByRole('alertdialog').filter({ hasText: 'Removed from saved' })
    await told.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 saved ads').waitFor()
  },
  { own: 'board' },
)

journey(
  'what was edited or taken off after it was chosen is tagged as it is then, and is not saved again',
  async ({ page, open }) => {
    await open('/creatives/ads')
    const cards = page.getByRole('list', { name: 'Ads' }).getByRole('listitem')
    for (const index of [0, 1]) {
      await cards.nth(index).hover()
      await cards.nth(index).getByRole('button', { name: 'Save', exact: true }).click()
      await cards.nth(index).getByRole('button', { name: 'Remove from saved' }).waitFor()
    }
    await open('/creatives/saved')
    const kept = page.getByRole('list', { name: 'Saved ads' }).getByRole('listitem')
    for (const index of [0, 1])
      await kept
        .nth(index)
        .locator('label')
        .filter({ has: page.getByRole('checkbox', { name: 'Select' }) })
        .click()
    const bar = page.getByRole('region', { name: 'Selected' })
    await bar.getByText('2 items selected').waitFor()

    await kept.first().getByRole('button', { name: 'Edit note and tags' }).click()
    const edited = page.getByRole('dialog', { name: 'Note and tags' })
    await edited.getByLabel('Tags').fill('hooks')
    await page.keyboard.press('Enter')
    await edited.getByRole('button', { name: 'Save changes' }).click()
    await edited.waitFor({ state: 'detached' })
    await kept.first().getByText('hooks', { exact: true }).waitFor()
    await kept.nth(1).hover()
    await kept.nth(1).getByRole('button', { name: 'Remove from saved' }).click()
    await page.getByText('1 saved ad', { exact: true }).waitFor()

    await bar.getByRole('button', { name: 'Add tags…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add tags to 2 items' })
    await dialog.getByLabel('Tags').fill('openers')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await bar.waitFor({ state: 'detached' })
    const boards = page.getByRole('navigation', { name: 'Boards by tag' })
    await boards.getByRole('link', { name: 'hooks 1' }).waitFor()
    await boards.getByRole('link', { name: 'openers 1' }).waitFor()
    const told = page.getByRole('alertdialog').filter({ hasText: 'Tagged openers: 1 item.' })
    await told.getByText('1 is no longer saved').waitFor()
    await told.getByRole('button', { name: 'Undo' }).click()
    await boards.getByRole('link', { name: 'openers' }).waitFor({ state: 'detached' })
    await boards.getByRole('link', { name: 'hooks 1' }).waitFor()
    await page.getByText('1 saved ad', { exact: true }).waitFor()
  },
  { own: 'changed' },
)

/** Ads of an advertiser with one app, which nothing links to it. */
const unlinked = { desktop: ['tiktok', '1740779896950289260'], phone: ['meta', '1356791067645037'] } as const

journey(
  'an ad that is linked to no app is linked to the one that is suggested, which says what it rests on, and that is taken back',
  async ({ page, device, open, holds }) => {
    const [platform, archiveId] = unlinked[device]
    await open(`/creatives/ads/${platform}/${archiveId}`)
    const apps = page.getByRole('region', { name: 'Apps' })
    await apps.getByText('No linked app').waitFor()
    await apps.getByRole('button', { name: 'Link…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Link to an app' })
    const suggested = dialog.getByRole('region', { name: 'Suggested apps' })
    await suggested.getByText('developer has the advertiser’s name').waitFor()
    await suggested.getByRole('button', { name: 'Select Checkbox & Dumpling: Notes' }).click()
    assert.match(
      await dialog.getByLabel('Reason').inputValue(),
      /named in the ad text; developer has the advertiser’s name\.$/i,
    )
    await dialog.getByRole('button', { name: 'Link', exact: true }).click()
    await holds(async (one) => {
      await one
        .getByRole('region', { name: 'Apps' })
        .getByRole('link', { name: /^Checkbox & Dumpling/ })
        .waitFor()
    })
    // All accounts see it.
    await apps.getByRole('button', { name: 'Unlink from Checkbox & Dumpling: Notes' }).click()
    await apps.getByText('No linked app').waitFor()
  },
  { own: 'suggested' },
)
