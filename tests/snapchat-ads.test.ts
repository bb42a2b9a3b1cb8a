import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { StoredRateLimiter } from '../src/domain/collecting/rate-limiter.ts'
import { adImport } from '../src/domain/paid-ads/imports/import-run.ts'
import { performAdImport } from '../src/jobs/kinds/ad-import.ts'
import { workTask } from '../src/jobs/work-tasks.ts'
import { adLibraries } from '../src/suppliers/ad-libraries.ts'
import { untilItHangs } from './support/collecting.ts'
import { openFolder } from './support/files.ts'
import { importContent } from './support/imports.ts'
import { type PlayedSnap, snapAd, startSnap } from './support/snap.ts'
import { until, untilTrue } from './support/until.ts'
import { openWorld, type World } from './support/world.ts'

const lanterns = Array.from({ length: 12 }, (_, at) => snapAd('Lantern Öko GmbH', at + 1))
const tidepool = snapAd('Tidepool, Inc.', 50, {
  creative_type: 'APP_INSTALL',
  web_view_properties: undefined,
  app_install_properties: {
    app_name: 'Tidepool',
    icon_media_url: 'https://cf-st.sc-cdn.net/d/icon.png',
    android_app_url: 'https://play.google.com/store/apps/details?id=com.example.tidepool',
    ios_app_url: 'https://apps.apple.com/de/app/tidepool/id990111555',
  },
})

