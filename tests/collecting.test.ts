import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { collectingOn } from '../src/jobs/collecting/collecting.ts'
import { collectChartJob } from '../src/jobs/kinds/collect-chart.ts'
import { replay } from '../src/projections/replay.ts'
import { Sources } from '../src/sources/settings.ts'
import { rows } from '../src/storage/database.ts'
import { storefrontDay } from '../src/vocabulary/storefront-day.ts'
import { type PlayedApple, playedSources } from './support/apple.ts'
import {
  asked,
  attempted,
  attempts,
  jobsEnd,
  jobsOf,
  lookAtSchedule,
  openCollecting,
  overall,
  patient,
  sourcesTold,
  triedEarlier,
} from './support/collecting.ts'
import { openFolder } from './support/files.ts'
import { operate } from './support/operator.ts'
import { until } from './support/until.ts'
import { sharedData, type World } from './support/world.ts'

const onSchedule = (countries: string[], charts: string[]) => ({ charts: [{ countries, charts }] })

const suspicions = ({ store }: World) =>
  rows(
    store.db,
    sql<{ subject: string; cleared: boolean }>`
      select country || ' ' || subject as subject, cleared from suspect_answers where suspect order by observed_at, subject`,
  )

/** The date in the United States. */
const today = storefrontDay('us', new Date())
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

/** Puts a snapshot into the store that somebody captured days ago. */
async function importChart(world: World, capturedAt: string, storeIds: readonly string[]): Promise<void> {
  using folder = openFolder()
  const chart = { country: 'us', chart: 'top-free', category: '36', capturedAt }
  const places = storeIds.map((id, place) => ({ ...chart, rank: place + 1, id, name: `App ${id}` }))
  await world.import({ kind: 'charts', paths: [folder.write('chart.json', JSON.stringify(places))] })
}

describe('The schedule', () => {
  test('fills the charts of its storefronts, each once in its slot', async () => {
    await using opened = await openCollecting({ schedule: onSchedule(['us', 'jp'], ['top-free', 'top-paid']) })
    const { world, apple } = opened
    const made = await attempted(world, 4)
    assert.ok(made.every(({ outcome }) => outcome === 'stored'))
    for (const [country, sold] of [
      ['us', apple.apps.length],
      ['jp', apple.apps.filter((app) => app.countries.includes('jp')).length],
    ] as const) {
      const lists = ['top-free', 'top-paid'].map((chart) => world.call('get_apple_charts', { country, chart }))
      const [free, paid] = await Promise.all(lists)
      assert.equal((free?.body.items.length ?? 0) + (paid?.body.items.length ?? 0), sold)
      assert.equal(free?.body.items[0].app.name, apple.apps[0]?.name)
      assert.deepEqual(
        [free?.body.evidence.origin, free?.body.evidence.timeBasis, free?.body.requested],
        ['collected', 'clock', 200],
      )
    }
    await lookAtSchedule(world)
    const again = await rows(
      world.store.db,
      sql`select from pgboss.job where name = 'collect-chart' and state in ('created', 'active')`,
    )
    assert.equal(again.length, 0, 'nothing of this slot is due any more')
    assert.equal(asked(apple, '/').length, 4)
  })

  test('does not ask for a chart that another worker captured while the job was waiting', async () => {
    await using opened = await openCollecting()
    const { world, apple } = opened
    await world.collecting.collector.chart(overall, patient)
    const { queue, store } = world
    await queue.add(store.db, collectChartJob, [{ key: 'late', data: { ...overall, everyHours: 24 } }])
    await jobsEnd(world, 'collect-chart')
    assert.equal(apple.requests.length, 1)
  })

  test('looks apps up by their age: those never looked up, those out of date, tracked ones sooner', async () => {
    const apps = { countries: ['us', 'jp'], everyDays: 7, trackedEveryHours: 24 }
    await using opened = await openCollecting({ schedule: { apps } })
    const { world, apple } = opened
    const [first, second, third, fourth] = apple.apps.map((app) => app.storeId)
    await jobsEnd(world, 'schedule')
    assert.equal(apple.requests.length, 0, 'an empty catalogue has nothing to refresh')

    await importChart(world, daysAgo(30), [first, second, third, fourth] as string[])
    await lookAtSchedule(world)
    await until(
      () => world.call('get_competitor', { platform: 'ios', storeId: fourth }),
      ({ body }) => body.name === apple.apps[3]?.name,
    )
    await jobsEnd(world, 'collect-apps')
    assert.deepEqual(lookedUp(apple), [[first, second, third, fourth]], 'in one call, and none for Japan')

    await lookedUpBefore(world, first, 2)
    await lookedUpBefore(world, second, 2)
    await lookedUpBefore(world, third, 8)
    await sql`
      insert into tracked_apps (app_id, account_id, store_id, country, role)
      select gen_random_uuid(), account_id, ${first}::bigint, 'us', 'watched' from accounts`.execute(
      world.store.db,
    )
    await lookAtSchedule(world)
    await until(
      async () => lookedUp(apple),
      (calls) => calls.length === 2,
    )
    await jobsEnd(world, 'collect-apps')
    const [, due = []] = lookedUp(apple)
    assert.deepEqual(due.slice(0, 2), [first, third])
    assert.deepEqual(
      due.slice(2).sort(),
      [second, fourth],
      'beside them, so that an answer without them proves something',
    )
  })

  test('reads pages of apps, and of those Apple shows beside them; one that cannot be read keeps no other waiting', async () => {
    const pages = { countries: ['us'], everyDays: 30 }
    await using opened = await openCollecting({ schedule: { pages } })
    const { world, apple } = opened
    const [broken, start] = apple.apps.map((app) => app.storeId)
    apple.behave('/us/app/lantern-chat/', { does: 'html' })
    await jobsEnd(world, 'schedule')
    await importChart(world, daysAgo(1), [broken, start] as string[])
    await lookAtSchedule(world)
    const pagesRead = async () => {
      await lookAtSchedule(world)
      return new Set(asked(apple, '/us/app/id')).size
    }
    await until(pagesRead, (count) => count === 8)
    await jobsEnd(world, 'collect-pages')
    const beside = apple.apps[2]
    const { body } = await world.call('get_competitor', { platform: 'ios', storeId: beside?.storeId })
    assert.deepEqual(body.subtitle.value, beside?.subtitle)
    assert.equal(asked(apple, `/us/app/id${broken}`).length, 1, 'it is asked for again when it is due again')
    assert.match(await sourcesTold(world), /us {2}App Store .*answers? /)
  })
})

