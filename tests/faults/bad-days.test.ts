import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { collectingOn } from '../../src/jobs/collecting/collecting.ts'
import { collectChart } from '../../src/jobs/kinds/collect-chart.ts'
import { Sources } from '../../src/sources/settings.ts'
import { type Database, rows } from '../../src/storage/database.ts'
import { type Behaviour, type PlayedApple, playedSources, startApple } from '../support/apple.ts'
import { noCertificate, untrustedCertificate } from '../support/certificate.ts'
import {
  asked,
  attempts,
  jobsEnd,
  lookAtSchedule,
  openCollecting,
  overall,
  patient,
  sourcesTold,
  triedEarlier,
} from '../support/collecting.ts'
import { cuttableWayTo } from '../support/cuttable-way.ts'
import { run } from '../support/in-process.ts'
import { type Installation, openInstallation } from '../support/installation.ts'
import { pause } from '../support/pause.ts'
import { until } from '../support/until.ts'
import { startWork } from '../support/worker.ts'
import { openWorld } from '../support/world.ts'

/** Charts of every kind, overall and of games; captured once a week, so that no test falls between two slots. */
const schedule = (countries: string[]) => ({
  charts: [{ countries, categories: [36, 6014], everyHours: 168 }],
})

interface Kept {
  chart: string
  snapshots: number
}

/** Every chart with a snapshot. */
const keptCharts = (db: Database) =>
  rows(
    db,
    sql<Kept>`
      select concat_ws(' ', country, kind, category_id) as chart, count(*)::int as snapshots
      from charts join chart_snapshots using (chart_id) group by chart_id order by 1`,
  )

/** Nothing is lost and nothing doubled: all of this many charts are there, once. */
async function assertOnceEach(db: Database, charts: number): Promise<void> {
  const kept = await keptCharts(db)
  assert.equal(kept.length, charts)
  assert.deepEqual(
    kept.filter(({ snapshots }) => snapshots !== 1),
    [],
  )
  const [readings] = await rows(
    db,
    sql<{ count: number }>`select count(*)::int as count from readings where records > rejected`,
  )
  assert.equal(readings?.count, charts, 'every answer was kept once')
}

