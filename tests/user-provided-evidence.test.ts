import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { adAnalysis } from '../src/domain/ad-analysis/ask.ts'
import { adImport } from '../src/domain/paid-ads/imports/import-run.ts'
import { performAnalysis } from '../src/jobs/kinds/ad-analysis.ts'
import { performAdImport } from '../src/jobs/kinds/ad-import.ts'
import { workTask } from '../src/jobs/work-tasks.ts'
import { replay } from '../src/projections/replay.ts'
import type { AdPlatform } from '../src/vocabulary/ad-platforms.ts'
import { adsState } from './support/ads-state.ts'
import { openFolder } from './support/files.ts'
import { storeListings } from './support/listings.ts'
import { operate } from './support/operator.ts'
import { openWorld, type World } from './support/world.ts'

/** Ads and links that accounts bring themselves: shown as theirs, never in place of a library's word, and taken back. */

let world: World
let ann: string
let bee: string
before(async () => {
  world = await openWorld()
  ann = await world.key(undefined, 'ann')
  bee = await world.key(undefined, 'bee')
})
after(() => world?.[Symbol.asyncDispose]())

const record = (archiveId: string, more: object = {}) => ({
  platform: 'meta',
  archiveId,
  advertiser: { id: '5001', name: 'Tidepool Habits' },
  creatives: [{ text: 'As the library shows it' }],
  startedOn: '2026-02-20',
  active: true,
  observedAt: '2026-03-01T08:00:00Z',
  ...more,
})

/** Imports inline records for an account. @returns the id of the run */
const bring = (key: string, ...records: object[]) => bringTo('meta', key, ...records)

async function bringTo(platform: AdPlatform, key: string, ...records: object[]): Promise<string> {
  const { body } = await world.call('admin_import_paid_ads', { platform, records }, { key })
  const perform = performAdImport(world.store.db, world.collecting.adLibraries)
  await workTask(world.store.db, adImport, perform)({ workId: body.runId }, new AbortController().signal)
  return body.runId
}

/** Imports a file of the operator, who says what a library showed. */
async function shown(...records: object[]): Promise<void> {
  using folder = openFolder()
  await world.import({ kind: 'paid-ads', paths: [folder.write('ads.json', JSON.stringify(records))] })
}

const adOf = async (archiveId: string, key = bee) =>
  (await world.call('get_paid_ad', { platform: 'meta', archiveId }, { key })).body

const withdraw = (key: string, withdrawRunId: string) =>
  world.call('admin_import_paid_ads', { withdrawRunId }, { key })

const invented = (archiveId: string) =>
  record(archiveId, {
    advertiser: { id: '5001', name: 'Not Their Name' },
    creatives: [{ text: 'Made up by ann', linkUrl: 'https://apps.apple.com/us/app/id6449912399' }],
    startedOn: '2020-01-01',
    active: false,
    countries: ['de'],
    observedAt: '2026-06-01T08:00:00Z',
  })