describe('An empty answer', () => {
  test('where a chart was before is suspect: no evidence of absence, told to the operator, asked again later', async () => {
    const schedule = onSchedule(['us'], ['top-free', 'top-paid'])
    await using opened = await openCollecting({ schedule }, {}, (apple) => apple.behave('/', { does: 'empty' }))
    const { world, apple } = opened
    await attempted(world, 2)
    assert.deepEqual(await suspicions(world), [], 'a chart nobody saw with apps in it may well be empty')
    assert.doesNotMatch(await sourcesTold(world), /suspect|FAILING/)
    const listed = apple.apps.filter((app) => app.price === 0).map((app) => app.storeId)
    await importChart(world, daysAgo(2), listed)
    assert.deepEqual(
      await suspicions(world),
      [{ subject: 'us chart top-free 36 iphone', cleared: false }],
      'an older snapshot that arrives later makes the answer suspect',
    )
    assert.deepEqual(
      (await attempts(world)).map(({ outcome }) => outcome),
      ['empty', 'empty'],
    )
    // Longer ago than any retry waits, but in the same slot, which begins at midnight UTC.
    const minutesOfDay = Math.floor((Date.now() % 86_400_000) / 60_000)
    await triedEarlier(world, Math.min(60, minutesOfDay))
    await lookAtSchedule(world)
    await jobsEnd(world, 'collect-chart')
    assert.equal(apple.requests.length, 2, 'an empty chart is not asked for again before the next slot')

    await triedEarlier(world, 26 * 60)
    await lookAtSchedule(world)
    const tried = await until(
      () => attempts(world),
      ([free]) => free?.outcome === 'suspect-empty',
    )
    assert.equal(tried[0]?.failures, 1)
    await jobsEnd(world, 'collect-chart')
    const reported = await sourcesTold(world)
    assert.match(reported, /^suspect +us +.*1 answering with nothing where there was something, since 20/m)
    assert.match(
      reported,
      /us top-free 36 iphone +1 in a row, .*answered with nothing where there were apps before/,
    )
    assert.doesNotMatch(reported, /top-paid/)
    const history = await world.call('get_apple_chart_history', { storeId: listed[0], to: today })
    const points = history.body.charts[0].series
    assert.deepEqual(points.at(-1), {
      date: today,
      rank: { state: 'not-measured', reason: 'suspect-empty' },
      observedAt: null,
      source: null,
    })
    assert.equal(points.filter((point: { rank: { state: string } }) => point.rank.state === 'absent').length, 0)
    const chart = (await world.call('get_apple_charts')).body
    assert.equal(chart.items.length, listed.length)
    assert.deepEqual(
      chart.trouble.map(({ kind }: { kind: string }) => kind),
      ['suspect-empty'],
    )

    const before = apple.requests.length
    await lookAtSchedule(world)
    await jobsEnd(world, 'collect-chart')
    assert.equal(apple.requests.length, before, 'not at once')

    apple.recover()
    await triedEarlier(world, 6)
    await lookAtSchedule(world)
    const cleared = await until(
      () => attempts(world),
      ([free]) => free?.outcome === 'stored',
    )
    assert.equal(cleared[0]?.failures, 0)
    assert.doesNotMatch(await sourcesTold(world), /suspect|in a row/)
    assert.deepEqual(
      await suspicions(world),
      Array(2).fill({ subject: 'us chart top-free 36 iphone', cleared: true }),
    )
  })

  test('for a term that had results is suspect, and the term is asked again until it has some', async () => {
    await using opened = await openCollecting()
    const { world, apple } = opened
    const { collector } = world.collecting
    for (const surface of ['search', 'hints'] as const) {
      assert.equal(await collector[surface]('nobody looks for this', 'us', patient), 'empty')
      assert.equal(await collector[surface]('lantern', 'us', patient), 'stored')
      assert.equal(await collector[surface]('lantern', 'jp', patient), 'stored')
    }
    assert.deepEqual(await suspicions(world), [])

    apple.behave('/', { does: 'empty' })
    const { code, notes } = await operate(world, {
      command: 'collect searches',
      options: { terms: ['lantern'], country: 'us' },
    })
    assert.equal(code, 1)
    assert.match(notes, /answered with nothing where it had results before; it is asked again later/)
    assert.equal(await collector.hints('lantern', 'us', patient), 'suspect-empty')
    assert.match(await sourcesTold(world), /^suspect +us +iTunes Search API/m)

    const searches = () => asked(apple, '/search').length
    const before = searches()
    await jobsDueNow(world)
    await until(
      () => jobsOf(world, 'collect-term'),
      ([job]) => job?.state === 'retry',
    )
    assert.equal(searches(), before + 1)
    apple.recover()
    await jobsDueNow(world)
    await jobsEnd(world, 'collect-term')
    assert.equal(await collector.hints('lantern', 'us', patient), 'stored')
    assert.deepEqual(
      (await suspicions(world)).map(({ cleared }) => cleared),
      [true, true, true],
    )
  })
})

