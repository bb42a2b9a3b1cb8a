import assert from 'node:assert/strict'
import { journey } from '../support/journey.ts'

journey(
  'the keyboard finds apps and pages, tells its keys, and goes through lists',
  async ({ page, open }) => {
    await open('/charts')
    await page.keyboard.press('/')
    const palette = page.getByRole('dialog', { name: 'Search or jump to' })
    await palette.getByRole('searchbox').fill('tally')
    await palette.getByRole('menuitem', { name: /^Tally & Ferret.*United States/ }).waitFor()
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Tally & Ferret: Budget Planner', level: 1 }).waitFor()

    await page.keyboard.press('Control+k')
    await palette.getByRole('searchbox').fill('emerg')
    await palette.getByRole('menuitem', { name: /^Emerging/ }).waitFor()
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })

    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Help' })
    await help.getByText('Next and previous row of a list or table').waitFor()
    const guide = help.getByRole('link', { name: 'Using the pages' })
    assert.equal(await guide.getAttribute('href'), '/docs/using-the-pages')
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })

    await page.keyboard.press('g')
    await page.keyboard.press('c')
    const table = page.getByRole('group', { name: 'Apps found' })
    await table.getByRole('row').nth(3).waitFor()
    await table.focus()
    for (const [key, index] of [
      ['j', 0],
      ['j', 1],
      ['k', 0],
    ] as const) {
      await page.keyboard.press(key)
      await page.locator(`[data-index="${index}"]:focus`).waitFor()
    }
    const name = (await page.locator(':focus').getByRole('link').first().locator('bdi').textContent()) ?? ''
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    assert.match(page.url(), /\/apps\/\d+/)
  },
  { devices: ['desktop'] },
)
