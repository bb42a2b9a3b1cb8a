import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { adCoverageOf } from '../src/api/ad-coverage.ts'
import { adTranscript, analysisSubject } from '../src/domain/ad-analysis/ask.ts'
import { recordFailure } from '../src/domain/collecting/health.ts'
import { insertWork } from '../src/domain/work/queries.ts'
import { replay } from '../src/projections/replay.ts'
import { Sources } from '../src/sources/settings.ts'
import { adLibraries } from '../src/suppliers/ad-libraries.ts'
import { openFolder } from './support/files.ts'
import { storeListings } from './support/listings.ts'
import { memoryRateLimiter } from './support/memory-rate-limiter.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
const folder = openFolder()
before(async () => {
  world = await openWorld()
  await storeListings(world, [
    { trackId: 990901, trackName: 'Tidepool', observedAt: '2026-03-01T00:00:00Z', artistName: 'Tidepool Ltd' },
    { trackId: 990902, trackName: 'Rockpool', observedAt: '2026-03-01T00:00:00Z', artistName: 'Rock Ltd' },
  ])
})
after(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

interface Attribution {
  kind: string
  foundIn: string
  text: string
  evidence: number | null
}
interface Link {
  app: { storeId: string; name: string | null }
  grounds: Attribution[]
}
const creative = {
  title: 'Small tides',
  text: 'Missed a day again? Tidepool forgives it, and so do we. Try it for seven days.',
  callToAction: 'Install Now',
  linkUrl: 'https://apps.apple.com/us/app/tidepool/id990901?utm_source=ad',
  media: [
    {
      kind: 'video',
      url: 'https://media.example.com/a.mp4?sig=1',
      durationSeconds: 14.8,
      width: 1080,
      height: 1920,
    },
  ],
}

const record = (archiveId: string, more: object = {}) => ({
  platform: 'meta',
  archiveId,
  advertiser: { id: '5001', name: 'Tidepool Habits' },
  creatives: [creative],
  startedOn: '2026-02-20',
  active: true,
  countries: ['DE', 'at'],
  publisherPlatforms: ['facebook', 'audience_network'],
  languages: ['en'],
  observedAt: '2026-03-01T06:00:00Z',
  ...more,
})

let files = 0
function importAds(...records: object[]) {
  const path = folder.write(`ads-${++files}.ndjson`, records.map((one) => `${JSON.stringify(one)}\n`).join(''))
  return world.import({ kind: 'paid-ads', paths: [path] })
}

const get = async (archiveId: string, platform = 'meta') =>
  (await world.call('get_paid_ad', { platform, archiveId })).body

test('an imported ad is shown with its advertiser, delivery, creatives and the app it leads to', async () => {
  const summary = await importAds(record('1001'))
  assert.deepEqual([summary.read, summary.stored, summary.rejected], [1, 1, 0])
  const ad = await get('1001')
  assert.equal(ad.libraryUrl, 'https://www.facebook.com/ads/library/?id=1001')
  assert.equal(ad.advertiser.name.value, 'Tidepool Habits')
  assert.equal(ad.advertiser.advertiserId, '5001')
  assert.deepEqual(ad.countries.value, ['at', 'de'])
  assert.deepEqual(ad.publisherPlatforms.value, ['facebook', 'audience-network'])
  assert.equal(ad.format.value, 'video')
  assert.equal(ad.active.value, true)
  assert.equal(ad.deliveryEndedOn.state, 'absent')
  assert.equal(ad.reachText.state, 'not-measured')
  assert.deepEqual(ad.daysRunning, {
    state: 'measured',
    value: 10,
    relation: 'at-least',
    formula: 'delivery-days/2',
  })
  assert.equal(ad.creatives[0].callToAction.value, 'install-now')
  assert.equal(ad.creatives[0].media[0].durationSeconds.value, 14.8)
  assert.deepEqual(
    ad.links.map((link: Link) => [
      link.app.name,
      link.grounds.map((attribution: Attribution) => [attribution.kind, attribution.foundIn]),
    ]),
    [['Tidepool', [['landing-url', 'link']]]],
  )
  assert.equal(ad.evidence[0].source, 'paid-ads-file')
  assert.equal(ad.evidence[0].country, null)
  assert.deepEqual(
    [ad.transcriptState, ad.analysisState, ad.transcript],
    ['not-requested', 'not-requested', null],
  )
})

test('an ad seen again adds an observation, and a changed text is another creative', async () => {
  await importAds(record('1002'))
  const changed = { ...creative, text: 'All new: Tidepool counts your days.', media: [] }
  await importAds(
    record('1002', {
      observedAt: '2026-03-08T06:00:00Z',
      active: false,
      endedOn: '2026-03-07',
      creatives: [changed],
    }),
  )
  const ad = await get('1002')
  assert.equal(ad.observationCount, 2)
  assert.deepEqual(
    ad.observations.map((one) => one.active.value),
    [false, true],
  )
  assert.deepEqual(
    ad.creatives.map((one) => [one.current, one.mediaStatus.status]),
    [
      [true, 'text-only'],
      [false, 'not-kept'],
    ],
  )
  assert.deepEqual([ad.daysRunning.value, ad.daysRunning.relation], [16, 'exact'])
})

test('days running are at least so many until the ad was seen to end', async () => {
  const days = async (archiveId: string, more: object) => {
    await importAds(record(archiveId, { startedOn: '2026-02-20', observedAt: '2026-03-01T06:00:00Z', ...more }))
    const { value, relation, reason } = (await get(archiveId)).daysRunning
    return value === undefined ? reason : `${relation} ${value}`
  }
  assert.equal(await days('1051', { active: true, endedOn: null }), 'at-least 10')
  assert.equal(await days('1052', { active: true, endedOn: '2026-04-30' }), 'at-least 10')
  assert.equal(await days('1053', { active: true, endedOn: '2026-03-01' }), 'at-least 10')
  assert.equal(await days('1054', { active: false, endedOn: '2026-03-01' }), 'exact 10')
  assert.equal(await days('1055', { active: false, endedOn: '2026-02-25' }), 'exact 6')
  assert.equal(await days('1056', { active: false, endedOn: null }), 'too-little-evidence')
})

test('an address that is only signed anew is the same creative', async () => {
  await importAds(record('1003'))
  const signed = {
    ...creative,
    linkUrl: `${creative.linkUrl}&fbclid=x`,
    media: [{ ...creative.media[0], url: 'https://media.example.com/a.mp4?sig=2' }],
  }
  await importAds(record('1003', { observedAt: '2026-03-08T06:00:00Z', creatives: [signed] }))
  const ad = await get('1003')
  assert.equal(ad.creatives.length, 1)
  assert.equal(ad.creatives[0].media[0].sourceUrl, 'https://media.example.com/a.mp4?sig=2')
  assert.equal(ad.creatives[0].firstObservedAt, '2026-03-01T06:00:00.000Z')
})

test('an ad nobody observed is not found', async () => {
  const reply = await world.call('get_paid_ad', { platform: 'tiktok', archiveId: '1001' })
  assert.deepEqual([reply.status, reply.body.code], [404, 'paid-ad-not-found'])
})

const link = (input: object) => world.call('admin_link_paid_ads', { platform: 'meta', ...input })
const apps = async (archiveId: string) => (await get(archiveId)).links.map((one: Link) => one.app.storeId)

test('unlinking wins over what an ad shows and lasts through imports and replays, until somebody links again', async () => {
  await importAds(record('1010'))
  const unlink = { action: 'unlink', archiveIds: ['1010'], competitor: '990901' }
  const first = await link(unlink)
  assert.deepEqual([first.status, first.body.storedAds, first.body.appliesToFutureAds], [201, 1, false])
  const again = await link(unlink)
  assert.deepEqual([again.status, again.body.decisionId], [200, first.body.decisionId])
  assert.deepEqual(await apps('1010'), [])
  await importAds(record('1010', { observedAt: '2026-03-09T06:00:00Z' }))
  assert.deepEqual(await apps('1010'), [])
  await replay(world.store.db, () => {}, new AbortController().signal)
  assert.deepEqual(await apps('1010'), [])
  assert.equal((await link({ ...unlink, action: 'link', note: 'It is theirs.' })).status, 201)
  const ad = await get('1010')
  assert.deepEqual(
    ad.links[0].grounds.map((attribution: Attribution) => [
      attribution.kind,
      attribution.text,
      attribution.evidence === null,
    ]),
    [
      ['manual', 'It is theirs.', true],
      ['landing-url', creative.linkUrl, false],
    ],
  )
})

test('a link by advertiser holds for its future ads, and a decision on one ad wins over it', async () => {
  const plain = { ...creative, linkUrl: 'https://example.com/' }
  const of = (archiveId: string) =>
    record(archiveId, { advertiser: { id: '7007', name: 'Pools' }, creatives: [plain] })
  const made = await link({
    action: 'link',
    advertiserId: '7007',
    competitor: 'https://apps.apple.com/us/app/id990902',
  })
  assert.deepEqual([made.status, made.body.storedAds, made.body.app.name], [201, 0, 'Rockpool'])
  await importAds(of('1020'), of('1021'))
  assert.deepEqual([await apps('1020'), await apps('1021')], [['990902'], ['990902']])
  await link({ action: 'unlink', archiveIds: ['1021'], competitor: '990902' })
  assert.deepEqual([await apps('1020'), await apps('1021')], [['990902'], []])
  const again = await link({ action: 'link', advertiserId: '7007', competitor: '990902' })
  assert.deepEqual([again.status, again.body.storedAds], [200, 1])
  assert.deepEqual((await get('1020')).links[0].grounds[0].kind, 'advertiser-link')
  await link({ action: 'unlink', advertiserId: '7007', competitor: '990902' })
  assert.deepEqual(await apps('1020'), [])
})

test('nothing is decided when one of the ads is not stored or the app is not known', async () => {
  await importAds(record('1030', { creatives: [] }))
  const missing = await link({ action: 'link', archiveIds: ['1030', '999999'], competitor: '990902' })
  assert.deepEqual([missing.status, missing.body.code], [404, 'paid-ad-not-found'])
  const unknown = await link({ action: 'link', archiveIds: ['1030'], competitor: '990903' })
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'competitor-not-found'])
  assert.equal((await link({ action: 'unlink', archiveIds: ['1030'], competitor: '990903' })).status, 201)
  const both = await link({ action: 'link', archiveIds: ['1030'], advertiserId: '1', competitor: '990902' })
  assert.equal(both.status, 400)
  const words = await link({ action: 'link', archiveIds: ['1030'], competitor: 'rock pool' })
  assert.equal(words.status, 400)
  assert.deepEqual(await apps('1030'), [])
})

