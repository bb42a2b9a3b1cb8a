import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { adsOnFile } from './support/ads-on-file.ts'
import { storeTracked } from './support/tracking.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
const ads = adsOnFile(world)
after(async () => {
  await ads[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

/** As another version may have written it. */
const spoil = () => sql`update work set input = input || '{"more": true}'::jsonb`.execute(world.store.db)

test('a run for emerging apps that cannot be read is left out of the list, and answered as it was asked for', async () => {
  const asked = { country: 'us', windowDays: 14 }
  const { runId } = (await world.call('discover_emerging_ios_competitors', asked)).body
  await spoil()
  for (const more of [{}, { runId }, { windowDays: 14 }]) {
    const { status, body } = await world.call('list_emerging_ios_competitors', { country: 'us', ...more })
    assert.deepEqual([status, body.items, body.lastRun], [200, [], null])
  }
  const again = await world.call('discover_emerging_ios_competitors', asked)
  assert.deepEqual([again.status, again.body.runId, again.body.windowDays], [202, runId, 14])
  await sql`update work set input = input || '{"windowDays": "many"}'::jsonb where work_id = ${runId}`.execute(
    world.store.db,
  )
  const filtered = await world.call('list_emerging_ios_competitors', { country: 'us', windowDays: 14 })
  assert.equal(filtered.status, 200)
})

test('an intake that cannot be read is told of by the app and the storefront it is for', async () => {
  for (const app of ['1234567890', 'com.example.unreadable']) {
    const asked = { app, country: 'de' }
    const { intakeId } = (await world.call('request_ios_competitor', asked)).body
    await spoil()
    const again = (await world.call('request_ios_competitor', asked)).body
    assert.deepEqual([again.intakeId, again.app, again.country], [intakeId, app, 'de'])
  }
  const { intakes } = (
    await world.call('list_competitor_data_requests', { platform: 'ios', storeId: '1234567890' })
  ).body
  assert.deepEqual(
    intakes.map(({ storeId, country, status }: Record<string, unknown>) => [storeId, country, status]),
    [['1234567890', 'de', 'queued']],
  )
  const unknown = await world.call('get_competitor', { platform: 'ios', storeId: '1234567890', country: 'de' })
  assert.deepEqual([unknown.status, unknown.body.intake.state], [404, 'queued'])
})

test('refreshes that cannot be read are left out of what they are shown beside, and answered as they were asked for', async () => {
  const appId = await storeTracked(world, { storeId: '9000000137', keywords: ['one', 'two'] })
  await world.call('refresh_aso_app', { appId })
  await world.call('refresh_aso_keyword', { query: 'chat', country: 'us' })
  await spoil()
  assert.equal((await world.call('get_aso_workstation', { appId })).body.refresh, null)
  assert.equal((await world.call('list_aso_apps')).body.items[0].refresh ?? null, null)
  const again = await world.call('refresh_aso_app', { appId })
  assert.deepEqual([again.status, again.body.searches, again.body.status], [202, 2, 'queued'])
  const { refresh } = (await world.call('explore_aso_keyword', { query: 'chat', country: 'us' })).body
  assert.deepEqual([refresh.term, refresh.country, refresh.status], ['chat', 'us', 'queued'])
  assert.equal((await world.call('refresh_aso_keyword', { query: 'chat', country: 'us' })).status, 202)
})

test('the transcript of an ad is told of though what it was asked with cannot be read', async () => {
  const archiveId = '1127384950617999'
  await ads.import({ archiveId })
  const asked = { platform: 'meta', archiveId }
  await world.call('generate_paid_ad_transcript', { ...asked, language: 'de' })
  await spoil()
  const { transcript } = (await world.call('get_paid_ad', asked)).body
  assert.deepEqual([transcript.status, transcript.languageHint], ['queued', null])
  assert.equal((await world.call('generate_paid_ad_transcript', asked)).status, 202)
})
