import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { demoAccount, demoAppId } from '../../sample/demo/tracking.ts'
import { contract, type Tool } from '../../src/contract/contract.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { recordHintFailure, recordSearchFailure } from '../../src/domain/aso/pages/search-failures.ts'
import { typedPrefixesOf } from '../../src/domain/aso/scores/autocomplete.ts'
import { recordCheckFailures } from '../../src/domain/collecting/attempts.ts'
import { countChange } from '../../src/domain/evidence/changes.ts'
import { adAnalysersOn } from '../../src/jobs/ad-analysis/analysers.ts'
import { jobKinds } from '../../src/jobs/job-kinds.ts'
import { rows } from '../../src/storage/database.ts'
import { listingFieldRow, repliedListingFields } from '../../src/vocabulary/listing-fields.ts'
import { importPost, type PlayedHosts, playHosts, png, sends } from '../support/media.ts'
import { callsAbout, reads, type Subjects } from '../support/reads.ts'
import { importNewestSample } from '../support/sample.ts'
import { shuffleRows } from '../support/shuffled-rows.ts'
import {
  type Calls,
  type Difference,
  differences,
  overHttp,
  overMcp,
  reported,
  type Snapshot,
  snapshotOf,
} from '../support/snapshot.ts'
import { type Input, openWorld, type World } from '../support/world.ts'

/**
 * What one account saves, tracks, asks for and writes is nobody else's business: every reply of another account is the
 * same before and after it, to the byte, through every door. What others may see of it is listed below, by name.
 */

let hosts: PlayedHosts
let world: World
/** The account that looks, and the one that acts. */
let bee: string
let ann: string
let calls: Calls
/** What is acted upon. */
let things: Awaited<ReturnType<typeof findThings>>

const app = { platform: 'ios', storeId: '9000000150' } as const
/** Apps nobody has taken in; Ann and Bee both ask for the first. */
const unknownApps = ['8800000001', '8800000002', '8800000003'] as const

before(async () => {
  hosts = await playHosts()
  world = await openWorld({ network: hosts.network })
  await importNewestSample(world.store.db, '2026-11-17')
  hosts.answer('p16.tiktokcdn.com/one.png', sends(await png(1)))
  for (const name of ['one', 'two', 'three'])
    await importPost(world, name, [
      { kind: 'image', url: 'https://p16.tiktokcdn.com/one.png' },
      { kind: 'image', url: 'https://p16.tiktokcdn.com/gone.png' },
    ])
  bee = await world.key(undefined, demoAccount)
  ann = await world.key(undefined, 'ann')
  things = await findThings()
  calls = await callsOfBee()
  await work()
  for (const term of [...things.terms, 'budget']) await fail(term)
})

const nobodyAnswers = () => ({ at: new Date(), code: 'unreachable' as const, message: 'nobody answers' })

/** Nobody answers here. For which terms that is found out, and not by an open circuit, is a matter of time: not left to it. */
async function fail(term: string): Promise<void> {
  const why = nobodyAnswers()
  await recordSearchFailure(world.store.db, { country: 'us', term }, why)
  for (const typed of typedPrefixesOf(term))
    await recordHintFailure(world.store.db, { country: 'us', term: typed }, why)
}

after(async () => {
  await world?.[Symbol.asyncDispose]()
  await hosts?.[Symbol.asyncDispose]()
})

const as =
  (key: string) =>
  async <T extends Tool>(tool: T, input: Input<T>) => {
    const { status, body } = await world.call(tool, input, { key })
    assert.ok(status < 300, `${tool} ${status}: ${JSON.stringify(body)}`)
    return body
  }

async function findThings() {
  const { db } = world.store
  const posts = (await as(bee)('search_organic_content', { limit: 5 })).items
  // Advertisers, whose counts follow from their ads, are looked at in one library.
  const ads = (await as(bee)('search_paid_ads', { limit: 5, platform: ['meta'] })).items
  // Suggested by Apple for something typed, and of nobody's interest yet.
  const suggested = await rows(
    db,
    sql<{ term: string }>`
      select distinct s.term from hint_answers h cross join lateral unnest(h.terms) as s(term)
      where h.country = 'us' and h.typed like 'bud%'
        and not exists (select from terms t where t.country = 'us' and t.term = s.term)
      order by 1 limit 5`,
  )
  const terms = [...suggested.map(({ term }) => term), 'moonlit budget zebra', 'zebra crossing']
  return { posts, ads, terms, suggested: suggested.length }
}