describe('An answer nobody could read', () => {
  test('is kept, counts as a failure, and a replay makes nothing of it', async () => {
    await using opened = await openCollecting({ works: false })
    const { world, apple } = opened
    const { collector } = world.collecting
    apple.behave('/us/rss', { does: 'html' }, 1)
    await assert.rejects(collector.chart(overall, patient), { kind: 'not-json' })
    const feedOfUs = await (await fetch(`${apple.url}/us/rss/topfreeapplications/limit=200/json`)).text()
    apple.behave('/jp/rss', { does: 'serve', body: feedOfUs }, 1)
    await assert.rejects(collector.chart({ ...overall, country: 'jp' }, patient), { kind: 'unexpected-shape' })
    const kept = await rows(
      world.store.db,
      sql<{ source: string; country: string; records: number; rejected: number }>`
        select source, country, records, rejected from readings order by reading_id`,
    )
    assert.deepEqual(kept, [
      { source: 'apple-rss-legacy', country: 'us', records: 1, rejected: 1 },
      { source: 'apple-rss-legacy', country: 'jp', records: 1, rejected: 1 },
    ])
    const reported = await sourcesTold(world)
    assert.match(
      reported,
      /^FAILING +us +.* never answered; failing since \S+, 1 in a row: apple-rss-legacy \(us\): /m,
    )
    assert.match(reported, /^FAILING +jp +.*answers the chart us top-free 36 iphone for jp/m)
    await replay(world.store.db, () => {}, patient)
    for (const country of ['us', 'jp'])
      assert.equal((await world.call('get_apple_charts', { country })).status, 404)

    await collector.chart(overall, patient)
    assert.match(await sourcesTold(world), /^well +us +.*last answer/m)
  })
})

