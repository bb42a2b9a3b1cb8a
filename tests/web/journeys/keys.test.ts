import assert from 'node:assert/strict'
import { until } from '../../support/until.ts'
import { choose, journey } from '../support/journey.ts'
import { address, violations } from '../support/visitor.ts'

/** What the service answers to a read and to a write with a key. */
async function answersTo(key: string): Promise<{ read: number; write: number }> {
  const headers = { authorization: `Bearer ${key}` }
  const read = await fetch(`${address}/v1/aso/apps`, { headers })
  const write = await fetch(`${address}/v1/aso/apps`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{}',
  })
  return { read: read.status, write: write.status }
}

/** Waits until a key that has ended is refused, which takes a second. */
const refused = (key: string) =>
  until(
    () => answersTo(key),
    ({ read, write }) => read === 401 && write === 401,
  )

journey(
  'an admin makes a key that reads until a day, uses it, rotates it and revokes it, and each secret is seen once',
  async ({ page, account, open, newcomer, trouble }) => {
    await open('/settings')
    const panel = page.getByRole('region', { name: 'API keys' })
    const keys = panel.getByRole('list', { name: 'Keys of this account' }).getByRole('listitem')
    await keys.filter({ hasText: 'This session' }).filter({ hasText: account }).waitFor()

    await panel.getByRole('button', { name: 'New key…' }).click()
    const form = page.getByRole('dialog', { name: 'New API key' })
    await form.getByLabel('Name').fill('<b>reports</b>')
    await form.getByLabel('Expires after (UTC)').fill('2020-01-01')
    await form.getByRole('button', { name: 'Create key' }).click()
    await form.getByRole('alert').getByText('lies in the past').waitFor()
    assert.match(trouble.splice(0).join(), /status of 400/)
    assert.deepEqual(await violations(page, { within: '[role=dialog]' }), [])
    await form.getByLabel('Expires after (UTC)').fill('2090-01-01')
    await form.getByRole('button', { name: 'Create key' }).click()

    const shown = page.getByRole('dialog', { name: 'Key “<b>reports</b>”' })
    const secretOf = async () => (await shown.locator('pre').innerText()).trim()
    const first = await secretOf()
    assert.match(first, /^rsk_/)
    assert.deepEqual(await answersTo(first), { read: 200, write: 403 })
    await shown.getByRole('button', { name: 'I have copied it' }).click()
    await shown.waitFor({ state: 'detached' })
    const reports = keys.filter({ hasText: '<b>reports</b>' })
    await reports.filter({ hasText: 'expires' }).waitFor()
    assert.ok(!(await page.content()).includes(first), 'a key that was shown once is on the page')

    await reports.getByRole('button', { name: 'Rotate <b>reports</b>' }).click()
    const rotation = page.getByRole('dialog', { name: 'Rotate “<b>reports</b>”' })
    await choose(page, 'The old key', 'expires now')
    await rotation.getByRole('button', { name: 'Rotate key' }).click()
    await shown.waitFor()
    const second = await secretOf()
    await shown.getByRole('button', { name: 'I have copied it' }).click()
    await refused(first)
    assert.deepEqual(await answersTo(second), { read: 200, write: 403 })
    assert.equal(await reports.count(), 1)

    // Whoever signs in with a key that is no admin's makes none.
    await using other = await newcomer()
    await other.page.goto(`${address}/settings`)
    await other.page.getByLabel('API key').fill(second)
    await other.page.getByRole('button', { name: 'Sign in' }).click()
    await other.page.getByText('Only admins of this account create, rotate and revoke its keys.').waitFor()
    assert.equal(await other.page.getByRole('button', { name: 'New key…' }).count(), 0)

    await reports.getByRole('button', { name: 'Revoke <b>reports</b>' }).click()
    const end = page.getByRole('dialog', { name: 'Revoke “<b>reports</b>”' })
    await end.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('The key “<b>reports</b>” was revoked.').waitFor()
    await reports.waitFor({ state: 'detached' })
    await refused(second)
    await other.page.reload()
    await other.page.getByRole('textbox', { name: 'API key' }).waitFor()
  },
  { own: 'keys', admin: true },
)

journey(
  'a key that is made while the session ends is made once, after signing in again, and nothing typed is lost',
  async ({ page, key, open, trouble }) => {
    await open('/settings')
    await page.getByRole('button', { name: 'New key…' }).click()
    const form = page.getByRole('dialog', { name: 'New API key' })
    await form.getByLabel('Name').fill('agent')
    await page.context().clearCookies()
    await form.getByRole('button', { name: 'Create key' }).click()
    const again = page.getByRole('dialog', { name: 'Your session has ended' })
    await again.getByLabel('API key').fill(key)
    await again.getByRole('button', { name: 'Sign in' }).click()
    await page
      .getByRole('dialog', { name: 'Key “agent”' })
      .getByRole('button', { name: 'I have copied it' })
      .click()
    const keys = page.getByRole('list', { name: 'Keys of this account' }).getByRole('listitem')
    await keys.filter({ hasText: 'agent' }).waitFor()
    assert.equal(await keys.filter({ hasText: 'agent' }).count(), 1)
    assert.match(trouble.splice(0).join(), /status of 401/)
  },
  { own: 'late-key', admin: true, devices: ['desktop'] },
)
