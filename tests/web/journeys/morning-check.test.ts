import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { journey, pointAt } from '../support/journey.ts'

journey(
  'the morning check shows what moved of own apps, and the evidence of a move at its place',
  async ({ page, open, holds }) => {
    await open('/')
    const moves = page.getByRole('region', { name: 'Keyword ranks of my apps' })
    await page.getByRole('radiogroup', { name: 'Apps' }).getByText('My apps', { exact: true }).click()
    const rivals = page.getByText('US, competitor')
    const isOfOwnApps = async (one: Page) => {
      await one.getByRole('radio', { name: 'My apps', checked: true }).waitFor()
      await one.getByRole('region', { name: 'Chart ranks' }).getByRole('listitem').first().waitFor()
      assert.equal(await one.getByText('US, competitor').count(), 0)
    }
    await rivals.first().waitFor({ state: 'detached' })
    await holds(isOfOwnApps)

    const move = moves.getByRole('listitem').filter({ hasText: 'budget planner' })
    await pointAt(move.getByText(/1\s*→\s*to\s*3/))
    const evidence = page.getByRole('tooltip')
    await evidence.getByText('Rank 1 on 13 Nov, Rank 3 on 20 Nov.').waitFor()

    await move.getByRole('link', { name: 'budget planner', exact: true }).click()
    await holds(async (one) => {
      await one.getByRole('heading', { name: 'budget planner', level: 1 }).waitFor()
      await one.getByRole('link', { name: 'Tally & Ferret: Budget Planner' }).first().waitFor()
    })
    assert.equal(new URL(page.url()).searchParams.get('country'), 'us')
  },
)
