import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, mock, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { computeWordWeights } from '../../src/domain/catalogue/word-weights.ts'
import type { ImportKind, ImportRequest } from '../../src/imports/import-request.ts'
import type { MappedKind } from '../../src/ingest/mapping/mappable-fields.ts'
import { readMapping } from '../../src/ingest/mapping/mapping.ts'
import { type Collected, openCollecting, patient } from '../support/collecting.ts'
import { openFolder } from '../support/files.ts'
import { type About, differences, readReplies, withoutArrival } from '../support/read-replies.ts'
import { storeTracked } from '../support/tracking.ts'
import { until } from '../support/until.ts'
import { sharedData, type World } from '../support/world.ts'

const skip = existsSync(join(sharedData, 'apple'))
  ? false
  : 'the real material is not beside the project (../shared/data)'

const folder = openFolder()
after(() => folder[Symbol.dispose]())

/** Something that arrives: through a file, the door, or an upstream that is asked. */
type Delivery = (collected: Collected) => Promise<unknown>

const mapping = (name: string, kind: MappedKind) =>
  readMapping(fileURLToPath(new URL(`../../docs/maps/${name}.json`, import.meta.url)), kind)
const path = (file: string) => join(sharedData, file)
const file =
  (kind: ImportKind, name: string, more: Partial<ImportRequest> = {}): Delivery =>
  async ({ world }) => {
    const { read, rejected } = await world.import({ kind, paths: [name], ...more })
    // What is refused has no order. Of ads, one file is empty and one the error of a library.
    if (kind !== 'paid-ads') assert.ok(rejected < read, name)
  }

const pages = () => readdirSync(path('apple/search')).filter((name) => /^search_chat.*json$/.test(name))
const everyFew = <T>(list: readonly T[], step: number) => list.filter((_, index) => index % step === 0)

/** What Apple answers a call with, as if it had been asked at that time. */
function asked(at: string, name: string, ask: (collected: Collected) => Promise<unknown>): Delivery {
  return async (collected) => {
    collected.apple.recover()
    collected.apple.behave('/', { does: 'serve-file', file: path(name) })
    mock.timers.enable({ apis: ['Date'], now: new Date(at) })
    try {
      await ask(collected)
    } finally {
      mock.timers.reset()
    }
  }
}

/** Rows of a table in two files, one of them with some rows of the other; and some rows with another price on the same day. */
async function catalogueTables(): Promise<Delivery[]> {
  const [header = '', ...rows] = readFileSync(path('catalogue/AppleStore.csv'), 'utf8').split('\n')
  const more = { observedAt: '2017-07-15', mapping: await mapping('app-store-2017', 'catalogue') }
  const table = (name: string, some: readonly string[]) =>
    file('catalogue', folder.write(`${name}.csv`, [header, ...some, ''].join('\n')), more)
  const dearer = rows.slice(20, 30).map((row) => row.replace('"USD",0,', '"USD",4.99,'))
  return [table('first', rows.slice(0, 90)), table('second', rows.slice(80, 160)), table('dearer', dearer)]
}

/** Posts and ads: whole files, and parts of them in files of their own. */
function creatives(): Delivery[] {
  const posts: unknown[] =
    JSON.parse(readFileSync(path('social/tiktok-trending-2020.json'), 'utf8')).collector ?? []
  const part = (name: string, from: number, to: number) =>
    file('organic', folder.write(name, JSON.stringify(posts.slice(from, to))), {
      observedAt: '2021-01-05',
    })
  const ads = ['meta', 'tiktok'].flatMap((library) =>
    readdirSync(path(`ads/${library}`)).map((name) =>
      file('paid-ads', `ads/${library}/${name}`, { observedAt: '2026-10-01' }),
    ),
  )
  return [
    part('some.json', 0, 80),
    part('others.json', 60, 150),
    file('organic', 'social/reddit-notion-2025.json', { observedAt: '2025-12-01' }),
    ...ads,
    ...ofOneInstant(),
  ]
}

