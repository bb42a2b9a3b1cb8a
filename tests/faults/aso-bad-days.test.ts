import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { appRefreshShape } from '../../src/api/handlers/aso-refresh.ts'

import { dayNumber } from '../../src/domain/aso/pages/rank-days.ts'
import { ranksByTermAndDay } from '../../src/domain/aso/pages/rank-queries.ts'
import { idsOfKnownTerms } from '../../src/domain/aso/pages/term-queries.ts'
import { appRefresh, askForAppRefresh } from '../../src/domain/aso/tracking/refresh.ts'
import { newestWork } from '../../src/domain/work/queries.ts'
import { openQueue } from '../../src/jobs/open-queue.ts'
import { enqueueOn } from '../../src/jobs/queue.ts'
import { replay } from '../../src/projections/replay.ts'
import { type Database, firstRow } from '../../src/storage/database.ts'
import type { Store } from '../../src/storage/store.ts'
import { storefrontDay } from '../../src/vocabulary/storefront-day.ts'
import { playedSources, startApple } from '../support/apple.ts'
import { assertPagesAgree } from '../support/aso-invariants.ts'
import { asked, openCollecting, patient, sourcesTold } from '../support/collecting.ts'
import { start } from '../support/command-line.ts'
import { cuttableWayTo } from '../support/cuttable-way.ts'
import { openFolder } from '../support/files.ts'
import { run } from '../support/in-process.ts'
import { openInstallation } from '../support/installation.ts'
import { pause } from '../support/pause.ts'
import { appsOf, storePage, storePages } from '../support/result-pages.ts'
import { storeTracked as track } from '../support/tracking.ts'
import { until } from '../support/until.ts'
import { startWork } from '../support/worker.ts'
import { openWorld, type World } from '../support/world.ts'

const [lantern = '', harbour = ''] = ['8000000001', '8000000002']
const keywords = ['lantern', 'harbour', 'chat', 'budget', 'puzzle']

/** Asks for a refresh and waits until it has ended. */
async function refreshed(world: World, appId: string) {
  await world.call('refresh_aso_app', { appId })
  return until(
    () => appRefreshShape(world.store.db, world.collecting, appId),
    (refresh) => refresh?.finishedAt != null,
  )
}

