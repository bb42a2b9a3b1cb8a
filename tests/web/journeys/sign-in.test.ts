import assert from 'node:assert/strict'
import { createSignInLink } from '../support/accounts.ts'
import { journey } from '../support/journey.ts'
import { address } from '../support/visitor.ts'

journey(
  'a one-time link signs in once, a key signs in to the page that was asked for, and a session is ended in the settings',
  async ({ page, account, key, open, newcomer }) => {
    const link = await createSignInLink(account)
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Which app is yours?' }).waitFor()

    await using other = await newcomer()
    await other.page.goto(link)
    await other.page.getByRole('alert').getByText('was already used').waitFor()
    await other.page.goto(`${address}/charts?country=de&chart=top-paid`)
    await other.page.getByLabel('API key').fill(key)
    await other.page.getByRole('button', { name: 'Sign in' }).click()
    await other.page.getByText('Top Paid · All apps · iPhone · Germany').waitFor()
    assert.equal(other.page.url(), `${address}/charts?country=de&chart=top-paid`)

    await open('/settings')
    const sessions = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem')
    await sessions.filter({ hasText: 'This browser' }).waitFor()
    assert.equal(await sessions.count(), 2)
    await sessions.getByRole('button', { name: 'End session' }).click()
    await page.getByText('The session was ended.').waitFor()
    await sessions.nth(1).waitFor({ state: 'detached' })
    await other.page.reload()
    await other.page.getByLabel('API key').waitFor()

    await page.reload()
    await sessions.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in')
    await page.getByLabel('API key').waitFor()
    await page.goto(`${address}/settings`)
    await page.getByLabel('API key').waitFor()
    assert.deepEqual(other.trouble, [])
  },
  { own: 'sign-in', signedIn: false },
)