test('an answer nobody could read neither ends a suspicion nor makes one, and a replay says the same', async () => {
  await using opened = await openCollecting({ works: false })
  const { world, apple } = opened
  const { collector } = world.collecting
  const surfaces = ['search', 'hints'] as const
  for (const surface of surfaces) await collector[surface]('lantern', 'us', patient)
  apple.behave('/', { does: 'empty' })
  for (const surface of surfaces)
    assert.equal(await collector[surface]('lantern', 'us', patient), 'suspect-empty')
  apple.behave('/', { does: 'html' })
  for (const surface of surfaces) {
    await assert.rejects(collector[surface]('lantern', 'us', patient), { kind: 'not-json' })
    await assert.rejects(collector[surface]('unheard of', 'us', patient), { kind: 'not-json' })
  }
  apple.behave('/', { does: 'empty' })
  for (const surface of surfaces) assert.equal(await collector[surface]('unheard of', 'us', patient), 'empty')
  const suspects = ['us term lantern', 'us hints lantern'].map((subject) => ({ subject, cleared: false }))
  assert.deepEqual(await suspicions(world), suspects)
  await replay(world.store.db, () => {}, patient)
  assert.deepEqual(await suspicions(world), suspects)
})

test('a replay keeps every suspicion as it was, ended or standing', async () => {
  await using opened = await openCollecting({ works: false })
  const { world, apple } = opened
  const { collector } = world.collecting
  const ask = async (mood: 'full' | 'empty') => {
    if (mood === 'empty') apple.behave('/', { does: 'empty' })
    await collector.chart(overall, patient)
    await collector.chart({ ...overall, country: 'jp' }, patient)
    await collector.search('lantern', 'us', patient)
    await collector.hints('lantern', 'us', patient)
    apple.recover()
  }
  await ask('full')
  await ask('empty')
  await ask('full')
  apple.behave('/us', { does: 'empty' })
  await collector.chart(overall, patient)
  const before = await suspicions(world)
  assert.deepEqual(
    before.map(({ cleared }) => cleared),
    [true, true, true, true, false],
  )
  await replay(world.store.db, () => {}, patient)
  assert.deepEqual(await suspicions(world), before)
})

const skip = existsSync(join(sharedData, 'apple'))
  ? false
  : 'the real material is not beside the project (../shared/data)'

test('recorded answers of Apple go through collecting into the catalogue and out through the API', {
  skip,
}, async () => {
  await using opened = await openCollecting({ works: false })
  const { world, apple } = opened
  const { collector } = world.collecting
  const serve = (matcher: string, name: string) =>
    apple.behave(matcher, { does: 'serve-file', file: join(sharedData, 'apple', name) }, 1)

  serve('/search', 'search/search_chat_us_2022-02-15_64e4a4f1.json')
  assert.equal(await collector.search('chat', 'us', patient), 'stored')
  const found = await world.call('search_competitors', { q: 'chat', limit: 50 })
  assert.ok(found.body.items.length > 20, `${found.body.items.length} apps of fifty found by "chat"`)
  const storeId = found.body.items[0].storeId
  const record = await world.call('get_competitor', { platform: 'ios', storeId })
  assert.deepEqual(
    record.body.evidence.map(({ source, origin }: { source: string; origin: string }) => [source, origin]),
    [['itunes-search', 'collected']],
  )

  serve('/hk/rss', 'charts/rss-v1-hk-2019/top100.json')
  assert.equal(await collector.chart({ ...overall, country: 'hk' }, patient), 'stored')
  const chart = await world.call('get_apple_charts', { country: 'hk' })
  assert.deepEqual([chart.body.items.length, chart.body.returned, chart.body.requested], [100, 100, 100])
  assert.equal(chart.body.date, storefrontDay('hk', new Date()))

  serve('/lookup', 'search/lookup_slack.json')
  await collector.lookup(['803453959'], 'us', patient)
  assert.equal((await world.call('get_competitor', { platform: 'ios', storeId: '803453959' })).status, 404)
  serve('/search', 'search/empty_result_raw_bytes.json')
  assert.equal(await collector.search('chat', 'us', patient), 'suspect-empty')
  serve('/search', 'search/broken_2022-06-27.json')
  await assert.rejects(collector.search('chat', 'us', patient), { kind: 'not-json' })
  serve('/WebObjects', 'hints/mzsearchhints_cn_csgo.plist.xml')
  assert.equal(await collector.hints('csgo', 'cn', patient), 'stored')
  const [kept] = await rows(world.store.db, sql<{ count: number }>`select count(*)::int as count from readings`)
  assert.equal(kept?.count, 6)
})