describe('An ad record that an account brought', () => {
  test('says so to everybody, and names no account', async () => {
    await bring(ann, record('101'))
    const [mine, theirs] = [await adOf('101', ann), await adOf('101')]
    assert.deepEqual(mine.evidence[0].broughtBy, { account: 'own', door: 'http' })
    assert.deepEqual(theirs.evidence[0].broughtBy, { account: 'other', door: 'http' })
    assert.ok(!JSON.stringify(theirs).includes('ann'))
    await shown(record('102'))
    assert.equal((await adOf('102')).evidence[0].broughtBy, undefined)
  })

  test('says so in the list of advertisers, in an analysis of it, and in exported tables', async () => {
    const platform = 'meta'
    await bring(ann, record('103', { advertiser: { id: '5003', name: 'Only Ann Knows' } }))
    await storeListings(world, [{ trackId: 103, trackName: 'Tides', observedAt: '2026-03-01T08:00:00Z' }])
    const link = { action: 'link', platform, archiveIds: ['103'], competitor: '103' }
    assert.equal((await world.call('admin_link_paid_ads', link, { key: ann })).status, 201)
    const { workId } = (await world.call('analyze_paid_ad_creative', { platform, archiveId: '103' })).body
    const perform = performAnalysis(world.store.db, world.archive, undefined)
    await workTask(world.store.db, adAnalysis, perform)({ workId }, new AbortController().signal)
    for (const [key, account] of [
      [ann, 'own'],
      [bee, 'other'],
    ] as const) {
      const { items } = (await world.call('admin_search_paid_ad_advertisers', { q: '5003' }, { key })).body
      assert.deepEqual(items[0].evidence[0].broughtBy, { account, door: 'http' })
      const { evidence } = (await adOf('103', key)).analysis.result
      assert.deepEqual(
        evidence.map((one: { broughtBy?: unknown }) => one.broughtBy),
        [undefined, { account, door: 'http' }],
      )
    }
    using folder = openFolder()
    const out = join(folder.path, 'ads.csv')
    const options = { format: 'csv', out } as const
    assert.equal((await operate(world, { command: 'export paid-ads', options })).code, 0)
    const rows: Record<string, string>[] = parse(readFileSync(out), { columns: true })
    const row = rows.find(({ archiveId }) => archiveId === '103')
    assert.deepEqual(
      [row?.source, row?.broughtBy, row?.linkedApps, row?.linkBroughtBy],
      ['derived | paid-ads-file', 'other http | other http', '103', 'other http'],
    )
  })

  for (const order of ['before', 'after'] as const)
    test(`takes the place of nothing a source showed, ${order} it`, async () => {
      const archiveId = order === 'before' ? '111' : '112'
      if (order === 'before') await bring(ann, invented(archiveId))
      await shown(record(archiveId))
      if (order === 'after') await bring(ann, invented(archiveId))
      const ad = await adOf(archiveId)
      assert.deepEqual(
        [ad.advertiser.name.value, ad.deliveryStartedOn.value, ad.active.value],
        ['Tidepool Habits', '2026-02-20', true],
      )
      assert.deepEqual(
        [ad.lastObservedAt, ad.observationCount],
        ['2026-03-01T08:00:00.000Z', 1],
        'it counts no observation beside those of a source',
      )
      const texts = ad.creatives.map((one: { body: { value: string }; current: boolean }) => [
        one.body.value,
        one.current,
      ])
      assert.deepEqual(texts, [
        ['As the library shows it', true],
        ['Made up by ann', false],
      ])
      const { countries, evidence } = ad
      assert.deepEqual(countries.value, ['de'], 'what no source says is filled in')
      assert.equal(evidence.at(countries.evidence).broughtBy.account, 'other')
      const { body } = await world.call('admin_search_paid_ad_advertisers', { q: '5001' }, { key: bee })
      assert.equal(body.items[0].name, 'Tidepool Habits')
    })

  test('of the same instant as a source leaves it as it was', async () => {
    await shown(record('113'))
    const before = await adOf('113')
    await bring(ann, {
      ...invented('113'),
      observedAt: '2026-03-01T08:00:00Z',
      countries: undefined,
      creatives: [],
    })
    assert.deepEqual((await adOf('113')).observations, before.observations)
  })

  test('makes no platform fresh for anybody', async () => {
    const library = (archiveId: string, more: object) => ({ ...record(archiveId, more), platform: 'tiktok' })
    const newest = async (key: string) => {
      const { coverage } = (await world.call('search_paid_ads', { platform: ['tiktok'] }, { key })).body
      return coverage.map(({ newestObservationAt }) => newestObservationAt)
    }
    await shown(library('301', { observedAt: '2026-03-02T08:00:00Z' }))
    await bringTo('tiktok', ann, library('301', { observedAt: '2026-07-01T08:00:00Z' }))
    await bringTo('tiktok', ann, library('302', { observedAt: '2026-07-02T08:00:00Z' }))
    for (const key of [ann, bee]) assert.deepEqual(await newest(key), ['2026-03-02T08:00:00.000Z'])
    // Also where the newest word of a library is of an ad that an account brought since.
    await shown(library('301', { observedAt: '2026-03-03T08:00:00Z' }))
    assert.deepEqual(await newest(bee), ['2026-03-03T08:00:00.000Z'])
  })

  test('is withdrawn by who brought it, with all that followed from it, and a replay leaves it so', async () => {
    const { db } = world.store
    const signal = new AbortController().signal
    await shown(record('121'))
    const before = await adsState(db)
    const runId = await bring(ann, invented('121'), invented('122'))
    assert.notDeepEqual(await adsState(db), before)
    assert.equal((await withdraw(bee, runId)).status, 404, 'not by another account')
    const { status, body } = await withdraw(ann, runId)
    assert.equal(status, 200)
    assert.ok(body.withdrawnAt)
    assert.deepEqual(await adsState(db), before)
    assert.equal((await adOf('122')).code, 'paid-ad-not-found')
    assert.equal((await withdraw(ann, runId)).body.withdrawnAt, body.withdrawnAt, 'twice is once')
    await replay(db, () => {}, signal)
    assert.deepEqual(await adsState(db), before)
    await bring(ann, invented('122'))
    assert.equal((await adOf('122')).archiveId, '122', 'brought again, it is there again')
  })

  test('is listed for the operator, who can withdraw it', async () => {
    const runId = await bring(ann, record('131'))
    const { out } = await operate(world, { command: 'evidence list', options: { account: 'ann' } })
    assert.match(out, new RegExp(`${runId}  records  stands  ann  http .*meta: 1 ad records`))
    const withdrawn = await operate(world, { command: 'evidence withdraw', options: { id: runId } })
    assert.deepEqual([withdrawn.code, withdrawn.out], [0, `withdrawn ${runId}\n`])
    assert.equal((await adOf('131')).code, 'paid-ad-not-found')
    const list = await operate(world, { command: 'evidence list', options: { json: true } })
    assert.ok(JSON.parse(list.out).find(({ id }: { id: string }) => id === runId).withdrawnAt)
    const unknown = await operate(world, { command: 'evidence withdraw', options: { id: 'x' } })
    assert.deepEqual([unknown.code, /evidence list/.test(unknown.notes)], [1, true])
  })

  test('that waits for its turn is withdrawn before it comes', async () => {
    const { body } = await world.call(
      'admin_import_paid_ads',
      { platform: 'meta', records: [record('141')] },
      { key: ann },
    )
    await withdraw(ann, body.runId)
    const perform = performAdImport(world.store.db, world.collecting.adLibraries)
    await workTask(world.store.db, adImport, perform)({ workId: body.runId }, new AbortController().signal)
    assert.equal((await adOf('141')).code, 'paid-ad-not-found')
  })
})

