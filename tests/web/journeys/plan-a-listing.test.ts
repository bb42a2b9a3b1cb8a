import assert from 'node:assert/strict'
import { choose, journey, saved } from '../support/journey.ts'
import { sampleIds } from '../support/sample-ids.ts'
import { address } from '../support/visitor.ts'

const { trackedStoreId } = sampleIds

journey(
  'a listing is planned in two languages, saved, compared, exported, and nobody overwrites it unseen',
  async ({ page, key, open, holds, trouble }) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const api = async (path: string, body: object): Promise<{ appId: string }> => {
      const reply = await fetch(`${address}/v1${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      assert.ok(reply.ok, await reply.clone().text())
      return (await reply.json()) as { appId: string }
    }
    const { appId } = await api('/aso/apps', { app: trackedStoreId, country: 'us', role: 'own' })
    await api(`/aso/apps/${appId}/keywords`, { terms: ['zebra planner', 'gastos diarios', 'envelope zebra'] })

    const colleagueSaves = async (subtitle: string) => {
      const draftId = new URL(page.url()).searchParams.get('draft')
      const ofApp = { storeId: trackedStoreId, country: 'us' }
      const listed = await fetch(`${address}/listing-drafts?${new URLSearchParams(ofApp)}`, { headers })
      const { items } = (await listed.json()) as { items: { draftId: string; name: string; version: number }[] }
      const { name, version } = items.find((draft) => draft.draftId === draftId) ?? {}
      const reply = await fetch(`${address}/listing-drafts/${draftId}`, {
        method: 'PUT',
        headers,
        body: JSON.stringify({ ...ofApp, name, version, texts: { 'en-US': { subtitle } } }),
      })
      assert.equal(reply.status, 200)
    }

    await open(`/aso/${appId}/plan`)
    const texts = page.getByRole('region', { name: 'Listing texts' })
    const keywords = page.getByRole('group', { name: 'Tracked keywords in this draft' }).getByRole('row')
    await texts.getByText('Unknown: visible in App Store Connect only').waitFor()
    // What is typed is counted, and what is too long is told.
    await texts.getByLabel('Name', { exact: true }).fill('Tally: Haushaltsbuch für alle Tage')
    await texts.getByText('34 of 30 characters').waitFor()
    await texts.getByText('35 bytes').waitFor()
    await texts.getByRole('status').getByText('4 too many:').waitFor()
    await texts.getByLabel('Name', { exact: true }).fill('<b>Zebra</b> Planner')
    await keywords.filter({ hasText: 'zebra planner' }).getByText('won').waitFor()
    await texts.getByLabel('Keyword field', { exact: true }).fill('envelope, zebra,to')
    await keywords.filter({ hasText: 'envelope zebra' }).getByText('won').waitFor()
    const wasted = page.getByRole('region', { name: 'Wasted and repeated' })
    await wasted.getByText('Spaces around commas').waitFor()
    await wasted.getByText('Repeated words').waitFor()
    const edits = page.getByRole('region', { name: 'Effect of each edit' })
    await edits.getByText('New in one field').first().waitFor()

    // A keyword that is added meanwhile is planned for as well.
    const tabs = page.getByRole('navigation', { name: 'Pages of this app' })
    await tabs.getByRole('link', { name: 'Keywords', exact: true }).click()
    await page.getByRole('button', { name: 'Add keywords' }).click()
    await page.getByRole('textbox', { name: 'Keywords' }).fill('zebra evenings')
    await page.getByRole('button', { name: 'Add 1' }).press('Enter')
    await page.getByRole('dialog', { name: 'Add keywords' }).waitFor({ state: 'detached' })
    await tabs.getByRole('link', { name: 'Plan listing' }).click()
    await keywords.filter({ hasText: 'zebra evenings' }).waitFor()

    // Another language, a name, and a closed window: nothing is lost.
    await choose(page, 'Language', 'Spanish (Mexico)')
    await texts.getByLabel('Keyword field', { exact: true }).fill('gastos,diarios')
    await keywords.filter({ hasText: 'gastos diarios' }).getByText('won').waitFor()
    const plan = page.getByRole('region', { name: 'Drafts', exact: true })
    await plan.getByLabel('Draft name').fill('Summer')
    await page.reload()
    await plan.getByText('Not saved:').waitFor()
    await plan.getByRole('button', { name: 'Save draft' }).click()
    await plan.getByText('Everyone in this account sees it').waitFor()
    await holds(async (one) => {
      await one.getByRole('button', { name: 'Summer Draft' }).waitFor()
      const row = one.getByRole('group', { name: 'Tracked keywords in this draft' }).getByRole('row')
      await row.filter({ hasText: 'gastos diarios' }).getByText('won').waitFor()
    })

    // As text for the store, and as a folder.
    await plan.getByRole('button', { name: 'Export…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Export texts' })
    const file = await saved(page, () => dialog.getByRole('button', { name: 'Text file' }).click())
    assert.match(
      file.content.toString(),
      /^Summer\n\nEnglish \(U\.S\.\) \(en-US\)\nName: <b>Zebra<\/b> Planner\n/,
    )
    assert.match(file.content.toString(), /Keyword field: gastos,diarios\n$/)
    const folder = await saved(page, () => dialog.getByRole('link', { name: 'fastlane folder (ZIP)' }).click())
    assert.equal(folder.name, 'fastlane-metadata.zip')
    assert.ok(folder.content.includes('metadata/es-MX/keywords.txt'))
    await dialog.getByRole('button', { name: 'Close' }).click()

    // A second draft, compared with the first.
    await choose(page, 'Draft', 'New draft')
    await plan.getByLabel('Draft name').fill('Winter')
    await plan.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Winter Draft' }).waitFor()
    await choose(page, 'Compare with', 'Summer')
    await keywords.filter({ hasText: 'zebra planner' }).getByText('lost').waitFor()

    // A colleague saves it while something is typed here.
    await texts.getByLabel('Subtitle', { exact: true }).fill('Mine')
    await colleagueSaves('Theirs')
    await plan.getByRole('button', { name: 'Save draft' }).click()
    const conflict = plan.getByRole('alert')
    await conflict.getByText('Theirs', { exact: true }).waitFor()
    await conflict.getByText('Mine', { exact: true }).waitFor()
    trouble.splice(0)
    await conflict.getByRole('button', { name: 'Keep mine', exact: true }).click()
    await plan.getByRole('button', { name: 'Save draft' }).click()
    await plan.getByText('Everyone in this account sees it').waitFor()
    await plan.getByRole('button', { name: 'Remove draft' }).click()
    await page.getByRole('button', { name: 'New draft Draft' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page
      .getByText(/^Draft “.*Winter.*” saved$/)
      .first()
      .waitFor()
    await choose(page, 'Draft', 'Winter')
    await texts.getByLabel('Subtitle', { exact: true }).and(page.locator('[value=Mine]')).waitFor()

    // What was kept as a new draft is given up before it was ever saved.
    await texts.getByLabel('Subtitle', { exact: true }).fill('Ours')
    await colleagueSaves('Theirs again')
    await plan.getByRole('button', { name: 'Save draft' }).click()
    await conflict.getByText('Theirs again', { exact: true }).waitFor()
    trouble.splice(0)
    await conflict.getByRole('button', { name: 'Keep mine as a new draft' }).click()
    await page.getByRole('button', { name: /Winter \(copy\)\S* · not saved Draft/ }).waitFor()
    await plan.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('button', { name: 'New draft Draft' }).waitFor()
  },
  { own: 'plan' },
)
