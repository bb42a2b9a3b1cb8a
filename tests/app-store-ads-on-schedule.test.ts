import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { adImport } from '../src/domain/paid-ads/imports/import-run.ts'
import { performAdImport } from '../src/jobs/kinds/ad-import.ts'
import { workTask } from '../src/jobs/work-tasks.ts'
import { rows } from '../src/storage/database.ts'
import { type PlayedRepository, repositoryAd, startAdRepository } from './support/ad-repository.ts'
import { lookAtSchedule, patient } from './support/collecting.ts'
import { operate } from './support/operator.ts'
import { until } from './support/until.ts'
import { openWorld, type World } from './support/world.ts'

const dayMs = 86_400_000
const now = Date.now()
const daysAgo = (days: number) => new Date(now - days * dayMs).toISOString().slice(0, 10)

const sourcesOf = ({ url }: PlayedRepository) => ({
  'apple-ad-library': { baseUrl: url, callsPerMinute: 0, attempts: 1 },
})

let played: PlayedRepository
let world: World

before(async () => {
  played = await startAdRepository([], daysAgo(0))
  world = await openWorld({ works: true, sources: sourcesOf(played) })
})

after(async () => {
  await world?.[Symbol.asyncDispose]()
  await played?.[Symbol.asyncDispose]()
})

test('the schedule asks once a week for all tracked apps and rivals, and the plan says how many requests that is', async () => {
  // Without a worker, which would follow the schedule by itself.
  await using scheduled = await openWorld({ sources: sourcesOf(played), schedule: { appStoreAds: {} } })
  const { store, collecting } = scheduled
  await scheduled.call('track_aso_app', { app: '6449120387', country: 'de', role: 'own' })
  await scheduled.call('track_aso_app', { app: '6449120387', country: 'us', role: 'own' })
  await scheduled.call('track_aso_app', { app: '1573204466', country: 'de', role: 'rival' })
  const other = await scheduled.key(undefined, 'other')
  await scheduled.call('track_aso_app', { app: '6449120399', country: 'fr', role: 'watched' }, { key: other })

  const plan = await operate(scheduled, { command: 'collect ads', options: { plan: true } })
  assert.equal(
    plan.out,
    '3 tracked apps, every 7 days:\n  at least 15 requests to apple-ad-library, without a pace\n',
  )
  const inJson = await operate(scheduled, { command: 'collect ads', options: { plan: true, json: true } })
  assert.deepEqual(JSON.parse(inJson.out).libraries, [{ platform: 'apple', apps: 3, requests: 15, runs: [] }])
  assert.equal(played.requests.length, 0)

  const runs = () =>
    rows(
      store.db,
      sql<{ runId: string; apps: string[]; status: string; account: string }>`
        select run_id::text as "runId", i.query -> 'apps' as apps, w.status, a.name as account
        from ad_imports i join work w on w.work_id = i.run_id join accounts a using (account_id)`,
    )
  const performed = async () => {
    for (const { runId, status } of await runs()) {
      if (status !== 'queued') continue
      const task = workTask(store.db, adImport, performAdImport(store.db, collecting.adLibraries))
      await task({ workId: runId }, patient)
    }
    return runs()
  }
  await lookAtSchedule(scheduled)
  await lookAtSchedule(scheduled)
  const found = await performed()
  assert.deepEqual(found.map(({ apps, account, status }) => [account, [...apps].sort(), status]).sort(), [
    ['default', ['1573204466', '6449120387'], 'succeeded'],
    ['other', ['6449120399'], 'succeeded'],
  ])
  assert.equal(played.requests.length, 15)

  await lookAtSchedule(scheduled, new Date(Date.now() + 6 * dayMs))
  assert.equal((await runs()).length, 2)
  await lookAtSchedule(scheduled, new Date(Date.now() + 8 * dayMs))
  assert.equal((await performed()).length, 4)
  const nothing = await operate(scheduled, { command: 'collect ads', options: {} })
  assert.match(nothing.notes, /No tracked app is due/)
})

test('a rival that begins or ends an ad in the App Store is told, a week late as the repository is', async () => {
  const app = '1573204466'
  const { code, notes } = await operate(world, { command: 'watches add', options: { kind: 'ads', app } })
  assert.equal(code, 0, notes)
  const ask = async () => {
    const { body } = await world.call('admin_import_paid_ads', { platform: 'apple', apps: [app] })
    await until(
      async () => (await world.call('admin_get_paid_ad_import', { runId: body.runId })).body.status,
      (status) => status === 'succeeded',
    )
  }
  const told = async () => {
    const { out } = await operate(world, {
      command: 'watch',
      options: { once: true, since: '2020-01-01', json: true },
    })
    return out
      .split('\n')
      .filter(Boolean)
      .map((line): string => JSON.parse(line).title)
  }
  const shown = { appId: Number(app), countries: ['DE', 'FR'] }
  const fresh = repositoryAd({ ...shown, from: daysAgo(6), to: daysAgo(3) })
  const old = repositoryAd({ ...shown, adId: 'ab'.repeat(16), from: daysAgo(500), to: '2099-01-01' })
  played.ads = [fresh, old]
  played.today = daysAgo(-1)
  await ask()
  assert.deepEqual(await told(), [`App ${app}: an ad by Tidepool in the App Store started on ${daysAgo(6)}`])
  played.today = daysAgo(-7)
  await ask()
  const titles = await told()
  assert.equal(titles.length, 2)
  assert.equal(titles[1], `App ${app}: an ad by Tidepool in the App Store stopped on ${daysAgo(3)}`)
})

test('the texts of an ad are analysed as those of any other', async () => {
  const named = { platform: 'apple', archiveId: 'cd'.repeat(16) }
  played.ads = [repositoryAd({ adId: named.archiveId, appId: 6449120387, from: daysAgo(60), to: daysAgo(-60) })]
  played.today = daysAgo(0)
  const { body: run } = await world.call('admin_import_paid_ads', { platform: 'apple', apps: ['6449120387'] })
  await until(
    async () => (await world.call('admin_get_paid_ad_import', { runId: run.runId })).body.status,
    (status) => status === 'succeeded',
  )
  await world.call('analyze_paid_ad_creative', named)
  const { body } = await until(
    () => world.call('get_paid_ad', named),
    ({ body: ad }) => ad.analysisState === 'available',
  )
  const offer = body.analysis?.result?.reading.offer
  assert.equal(offer.state, 'read')
  assert.match(offer.quotes[0].text, /30 Tage kostenlos/)
})