/** Posts and ads that several files show at one instant, the same in most fields; some files tell the time, others are told it. */
function ofOneInstant(): Delivery[] {
  const observedAt = '2026-02-01T08:00:00Z'
  const address = 'https://apps.apple.com/us/app/x/id382617920'
  const post = (more: object) => ({
    ...{
      network: 'tiktok',
      id: '7000000000000000901',
      url: 'https://www.tiktok.com/@tides/video/7000000000000000901',
    },
    ...{
      author: { handle: 'tides', name: 'Tides', followers: 12 },
      text: `A laptop: ${address}`,
      language: 'en',
    },
    ...{ publishedAt: '2026-01-31T08:00:00Z', metrics: { views: 40, likes: 4 } },
    ...more,
  })
  const ad = (more: object) => ({
    ...{ platform: 'meta', archiveId: '903', startedOn: '2025-01-01', active: true, countries: ['de'] },
    ...{ advertiser: { id: '5001', name: 'Tidepool' }, creatives: [{ text: 'A laptop', linkUrl: address }] },
    ...more,
  })
  const write = (name: string, record: object) => folder.write(name, JSON.stringify([record]))
  return [
    file('organic', write('post-1.json', post({ title: 'One laptop', observedAt }))),
    file('organic', write('post-2.json', post({ title: 'Another laptop' })), { observedAt }),
    file('organic', write('post-3.json', post({ metrics: { views: 39, likes: 5 }, observedAt }))),
    file('organic', write('post-4.json', post({ author: { handle: 'tides', name: 'The tides' } })), {
      observedAt,
    }),
    file('paid-ads', write('ad-1.json', ad({ reachText: '11K', observedAt }))),
    file('paid-ads', write('ad-2.json', ad({ endedOn: null })), { observedAt }),
    file('paid-ads', write('ad-3.json', ad({ reachText: '12K', countries: ['fr'], observedAt }))),
    file('paid-ads', write('ad-4.json', ad({ countries: ['de', 'fr'] })), { observedAt }),
  ]
}

/** Ads that an account brings: of one the files have, and of others at several times. */
function fromTheDoor(): Delivery[] {
  const record = (archiveId: string, observedAt: string, more: object) => ({
    ...{ platform: 'meta', archiveId, observedAt, startedOn: '2025-01-01' },
    ...{ advertiser: { id: '5001', name: 'Tidepool Habits' } },
    ...more,
  })
  const text = (body: string) => ({ creatives: [{ text: body }] })
  const brought = [
    [record('1529283351817213', '2025-06-01T08:00:00Z', text('laptop, as told before'))],
    [record('1529283351817213', '2026-06-01T08:00:00Z', { ...text('laptop, as told after'), active: false })],
    [record('901', '2026-02-01T08:00:00Z', { ...text('one laptop'), active: true })],
    [record('901', '2026-02-01T08:00:00Z', { ...text('another laptop'), active: true })],
    [record('901', '2026-02-01T08:00:00Z', { ...text('one laptop'), active: true, countries: ['de'] })],
    [record('901', '2026-02-01T09:00:00Z', text('another laptop'))],
    [
      record('901', '2026-03-01T08:00:00Z', {
        ...text('a third laptop'),
        startedOn: '2025-02-01',
        countries: ['de'],
      }),
    ],
    [
      record('902', '2026-02-02T08:00:00Z', {
        advertiser: { id: '5001', name: 'Tidepool' },
        countries: ['fr'],
      }),
      record('901', '2026-01-15T08:00:00Z', text('one laptop')),
    ],
  ]
  return brought.map((records) => async ({ world }: Collected) => {
    const { status, body } = await world.call('admin_import_paid_ads', { platform: 'meta', records })
    assert.equal(status, 202, JSON.stringify(body))
    const { body: run } = await until(
      () => world.call('admin_get_paid_ad_import', { runId: body.runId }),
      ({ body: { finishedAt } }) => finishedAt !== null,
    )
    assert.equal(run.status, 'succeeded', JSON.stringify(run))
  })
}

async function deliveries(): Promise<Delivery[]> {
  const answers = pages()
  const charts = readdirSync(path('apple/charts/us-daily-2026'))
  const lists = readdirSync(path('apple/charts/jp-finance-daily')).filter((name) => name.endsWith('.json'))
  const feeds = readdirSync(path('apple/charts/rss-v1-hk-2019')).filter((name) => name.endsWith('.json'))
  const ranked = await mapping('ranked-list', 'charts')
  const saved = (name: string) => `apple/search/${name}`
  const chart = (name: string) => `apple/charts/us-daily-2026/${name}`
  const [early = '', late = ''] = [charts[0], charts[2]]
  return [
    ...everyFew(answers, 3).map((name) => file('search-results', saved(name))),
    ...everyFew(answers, 4).map((name) => file('catalogue', saved(name))),
    // Two observations of one instant.
    ...[answers[1] ?? '', answers[9] ?? ''].map((name) =>
      file('catalogue', saved(name), { observedAt: '2022-06-01T12:00:00Z' }),
    ),
    ...[early, late].map((name) => file('charts', chart(name), { observedAt: '2026-04-01T12:00:00Z' })),
    ...everyFew(charts, 6).map((name) => file('charts', chart(name))),
    ...everyFew(lists, 30).map((name) =>
      file('charts', `apple/charts/jp-finance-daily/${name}`, { mapping: ranked }),
    ),
    ...feeds.map((name) => file('charts', `apple/charts/rss-v1-hk-2019/${name}`)),
    asked('2022-05-20T08:00:00Z', saved(answers[5] ?? ''), ({ world }) =>
      world.collecting.collector.search('chat', 'us', patient),
    ),
    asked('2022-10-30T08:00:00Z', saved(answers[14] ?? ''), ({ world }) =>
      world.collecting.collector.search('chat', 'us', patient),
    ),
    asked('2022-11-30T08:00:00Z', saved(answers[15] ?? ''), ({ world }) =>
      world.collecting.collector.lookup(['382617920'], 'us', patient),
    ),
    ...['2021-01-01T08:00:00Z', '2022-08-20T08:00:00Z'].map((at) =>
      asked(at, saved('empty_result_raw_bytes.json'), ({ world }) =>
        world.collecting.collector.search('chat', 'us', patient),
      ),
    ),
    ...(await catalogueTables()),
    ...creatives(),
    ...fromTheDoor(),
  ]
}

