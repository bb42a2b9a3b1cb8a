import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { appRefreshShape, appRefreshShapes, keywordRefreshShape } from '../../src/api/handlers/aso-refresh.ts'
import { accountNamed } from '../../src/domain/accounts/queries.ts'

import { dayNumber } from '../../src/domain/aso/pages/rank-days.ts'
import { ranksByTermAndDay } from '../../src/domain/aso/pages/rank-queries.ts'
import { idsOfKnownTerms } from '../../src/domain/aso/pages/term-queries.ts'
import { rows } from '../../src/storage/database.ts'
import type { Store } from '../../src/storage/store.ts'
import { storefrontDay } from '../../src/vocabulary/storefront-day.ts'
import { asked, jobsOf, lookAtSchedule, openCollecting, patient } from '../support/collecting.ts'
import { storeTracked } from '../support/tracking.ts'
import { until } from '../support/until.ts'
import { openWorld, type World } from '../support/world.ts'

const [lantern = '', harbour = ''] = ['8000000001', '8000000002']
const keywords = ['lantern', 'harbour', 'chat', 'budget', 'puzzle']

/** The state of a refresh, as the workstation shows it. */
const refreshOf = (world: World, appId: string) => appRefreshShape(world.store.db, world.collecting, appId)

/** Waits until the refresh of an app has ended. */
const ended = (world: World, appId: string) =>
  until(
    () => refreshOf(world, appId),
    (refresh) => refresh?.finishedAt != null,
  )

const searchesFor = (apple: { requests: { path: string }[] }, term: string) =>
  apple.requests.filter(({ path }) => path.startsWith(`/search?term=${encodeURIComponent(term)}&`)).length

/** As if everything stored and asked for had been so this much earlier. */
async function earlier({ store }: World, hours: number): Promise<void> {
  await sql`
    update term_states
    set page_at = (page_at at time zone 'UTC' - ${hours} * interval '1 hour') at time zone 'UTC'`.execute(
    store.db,
  )
  await sql`update work set created_at = created_at - ${hours} * interval '1 hour'`.execute(store.db)
}

/** Waits until the queue has put a failed job back, and has it tried again at once. */
async function retryNow({ db }: Store, name: string): Promise<void> {
  await until(
    () =>
      rows(
        db,
        sql`update pgboss.job set start_after = now() where name = ${name} and state = 'retry' returning id`,
      ),
    (jobs) => jobs.length > 0,
  )
}

/** Where an app stands today. */
async function rankToday({ store }: World, storeId: string, term: string): Promise<number | undefined> {
  const termId = (await idsOfKnownTerms(store.db, 'us', [term])).get(term) ?? 0
  const today = storefrontDay('us', new Date())
  const days = await ranksByTermAndDay(store.db, storeId, 'us', [termId], today, today)
  return days.get(termId)?.at(dayNumber(today))
}