test('coverage says what the libraries cannot show and how their sources fare', async () => {
  const { coverage } = await get('1001')
  const codes = coverage.notes.map((note: { code: string }) => note.code)
  assert.deepEqual(codes, ['region-limited', 'date-window', 'field-not-carried', 'source-not-configured'])
  assert.equal(coverage.platform, 'meta')
  const { db } = world.store
  const configured = adLibraries(Sources.parse({}), { meta: ['a token'] }, memoryRateLimiter())
  const failure = {
    at: new Date('2026-03-10T00:00:00Z'),
    kind: 'throttled',
    message: 'too many calls',
  } as const
  await recordFailure(db, 'meta-ad-library', 'us', failure)
  const [meta, tiktok] = await adCoverageOf(db, { adLibraries: configured }, ['meta', 'tiktok'])
  assert.deepEqual(meta?.notes.at(-1), {
    code: 'source-throttled',
    message: 'Meta Ad Library API (ads_archive) throttles us: too many calls',
    since: '2026-03-10T00:00:00.000Z',
  })
  assert.deepEqual(
    [tiktok?.newestObservationAt, tiktok?.notes.slice(3).map(({ code }) => code)],
    [null, ['never-collected', 'source-not-configured']],
  )
})

test('the states of transcript and analysis follow their making', async () => {
  const { db } = world.store
  await importAds(record('1040'))
  const ad = { platform: 'meta', archiveId: '1040' }
  const states = async () => {
    const { transcriptState, analysisState } = await get('1040')
    return [transcriptState, analysisState]
  }
  const workId = uuidv7()
  await insertWork(db, {
    workId,
    kind: adTranscript.name,
    subject: analysisSubject(ad),
    input: { language: null },
    status: 'queued',
  })
  assert.deepEqual(await states(), ['under-way', 'not-requested'])
  await sql`update work set status = 'failed', finished_at = now() where work_id = ${workId}`.execute(db)
  assert.deepEqual(await states(), ['failed', 'not-requested'])
  await sql`
    insert into ad_transcripts (platform, archive_id, outcome, result, made_at)
    values ('meta', '1040', 'no-speech', ${JSON.stringify({
      outcome: 'no-speech',
      provider: { name: 'x', version: '1' },
      mediaId: (await get('1040')).creatives[0].media[0].mediaId,
    })}::jsonb, now())`.execute(db)
  await sql`delete from work where work_id = ${workId}`.execute(db)
  assert.deepEqual(await states(), ['no-speech', 'not-requested'])
})