describe('A source on a bad day', () => {
  test('throttles for minutes: nobody asks until it is over, and then everything is caught up with', async () => {
    await using opened = await openCollecting({ schedule: schedule(['us', 'jp']) }, {}, (apple) =>
      apple.behave('/', { does: 'throttle', status: 429, retryAfter: '10' }),
    )
    const { world, apple } = opened
    const { db } = world.store
    await until(
      () => attempts(world),
      (made) => made.length > 0 && made.length === apple.requests.length,
    )
    // What follows takes minutes: the source asked for that, not for ten seconds.
    const [hold] = await rows(
      db,
      sql<{ until: Date }>`
        update upstream_rate_limits set held_until = held_until + interval '1 second' returning held_until as until`,
    )
    assert.match(await sourcesTold(world), /^FAILING .*answers 429: asked too often, asks to wait 10 s/m)
    apple.recover()
    await jobsEnd(world, 'collect-chart')
    const early = apple.requests.filter(({ at }) => at < (hold?.until.getTime() ?? 0) - 20)
    const refused = early.length
    assert.ok(refused <= 4, `${refused} calls: more than were on their way when the first was refused`)

    await lookAtSchedule(world)
    await jobsEnd(world, 'collect-chart')
    assert.equal((await keptCharts(db)).length, 12 - refused, 'those refused are not asked for at once')
    await triedEarlier(world, 6)
    await lookAtSchedule(world)
    await jobsEnd(world, 'collect-chart')
    await assertOnceEach(db, 12)
    assert.equal(apple.requests.length, 12 + refused)
    assert.doesNotMatch(await sourcesTold(world), /FAILING|in a row/)
  })

  test('fails in one storefront: the others are collected, and it is caught up with later', async () => {
    const charts = [{ countries: ['us', 'jp', 'de'], everyHours: 168 }]
    await using opened = await openCollecting({ schedule: { charts } }, {}, (apple) =>
      apple.behave('/jp', { does: 'unavailable' }),
    )
    const { world, apple } = opened
    await until(
      () => attempts(world),
      (made) => made.length === 9,
    )
    await jobsEnd(world, 'collect-chart')
    assert.deepEqual(
      (await keptCharts(world.store.db)).map(({ chart }) => chart.slice(0, 2)),
      ['de', 'de', 'de', 'us', 'us', 'us'],
    )
    const reported = await sourcesTold(world)
    assert.match(reported, /^FAILING +jp .*never answered; failing since .*, 3 in a row: .*answers 503/m)
    assert.match(reported, /^well +de .*\nwell +us /m)
    assert.match(reported, /jp top-paid 36 iphone +1 in a row, last /)

    apple.recover()
    await triedEarlier(world, 6)
    await lookAtSchedule(world)
    await jobsEnd(world, 'collect-chart')
    await assertOnceEach(world.store.db, 9)
    assert.equal(asked(apple, '/us').length, 3, 'the others are not asked again')
    assert.doesNotMatch(await sourcesTold(world), /FAILING|in a row/)
  })

  test('answers in ways nobody can use: each is told by its reason, and nothing of it becomes a chart', async () => {
    const days: [Behaviour, RegExp][] = [
      [{ does: 'cut' }, /the answer broke off/],
      [{ does: 'truncate' }, /FAILING.*(stops in the middle|ends)/],
      [{ does: 'flood', bytes: 30 * 1024 * 1024 }, /the answer has more than 20971520 bytes/],
      [{ does: 'hang-up' }, /no connection to 127/],
      [{ does: 'nothing' }, /FAILING/],
      [{ does: 'html' }, /FAILING/],
    ]
    await areTold(days, 30)
    await areTold(
      [
        [{ does: 'drip', everyMs: 20 }, /no complete answer within 2 s/],
        [{ does: 'hang' }, /no complete answer within 2 s/],
      ],
      2,
    )
  })

  async function areTold(days: readonly [Behaviour, RegExp][], timeoutSeconds: number): Promise<void> {
    await using opened = await openCollecting({ works: false })
    const { world, apple } = opened
    const { db } = world.store
    const { schedule } = world.collecting
    /** One that remembers no failures, and waits no longer than that. */
    const collector = (seconds: number) => {
      const settings = playedSources(apple, { attempts: 1, timeoutSeconds: seconds })
      return collectingOn(db, { sources: Sources.parse(settings), schedule }).collector
    }
    for (const [behaviour, reason] of days) {
      const before = (await keptCharts(db)).at(0)?.snapshots ?? 0
      apple.behave('/', behaviour)
      const { outcome, message } = await collectChart(db, collector(timeoutSeconds), overall, patient)
      assert.deepEqual([behaviour.does, outcome], [behaviour.does, 'failed'])
      const reported = await sourcesTold(world)
      assert.match(reported, reason, behaviour.does)
      assert.ok(message && reported.includes(`1 in a row: ${message}`), reported)
      assert.equal((await keptCharts(db)).at(0)?.snapshots ?? 0, before)
      apple.recover()
      assert.equal((await collectChart(db, collector(30), overall, patient)).outcome, 'stored')
      assert.doesNotMatch(await sourcesTold(world), /FAILING|in a row/)
    }
    const [largest] = await rows(
      db,
      sql<{ bytes: number }>`select max(content_bytes)::int as bytes from payloads`,
    )
    assert.ok((largest?.bytes ?? 0) < 100_000, 'what was too large was not kept')
  }

  test('cannot prove who it is: nothing is asked of it, and the operator learns why', {
    skip: noCertificate,
  }, async () => {
    await using apple = await startApple({ certificate: untrustedCertificate() })
    await using world = await openWorld({ sources: playedSources(apple) })
    const { outcome } = await collectChart(world.store.db, world.collecting.collector, overall, patient)
    assert.equal(outcome, 'failed')
    assert.equal(apple.requests.length, 0)
    assert.match(await sourcesTold(world), /^FAILING .*cannot prove who it is: 127.*_CERT/m)
  })
})