/** What Bee asks for, again and again. Her writes have been made before, so that they are the same each time. */
async function callsOfBee(): Promise<Calls> {
  const call = as(bee)
  const [first, second] = things.posts
  const [ad, other] = things.ads.map(({ platform, archiveId }) => ({ platform, archiveId }))
  const record = {
    archiveId: '770000000000000001',
    platform: 'meta',
    advertiser: { id: '88001', name: 'Quay Habits' },
    creatives: [{ text: 'Steady as the tide' }],
    observedAt: '2026-11-18T08:00:00Z',
  }
  const { previewToken } = await call('admin_preview_paid_ads', { platform: 'meta', records: [record] })
  const imported = await call('admin_import_paid_ads', { previewToken })
  const removed = await call('track_aso_app', { app: '9000000218', country: 'de', role: 'own' })
  const added = await call('add_aso_keywords', { appId: demoAppId, terms: ['harbour ledger'] })
  const { keywordId } = added.added[0].keyword
  await call('remove_aso_keyword', { appId: demoAppId, keywordId })
  await call('remove_aso_app', { appId: removed.appId })
  await call('request_competitor_data', { ...app, kinds: ['record', 'media'], note: 'mine' })
  await call('admin_link_paid_ads', { action: 'link', ...only(ad), competitor: '9000000137' })
  const queries = [...things.terms, 'budget', 'zebra', 'moonlit budget'].map((query) => ({ query }))
  const subjects: Subjects = {
    storeId: [{ storeId: app.storeId }],
    postId: things.posts.map(({ postId }) => ({ postId })),
    archiveId: things.ads.map(({ platform, archiveId }) => ({ platform, archiveId })),
    runId: [{ runId: imported.runId }],
    appId: [{ appId: demoAppId }],
    rivalStoreId: [{ rivalStoreId: '9000000137' }],
    query: queries,
  }
  const more: Partial<Calls> = {
    search_competitors: [
      { limit: 50 },
      { q: 'budget' },
      { q: unknownApps[1] },
      { charting: 'yes', sort: 'rating' },
    ],
    get_competitor: [
      { ...app, country: 'jp' },
      ...unknownApps.map((storeId) => ({ platform: 'ios', storeId })),
    ],
    get_competitor_organic: [
      { ...app, saved: true },
      { platform: 'ios', storeId: unknownApps[1] },
    ],
    get_competitor_aso: [{ platform: 'ios', storeId: '9000000137' }],
    list_competitor_data_requests: [{ platform: 'ios', storeId: unknownApps[1] }],
    get_competitor_estimate_history: [{ platform: 'ios', storeId: '9000000211' }],
    search_organic_content: [{ limit: 20 }, { saved: true }, { q: 'planner', sort: 'outlier' }],
    get_organic_content: [{ postId: 'instagram_one' }, { postId: 'instagram_two' }],
    search_paid_ads: [{ limit: 20 }, { saved: true }, { q: 'free' }, { competitor: ['9000000137'] }],
    list_aso_apps: [{ country: 'us' }],
  }
  const asked = reads.map(([tool]) => [tool, [...callsAbout(tool, subjects), ...(more[tool] ?? [])]])
  const writes: Partial<Calls> = {
    // One that is heard would be counted each time.
    request_competitor_data: [{ ...app, kinds: [] }],
    request_ios_competitor: [{ app: unknownApps[0] }],
    discover_emerging_ios_competitors: [{}],
    refresh_competitor_estimates: [app],
    save_organic_content: [{ postId: first?.postId, note: 'bee', tags: ['b'] }, { postId: 'instagram_three' }],
    remove_saved_organic_content: [{ postId: second?.postId }],
    generate_paid_ad_transcript: [{ ...ad }],
    analyze_paid_ad_creative: [{ ...ad }],
    save_paid_ad: [{ ...ad, note: 'bee' }],
    remove_saved_paid_ad: [{ ...other }],
    admin_preview_paid_ads: [{ platform: 'meta', records: [record] }],
    admin_import_paid_ads: [{ previewToken }],
    admin_retry_paid_ad_import: [{ runId: imported.runId }],
    admin_link_paid_ads: [{ action: 'link', ...only(ad), competitor: '9000000137' }],
    track_aso_app: [app.storeId, unknownApps[0]].map((one) => ({ app: one, role: 'own' })),
    update_aso_app_role: [{ appId: demoAppId, role: 'own' }],
    remove_aso_app: [{ appId: removed.appId }],
    add_aso_keywords: [{ appId: demoAppId, terms: ['budget', 'banjo tuner left handed'] }],
    remove_aso_keyword: [{ appId: demoAppId, keywordId }],
    refresh_aso_app: [{ appId: demoAppId }],
    search_ios_apps: [
      { term: 'budget', live: false },
      { term: 'zebra', live: false },
    ],
    refresh_aso_keyword: [{ query: 'budget' }],
  }
  return { ...(Object.fromEntries(asked) as Calls), ...writes }
}