const about: About = {
  countries: ['us'],
  storeIds: ['1163852619', '382617920', '414478124', '333903271', '309735670', '284882215', '281656475'],
  terms: ['chat'],
  texts: ['chat', 'free messenger', 'notion', 'laptop'],
  categoryIds: ['6000', '6014'],
}

/** A number generator with a seed, so that a failure can be repeated. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

function shuffled<T>(list: readonly T[], seed: number): T[] {
  const roll = dice(seed)
  return list
    .map((value) => ({ value, place: roll() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value)
}

async function repliesAfter(arriving: readonly Delivery[]): Promise<Map<string, string>> {
  await using collected = await openCollecting()
  for (const deliver of arriving) await deliver(collected)
  const { world, apple } = collected
  apple.recover()
  await computeWordWeights(world.store.db, new Date())
  return new Map([
    ...(await readReplies(world, about)),
    ...(await workstations(world)),
    ...(await workedOut(world)),
  ])
}

/** The workstation of an app with a rival, and the gap between them. */
async function workstations(world: World): Promise<[string, string][]> {
  const [own, rival] = ['382617920', '1163852619']
  const keywords = ['chat', 'messenger', 'free chat']
  const appId = await storeTracked(world, { storeId: own, keywords })
  await storeTracked(world, { storeId: rival, role: 'rival', keywords: [] })
  const asked = [
    await world.call('list_aso_apps'),
    await world.call('get_aso_workstation', { appId }),
    await world.call('get_aso_keyword_gap', { appId, rivalStoreId: rival }),
  ]
  return asked.map(({ status, body }, index) => [`workstation ${index}`, `${status} ${withoutArrival(body)}`])
}

/** What is worked out of the evidence when somebody asks. */
async function workedOut(world: World): Promise<[string, string][]> {
  const app = { platform: 'ios', storeId: '309735670', country: 'us' }
  await world.call('refresh_competitor_estimates', app)
  const estimates = await until(
    () => world.call('get_competitor_estimate_history', app),
    ({ body }) => !['queued', 'running'].includes(body.refresh?.status),
  )
  assert.equal(estimates.body.refresh?.status, 'succeeded', JSON.stringify(estimates.body.refresh))
  await world.call('discover_emerging_ios_competitors', { country: 'us', categoryId: '6014' })
  const emerging = await until(
    () => world.call('list_emerging_ios_competitors', { country: 'us', categoryId: '6014' }),
    ({ body }) => !['queued', 'running'].includes(body.lastRun?.status),
  )
  assert.ok(emerging.body.items.length > 0)
  return [
    ['estimates', withoutArrival(estimates.body)],
    ['emerging', withoutArrival(emerging.body)],
  ]
}

let expected: Map<string, string>
let all: Delivery[]
before(async () => {
  if (skip) return
  all = await deliveries()
  expected = await repliesAfter(all)
})

/** Backwards, every two of them come the other way round; what three of them do to each other is left to the dice. */
const orders = {
  backwards: () => all.toReversed(),
  shuffled: () => shuffled(all, 1),
}

for (const [name, order] of Object.entries(orders))
  test(`what was observed is told the same in whatever order it arrives, and how often (${name})`, {
    skip,
  }, async () => {
    const arriving = order()
    const repeated = arriving.filter((_, index) => index % 5 === 0)
    const replies = await repliesAfter([...arriving, ...repeated])
    assert.ok(expected.size > 100)
    assert.deepEqual(differences(expected, replies), [])
  })