describe('The refresh of a tracked app', { concurrency: 4 }, () => {
  test('searches once for each keyword, which ranks the app and its rivals alike', async () => {
    await using opened = await openCollecting()
    const { world, apple } = opened
    const appId = await storeTracked(world, { storeId: lantern, keywords })
    await storeTracked(world, { storeId: harbour, role: 'rival' })
    const { status, body } = await world.call('refresh_aso_app', { appId })
    assert.equal(status, 202)
    assert.deepEqual([body.searches, body.skipped, body.failures], [5, 0, []])
    const refresh = await ended(world, appId)
    assert.equal(refresh?.status, 'succeeded')
    assert.deepEqual(refresh?.progress, { done: 5, total: 5, unit: 'keywords' })
    assert.equal(refresh?.expectedSeconds, null)
    assert.equal(asked(apple, '/search').length, 5)
    assert.equal(await rankToday(world, lantern, 'chat'), 1)
    assert.equal(await rankToday(world, harbour, 'chat'), 2)
    const [lookup] = asked(apple, '/lookup')
    assert.match(lookup ?? '', new RegExp(`id=${lantern}(,|%2C)${harbour}`))
  })

  test('asks what Apple suggests once half of a keyword is typed, and not again within a week', async () => {
    await using opened = await openCollecting()
    const { world, apple } = opened
    const appId = await storeTracked(world, { storeId: lantern, keywords: ['lantern chat', 'lantern game'] })
    await world.call('refresh_aso_app', { appId })
    await ended(world, appId)
    const typed = asked(apple, '/WebObjects').map((path) => new URL(path, apple.url).searchParams.get('term'))
    assert.deepEqual(typed, ['lanter'])
    await earlier(world, 2)
    await world.call('refresh_aso_app', { appId })
    await ended(world, appId)
    assert.equal(asked(apple, '/WebObjects').length, 1)
    assert.equal(asked(apple, '/search').length, 4)
  })

  test('is one work however often it is asked for, and tells beforehand how long it takes', async () => {
    await using world = await openWorld({
      sources: { itunes: { callsPerMinute: 20 }, 'apple-search-hints': { callsPerMinute: 20 } },
    })
    const many = Array.from({ length: 500 }, (_, at) => `keyword ${at}`)
    const appId = await storeTracked(world, { storeId: lantern, keywords: many })
    const first = await world.call('refresh_aso_app', { appId })
    const again = await world.call('refresh_aso_app', { appId })
    assert.equal(again.body.createdAt, first.body.createdAt)
    assert.equal((await jobsOf(world, 'aso-refresh')).length, 1)
    assert.deepEqual([first.body.searches, first.body.searchesPerMinute], [500, 20])
    assert.equal(first.body.expectedSeconds, 501 * 3)
    const next = await storeTracked(world, { storeId: harbour, keywords: ['one more'] })
    const behind = await world.call('refresh_aso_app', { appId: next })
    assert.equal(
      behind.body.expectedSeconds,
      4 * 3,
      'a look-up and a search, taking turns with the other refresh',
    )
    const beside = await world.call('refresh_aso_app', { appId })
    assert.equal(beside.body.expectedSeconds, 503 * 3)
  })

  test('passes over keywords with a page younger than an hour, whoever asked for it', async () => {
    await using opened = await openCollecting()
    const { world, apple } = opened
    await world.collecting.collector.search('chat', 'us', patient)
    const appId = await storeTracked(world, { storeId: lantern, keywords: ['chat', 'budget'] })
    const { body } = await world.call('refresh_aso_app', { appId })
    assert.deepEqual([body.searches, body.skipped], [1, 1])
    await ended(world, appId)
    assert.equal(asked(apple, '/search').length, 2)
    await earlier(world, 2)
    assert.equal((await world.call('refresh_aso_app', { appId })).body.searches, 2)
    await ended(world, appId)
  })

  test('shares its searches with the refreshes of other accounts', async () => {
    await using opened = await openCollecting()
    const { world, apple } = opened
    const mine = await storeTracked(world, { storeId: lantern, keywords })
    const theirs = await storeTracked(world, {
      storeId: harbour,
      keywords: [...keywords, 'anchor'],
      account: 'other',
    })
    await world.call('refresh_aso_app', { appId: mine })
    await world.call('refresh_aso_app', { appId: theirs }, { key: await world.key(undefined, 'other') })
    await ended(world, mine)
    assert.deepEqual((await ended(world, theirs))?.progress, { done: 6, total: 6, unit: 'keywords' })
    assert.equal(asked(apple, '/search').length, 6)
    const shown = await appRefreshShapes(world.store.db, world.collecting, [mine, theirs, lantern])
    assert.deepEqual(new Set(shown.keys()), new Set([mine, theirs]))
  })

  test('takes keywords along that are added while it is under way', async () => {
    await using opened = await openCollecting({}, { callsPerMinute: 120 })
    const { world } = opened
    const appId = await storeTracked(world, { storeId: lantern, keywords: ['lantern', 'chat'] })
    await world.call('refresh_aso_app', { appId })
    await until(
      () => refreshOf(world, appId),
      (refresh) => refresh?.progress?.done === 1,
    )
    await sql`
      with added as (insert into term_names (country, term, half) values ('us', 'budget', 'bud') returning term_id)
      insert into tracked_keywords (keyword_id, app_id, term_id)
      select '01995a1f-07aa-7d3e-b1c2-7e45f0a9d862', ${appId}, term_id from added`.execute(world.store.db)
    assert.deepEqual((await ended(world, appId))?.progress, { done: 3, total: 3, unit: 'keywords' })
  })

  test('reads the listing of an app without keywords', async () => {
    await using opened = await openCollecting()
    const { world, apple } = opened
    const appId = await storeTracked(world, { storeId: lantern })
    await world.call('refresh_aso_app', { appId })
    assert.equal((await ended(world, appId))?.status, 'succeeded')
    assert.deepEqual([asked(apple, '/lookup').length, asked(apple, '/search').length], [1, 0])
  })

  test('goes on past a keyword whose answer cannot be read, and says which it was', async () => {
    await using opened = await openCollecting()
    const { world, apple } = opened
    const appId = await storeTracked(world, { storeId: lantern, keywords })
    apple.behave('/search?term=chat&', { does: 'html' }, 1)
    await world.call('refresh_aso_app', { appId })
    const refresh = await ended(world, appId)
    assert.equal(refresh?.status, 'partial')
    assert.deepEqual(refresh?.progress, { done: 4, total: 5, unit: 'keywords' })
    assert.deepEqual(
      refresh?.failures.map(({ term, code }) => [term, code]),
      [['chat', 'not-json']],
    )
    assert.match(refresh?.lastError?.message ?? '', /^1 keyword has no new page \("chat"\)/)
    await world.call('refresh_aso_app', { appId })
    const again = await ended(world, appId)
    assert.deepEqual([again?.status, again?.searches, again?.skipped, again?.failures], ['succeeded', 1, 4, []])
    assert.equal(searchesFor(apple, 'chat'), 2)
    assert.equal(searchesFor(apple, 'budget'), 1)
  })

  test('does not take an empty answer after results for absence, and has it asked again later', async () => {
    await using opened = await openCollecting()
    const { world, apple } = opened
    const appId = await storeTracked(world, { storeId: lantern, keywords: ['chat', 'budget'] })
    await world.call('refresh_aso_app', { appId })
    await ended(world, appId)
    await earlier(world, 2)
    apple.behave('/search?term=chat&', { does: 'empty' })
    await world.call('refresh_aso_app', { appId })
    const refresh = await ended(world, appId)
    assert.equal(refresh?.status, 'partial')
    assert.deepEqual(
      refresh?.failures.map(({ term, code }) => [term, code]),
      [['chat', 'suspect-empty']],
    )
    assert.equal(await rankToday(world, lantern, 'chat'), 1)
    assert.equal((await jobsOf(world, 'collect-term')).length, 1)
  })

  test('waits while Apple throttles, and goes on with what is missing', async () => {
    await using opened = await openCollecting()
    const { world, apple } = opened
    const appId = await storeTracked(world, { storeId: lantern, keywords })
    apple.behave('/search?term=chat&', { does: 'throttle', status: 429, retryAfter: '1' }, 1)
    await world.call('refresh_aso_app', { appId })
    const refresh = await ended(world, appId)
    assert.deepEqual([refresh?.status, refresh?.attempts, refresh?.failures], ['succeeded', 1, []])
    const [first, second] = apple.requests.filter(({ path }) => path.startsWith('/search?term=chat&'))
    assert.ok((second?.at ?? 0) - (first?.at ?? 0) >= 1_000)
    assert.equal(asked(apple, '/search').length, 6)
  })

  test('leaves a source that fails again and again alone, and tries later', async () => {
    await using opened = await openCollecting()
    const { world, apple } = opened
    const appId = await storeTracked(world, { storeId: lantern, keywords })
    apple.behave('/search', { does: 'unavailable' })
    await world.call('refresh_aso_app', { appId })
    const waiting = await until(
      () => refreshOf(world, appId),
      (refresh) => refresh?.lastError != null,
    )
    assert.equal(waiting?.status, 'queued')
    assert.equal(waiting?.lastError?.code, 'unavailable')
    assert.equal(waiting?.failures.length, 3)
    assert.equal(asked(apple, '/search').length, 3)
    apple.recover()
    await retryNow(world.store, 'aso-refresh')
    const refresh = await ended(world, appId)
    assert.deepEqual([refresh?.status, refresh?.attempts, refresh?.failures], ['succeeded', 2, []])
    assert.equal(asked(apple, '/search').length, 8)
  })

  test('says what is missing when the last attempt fails too', async () => {
    await using opened = await openCollecting()
    const { world, apple } = opened
    const appId = await storeTracked(world, { storeId: lantern, keywords })
    apple.behave('/search', { does: 'unavailable' })
    await world.call('refresh_aso_app', { appId })
    await until(
      () => refreshOf(world, appId),
      (refresh) => refresh?.lastError != null,
    )
    await sql`update work set attempts = 9`.execute(world.store.db)
    await retryNow(world.store, 'aso-refresh')
    const refresh = await ended(world, appId)
    assert.equal(refresh?.status, 'partial')
    assert.match(
      refresh?.lastError?.message ?? '',
      /^5 keywords have no new page \(.*, …\)\. The last failure: itunes \(us\)/,
    )
  })

  test('ends when its app is removed, but for keywords that others track', async () => {
    await using opened = await openCollecting({}, { callsPerMinute: 120 })
    const { world, apple } = opened
    const appId = await storeTracked(world, { storeId: lantern, keywords })
    await storeTracked(world, { storeId: harbour, keywords: ['puzzle'], account: 'other' })
    await world.call('refresh_aso_app', { appId })
    await until(
      async () => asked(apple, '/search').length,
      (searches) => searches > 0,
    )
    await sql`delete from tracked_apps where app_id = ${appId}`.execute(world.store.db)
    await until(
      async () => searchesFor(apple, 'puzzle'),
      (searches) => searches === 1,
    )
    assert.ok(asked(apple, '/search').length < keywords.length)
  })

  test('is refused for an app of another account, which is as if it were not there', async () => {
    await using world = await openWorld()
    const appId = await storeTracked(world, { storeId: lantern, keywords, account: 'other' })
    const reply = await world.call('refresh_aso_app', { appId })
    assert.deepEqual([reply.status, reply.body.code], [404, 'tracked-app-not-found'])
    assert.deepEqual(await jobsOf(world, 'aso-refresh'), [])
  })

  test('is asked for by the schedule, for apps whose pages are old', async () => {
    await using opened = await openCollecting({ schedule: { keywords: { everyHours: 24 } } })
    const { world, apple } = opened
    const appId = await storeTracked(world, { storeId: lantern, keywords: ['chat'] })
    const idle = await storeTracked(world, { storeId: harbour })
    await lookAtSchedule(world)
    assert.equal((await ended(world, appId))?.status, 'succeeded')
    await lookAtSchedule(world)
    assert.equal((await jobsOf(world, 'aso-refresh')).length, 1)
    assert.equal(await refreshOf(world, idle), null, 'without keywords nothing is due')
    await earlier(world, 25)
    await lookAtSchedule(world)
    await until(
      async () => asked(apple, '/search').length,
      (searches) => searches === 2,
    )
    await ended(world, appId)
  })
})