const only = (ad: { platform: string; archiveId: string } | undefined) => ({
  platform: ad?.platform,
  archiveIds: [ad?.archiveId],
})

/** Performs what was asked for after some work, once: what fails is not tried again here. */
async function work(after = '00000000-0000-0000-0000-000000000000'): Promise<void> {
  const { db } = world.store
  const { collecting, queue, archive, notifications, retention, importFile } = world
  const parts = {
    db,
    queue,
    archive,
    ...collecting,
    notifications,
    retention,
    importFile,
    analysers: adAnalysersOn({ speech: undefined, model: undefined }, {}),
  }
  const queued = await rows(
    db,
    sql<{ workId: string; kind: string }>`
      select work_id as "workId", kind from work where status = 'queued' and work_id > ${after}::uuid order by work_id`,
  )
  for (const { workId, kind } of queued) {
    const row = jobKinds.find(({ name }) => name === kind) ?? assert.fail(kind)
    await row
      .performer(parts)({ workId }, new AbortController().signal)
      .catch(() => {})
  }
}

async function newestWork(): Promise<string | undefined> {
  const [newest] = await rows(
    world.store.db,
    sql<{ workId: string }>`select work_id as "workId" from work order by work_id desc limit 1`,
  )
  return newest?.workId
}

/** What Ann does for herself. @returns the tools used */
async function annActs(round: 'stopped' | 'working'): Promise<Set<Tool>> {
  const used = new Set<Tool>()
  const call = <T extends Tool>(tool: T, input: Input<T>) => {
    used.add(tool)
    return as(ann)(tool, input)
  }
  const names = round === 'stopped' ? ['one', 'three'] : ['two', 'three']
  for (const { postId } of [...things.posts, ...names.map((name) => ({ postId: `instagram_${name}` }))])
    await call('save_organic_content', { postId, note: 'of ann', tags: ['secret'] })
  await call('remove_saved_organic_content', { postId: things.posts[0]?.postId })
  for (const { platform, archiveId } of things.ads)
    await call('save_paid_ad', { platform, archiveId, note: 'of ann' })
  await call('remove_saved_paid_ad', oneOf(things.ads[0]))
  const far = round === 'stopped' ? unknownApps[1] : unknownApps[2]
  await call('request_ios_competitor', { app: `https://apps.apple.com/us/app/secret-of-ann/id${far}?ann=1` })
  await call('request_ios_competitor', { app: `https://apps.apple.com/us/app/ann/id${unknownApps[0]}?ann=1` })
  for (const storeId of [app.storeId, far, unknownApps[0]]) {
    await call('request_competitor_data', {
      ...app,
      storeId,
      kinds: ['record', 'charts', 'media', 'similar'],
      note: 'ann wants it',
    })
    const { appId } = await call('track_aso_app', { app: storeId, role: 'watched' })
    const { added } = await call('add_aso_keywords', {
      appId,
      terms: [...things.terms, 'budget', `ann ${round}`],
    })
    await call('update_aso_app_role', { appId, role: 'own' })
    await call('refresh_aso_app', { appId })
    await call('remove_aso_keyword', { appId, keywordId: added[0].keyword.keywordId })
  }
  const { appId } = await call('track_aso_app', { app: '9000000211', role: 'rival' })
  await call('remove_aso_app', { appId })
  for (const query of [...things.terms, 'budget']) await call('refresh_aso_keyword', { query })
  await call('refresh_competitor_estimates', { ...app, storeId: '9000000211' })
  const given = { platform: 'meta', records: [{ archiveId: '1', platform: 'tiktok', creatives: [] }] }
  await call('admin_preview_paid_ads', given)
  const { runId } = await call('admin_import_paid_ads', given)
  used.add('admin_retry_paid_ad_import')
  await world.call('admin_retry_paid_ad_import', { runId }, { key: ann })
  await call('admin_search_paid_ad_advertisers', {})
  return used
}

const oneOf = (ad: { platform: string; archiveId: string } | undefined) => ({
  platform: ad?.platform,
  archiveId: ad?.archiveId,
})

const look = () => snapshotOf(world, bee, demoAccount, calls)

/** What Bee saw last, where nobody has done anything since. */
let seen: Snapshot