const folder = openFolder()
let snap: PlayedSnap
let world: World
before(async () => {
  snap = await startSnap([...lanterns, tidepool])
  world = await openWorld({
    sources: { 'snapchat-ad-library': { baseUrl: snap.url, callsPerMinute: 0, attempts: 1 } },
    adTokens: { snapchat: ['yes'] },
  })
})
after(async () => {
  await world?.[Symbol.asyncDispose]()
  await snap?.[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})
beforeEach(() => {
  snap.mood = () => 'answers'
  snap.questions.splice(0)
})

const ofSnap = (name: string) => ({ platform: 'snapchat', terms: [name] })
const stateOf = async (runId: string) => (await world.call('admin_get_paid_ad_import', { runId })).body
const codesOf = (body: { coverage: { notes: { code: string }[] } }) =>
  body.coverage.notes.map(({ code }) => code)

/** What a worker does with the job of a run, once. */
async function perform(runId: string, signal = untilItHangs()): Promise<unknown> {
  const { store, collecting } = world
  const libraries = adLibraries(collecting.sources, { snapchat: ['yes'] }, new StoredRateLimiter(store.db))
  const task = workTask(store.db, adImport, performAdImport(store.db, libraries))
  return task({ workId: runId }, signal).catch((error: unknown) => error)
}
async function started(name: string): Promise<string> {
  const { status, body } = await world.call('admin_import_paid_ads', ofSnap(name))
  assert.equal(status, 202, JSON.stringify(body))
  return body.runId
}
async function imported(name: string) {
  const runId = await started(name)
  await perform(runId)
  return stateOf(runId)
}
const endHold = () => sql`update upstream_rate_limits set held_until = null`.execute(world.store.db)
const coverageOfAds = async () =>
  (await world.call('search_paid_ads', { platform: 'snapchat' })).body.coverage[0]

describe('A morning of Snap', () => {
  test('its first answer is empty, and tells nothing', async () => {
    const { status, body } = await world.call('admin_preview_paid_ads', ofSnap('Nobody Ltd'))
    assert.equal(status, 502)
    assert.match(body.detail, /Whether there are ads is not measured/)
    const run = await imported('Nobody Ltd')
    assert.deepEqual([run.status, run.lastError?.code, run.counts.read], ['failed', 'suspect-empty', 0])
    assert.match(run.lastError?.message ?? '', /not measured/)
    assert.ok(codesOf(run).includes('suspect-empty'))
  })

  test('refused with status 200 a run waits as long as nobody says how long, and then goes on', async (t) => {
    snap.mood = () => 'E1009'
    const runId = await started('lantern')
    const day = new AbortController()
    // Also where the test fails: the tests after it wait for the run.
    t.after(() => day.abort())
    const performed = perform(runId, day.signal)
    await untilTrue(async () => (await stateOf(runId)).upstream?.position === 'throttled')
    const waiting = await stateOf(runId)
    assert.equal(snap.questions.length, 1)
    assert.ok(Date.parse(waiting.upstream?.resumesAt ?? '') > Date.now() + 3_000_000)
    // The pace is held first, and then the failure is recorded.
    const note = await until(
      async () =>
        (await coverageOfAds())?.notes.find(({ code }: { code: string }) => code === 'source-throttled'),
      (found) => found !== undefined,
    )
    assert.match(note.message, /E1009: Too many requests/)
    // Whoever looks meanwhile asks nothing.
    const { status, body } = await world.call('admin_preview_paid_ads', ofSnap('lantern'))
    assert.deepEqual([status, snap.questions.length], [502, 1])
    assert.match(body.detail, /left alone until/)
    day.abort()
    await performed
    await endHold()
    snap.mood = () => 'answers'
    snap.questions.splice(0)
    await perform(runId)
    const run = await stateOf(runId)
    assert.deepEqual([run.status, run.counts.read, run.counts.stored], ['succeeded', 12, 12])
    // The second page is asked for with the body of the first.
    const [first, second] = snap.questions
    assert.deepEqual(
      snap.questions.map(({ path }) => path),
      ['/v1/ads_library/ads/search', '/v1/ads_library/ads/search?cursor=at-10'],
    )
    assert.equal(first?.body, second?.body)
    const asked = JSON.parse(first?.body ?? '')
    assert.deepEqual([asked.paying_advertiser_name, asked.countries.length], ['lantern', 28])
    assert.ok(asked.countries.includes('el') && !asked.countries.includes('gr'))
  })

  test('after an answer with ads, one without is an absence to what the library covers', async () => {
    const { body: preview } = await world.call('admin_preview_paid_ads', ofSnap('Nobody Ltd'))
    assert.deepEqual(preview.matching, { value: 0, relation: 'exact' })
    const run = await imported('Nobody Ltd')
    assert.deepEqual([run.status, run.counts.read], ['succeeded', 0])
    assert.ok(!codesOf(run).includes('suspect-empty'))
    assert.ok(codesOf(run).includes('region-limited'))
  })

  test('success without ads is no absence for an advertiser whose ads are known, and a retry asks again', async () => {
    await importContent(world, folder, 'paid-ads', [tidepool])
    snap.mood = () => 'empty'
    const run = await imported('tidepool')
    assert.deepEqual([run.status, run.lastError?.code], ['failed', 'suspect-empty'])
    assert.equal((await coverageOfAds())?.notes.at(-1)?.code, 'source-throttled')
    snap.mood = () => 'answers'
    await world.call('admin_retry_paid_ad_import', { runId: run.runId })
    await perform(run.runId)
    const again = await stateOf(run.runId)
    assert.deepEqual([again.status, again.counts.read, again.counts.unchanged], ['succeeded', 1, 1])
    assert.ok(!codesOf(again).includes('suspect-empty'))
  })

  test('an empty page that another page led to leaves the run where it is', async () => {
    snap.mood = ({ path }) => (path.includes('cursor') ? 'empty' : 'answers')
    const run = await imported('lantern')
    assert.deepEqual([run.status, run.counts.read, run.upstream?.resumable], ['partial', 10, true])
    snap.mood = () => 'answers'
    snap.questions.splice(0)
    await world.call('admin_retry_paid_ad_import', { runId: run.runId })
    await perform(run.runId)
    assert.deepEqual((await stateOf(run.runId)).counts.read, 12)
    assert.deepEqual(
      snap.questions.map(({ path }) => path),
      ['/v1/ads_library/ads/search?cursor=at-10'],
    )
  })

  test('status 429 holds the pace for an hour, and nothing is stored', async () => {
    snap.mood = () => '429'
    const { status, body } = await world.call('admin_preview_paid_ads', ofSnap('lantern'))
    assert.equal(status, 502)
    assert.match(body.detail, /asked too often, answers 429/)
    await endHold()
  })

  test('an hour after the last answer with ads, an empty one tells nothing again', async () => {
    await sql`update readings set observed_at = observed_at - interval '61 minutes'`.execute(world.store.db)
    const run = await imported('Nobody Ltd')
    assert.deepEqual([run.status, run.lastError?.code], ['failed', 'suspect-empty'])
  })

  test('nothing that was shown is a number of impressions', async () => {
    const { body } = await world.call('search_paid_ads', { platform: 'snapchat', advertiser: 'Tidepool, Inc.' })
    assert.equal(body.items.length, 1)
    assert.doesNotMatch(JSON.stringify(body), /impression|169998|170000/)
  })
})

test('an ad is joined to its app by the address it leads to, and everything else of it is there', async () => {
  const archiveId = tidepool.id
  const { body: ad } = await world.call('get_paid_ad', { platform: 'snapchat', archiveId })
  assert.deepEqual(
    ad.links.map(({ app, grounds }: { app: { storeId: string }; grounds: { kind: string }[] }) => [
      app.storeId,
      grounds[0]?.kind,
    ]),
    [['990111555', 'landing-url']],
  )
  assert.deepEqual(
    [ad.advertiser.advertiserId, ad.advertiser.name.value, ad.advertiser.paidBy.value],
    ['Tidepool, Inc.', 'Tidepool', ['Tidepool, Inc.']],
  )
  assert.deepEqual(
    [
      ad.countries.value,
      ad.language.value,
      ad.active.value,
      ad.deliveryStartedOn.value,
      ad.deliveryEndedOn.state,
    ],
    [['de', 'gr'], 'de', true, '2026-02-01', 'absent'],
  )
  const [creative] = ad.creatives
  assert.deepEqual(
    [creative.title.value, creative.body.state, creative.callToAction.value, creative.media[0].kind],
    ['Small tides 50', 'not-measured', 'shop-now', 'video'],
  )
  await world.call('save_paid_ad', { platform: 'snapchat', archiveId, tags: ['tides'] })
  const { body: saved } = await world.call('search_paid_ads', {
    saved: true,
    country: 'de',
    callToAction: ['shop-now'],
  })
  assert.deepEqual(
    saved.items.map((one: { archiveId: string }) => one.archiveId),
    [archiveId],
  )
})

test('an advertiser is known by the name of who pays, and can be linked by it', async () => {
  const { body } = await world.call('admin_search_paid_ad_advertisers', { platform: 'snapchat', q: 'tidepool' })
  assert.deepEqual(
    [body.items[0]?.advertiserId, body.items[0]?.storedAds, body.lookups[0]?.outcome],
    ['Tidepool, Inc.', 1, 'cannot-be-asked'],
  )
  const run = await world.call('admin_preview_paid_ads', {
    platform: 'snapchat',
    advertiserIds: ['Tidepool, Inc.'],
    active: true,
    deliveredFrom: '2026-01-01',
  })
  assert.equal(run.status, 200)
  assert.deepEqual(
    { ...JSON.parse(snap.questions[0]?.body ?? ''), countries: 0 },
    {
      paying_advertiser_name: 'Tidepool, Inc.',
      countries: 0,
      start_date: '2026-01-01T00:00:00.000Z',
      status: 'ACTIVE',
    },
  )
})

test('what cannot be asked is refused by name, before anything is asked', async () => {
  const refused = async (input: object) => {
    const { status, body } = await world.call('admin_preview_paid_ads', input)
    assert.equal(status, 400, JSON.stringify(body))
    return body.errors.map(({ pointer }: { pointer: string }) => pointer)
  }
  assert.deepEqual(await refused({ platform: 'snapchat', terms: ['a'], countries: ['de', 'us'] }), [
    '/body/countries/1',
  ])
  assert.deepEqual(await refused({ platform: 'snapchat', terms: ['a'], advertiserIds: ['b'] }), [
    '/body/advertiserIds',
  ])
  assert.deepEqual(await refused({ platform: 'meta', advertiserIds: ['Tidepool, Inc.'] }), [
    '/body/advertiserIds/0',
  ])
  assert.deepEqual(await refused({ platform: 'google', terms: ['a'] }), ['/body/platform'])
  assert.equal(snap.questions.length, 0)
})

test('Snap is asked only where the operator says so', async () => {
  await using quiet = await openWorld()
  const { status, body } = await quiet.call('admin_preview_paid_ads', ofSnap('a'))
  assert.equal(status, 503)
  assert.match(body.detail, /RIVALSCOPE_ASK_SNAPCHAT to yes/)
})

test('at a library that is asked seldom a preview says when its turn is, and takes none', async () => {
  await using slow = await openWorld({
    sources: { 'snapchat-ad-library': { baseUrl: snap.url, callsPerMinute: 0.2, attempts: 1 } },
    adTokens: { snapchat: ['yes'] },
  })
  const first = await slow.call('admin_preview_paid_ads', ofSnap('lantern'))
  assert.equal(first.status, 200)
  const second = await slow.call('admin_preview_paid_ads', ofSnap('lantern'))
  assert.equal(second.status, 502)
  assert.match(second.body.detail, /asked seldom, and next at \d{4}-/)
  assert.equal(snap.questions.length, 1)
})
