import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import type { Caller } from '../src/api/caller.ts'
import { createDoor } from '../src/api/door.ts'
import { getCompetitor } from '../src/api/handlers/competitor-record.ts'
import { handlersOn } from '../src/api/handlers/handlers.ts'
import { Problem } from '../src/api/problem.ts'
import { RememberedReplies } from '../src/api/remembered-replies.ts'
import { restsOf } from '../src/api/rests-of-replies.ts'
import { StoreStates } from '../src/api/store-states.ts'
import { contract } from '../src/contract/contract.ts'
import { accountNamed } from '../src/domain/accounts/queries.ts'
import { appCountsByGenre } from '../src/domain/catalogue/app.ts'
import { clearCheckFailures, recordAttempt, recordCheckFailures } from '../src/domain/collecting/attempts.ts'
import { recordFailure, recordSuccess } from '../src/domain/collecting/health.ts'
import { refreshEstimates } from '../src/domain/estimates/refresh.ts'
import { countChange } from '../src/domain/evidence/changes.ts'
import { endWork, newestWork, requeueWork, startWork } from '../src/domain/work/queries.ts'
import { replay } from '../src/projections/replay.ts'
import { inTransaction, rows } from '../src/storage/database.ts'
import { adsOnFile } from './support/ads-on-file.ts'
import { openFolder } from './support/files.ts'
import { importContent } from './support/imports.ts'
import { storeListings } from './support/listings.ts'
import { type CommandCall, operate } from './support/operator.ts'
import { importPosts, madePost } from './support/posts.ts'
import { storePage } from './support/result-pages.ts'
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
const app = { platform: 'ios', storeId: '4711', country: 'us' } as const
const key = await world.key()
const accountId = (await accountNamed(db, 'default')) ?? assert.fail('There is no account.')

const caller: Caller = {
  accountId,
  credentialId: 'test',
  scopes: new Set(['context:read']),
  bringsEvidence: false,
  door: 'http',
}

/** As replies that depend on everything but what accounts keep. */
const everything = restsOf('suggestions')