/** As if every page had been captured, and everything asked for, two hours earlier; days stay. */
async function twoHoursLater({ db }: Store): Promise<void> {
  const earlier = (table: string, columns: readonly string[]) =>
    sql`update ${sql.table(table)} set ${sql.join(
      columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(column)} - interval '2 hours'`),
    )}`.execute(db)
  await earlier('term_states', ['page_at', 'first_results_at'])
  await earlier('result_pages', ['captured_at'])
  await earlier('newest_pages', ['captured_at'])
  await earlier('readings', ['observed_at'])
  await earlier('work', ['created_at'])
}

/** Where an app stands today, by term. */
async function ranksToday({ store }: World, storeId: string, country = 'us') {
  const ids = await idsOfKnownTerms(store.db, country, keywords)
  const today = storefrontDay(country, new Date())
  const days = await ranksByTermAndDay(store.db, storeId, country, [...ids.values()], today, today)
  return Object.fromEntries(
    [...ids].map(([term, termId]) => [term, days.get(termId)?.at(dayNumber(today)) ?? null]),
  )
}

describe('An Apple that lies', { concurrency: true }, () => {
  test('with nothing for every term: nothing becomes an absence, and the workstation says what is missing', async () => {
    await using opened = await openCollecting()
    const { world, apple } = opened
    const appId = await track(world, { storeId: lantern, keywords })
    await refreshed(world, appId)
    const before = await ranksToday(world, lantern)
    assert.equal(before.chat, 1)
    await twoHoursLater(world.store)
    apple.behave('/search', { does: 'empty' })
    const refresh = await refreshed(world, appId)
    assert.equal(refresh?.status, 'partial')
    assert.deepEqual(
      refresh?.failures.map(({ term, code }) => `${term} ${code}`).toSorted(),
      keywords.map((term) => `${term} suspect-empty`).toSorted(),
    )
    assert.deepEqual(await ranksToday(world, lantern), before)
    const { body } = await world.call('get_aso_workstation', { appId })
    assert.equal(body.visibility.measured, keywords.length)
    assert.deepEqual(body.distribution.notMeasured, 0)
    const pages = await assertPagesAgree(world.store.db)
    assert.equal(pages, 2 * keywords.length, 'the empty answers are kept')
    apple.recover()
    await twoHoursLater(world.store)
    assert.equal((await refreshed(world, appId))?.status, 'succeeded')
    await assertPagesAgree(world.store.db)
  })

  test('with three results where two hundred were: nobody left, nothing became easy, and replies say why', async () => {
    await using world = await openWorld()
    const ids = Array.from({ length: 200 }, (_, at) => at + 1)
    const day = { term: 'chat', observedAt: '2024-05-01T12:00:00Z', apps: appsOf(ids) }
    const short = { term: 'chat', observedAt: '2024-05-02T12:00:00Z', apps: appsOf([2, 1, 3]) }
    await storePages(world, [day])
    const { body: whole } = await world.call('explore_aso_keyword', { query: 'chat' })
    await storePages(world, [short])
    const appIds = new Map<number, string>()
    for (const storeId of [2, 50, 500])
      appIds.set(storeId, await track(world, { storeId: String(storeId), keywords: ['chat'] }))
    const rankOf = async (storeId: number) => {
      const appId = appIds.get(storeId)
      const { body } = await world.call('get_aso_workstation', { appId })
      const [{ rank, over1Day, series }] = body.keywords
      return { rank, over1Day, newest: series.at(-1), window: body.window.to, trouble: body.trouble }
    }
    const second = await rankOf(2)
    assert.deepEqual(second.rank, { state: 'measured', value: 2, depth: 200 })
    const fiftieth = await rankOf(50)
    assert.deepEqual(fiftieth.rank, { state: 'measured', value: 50, depth: 200 })
    assert.deepEqual([fiftieth.newest, fiftieth.window], [50, '2024-05-01'])
    assert.deepEqual(fiftieth.over1Day, { state: 'not-measured', reason: 'no-snapshot' })
    assert.deepEqual((await rankOf(500)).rank, { state: 'absent', depth: 200 })
    assert.equal(fiftieth.trouble[0].kind, 'suspect-empty')
    const { body } = await world.call('explore_aso_keyword', { query: 'chat' })
    assert.deepEqual([body.changes, body.pagesStored], [[], 2], 'the page is kept')
    assert.deepEqual(body.difficulty, whole.difficulty)
    assert.equal(body.difficulty.observedAt, '2024-05-01T12:00:00.000Z')
    assert.match(body.trouble[0].text, /far fewer results than before for term chat \(3 after 200\): ranks and/)
    await assertPagesAgree(world.store.db)

    // Minutes later it is the same fault; the next day it is how the term is.
    const later = (observedAt: string) => storePage(world, { ...short, observedAt })
    await later('2024-05-02T12:20:00Z')
    assert.equal((await rankOf(50)).window, '2024-05-01')
    await later('2024-05-03T12:00:00Z')
    assert.deepEqual((await rankOf(50)).rank, { state: 'absent', depth: 3 })
    const { body: believed } = await world.call('explore_aso_keyword', { query: 'chat' })
    assert.deepEqual([believed.trouble, believed.difficulty.results], [[], 3])
    assert.match(believed.difficulty.parts[0].text, /7 of the first 10 places are empty/)
    await assertPagesAgree(world.store.db)

    // A whole page between the two, however late it comes, takes the confirmation back.
    await storePage(world, { ...day, observedAt: '2024-05-02T13:00:00Z' })
    assert.deepEqual((await rankOf(50)).rank, { state: 'measured', value: 50, depth: 200 })
    await assertPagesAgree(world.store.db)
  })

  test('with a few results for a term while the caller waits: the page before is shown, and the term is asked again', async () => {
    await using opened = await openCollecting()
    const { world, apple } = opened
    const appId = await track(world, { storeId: lantern, keywords: ['chat'] })
    const serve = (count: number) => {
      const apps = appsOf(Array.from({ length: count }, (_, at) => at + 1))
      apple.behave('/search', {
        does: 'serve',
        body: answer(apps.map((app) => ({ kind: 'software', ...app }))),
      })
    }
    serve(120)
    await world.call('search_ios_apps', { term: 'chat' })
    serve(5)
    const { body } = await world.call('search_ios_apps', { term: 'chat' })
    assert.deepEqual([body.answeredFrom, body.reason, body.depth], ['stored', 'suspect-empty', 120])
    assert.match(body.detail, /^Apple answered with far fewer results than before, so this is the page of /)
    await twoHoursLater(world.store)
    const refresh = await refreshed(world, appId)
    assert.deepEqual(
      [refresh?.status, refresh?.failures.map(({ code, message }) => `${code}: ${message}`)],
      ['partial', ['suspect-empty: "chat" (us) answered with far fewer results than before']],
    )
    assert.match(await sourcesTold(world), /^suspect +us .*1 answering with far less than before, since 20/m)
    serve(110)
    await twoHoursLater(world.store)
    assert.equal((await refreshed(world, appId))?.status, 'succeeded')
    assert.doesNotMatch(await sourcesTold(world), /suspect/)
    await assertPagesAgree(world.store.db)
  })

  test('with one page for all terms, or the apps of another storefront: each is kept where it was asked for', async () => {
    await using opened = await openCollecting()
    const { world, apple } = opened
    const mine = await track(world, { storeId: lantern, keywords })
    const theirs = await track(world, { storeId: lantern, country: 'jp', keywords: ['chat'] })
    await refreshed(world, mine)
    await refreshed(world, theirs)
    const japanese = await ranksToday(world, lantern, 'jp')
    const results = appsOf([77, 78, Number(harbour), 78]).map((app) => ({ kind: 'software', ...app }))
    apple.behave('/search', { does: 'serve', body: JSON.stringify({ resultCount: 4, results }) })
    await twoHoursLater(world.store)
    assert.equal((await refreshed(world, mine))?.status, 'succeeded')
    assert.deepEqual(
      await ranksToday(world, harbour),
      Object.fromEntries(keywords.map((term) => [term, 3])),
      'an app that stands twice takes both places, and the rank of the first',
    )
    assert.deepEqual(await ranksToday(world, lantern), Object.fromEntries(keywords.map((term) => [term, null])))
    assert.deepEqual(await ranksToday(world, lantern, 'jp'), japanese)
    await assertPagesAgree(world.store.db)
  })

  test('by throttling for minutes: a refresh waits, and a live search answers at once from what is stored', async () => {
    await using opened = await openCollecting()
    const { world, apple } = opened
    await world.collecting.collector.search('chat', 'us', patient)
    const others = keywords.filter((term) => term !== 'chat')
    const appId = await track(world, { storeId: lantern, keywords: others })
    apple.behave('/search', { does: 'throttle', status: 403, retryAfter: '3600' })
    await world.call('refresh_aso_app', { appId })
    const held = await until(
      () =>
        firstRow(
          world.store.db,
          sql<{ held: Date }>`select held_until as held from upstream_rate_limits where held_until > now()`,
        ),
      (pace) => pace !== undefined,
    )
    assert.ok(held)
    const { status, body } = await world.call('search_ios_apps', { term: 'chat' })
    assert.deepEqual([status, body.answeredFrom, body.reason], [200, 'stored', 'source-throttled'])
    assert.equal(body.items[0].app.storeId, lantern)
    const refresh = await appRefreshShape(world.store.db, world.collecting, appId)
    assert.equal(refresh?.finishedAt ?? null, null)
    const chats = asked(apple, '/search').filter((path) => /[?&]term=chat(&|$)/.test(path))
    assert.equal(chats.length, 1, 'nobody asks while Apple wants to be left alone')
    await assertPagesAgree(world.store.db)
  })
})

const many = Array.from({ length: 40 }, (_, at) => `${keywords[at % keywords.length]} ${at}`)

const shown = appsOf([1, 2, 3, Number(lantern)]).map((app) => ({ kind: 'software', ...app }))
const answer = (results: readonly object[]) => JSON.stringify({ resultCount: results.length, results })

describe('In the middle of a refresh', { timeout: 600_000 }, () => {
  test('replays and imports of old pages change no rank', async (t) => {
    await using folder = openFolder()
    await using opened = await openCollecting({}, { callsPerMinute: 1_200 })
    const { world, apple } = opened
    const { db } = world.store
    let answers = 0
    apple.behave(({ path }) => path.startsWith('/search') && ++answers % 4 !== 0, {
      does: 'serve',
      body: answer(shown),
    })
    const old = many
      .slice(0, 20)
      .map((term) =>
        folder.write(
          `old/search_${term.replaceAll(' ', '+')}_us_2024-01-02T1000Z.json`,
          answer(shown.slice(1)),
        ),
      )
    const appId = await track(world, { storeId: lantern, keywords: many })
    const refresh = refreshed(world, appId)
    await until(
      async () => asked(apple, '/search').length,
      (searches) => searches > 5,
    )
    const importing = world.import({ kind: 'search-results', paths: old })
    for (let round = 0; round < 3; round++) await replay(db, () => {}, patient)
    assert.equal((await importing).stored, 60)
    assert.equal((await refresh)?.progress?.total, 40)
    const pages = await assertPagesAgree(db)
    const { attempts } = (await newestWork(db, appRefresh.name, appId)) ?? {}
    // An attempt that takes over from one thought dead asks again what that one was asking.
    t.diagnostic(`the refresh took ${attempts} attempts, for ${pages} pages`)
    assert.equal(await searchedTerms(db), 60)
    const before = await ranksToday(world, lantern)
    await replay(db, () => {}, patient)
    assert.equal(await assertPagesAgree(db), pages)
    assert.deepEqual(await ranksToday(world, lantern), before)
  })

  test('answers with nothing, answers with results and replays never wait for each other in a circle', async () => {
    await using world = await openWorld()
    const { db } = world.store
    const storing = [1, 2, 3].map(async (lane) => {
      for (let at = 0; at < 8; at++)
        await storePage(world, {
          term: `term ${(lane + at) % 3}`,
          observedAt: `2024-01-0${lane}T1${at}:00:00Z`,
          apps: at % 3 === 0 ? [] : appsOf([lane, 4, 5 + (at % 4)]),
        })
    })
    for (let round = 0; round < 4; round++) await replay(db, () => {}, patient)
    await Promise.all(storing)
    assert.equal(await assertPagesAgree(db), 24)
  })
})

/** Terms with an old page and terms with one of today, added up. */
async function searchedTerms(db: Database): Promise<number | undefined> {
  const counted = await firstRow(
    db,
    sql<{ terms: number }>`
      select count(distinct (term_id, captured_at < '2025-01-01'))::int as terms from result_pages`,
  )
  return counted?.terms
}

/** An installation with a tracked app of forty keywords, whose refresh is asked for. */
async function refreshAsked(store: Store, storeId: string, terms: readonly string[]): Promise<string> {
  await using queue = await openQueue(store, false, (error) => assert.fail(error))
  const appId = await track({ store }, { storeId, keywords: terms })
  await askForAppRefresh(store.db, enqueueOn(queue), appId, new Date())
  return appId
}

/** Waits until the refresh of an app has ended. @returns it */
const workEnded = (db: Database, appId: string) =>
  until(
    () => newestWork(db, appRefresh.name, appId),
    (work) => work?.finishedAt != null,
  )

describe('Processes on a bad day', { timeout: 600_000, concurrency: true }, () => {
  test('two share the refreshes of two apps: no term is searched twice, and the pace is that of one', async () => {
    await using installation = await openInstallation()
    await using apple = await startApple()
    const config = installation.configure({ sources: playedSources(apple, { callsPerMinute: 1_200 }) })
    await using store = await installation.open()
    const mine = await refreshAsked(store, lantern, many)
    const theirs = await refreshAsked(store, harbour, many.slice(10))
    const begun = Date.now()
    await using one = startWork(installation, config)
    await using other = startWork(installation, config)
    for (const appId of [mine, theirs]) {
      const work = await workEnded(store.db, appId)
      assert.deepEqual(
        [work?.status, work?.done, work?.total],
        ['succeeded', ...(appId === mine ? [40, 40] : [30, 30])],
      )
    }
    const searches = apple.requests.filter(({ path }) => path.startsWith('/search'))
    assert.equal(searches.length, 40)
    const times = searches.map(({ at }) => at)
    assert.ok(Math.max(...times) - begun >= 39 * 45)
    for (const worker of [one, other]) {
      worker.child.kill('SIGTERM')
      assert.equal((await worker.ended).code, 0, worker.said.err)
    }
    assert.equal(await assertPagesAgree(store.db), 40)
  })

  test('the database goes away while a page is on its way: it is held, or asked for again where the attempt ends, and no page is half there', async () => {
    await using installation = await openInstallation()
    await using way = await cuttableWayTo(installation.databaseUrl)
    await using apple = await startApple()
    const config = installation.configure({ sources: playedSources(apple, { callsPerMinute: 1_200 }) })
    await using store = await installation.open()
    const appId = await refreshAsked(store, lantern, many)
    let onItsWay = ''
    apple.behave(
      ({ path }) => {
        if (onItsWay === '' && path.startsWith('/search') && asked(apple, '/search').length >= 10) {
          onItsWay = path
          way.cut()
        }
        return false
      },
      { does: 'hang' },
    )
    await using worker = startWork({ ...installation, location: ['--database-url', way.url] }, config)
    await worker.says(/database is away/)
    await pause(300, 'pages are lost, if any are')
    const kept = await assertPagesAgree(store.db)
    assert.ok(kept >= 8 && kept < 40, `${kept} pages when the database went away`)
    await way.mend()
    await workEnded(store.db, appId)
    assert.equal(worker.child.exitCode, null, worker.said.err)
    // A lane that asks the database meanwhile ends the attempt, at times before the page has arrived.
    const times = asked(apple, '/search').filter((path) => path === onItsWay).length
    assert.ok(times === 1 || times === 2, `the page on its way was asked for ${times} times`)
    assert.equal(await assertPagesAgree(store.db), 40)
  })

  test('an import of pages is killed: whole pages stand, and the same command completes it', async () => {
    await using installation = await openInstallation()
    using pages = openFolder()
    const apps = appsOf(Array.from({ length: 50 }, (_, at) => at + 1)).map((app) => ({
      kind: 'software',
      ...app,
    }))
    for (let minute = 10; minute < 60; minute++)
      pages.write(
        `search_term+${minute % 7}_us_2024-01-1${minute % 10}T00${minute}Z.json`,
        answer([...apps.slice(minute - 10), ...apps.slice(0, minute - 10)]),
      )
    // Read once the first pages are stored: its name sorts among theirs.
    pages.write('search_term+3_us_2024-01-19x.json', '{')
    const rejected = join(installation.folder, 'rejected.ndjson')
    const importing = [
      ...['import', 'search-results', pages.path, '--rejected', rejected],
      ...installation.location,
    ]
    {
      await using killed = start(importing)
      await until(
        async () => existsSync(rejected),
        (exists) => exists,
      )
      killed.child.kill('SIGKILL')
      await killed.ended
    }
    const { out } = await run([...importing, '--json'])
    const summary = JSON.parse(out) as { stored: number; unchanged: number; rejected: number }
    assert.deepEqual([summary.stored + summary.unchanged, summary.rejected], [2_500, 1])
    assert.ok(summary.stored > 0, 'it was killed in the middle')
    assert.equal(summary.unchanged % 50, 0, 'a page was stored whole or not at all')
    await using store = await installation.open()
    assert.equal(await assertPagesAgree(store.db), 50)
  })
})

test('a source that refuses connections is the source that fails: attempts count, and nobody speaks of the database', async () => {
  const { world, apple } = await openCollecting()
  await using opened = world
  await apple[Symbol.asyncDispose]()
  await opened.call('refresh_aso_keyword', { query: 'lantern' })
  const work = await until(
    () =>
      firstRow(
        opened.store.db,
        sql<{ attempts: number; code: string | null }>`
          select attempts, last_error_code as code from work where kind = 'keyword-refresh'`,
      ),
    (refresh) => (refresh?.attempts ?? 0) > 0 && refresh?.code != null,
  )
  assert.deepEqual(work, { attempts: 1, code: 'unreachable' })
})