describe('The pace', () => {
  const paced = { callsPerMinute: 300 }

  test('is one for all processes, holds stop all of them, and nobody bursts when a hold ends', async () => {
    await using opened = await openCollecting({ works: false }, paced)
    const { world, apple } = opened
    const settings = {
      sources: Sources.parse(playedSources(apple, paced)),
      schedule: world.collecting.schedule,
    }
    const [one, other] = [1, 2].map(() => collectingOn(world.store.db, settings).collector)
    assert.ok(one && other)
    const askBoth = (calls: number) =>
      Promise.all(
        Array.from({ length: calls }, (_, at) =>
          (at % 2 ? one : other).lookup([String(at + 1)], 'us', patient),
        ),
      )
    const lastAt = () => Math.max(...apple.requests.map(({ at }) => at))
    const begun = Date.now()
    await askBoth(8)
    assert.equal(apple.requests.length, 8)
    assert.ok(lastAt() - begun >= 7 * 150, `eight calls at 300 a minute took ${lastAt() - begun} ms`)

    apple.behave('/lookup', { does: 'throttle', status: 429, retryAfter: '1' }, 1)
    await assert.rejects(one.lookup(['1'], 'us', patient), { kind: 'throttled', retryAfterMs: 1_000 })
    // The hold begins after the answer that asks for it, and this test may hear of it late.
    const throttled = apple.requests.at(-1)?.at ?? 0
    const third = collectingOn(world.store.db, settings).collector
    const from = apple.requests.length
    await Promise.all([
      ...[1, 2].map((id) => one.lookup([String(id)], 'us', patient)),
      ...[3, 4].map((id) => third.lookup([String(id)], 'us', patient)),
    ])
    const first = apple.requests[from]?.at ?? 0
    assert.ok(first >= throttled + 1_000, `asked ${first - throttled} ms after what asked for a second`)
    const after = lastAt() - throttled - 1_000
    assert.ok(after >= 3 * 150, `four calls after the hold took ${after} ms`)
  })

  test('lets go of those who wait for a turn and are told to stop', async () => {
    await using opened = await openCollecting({ works: false }, { callsPerMinute: 1 })
    const { world, apple } = opened
    const { collector } = world.collecting
    await collector.lookup(['1'], 'us', patient)
    await assert.rejects(collector.lookup(['2'], 'us', AbortSignal.timeout(50)), { name: 'TimeoutError' })
    assert.equal(apple.requests.length, 1)
    assert.doesNotMatch(await sourcesTold(world), /FAILING/, 'nobody failed')
  })
})

/** As if the time had come for which jobs wait. */
const jobsDueNow = ({ store }: World) =>
  sql`update pgboss.job set start_after = now() - interval '1 second' where state in ('created', 'retry')`.execute(
    store.db,
  )

const lookedUp = (apple: PlayedApple) =>
  asked(apple, '/lookup').map((path) => new URL(path, apple.url).searchParams.get('id')?.split(','))

const lookedUpBefore = ({ store }: World, storeId: string | undefined, days: number) =>
  sql`
    update app_checks set looked_up_at = now() - ${days} * interval '1 day'
    where store_id = ${storeId}::bigint`.execute(store.db)
