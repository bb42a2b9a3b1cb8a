import assert from 'node:assert/strict'
import { choose, journey } from '../support/journey.ts'
import { sampleIds } from '../support/sample-ids.ts'

journey(
  'who reads how a listing changed asks for what is not there, and finds it among the requests',
  async ({ page, open, holds }) => {
    await open(`/apps/${sampleIds.trackedStoreId}/listing`)
    await choose(page, 'Field', 'Version')
    await holds(async (one) => {
      const change = one.getByRole('region', { name: 'Listing history' }).getByRole('listitem').first()
      await change.getByRole('heading', { name: 'Version' }).waitFor()
      await change.getByRole('deletion').getByText('8.3.1').waitFor()
      await change.getByRole('insertion').getByText('8.3.2').waitFor()
    })

    await page.getByRole('link', { name: 'Similar', exact: true }).click()
    await page.getByRole('button', { name: /^Request data/ }).click()
    const form = page.getByRole('dialog', { name: 'Request data' })
    await form.getByLabel('Note for the operator (optional)').fill('For the plan of next year')
    await form.getByRole('button', { name: 'Send request' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'View request' }).first().click()
    await holds(async (one) => {
      const requests = one.getByRole('group', { name: 'Data requests' })
      const asked = requests.getByRole('row').filter({ hasText: 'Similar apps' })
      await asked.filter({ hasText: 'For the plan of next year' }).waitFor()
      assert.equal(await asked.count(), 1)
    })
  },
  { own: 'asks' },
)

journey(
  'who wants to know which languages a rival writes in finds their texts beside the own ones',
  async ({ page, open, holds }) => {
    await open(`/apps/${sampleIds.trackedStoreId}`)
    await page.getByRole('link', { name: 'Languages', exact: true }).click()
    await page.getByRole('link', { name: 'Spanish (Mexico)' }).click()
    await holds(async (one) => {
      const texts = one.getByRole('region', { name: 'Texts in Spanish (Mexico)' })
      await texts.getByText('Tally & Ferret: Presupuesto').waitFor()
      await texts.getByText('Wombat Thrift: Presupuesto').waitFor()
      const korean = one.getByRole('row').filter({ hasText: 'Korean' })
      await korean.getByText('same as default').waitFor()
      await korean.getByText('not collected').waitFor()
    })
  },
)