const keyword = async ({ store: { db }, collecting }: World, term: string) =>
  keywordRefreshShape(db, collecting, (await accountNamed(db, 'default')) ?? '', { country: 'us', term })

const keywordEnded = (world: World, term: string) =>
  until(
    () => keyword(world, term),
    (refresh) => refresh?.finishedAt != null,
  )

describe('The refresh of a keyword', { concurrency: true }, () => {
  test('is one search and what is suggested at four steps of typing it', async () => {
    await using opened = await openCollecting()
    const { world, apple } = opened
    const { status, body } = await world.call('refresh_aso_keyword', { query: '  Lantern  CHAT ' })
    assert.deepEqual([status, body.term, body.country], [202, 'lantern chat', 'us'])
    const refresh = await keywordEnded(world, 'lantern chat')
    assert.deepEqual(refresh?.progress, { done: 5, total: 5, unit: 'requests' })
    assert.deepEqual(
      asked(apple, '/WebObjects').map((path) => new URL(path, apple.url).searchParams.get('term')),
      ['lan', 'lanter', 'lantern c', 'lantern chat'],
    )
    const [scored] = await rows(
      world.store.db,
      sql<{ autocomplete: number }>`select autocomplete from terms where term = 'lantern chat'`,
    )
    assert.ok((scored?.autocomplete ?? 0) > 0)
  })

  test('is one work, whoever asks for it', async () => {
    await using world = await openWorld({
      sources: { itunes: { callsPerMinute: 20 }, 'apple-search-hints': { callsPerMinute: 20 } },
    })
    const first = await world.call('refresh_aso_keyword', { query: 'chat' })
    const other = await world.key(undefined, 'other')
    const second = await world.call('refresh_aso_keyword', { query: 'CHAT' }, { key: other })
    assert.deepEqual(second.body, first.body)
    assert.equal(first.body.expectedSeconds, 9, 'three beginnings at twenty a minute')
    assert.equal((await jobsOf(world, 'keyword-refresh')).length, 1)
    const german = await world.call('refresh_aso_keyword', { query: 'chat', country: 'de' })
    assert.equal(german.body.country, 'de')
  })

  test('asks again after an empty answer where there were results', async () => {
    await using opened = await openCollecting()
    const { world, apple } = opened
    await world.collecting.collector.search('chat', 'us', patient)
    apple.behave('/search', { does: 'empty' }, 1)
    await world.call('refresh_aso_keyword', { query: 'chat' })
    const waiting = await until(
      () => keyword(world, 'chat'),
      (refresh) => refresh?.lastError != null,
    )
    assert.deepEqual([waiting?.status, waiting?.lastError?.code], ['queued', 'suspect-empty'])
    assert.deepEqual(waiting?.progress, { done: 3, total: 4, unit: 'requests' })
    await retryNow(world.store, 'keyword-refresh')
    assert.equal((await keywordEnded(world, 'chat'))?.status, 'succeeded')
    assert.equal(asked(apple, '/WebObjects').length, 3, 'what was answered is not asked again')
    assert.equal(await rankToday(world, lantern, 'chat'), 1)
  })

  test('is refused for what nobody can search for', async () => {
    await using world = await openWorld()
    for (const query of ['🚀🚀', '…', '\u200b']) {
      const { status, body } = await world.call('refresh_aso_keyword', { query })
      assert.deepEqual([status, body.code, body.errors?.[0]?.pointer], [400, 'invalid-request', '/path/query'])
    }
    const country = await world.call('refresh_aso_keyword', { query: 'chat', country: 'zz' })
    assert.equal(country.status, 400)
  })
})