interface Listed {
  code?: string
  items: { runId: string; platform: string; status: string; query: { apps?: string[] } | null }[]
}

test('the imports of an account are listed for its page, wherever they were started, and for nobody else', async () => {
  const key = await world.key(undefined, 'lister')
  const records = [{ id: '881', page_id: '880', page_name: 'Heron', ad_creative_bodies: ['Still water.'] }]
  const { body: run } = await world.call('admin_import_paid_ads', { platform: 'meta', records }, { key })
  const asked = { platform: 'apple', apps: ['990901'], countries: ['de'] }
  const { body: query } = await world.call('admin_import_paid_ads', asked, { key })
  const listedTo = (who: string) =>
    world.request<Listed>({ url: '/ad-imports', headers: { authorization: `Bearer ${who}` } })
  const { status, body, headers } = await listedTo(key)
  assert.equal(status, 200)
  assert.equal(headers['cache-control'], 'no-store')
  assert.deepEqual(
    body.items.map((one) => [one.runId, one.platform, one.status]),
    [
      [query.runId, 'apple', 'queued'],
      [run.runId, 'meta', 'queued'],
    ],
  )
  assert.deepEqual([body.items[0]?.query?.apps, body.items[1]?.query], [['990901'], null])
  assert.deepEqual((await listedTo(await world.key(undefined, 'other lister'))).body.items, [])
  assert.equal((await listedTo(await world.key(['content:write'], 'lister'))).body.code, 'scope-missing')
  assert.equal((await world.request({ url: '/ad-imports' })).status, 401)
})