/** Bee looks again. @returns what differs from what she saw last */
async function looksAgain(): Promise<Difference[]> {
  const before = seen
  seen = await look()
  return differences(before, seen)
}

/** What of what Ann does others do see, and why: the replies, and in them the only places that may differ. */
interface Shared {
  what: string
  /** Places of replies by tool, each with all that lies beneath it. */
  places: Partial<Record<Tool | 'changes', string[]>>
  /** Exports that tell of it too. */
  exports?: string[]
}

/** Every difference is of something shared, and every place that is said to be shared differs. */
function assertOnlyShared(found: readonly Difference[], shared: readonly Shared[]): void {
  const named = shared.flatMap(({ what, places }) =>
    Object.entries(places).flatMap(([tool, of]) => of.map((place) => ({ what, tool, place }))),
  )
  const covers = (tool: string, place: string) => (one: { tool: string; place: string }) =>
    one.tool === tool && (place === one.place || place.startsWith(`${one.place}.`))
  const unexpected = found.filter(({ door, tool, places }) => {
    if (door === 'export') return !shared.some(({ exports }) => exports?.includes(tool))
    // Agents are told the same in words of their own.
    if (door === 'MCP') return !named.some((one) => one.tool === tool)
    return !places.every((place) => named.some(covers(tool, place)))
  })
  assert.deepEqual(unexpected.map(reported), [])
  const seen = found.flatMap(({ door, tool, places }) =>
    door === 'HTTP' ? places.map((place) => ({ tool, place })) : [],
  )
  assert.deepEqual(
    named.filter((one) => !seen.some(({ tool, place }) => covers(tool, place)(one))),
    [],
    'said to be shared, and makes no difference',
  )
}

const annUsed = new Set<Tool>()

test('nothing Bee is answered depends on where the database has put its rows', async () => {
  // What she asks for the first time may be noted, and never again.
  await look()
  seen = await look()
  await shuffleRows(world.store.db)
  assert.deepEqual((await looksAgain()).map(reported), [])
})

test('nothing Bee is answered changes by what Ann does, while nobody works', async () => {
  for (const tool of await annActs('stopped')) annUsed.add(tool)
  assert.deepEqual((await looksAgain()).map(reported), [])
})

test('nor when it is worked on', async () => {
  await work()
  await look()
  const newest = await newestWork()
  seen = await look()
  await annActs('working')
  await work(newest)
  assert.deepEqual((await looksAgain()).map(reported), [])
})

test('what is shared by all accounts changes for Bee too, and nothing beside it', async () => {
  const newest = await newestWork()
  const call = <T extends Tool>(tool: T, input: Input<T>) => {
    annUsed.add(tool)
    return as(ann)(tool, input)
  }
  const [, , ad] = things.ads
  await call('admin_link_paid_ads', { action: 'link', ...only(ad), competitor: app.storeId })
  await call('admin_import_paid_ads', {
    platform: 'meta',
    records: [
      {
        platform: 'meta',
        archiveId: '770000000000000777',
        advertiser: { id: '88007', name: 'Brought By Ann' },
        creatives: [{ text: 'Free of charge, says ann' }],
        observedAt: '2026-11-18T08:00:00Z',
      },
    ],
  })
  await call('generate_paid_ad_transcript', oneOf(ad))
  await call('analyze_paid_ad_creative', oneOf(ad))
  await call('discover_emerging_ios_competitors', { windowDays: 30, limit: 100 })
  await call('refresh_competitor_estimates', { platform: 'ios', storeId: '9000000137' })
  annUsed.add('search_ios_apps')
  await world.call('search_ios_apps', { term: 'zebra', live: true }, { key: ann })
  await fail('zebra')
  const checked = { kind: 'lookup', country: 'jp', storeIds: [app.storeId] } as const
  await recordCheckFailures(world.store.db, checked, nobodyAnswers())
  await work(newest)
  assertOnlyShared(await looksAgain(), [
    {
      what: 'ads brought in, by how many there are',
      places: { search_paid_ads: ['body.total.value'] },
      exports: ['paid-ads'],
    },
    {
      what: 'in which areas evidence was stored',
      places: { changes: ['markers.ads', 'markers.charts', 'markers.estimates'] },
    },
    {
      what: 'links of ads, with the counts that follow from them',
      places: {
        search_paid_ads: ['body.items[].links'],
        get_paid_ad: ['body.links'],
        get_competitor: ['body.counts.paidAds.value'],
        list_aso_apps: ['body.items[].moves.ads', 'body.items[].freshness.ads'],
        get_aso_workstation: ['body.moves.ads'],
        admin_search_paid_ad_advertisers: ['body.items[].linkedApps'],
      },
    },
    {
      what: 'transcripts and analyses of ads, and how they do',
      places: {
        search_paid_ads: ['body.items[].transcriptState', 'body.items[].analysisState'],
        get_paid_ad: ['body.transcriptState', 'body.transcript', 'body.analysisState', 'body.analysis'],
      },
    },
    {
      what: 'that Apple did not answer when it was asked about a keyword',
      places: {
        explore_aso_keyword: [
          'body.page.reason',
          'body.difficulty.reason',
          'body.opportunity.reason',
          'body.autocomplete.continuations.reason',
          'body.volatility.score.reason',
          'body.relatedBasis.reason',
        ],
      },
    },
    {
      what: 'that Apple did not answer when it was asked for an app that other storefronts have',
      places: {
        list_aso_apps: ['body.items[].freshness.listing'],
        get_competitor: [
          ...repliedListingFields.map((field) => `body.${listingFieldRow(field).reply}.reason`),
          'body.counts.media.reason',
          'body.freshness[].reason',
        ],
      },
    },
    {
      what: 'what a discovery run found in stored charts and ratings',
      places: { list_emerging_ios_competitors: ['body.items[]', 'body.nextCursor', 'body.lastRun'] },
    },
  ])
})