describe('A link that an account made', () => {
  const app = '6449912345'
  const link = (action: string, key: string) =>
    world.call(
      'admin_link_paid_ads',
      { action, platform: 'meta', archiveIds: ['201'], competitor: app },
      { key },
    )
  before(async () => {
    await shown(
      record('201', { creatives: [{ text: 'Links', linkUrl: `https://apps.apple.com/us/app/id${app}` }] }),
    )
  })

  test('says so to everybody, and names no account', async () => {
    const made = { action: 'link', platform: 'meta', archiveIds: ['201'], competitor: '9000000001' }
    await storeListings(world, [
      { trackId: 9000000001, trackName: 'Tides', observedAt: '2026-03-01T08:00:00Z' },
    ])
    await world.call('admin_link_paid_ads', made, { key: ann })
    const reported = async (key: string) =>
      (await adOf('201', key)).links.find(
        (one: { app: { storeId: string } }) => one.app.storeId === '9000000001',
      ).grounds[0]
    assert.deepEqual((await reported(ann)).broughtBy, { account: 'own', door: 'http' })
    assert.deepEqual((await reported(bee)).broughtBy, { account: 'other', door: 'http' })
    await world.call('admin_link_paid_ads', { ...made, action: 'withdraw' }, { key: ann })
  })

  test('is taken back by who made it', async () => {
    await link('unlink', ann)
    assert.deepEqual((await adOf('201')).links, [])
    assert.equal((await link('withdraw', bee)).body.code, 'decision-not-found')
    assert.equal((await link('withdraw', ann)).status, 200)
    const [landing] = (await adOf('201')).links
    assert.deepEqual(
      landing.grounds.map(({ kind }: { kind: string }) => kind),
      ['landing-url'],
      'as if nothing had been decided',
    )
    assert.equal((await link('withdraw', ann)).status, 404)
  })

  test('is taken back by the operator', async () => {
    const { body } = await link('unlink', ann)
    const { code } = await operate(world, { command: 'evidence withdraw', options: { id: body.decisionId } })
    assert.equal(code, 0)
    assert.equal((await adOf('201')).links.length, 1)
  })
})

describe('Whether a key may bring evidence', () => {
  const made = async (bringEvidence?: 'on' | 'off') => {
    const { code, out } = await operate(world, {
      command: 'keys create',
      options: {
        name: 'script',
        scopes: ['context:read', 'content:write'],
        account: 'script',
        ...(bringEvidence ? { bringEvidence } : {}),
      },
    })
    assert.equal(code, 0)
    return out.trim()
  }
  const bringing = (key: string) => [
    () => world.call('admin_preview_paid_ads', { platform: 'meta', records: [record('1')] }, { key }),
    () => world.call('admin_import_paid_ads', { platform: 'meta', records: [record('1')] }, { key }),
    () =>
      world.call(
        'admin_link_paid_ads',
        { action: 'unlink', platform: 'meta', advertiserId: '1', competitor: '9' },
        { key },
      ),
  ]

  test("is the operator's to say; where nothing is said it may", async () => {
    const open = await made()
    for (const bring of bringing(open)) assert.ok((await bring()).status < 300)
    const shut = await made('off')
    for (const bring of bringing(shut)) {
      const { status, body } = await bring()
      assert.deepEqual([status, body.code], [403, 'evidence-not-allowed'])
      assert.match(body.detail, /keys create/)
    }
  })

  test('holds for a preview that another key of the account made', async () => {
    const open = await made()
    const shut = await made('off')
    const { body } = await world.call(
      'admin_preview_paid_ads',
      { platform: 'meta', records: [record('2')] },
      { key: open },
    )
    const { previewToken } = body
    const refused = await world.call('admin_import_paid_ads', { previewToken }, { key: shut })
    assert.equal(refused.body.code, 'evidence-not-allowed')
    assert.equal((await world.call('admin_import_paid_ads', { previewToken }, { key: open })).status, 202)
  })

  test('is nothing to what asks the libraries, and is told by keys list', async () => {
    const shut = await made('off')
    const { body } = await world.call(
      'admin_import_paid_ads',
      { platform: 'meta', terms: ['tides'] },
      { key: shut },
    )
    assert.equal(body.code, 'source-not-configured')
    const { out } = await operate(world, { command: 'keys list', options: {} })
    assert.match(out, /brings no evidence/)
  })
})
