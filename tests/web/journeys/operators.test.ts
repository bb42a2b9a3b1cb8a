import assert from 'node:assert/strict'
import { after } from 'node:test'
import { choose, journey } from '../support/journey.ts'
import { sampleIds } from '../support/sample-ids.ts'
import { address, demoKey, violations } from '../support/visitor.ts'

/** A colleague's request, of an account that operates nothing. */
async function ask(key: string, path: string, method: string, body?: object): Promise<Response> {
  return fetch(`${address}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
}

// The schedule is that of the whole demo, which other journeys share.
after(async () => {
  if (!address) return
  const { changedAt } = (await (await ask(demoKey, '/collecting', 'GET')).json()) as {
    changedAt: string | null
  }
  if (changedAt) await ask(demoKey, '/collecting/schedule', 'PUT', { schedule: null, before: changedAt })
})

journey(
  'who operates nothing sees sources, the schedule and their own requests, and no button that acts on the installation',
  async ({ page, key, open }) => {
    await ask(key, `/v1/competitors/ios/${sampleIds.app}/data-requests`, 'POST', {
      country: 'us',
      kinds: ['media'],
      note: 'for the pitch',
    })
    await open('/admin/requests')
    const requests = page.getByRole('list', { name: 'Open requests' }).getByRole('listitem')
    await requests.filter({ hasText: 'for the pitch' }).waitFor()
    assert.equal(await requests.count(), 1)
    assert.equal(await page.getByRole('button', { name: /^Dismiss/ }).count(), 0)
    await open('/admin/collecting')
    await page.getByText('Only for admins of accounts that operate this installation').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Change schedule…' }).count(), 0)
    await open('/admin/sources')
    await page
      .getByRole('group', { name: 'Sources by storefront' })
      .getByRole('row')
      .filter({ hasText: /Meta/ })
      .first()
      .waitFor()
    assert.deepEqual(await violations(page), [])
  },
  { own: 'asker' },
)

journey(
  'an operator dismisses what another account asked for, and that account reads why',
  async ({ page, open, account, key, newcomer }) => {
    await ask(key, `/v1/competitors/ios/${sampleIds.app}/data-requests`, 'POST', {
      country: 'us',
      kinds: ['organic'],
    })
    await using operator = await newcomer()
    const desk = operator.page
    await desk.goto(`${address}/admin/requests`)
    await desk.getByLabel('API key').fill(demoKey)
    await desk.getByRole('button', { name: 'Sign in' }).click()
    const theirs = desk.getByRole('listitem').filter({ hasText: account })
    await theirs.getByRole('button', { name: /^Dismiss Organic posts/ }).click()
    const dialog = desk.getByRole('dialog', { name: 'Dismiss this request?' })
    await dialog.getByLabel(/^Reason/).fill('Posts come in a file on Monday.')
    assert.deepEqual(await violations(desk, { within: '[role=dialog]' }), [])
    await dialog.getByRole('button', { name: 'Dismiss', exact: true }).click()
    await desk.getByText('Request dismissed.').waitFor()
    await theirs.waitFor({ state: 'detached' })
    assert.deepEqual(operator.trouble, [])
    await open(`/apps/${sampleIds.app}/requests?country=us`)
    await page.getByText(/dismissed on .*: Posts come in a file on Monday\./).waitFor()
  },
  { own: 'wisher' },
)

journey(
  'an operator collects a chart now, sees it come, and changes the schedule, which another tab does not overwrite',
  async ({ page, open, newcomer, trouble }) => {
    await open('/admin/collecting?country=fr')
    await page.getByRole('button', { name: 'Collect now' }).click()
    await page.getByText(/^(?:1 request queued|0 requests queued, 1 already waiting)/).waitFor()
    const byHand = page.getByRole('list', { name: 'Collected on demand' }).getByRole('listitem')
    await byHand
      .filter({ hasText: 'Top Free' })
      .filter({ hasText: 'France' })
      .filter({ hasText: /Done|No data/ })
      .first()
      .waitFor()
    assert.deepEqual(await violations(page), [])

    await using other = await newcomer()
    const tab = other.page
    await tab.goto(`${address}/admin/collecting?country=fr`)
    await tab.getByLabel('API key').fill(demoKey)
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await tab.getByRole('button', { name: 'Change schedule…' }).click()
    const late = tab.getByRole('dialog', { name: 'Schedule' })
    await late.getByRole('button', { name: 'Add charts' }).click()

    await page.getByRole('button', { name: 'Change schedule…' }).click()
    const form = page.getByRole('dialog', { name: 'Schedule' })
    await form.getByRole('button', { name: 'Add charts' }).click()
    await choose(page, 'Frequency', 'every 6 hours')
    await form.getByText('App Store ads of tracked apps').click()
    assert.deepEqual(await violations(page, { within: '[role=dialog]' }), [])
    await form.getByRole('button', { name: 'Save schedule' }).click()
    const schedule = page.getByRole('list', { name: 'Schedule' }).getByRole('listitem')
    await schedule.filter({ hasText: 'Charts: Top Free' }).filter({ hasText: 'every 6 hours' }).waitFor()
    await schedule.filter({ hasText: 'App Store ads' }).filter({ hasText: 'every 7 days' }).waitFor()

    await late.getByRole('button', { name: 'Save schedule' }).click()
    await late.getByRole('alert').getByText('the schedule was changed meanwhile').waitFor()

    await page.getByRole('button', { name: 'Change schedule…' }).click()
    await form.getByRole('button', { name: 'Reset to the configuration file' }).click()
    await page.getByText('From the configuration file.').waitFor()
    assert.match(other.trouble.splice(0).join(), /status of 400/)
    assert.deepEqual(trouble, [])
  },
  { devices: ['desktop'] },
)
