import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Caller } from '../src/api/caller.ts'
import { createDoor } from '../src/api/door.ts'
import { handlersOn } from '../src/api/handlers/handlers.ts'
import { Problem } from '../src/api/problem.ts'
import { RememberedReplies } from '../src/api/remembered-replies.ts'
import { type RememberedReply, rememberedReplies } from '../src/api/rests-of-replies.ts'
import { StoreStates } from '../src/api/store-states.ts'
import { contract, type Tool } from '../src/contract/contract.ts'
import { accountNamed } from '../src/domain/accounts/queries.ts'
import { clearCheckFailures, recordAttempt, recordCheckFailures } from '../src/domain/collecting/attempts.ts'
import { recordFailure, recordSuccess } from '../src/domain/collecting/health.ts'
import { refreshEstimates } from '../src/domain/estimates/refresh.ts'
import { countChange } from '../src/domain/evidence/changes.ts'
import { archiveNewMedia } from '../src/domain/media/archive-media.ts'
import { declineCopies, pendingCopies, recordWhyNoCopy } from '../src/domain/media/queries.ts'
import { replay } from '../src/projections/replay.ts'
import { storeReadings } from '../src/projections/store-readings.ts'
import { rows } from '../src/storage/database.ts'
import type { ChangeArea } from '../src/vocabulary/evidence-areas.ts'
import { adsOnFile } from './support/ads-on-file.ts'
import { collected } from './support/collected.ts'
import { openFolder } from './support/files.ts'
import { importContent } from './support/imports.ts'
import { storeListings } from './support/listings.ts'
import { operate } from './support/operator.ts'
import { importPosts, madePost } from './support/posts.ts'
import { storePage } from './support/result-pages.ts'
import { SentStatements } from './support/sent-statements.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
const folder = openFolder()
const ads = adsOnFile(world)
after(async () => {
  await ads[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})
const { db } = world.store
const sent = new SentStatements(world.store.requests.pool)
const key = await world.key()
const accountId = (await accountNamed(db, 'default')) ?? assert.fail('There is no account.')
const caller: Caller = {
  accountId,
  credentialId: 'test',
  scopes: new Set(['context:read']),
  bringsEvidence: false,
  door: 'http',
}
const otherKey = await world.key(undefined, 'ann')
const other = { ...caller, accountId: (await accountNamed(db, 'ann')) ?? assert.fail('There is no account.') }
const anew = createDoor(contract, db, (on) => handlersOn(on, world.enqueue, world.collecting))

const [reed, moss, fern] = ['4711', '4712', '4713']
const record = (storeId: string, country: string) =>
  ['get_competitor', { platform: 'ios', storeId }, { country }] as const
const ranks = (storeId: string, country: string) =>
  ['get_apple_chart_history', { storeId }, { country, from: '2026-03-01', to: '2026-03-12' }] as const
/** What is asked again after each write. */
const asked: Record<string, readonly [Tool, object, object]> = {
  'Reed us': record(reed, 'us'),
  'Reed jp': record(reed, 'jp'),
  'Moss us': record(moss, 'us'),
  'Fern us': record(fern, 'us'),
  'ranks of Reed us': ranks(reed, 'us'),
  'ranks of Moss us': ranks(moss, 'us'),
  'categories us': ['list_competitor_categories', {}, { country: 'us' }],
  'chart us': ['get_apple_charts', {}, { country: 'us' }],
  'chart jp': ['get_apple_charts', {}, { country: 'jp' }],
}

/** Lists that any change makes anew that they may show, asked by two accounts. */
const lists: readonly (readonly [Tool, object, object])[] = [
  ['search_competitors', {}, { country: 'us', q: 'name' }],
  ['search_organic_content', {}, {}],
  ['search_organic_content', {}, { saved: true }],
  ['get_competitor_organic', { platform: 'ios', storeId: reed }, {}],
  ['search_paid_ads', {}, { reading: true }],
  ['search_paid_ads', {}, { saved: true }],
]

/** Further forms of these, for what they read. */
const moreAsked: readonly (readonly [Tool, object, object])[] = [
  ['get_competitor', { platform: 'ios', storeId: reed }, { country: 'jp', language: 'en' }],
  ['get_competitor', { platform: 'ios', storeId: '999' }, { country: 'us' }],
  ['get_apple_charts', {}, { country: 'us', date: '2026-03-06', comparedWith: '2026-03-01' }],
  ['get_apple_charts', {}, { country: 'us', comparedWith: '2026-01-01' }],
  ['get_apple_charts', {}, { country: 'us', chart: 'top-paid' }],
  ['search_competitors', {}, { country: 'us', q: 'name' }],
  ['search_competitors', {}, { country: 'us', q: 'nmae', categoryId: '6013' }],
  ['search_competitors', {}, { country: 'us' }],
  ['search_organic_content', {}, { q: 'moss' }],
  ['search_organic_content', {}, { competitor: [reed], saved: false }],
  ['search_organic_content', {}, {}],
  ['get_competitor_organic', { platform: 'ios', storeId: reed }, {}],
  ['search_paid_ads', {}, { q: 'moss' }],
  ['search_paid_ads', {}, { competitor: [reed], saved: false, reading: true }],
  ['search_paid_ads', {}, { categoryId: '6013', tag: 'x' }],
  ['search_paid_ads', {}, {}],
  ['get_apple_chart_history', { storeId: '999' }, { country: 'us' }],
]

/**
 * Asks everything again, and compares it with what a door says that remembers nothing.
 * @returns what was not made again
 */
async function remembered(what: string): Promise<string[]> {
  const left: string[] = []
  for (const [name, [tool, params, query]] of Object.entries(asked)) {
    let body: Record<string, unknown> = {}
    const statements = await sent.of(async () => {
      const reply = await world.call(tool, { ...params, ...query }, { key })
      body = reply.body as typeof body
    })
    if (!statements.some((text) => !/evidence_change|api_keys|accounts|rate_limits/.test(text))) left.push(name)
    try {
      const made = await anew.invoke(tool, { params, query, body: undefined } as never, caller)
      assert.deepEqual(withoutToday(body), withoutToday(made.body), `${name} after ${what}`)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      assert.equal(body.code, error.code, `${name} after ${what}`)
    }
  }
  for (const [tool, params, query] of lists)
    for (const [account, as] of [
      [key, caller],
      [otherKey, other],
    ] as const) {
      const { body } = await world.call(tool, { ...params, ...query }, { key: account })
      const made = await anew.invoke(tool, { params, query, body: undefined } as never, as)
      assert.deepEqual(withoutToday(body), withoutToday(made.body), `${tool} after ${what}`)
    }
  return left
}

function withoutToday(body: unknown): unknown {
  const { asOf: _, ...rest } = JSON.parse(JSON.stringify(body))
  return rest
}

const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T06:00:00Z`
const listing = (storeId: string, country: string, day: number, more: object = {}) =>
  storeListings(world, [
    {
      trackId: Number(storeId),
      trackName: `Name ${storeId} ${country} ${day}`,
      observedAt: at(day),
      country,
      ...more,
    },
  ])
/** A chart of twelve places; the rank of the app is the day. */
const chart = (country: string, day: number, storeId: string, name: string | null = 'Reed') =>
  importContent(
    world,
    folder,
    'charts',
    Array.from({ length: 12 }, (_, place) => ({
      country,
      chart: 'top-free',
      category: '36',
      capturedAt: at(day),
      rank: place + 1,
      ...(place + 1 === day
        ? { id: Number(storeId), ...(name === null ? {} : { name }) }
        : { id: 8000 + place, name: `Place ${place}` }),
    })),
  )
const missed = (storeId: string, country: string, day: number) =>
  storeReadings(db, [collected('app-page', Buffer.from('gone'), { country, storeId, notFound: true }, at(day))])
async function failCopies(): Promise<void> {
  const pending = await pendingCopies(db, 'post tiktok_1')
  assert.ok(pending.length > 0)
  for (const copy of pending) await recordWhyNoCopy(db, copy, 'failed', 'away')
}
const failure = { at: new Date(at(9)), kind: 'unreachable', message: 'away' } as const
const inJapan = { country: 'jp', kind: 'top-paid', categoryId: 36, device: 'iphone' } as const

const ofUs = [
  'Reed us',
  'Moss us',
  'Fern us',
  'ranks of Reed us',
  'ranks of Moss us',
  'categories us',
  'chart us',
]
const all = Object.keys(asked)
const but = (...names: string[]) => all.filter((name) => !names.includes(name))

/** What is written, and what need not be made again then. */
const writes: [what: string, write: () => Promise<unknown>, left: readonly string[]][] = [
  ['nothing', async () => {}, all],
  [
    'a listing of Moss',
    () => listing(moss, 'us', 2),
    but('Moss us', 'ranks of Moss us', 'categories us', 'chart us'),
  ],
  ['a listing of Reed in jp', () => listing(reed, 'jp', 2), but('Reed jp', 'chart jp')],
  ['its page in jp', () => listing(reed, 'jp', 3, { subtitle: 'Read' }), but('Reed jp', 'chart jp')],
  ['a chart of jp that shows Reed', () => chart('jp', 4, reed), ofUs],
  ['a chart of jp that shows Reed no longer', () => chart('jp', 5, '8100'), ofUs],
  ['a chart of us', () => chart('us', 6, reed), ['Reed jp', 'chart jp']],
  ['Fern in jp for the first time', () => listing(fern, 'jp', 4), but('Fern us', 'chart jp')],
  [
    'a result page of jp',
    () =>
      storePage(world, {
        term: 'reed',
        observedAt: at(5),
        country: 'jp',
        apps: [{ trackId: 4711, trackName: 'Reed' }],
      }),
    ofUs,
  ],
  [
    'a chart of jp that cannot be had',
    () => recordAttempt(db, inJapan, { at: failure.at, outcome: 'failed', message: 'away' }),
    ofUs,
  ],
  [
    'a check in jp that failed',
    () =>
      recordCheckFailures(
        db,
        { kind: 'page', country: 'jp', storeIds: [reed] },
        { at: failure.at, code: failure.kind, message: 'away' },
      ),
    but('Reed jp', 'chart jp'),
  ],
  [
    'one that worked again',
    () => clearCheckFailures(db, { kind: 'page', country: 'jp', storeIds: [reed] }),
    but('Reed jp', 'chart jp'),
  ],
  ['a source that fails in jp', () => recordFailure(db, 'apple-rss-v2', 'jp', failure), ofUs],
  ['one that is well again', () => recordSuccess(db, 'apple-rss-v2', 'jp', new Date(at(10))), ofUs],
  ['a library of ads that fails in jp', () => recordFailure(db, 'meta-ad-library', 'jp', failure), []],
  [
    'estimates of Reed in us',
    () => refreshEstimates(db, { storeId: reed, country: 'us' }, new Date(at(20))),
    but('Reed us'),
  ],
  [
    'a request about Reed in jp',
    () =>
      world.call(
        'request_competitor_data',
        { platform: 'ios', storeId: reed, country: 'jp', kinds: ['charts'] },
        { key },
      ),
    but('Reed jp', 'chart jp'),
  ],
  ['a post', () => importPosts(world, [madePost('1')]), but('Reed us', 'Reed jp', 'Moss us', 'Fern us')],
  ['an ad', () => ads.import({ archiveId: '1' }), but('Reed us', 'Reed jp', 'Moss us', 'Fern us')],
  [
    'a post saved',
    () => world.call('save_organic_content', { postId: 'tiktok_1', note: 'See', tags: ['x'] }, { key }),
    [],
  ],
  [
    'an ad saved',
    () => world.call('save_paid_ad', { platform: 'meta', archiveId: '1' }, { key: otherKey }),
    all,
  ],
  ['copies that are asked for', () => archiveNewMedia(db, { posts: true, ads: true }, 10), all],
  ['a copy that cannot be had', failCopies, all],
  ['copies that are not made', () => declineCopies(db, 'post tiktok_1', 'Not here.'), all],
  [
    'a post that is saved no longer',
    () => world.call('remove_saved_organic_content', { postId: 'tiktok_1' }, { key }),
    all,
  ],
  [
    'a post linked',
    () => operate(world, { command: 'posts link', options: { postIds: ['tiktok_1'], app: reed } }),
    but('Reed us', 'Reed jp', 'Moss us', 'Fern us'),
  ],
  [
    'a site in jp that is an account with posts',
    () => listing(fern, 'jp', 5, { sellerUrl: 'https://www.tiktok.com/@moss' }),
    [],
  ],
  ['Moss that jp does not list', () => missed(moss, 'jp', 6), but('Moss us', 'ranks of Moss us', 'chart jp')],
  ['a listing of Reed in jp again', () => listing(reed, 'jp', 7), but('Reed jp', 'chart jp', 'Moss us')],
  [
    'a chart of us with an app that jp alone names',
    async () => {
      await listing('8200', 'jp', 7)
      await chart('us', 8, '8200', null)
    },
    ['Reed jp'],
  ],
  [
    'its name in jp',
    () => listing('8200', 'jp', 9, { userRatingCount: 5 }),
    but('chart jp', 'chart us', 'Moss us'),
  ],
  ['everything', () => countChange(db, ['other']), []],
  ['a replay', () => replay(db, () => {}, new AbortController().signal), []],
]

before(async () => {
  for (const app of [reed, moss, fern])
    await listing(app, 'us', 1, { primaryGenreId: 6013, genreIds: ['6013'] })
  await listing(reed, 'jp', 1)
  await chart('us', 1, reed)
  await chart('jp', 1, reed)
})

test('what is stored about one storefront or app leaves the replies about others, and none is older than the store', async () => {
  await remembered('the beginning')
  const found: Record<string, string[]> = {}
  for (const [what, write] of writes) {
    await write()
    found[what] = await remembered(what)
  }
  assert.deepEqual(found, Object.fromEntries(writes.map(([what, , left]) => [what, left])))
})

test('what is not known to be about less is about everything: lost rows, other versions, too many changes, another history', async () => {
  const states = new StoreStates(db)
  const replies = new RememberedReplies(states)
  let made = 0
  const isLeft = async () => {
    const before = made
    await replies.get('one', { areas: ['apps'], country: 'us', storeId: reed }, async () => ({
      number: ++made,
    }))
    return made === before
  }
  const inJp = () => countChange(db, [{ area: 'apps', scopes: ['jp'] }])
  await isLeft()
  await inJp()
  assert.equal(await isLeft(), true)
  // As several processes do that end at once.
  await Promise.all(Array.from({ length: 20 }, inJp))
  assert.equal(await isLeft(), true)
  const others: Record<string, () => Promise<unknown>> = {
    'of this app': () => countChange(db, [{ area: 'apps', scopes: ['us 4711'] }]),
    'of this storefront': () => countChange(db, [{ area: 'apps', scopes: ['jp', 'us'] }]),
    'of where this app is known': () => countChange(db, [{ area: 'apps', scopes: ['* 4711'] }]),
    'without a row, as of a process of an older version': () =>
      sql`update evidence_changes set changes = changes + 1, mark = mark + 7 where area = 'apps'`.execute(db),
    'in a new counter, as of a process of an older version': () =>
      sql`insert into evidence_changes (area) values ('apps')`.execute(db),
    'that are too many': async () => {
      for (let index = 0; index < 260; index++) await inJp()
    },
    'whose rows are gone': async () => {
      await inJp()
      await sql`delete from evidence_change_scopes`.execute(db)
    },
    'of a store that was set back': () => sql`delete from evidence_changes where area = 'apps'`.execute(db),
  }
  for (const [what, write] of Object.entries(others)) {
    await write()
    assert.equal(await isLeft(), false, `a change ${what}`)
    await inJp()
    // A new counter is known from the first look on.
    await isLeft()
    await inJp()
    assert.equal(await isLeft(), true, `a change of jp after one ${what}`)
  }
})

/** The areas in which changes of each table are counted; every reply that is remembered names them all. */
const countedIn = new Map<string, readonly ChangeArea[]>(
  (
    [
      ['readings source_health suspect_answers chart_attempts check_failures', ['other']],
      ['work work_requesters data_requests', ['other']],
      ['app_records genre_counts listing_versions listing_sightings rating_observations', ['other', 'apps']],
      ['apple_lists localized_readings localized_texts missed_apps', ['other', 'apps']],
      ['charts chart_ranks chart_snapshots told_ranks removed_months', ['other', 'charts']],
      ['terms term_names term_states result_pages rank_months', ['other', 'keywords']],
      ['search_words described_words localized_search', ['other', 'apps']],
      ['word_weights word_weight_runs archived_media media_objects', ['other']],
      ['posts post_links post_metrics post_authors post_search post_sort_keys', ['other', 'posts']],
      ['ads ad_links ad_search ad_sort_keys ad_creatives ad_grounds ad_observations ad_decisions', ['ads']],
      ['ad_analyses ad_transcripts', ['ads']],
      ['saved_posts saved_ads media_requests', ['accounts']],
      ['estimates calibrations', ['estimates']],
    ] as const
  ).flatMap(([tables, areas]) => tables.split(' ').map((table) => [table, areas] as const)),
)

test('a remembered reply reads no table that is not counted in the areas of its row', async () => {
  const relations = await rows(
    db,
    sql<{ name: string }>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition`,
  )
  const known = new Set(relations.map(({ name }) => name))
  const watched = createDoor(contract, world.store.requests.db, (on) =>
    handlersOn(on, world.enqueue, world.collecting),
  )
  const lacking: string[] = []
  for (const [tool, params, query] of [...Object.values(asked), ...moreAsked]) {
    const statements = await sent.of(() =>
      watched.invoke(tool, { params, query, body: undefined } as never, caller).catch((error) => {
        if (!(error instanceof Problem)) throw error
      }),
    )
    assert.ok(statements.length > 0, `${tool} ${JSON.stringify(query)}`)
    const { areas }: { areas: readonly ChangeArea[] } = rememberedReplies[tool as RememberedReply]
    for (const [, table = ''] of statements.join('\n').matchAll(/\b(?:from|join)\s+"?(\w+)/g)) {
      if (!known.has(table)) continue
      const counted = countedIn.get(table)
      if (!counted?.every((area) => areas.includes(area)))
        lacking.push(`${tool} reads ${table}: ${counted ?? 'nowhere'}`)
    }
  }
  assert.deepEqual([...new Set(lacking)].sort(), [])
})