const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T06:00:00Z`
const listing = (day: number, more: object = {}) =>
  storeListings(world, [{ trackId: 4711, trackName: `Reed ${day}`, observedAt: at(day), ...more }])
/** A chart of twelve places; the rank of the app is the day. */
const chart = (day: number) =>
  importContent(
    world,
    folder,
    'charts',
    Array.from({ length: 12 }, (_, place) => ({
      country: 'us',
      chart: 'top-free',
      category: '36',
      capturedAt: at(day),
      rank: place + 1,
      ...(place + 1 === day ? { id: 4711, name: 'Reed' } : { id: 8000 + place }),
    })),
  )
const page = (day: number) =>
  storePage(world, { term: 'reed', observedAt: at(day), apps: [{ trackId: 4711, trackName: 'Reed' }] })
const decideAds = (action: string) =>
  world.call('admin_link_paid_ads', { platform: 'meta', action, archiveIds: ['1'], competitor: '4711' })
const command = async (call: CommandCall) => assert.equal((await operate(world, call)).code, 0)
const posts = { postIds: ['tiktok_1'], app: '4711' }
const handle = { network: 'tiktok', handle: 'moss', app: '4711' } as const
const request = (kind: string) => world.call('request_competitor_data', { ...app, kinds: [kind] }, { key })
async function dismiss(): Promise<void> {
  const { body } = await world.call(
    'list_competitor_data_requests',
    { platform: 'ios', storeId: '4711' },
    { key },
  )
  await command({ command: 'requests dismiss', options: { requestId: body.items[0].requestId } })
}
const elsewhere = { kind: 'page', country: 'us', storeIds: ['4711'] } as const
const failure = { at: new Date(at(9)), kind: 'unreachable', message: 'away' } as const
const overall = { country: 'us', kind: 'top-paid', categoryId: 36, device: 'iphone' } as const
const refresh = () => world.call('refresh_competitor_estimates', app, { key })
async function attempt() {
  const work = await newestWork(db, 'estimate-refresh', '4711 us')
  return (await startWork(db, work?.workId ?? '')) ?? assert.fail('There is nothing to do.')
}

/** Every kind of write that the record of an app rests on, made as whoever makes it does. */
const writes: Record<string, () => Promise<unknown>> = {
  'a listing': () => listing(2),
  'its page': () => listing(3, { subtitle: 'Read' }),
  'a chart that cannot be had': () =>
    recordAttempt(db, overall, { at: failure.at, outcome: 'failed', message: 'away' }),
  'a chart': () => chart(4),
  'a chart that comes empty': () =>
    importContent(world, folder, 'charts', [
      { country: 'us', chart: 'top-free', category: '36', capturedAt: at(5), entries: [] },
    ]),
  'a result page': () => page(5),
  'a post': () => importPosts(world, [madePost('1')]),
  'a post linked': () => command({ command: 'posts link', options: posts }),
  'that taken back': () => command({ command: 'posts withdraw', options: posts }),
  'a handle declared': () => command({ command: 'handles declare', options: handle }),
  'that removed': () => command({ command: 'handles remove', options: handle }),
  'an ad': () => ads.import({ archiveId: '1' }),
  'an ad linked': () => decideAds('link'),
  'an ad unlinked': () => decideAds('unlink'),
  'a request of data': () => request('charts'),
  'a request made again': () => request('charts'),
  'a request dismissed': dismiss,
  'a request opened again': () => request('charts'),
  'a request fulfilled': () => chart(6),
  'a check that failed': () =>
    recordCheckFailures(db, elsewhere, { at: failure.at, code: failure.kind, message: 'away' }),
  'a check that worked again': () => clearCheckFailures(db, elsewhere),
  'a source that fails': () => recordFailure(db, 'itunes-lookup', 'us', failure),
  'a source that is well again': () => recordSuccess(db, 'itunes-lookup', 'us', new Date(at(10))),
  'a refresh that fails': async () => {
    await refresh()
    await endWork(db, await attempt(), { status: 'failed', result: {}, error: { code: 'x', message: 'x' } })
  },
  'another refresh': refresh,
  'a refresh that is put back': async () => requeueWork(db, await attempt(), { code: 'x', message: 'x' }),
  estimates: () => refreshEstimates(db, app, new Date(at(20))),
  'a replay': () => replay(db, () => {}, new AbortController().signal),
}

/** The chart and the history as they are answered, beside those of a door that remembers nothing. */
async function chartsAreNew(what: string): Promise<void> {
  const anew = createDoor(contract, db, (on) => handlersOn(on, world.enqueue, world.collecting))
  for (const [tool, params, query] of [
    ['get_apple_charts', {}, { country: 'us' }],
    ['get_apple_chart_history', { storeId: '4711' }, { country: 'us', from: '2026-03-01', to: '2026-03-12' }],
  ] as const) {
    const { status, body } = await world.call(tool, { ...params, ...query }, { key })
    try {
      const made = await anew.invoke(tool, { params, query, body: undefined }, caller)
      assert.deepEqual(body, JSON.parse(JSON.stringify(made.body)), `${tool} after ${what}`)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      assert.equal(body.code, error.code, `${tool} after ${what}: ${status}`)
    }
  }
}

test('replies are never older than the store, whatever is written between two reads', async () => {
  await listing(1)
  const unnoticed: string[] = []
  let before = await world.call('get_competitor', app, { key })
  for (const [what, write] of Object.entries(writes)) {
    await write()
    const after = await world.call('get_competitor', app, { key })
    const made = await getCompetitor(db, accountId, app, () => {})
    const { asOf: _, ...record } = after.body
    assert.deepEqual(record, JSON.parse(JSON.stringify(made)), what)
    const { body } = await world.call('list_competitor_categories', { country: 'us' }, { key })
    const counts = await appCountsByGenre(db, 'us')
    for (const { categoryId, apps } of body.items) assert.equal(apps, counts.get(Number(categoryId)) ?? 0, what)
    await chartsAreNew(what)
    if (after.headers.etag === before.headers.etag) unnoticed.push(what)
    before = after
  }
  // The record says nothing of charts that came empty. Whether a refresh waits for the first or the second time is no part of the record, and a replay makes the same one.
  assert.deepEqual(unnoticed, ['a chart that comes empty', 'a refresh that is put back', 'a replay'])
})

test('a record is made once, for all who ask at once and until something is stored; one account never gets that of another', async () => {
  const replies = new RememberedReplies(new StoreStates(db))
  let made = 0
  const get = (name: string) => replies.get(name, everything, async () => ({ number: ++made }))
  const first = await Promise.all(Array.from({ length: 20 }, () => get('one')))
  assert.deepEqual([made, new Set(first).size], [1, 1])
  assert.equal((await get('one')).number, 1)
  assert.equal((await get('another')).number, 2)
  await countChange(db, ['other'])
  assert.equal((await get('one')).number, 3)
})

test('replies that were not asked for the longest make room where all together are too long', async () => {
  const replies = new RememberedReplies(new StoreStates(db))
  const made: number[] = []
  const get = (number: number) =>
    replies.get(`${number}`, everything, async () => {
      made.push(number)
      return { text: 'x'.repeat(4_000_000) }
    })
  for (const number of [1, 2, 3, 1, 4, 1, 3, 4, 2]) await get(number)
  assert.deepEqual(made, [1, 2, 3, 4, 2])
})

test('a store that was set back and changed in another way is not taken for the same', async () => {
  const replies = new RememberedReplies(new StoreStates(db))
  const get = (reply: string) => replies.get('one', everything, async () => ({ reply }))
  await countChange(db, ['apps'])
  const before = await rows(db, sql`select * from evidence_changes`)
  await countChange(db, ['apps'])
  assert.deepEqual(await get('of the state that is lost'), { reply: 'of the state that is lost' })
  await inTransaction(db, async (transaction) => {
    await sql`delete from evidence_changes`.execute(transaction)
    await sql`
      insert into evidence_changes
      select * from json_populate_recordset(null::evidence_changes, ${JSON.stringify(before)}::json)`.execute(
      transaction,
    )
  })
  await countChange(db, ['apps'])
  assert.deepEqual(await get('of the state that is there'), { reply: 'of the state that is there' })
})

test('what could not be made is made again', async () => {
  const replies = new RememberedReplies(new StoreStates(db))
  await assert.rejects(
    replies.get('one', everything, () => Promise.reject(new Error('no'))),
    /no/,
  )
  assert.deepEqual(await replies.get('one', everything, async () => ({ made: true })), { made: true })
})

test('a refusal is told only to the account that it is about, also where two ask at once', async () => {
  const unknown = { platform: 'ios', storeId: '8800000001', country: 'us' } as const
  const [ann, bee] = [await world.key(undefined, 'ann'), await world.key(undefined, 'bee')]
  await world.call('request_ios_competitor', { app: unknown.storeId, country: 'us' }, { key: ann })
  for (const tool of ['get_apple_chart_history', 'get_competitor'] as const) {
    const input = tool === 'get_competitor' ? unknown : { storeId: unknown.storeId, country: 'us' }
    const ask = async (of: string) => (await world.call(tool, input, { key: of })).body.detail as string
    const alone = [await ask(ann), await ask(bee)]
    assert.notEqual(alone[0], alone[1], 'only one of the two has asked for the app')
    for (let round = 0; round < 20; round++) {
      const asked = round % 2 === 0 ? [ann, bee] : [bee, ann]
      const told = await Promise.all(asked.map(ask))
      assert.deepEqual(round % 2 === 0 ? told : told.toReversed(), alone, `${tool}, round ${round}`)
    }
  }
})

test('what one request is refused is made again for the others that waited for it', async () => {
  const replies = new RememberedReplies(new StoreStates(db))
  let asked = 0
  const refuse = () => Promise.reject(new Problem('competitor-not-found', `number ${++asked}`))
  await Promise.allSettled([1, 2, 3].map(() => replies.get('refused', everything, refuse)))
  assert.equal(asked, 3)
})