test('Ann has done everything there is to do', () => {
  const writes = (Object.entries(contract) as [Tool, Operation][])
    .filter(([, { scope }]) => scope === 'content:write')
    .map(([tool]) => tool)
  assert.deepEqual(
    writes.filter((tool) => !annUsed.has(tool)),
    [],
  )
})

test('who asks at the same moment as another account is answered as if alone', async () => {
  const doors = [overHttp, overMcp]
  const readings = (Object.entries(calls) as [Tool, object[]][]).filter(
    ([tool]) => contract[tool].scope === 'context:read',
  )
  // So that nothing is remembered, and replies are made while they are asked for again.
  const forget = () => countChange(world.store.db, ['other'])
  const differing: string[] = []
  let asked = 0
  for (const [tool, inputs] of readings)
    for (const input of inputs) {
      const who = doors.flatMap((door) => [bee, ann].map((key) => () => door(world, key, tool, input)))
      const alone: string[] = []
      for (const ask of who) {
        await forget()
        alone.push(await ask())
      }
      for (const order of [who, who.toReversed()]) {
        await forget()
        const atOnce = await Promise.all(order.map((ask) => ask()))
        asked += atOnce.length
        const expected = order === who ? alone : alone.toReversed()
        if (atOnce.some((reply, at) => reply !== expected[at]))
          differing.push(`${tool} ${JSON.stringify(input)}`)
      }
    }
  assert.ok(asked > 300, `${asked} replies`)
  assert.deepEqual(differing, [])
})

test('an id of another account is answered as one that never was', async () => {
  const { appId } = await as(ann)('track_aso_app', { app: app.storeId, role: 'own' })
  const { added } = await as(ann)('add_aso_keywords', { appId, terms: ['only of ann'] })
  const { runId } = await as(ann)('admin_import_paid_ads', {
    platform: 'meta',
    records: [{ archiveId: '1', platform: 'tiktok' }],
  })
  const nobodys = '019aa0b6-5c00-7000-8000-00000000dead'
  const asked: [Tool, object, string][] = [
    ['get_aso_workstation', { appId }, appId],
    ['update_aso_app_role', { appId, role: 'own' }, appId],
    ['remove_aso_app', { appId }, appId],
    ['add_aso_keywords', { appId, terms: ['x'] }, appId],
    ['remove_aso_keyword', { appId, keywordId: added[0].keyword.keywordId }, appId],
    [
      'remove_aso_keyword',
      { appId: demoAppId, keywordId: added[0].keyword.keywordId },
      added[0].keyword.keywordId,
    ],
    ['refresh_aso_app', { appId }, appId],
    ['get_aso_keyword_gap', { appId, rivalStoreId: '9000000137' }, appId],
    ['admin_get_paid_ad_import', { runId }, runId],
    ['admin_retry_paid_ad_import', { runId }, runId],
  ]
  for (const [tool, input, id] of asked) {
    const reported = async (given: string) => {
      const text = JSON.stringify(input).replaceAll(id, given)
      const { status, body } = await world.call(tool, JSON.parse(text), { key: bee })
      return JSON.stringify({ ...(body as object), status, requestId: '' }).replaceAll(given, 'id')
    }
    assert.equal(await reported(id), await reported(nobodys), tool)
    assert.match(await reported(id), /"status":404/)
  }
})