/** Twenty-four charts, which take two and a half seconds at this pace. */
const countries = ['us', 'jp', 'de', 'gb']
const charts = 24
const paced = (apple: PlayedApple) => ({
  sources: playedSources(apple, { callsPerMinute: 600 }),
  schedule: schedule(countries),
})

/** Waits until all charts are stored. */
async function charted(installation: Installation): Promise<void> {
  await using store = await installation.open()
  await until(
    () => keptCharts(store.db),
    (kept) => kept.length === charts,
  )
}

describe('A worker on a bad day', { timeout: 600_000 }, () => {
  test('is killed in the middle of a chart run: the next one completes it, each chart once', async () => {
    await using installation = await openInstallation()
    await using apple = await startApple()
    const config = installation.configure(paced(apple))
    // Half of it is not answered: so it is killed in the middle.
    apple.behave(() => apple.requests.length > charts / 2, { does: 'hang' })
    {
      await using store = await installation.open()
      await using worker = startWork(installation, config)
      await until(
        () => keptCharts(store.db),
        (kept) => kept.length > charts / 4,
      )
      worker.child.kill('SIGKILL')
      await worker.ended
    }
    apple.recover()
    await using next = startWork(installation, config)
    await charted(installation)
    next.child.kill('SIGTERM')
    assert.equal((await next.ended).code, 0, next.said.err)
    await using store = await installation.open()
    await assertOnceEach(store.db, charts)
  })

  test('shares one schedule with another: no chart is asked for twice, and the pace is that of one', async () => {
    await using installation = await openInstallation()
    await using apple = await startApple()
    const config = installation.configure(paced(apple))
    const begun = Date.now()
    await using one = startWork(installation, config)
    await using other = startWork(installation, config)
    await charted(installation)
    for (const worker of [one, other]) {
      assert.equal(worker.child.exitCode, null, worker.said.err)
      worker.child.kill('SIGTERM')
      assert.equal((await worker.ended).code, 0, worker.said.err)
    }
    assert.equal(apple.requests.length, charts)
    const times = apple.requests.map(({ at }) => at)
    assert.ok(Math.max(...times) - begun >= (charts - 1) * 90)
    await using store = await installation.open()
    await assertOnceEach(store.db, charts)
  })
})

describe('The database on a bad day', { timeout: 600_000 }, () => {
  test('is gone for a while: the process lives on, the answer on its way is stored, nothing is lost or doubled', async () => {
    await using installation = await openInstallation()
    await using way = await cuttableWayTo(installation.databaseUrl)
    await using apple = await startApple()
    const config = installation.configure(paced(apple))
    let onItsWay = ''
    apple.behave(
      ({ path }) => {
        if (onItsWay === '' && apple.requests.length >= 8) {
          onItsWay = path
          way.cut()
        }
        return false
      },
      { does: 'hang' },
    )
    const location = ['--database-url', way.url]
    await using worker = startWork({ ...installation, location }, config)
    await until(
      async () => onItsWay,
      (path) => path !== '',
    )
    await worker.says(/database is away/)
    await pause(1_000, 'jobs that waited for their turn fail')
    assert.equal(worker.child.exitCode, null, worker.said.err)
    await using store = await installation.open()
    assert.ok((await keptCharts(store.db)).length < charts)
    await way.mend()
    await charted(installation)
    assert.equal(worker.child.exitCode, null)
    assert.equal(apple.requests.filter(({ path }) => path === onItsWay).length, 1)
    await assertOnceEach(store.db, charts)
  })
})

test('a database that takes a connection and never answers is told in a sentence', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const { code, err } = await run(['migrate', '--database-url', `postgres://user@127.0.0.1:${port}/x`])
  silent.close()
  assert.equal(code, 1)
  assert.equal(
    err,
    'The store cannot be reached: no answer within 30 s. Is PostgreSQL running, and is --database-url (RIVALSCOPE_DATABASE_URL) right?\n',
  )
})
