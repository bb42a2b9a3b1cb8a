import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { refreshEstimates } from '../../src/domain/estimates/refresh.ts'
import { removeOldJob } from '../../src/jobs/kinds/remove-old.ts'
import { rows } from '../../src/storage/database.ts'
import { everyRow } from '../support/backups.ts'
import { jobPartsOf, lookAtSchedule, patient } from '../support/collecting.ts'
import { runProcess } from '../support/command-line.ts'
import { run, serveHere } from '../support/in-process.ts'
import { type Installation, openInstallation } from '../support/installation.ts'
import { operate } from '../support/operator.ts'
import { withClockAt } from '../support/other-clock.ts'
import { madePost } from '../support/posts.ts'
import { openWorld, type World } from '../support/world.ts'

/** Ages are counted from the newest evidence, 2026-03-01, whenever this runs. */
const keepDays = { chartRanks: 180, resultPages: 365, ratings: 180, postFigures: 180 }

let key = ''
let installation: Installation
const parts = new AsyncDisposableStack()
before(async () => {
  installation = parts.use(await openInstallation())
  key = (
    await run([
      'keys',
      'create',
      '--name',
      'reader',
      '--scopes',
      'context:read,content:write',
      ...installation.location,
    ])
  ).out.trim()
  await fill(installation)
})
after(() => parts.disposeAsync())

/** Charts, pages and posts of fourteen months. */
async function fill({ folder, location, configure }: Installation): Promise<void> {
  const entry = (category: string, capturedAt: string, rank: number, id: number) => ({
    country: 'us',
    chart: 'top-free',
    category,
    capturedAt: `${capturedAt}T06:00:00Z`,
    rank,
    id,
    name: `App ${id}`,
  })
  const days = [
    '2025-01-14',
    '2025-01-15',
    '2025-01-16',
    '2025-06-15',
    '2025-09-15',
    '2026-02-28',
    '2026-03-01',
  ]
  const charts = days.flatMap((day, at) => [
    entry('36', day, 1, 100 + at),
    entry('36', day, 2, 7),
    ...(day < '2025-02' ? [entry('6002', day, 1, 8), entry('6002', day, 2, 9)] : []),
  ])
  await bring(['import', 'charts', configure(charts, 'charts.json')])
  const page = (term: string, day: string, ids: readonly number[]) =>
    configure(
      {
        resultCount: ids.length,
        results: ids.map((trackId) => ({
          wrapperType: 'software',
          kind: 'software',
          trackId,
          trackName: `App ${trackId}`,
          userRatingCount: Number(day.replaceAll('-', '')) - 20_250_000,
          averageUserRating: 4.5,
        })),
      },
      `search_${term}_us_${day}.json`,
    )
  const pages = [
    ...['2025-01-05', '2025-01-06', '2025-02-05', '2025-03-05', '2026-03-01'].map((day) =>
      page('river', day, [7, 8]),
    ),
    ...['2025-01-05', '2025-01-07'].map((day) => page('lake', day, [9, 7])),
  ]
  await bring(['import', 'search-results', ...pages])
  const observed = (id: string, day: string, views: number) =>
    madePost(id, {
      publishedAt: '2025-01-01T00:00:00Z',
      observedAt: `${day}T08:00:00Z`,
      metrics: { views, likes: 1, comments: 1, shares: 1, saves: 1 },
    })
  const posts = ['2025-03-01', '2025-03-02', '2025-03-03', '2026-02-01', '2026-03-01'].flatMap((day, at) => [
    observed('1', day, 1_000 + at),
    observed('2', day, 2_000 + at),
  ])
  await bring(['import', 'organic', configure(posts, 'posts.json')])

  async function bring(command: readonly string[]): Promise<void> {
    const { code, err, out } = await run([...command, ...location])
    assert.equal(code, 0, err + out)
    assert.match(out, / 0 rejected|rejected 0/, out)
    assert.ok(folder)
  }
}

const retention = async (words: readonly string[], policy: object = keepDays) => {
  const config = installation.configure({ retention: { keepDays: policy } }, 'retention.json')
  return run(['retention', ...words, '--config', config, ...installation.location])
}

interface Shown {
  kind: string
  keepDays: number | null
  stored: { from: string; to: string; count: number; bytes: number } | null
  removes: { from: string; to: string; months: number; count: number; bytes: number } | null
}

async function shown(words: readonly string[], policy: object = keepDays): Promise<Map<string, Shown>> {
  const { code, out, err } = await retention([...words, '--json'], policy)
  assert.equal(code, 0, err)
  return new Map((JSON.parse(out) as { kinds: Shown[] }).kinds.map((kind) => [kind.kind, kind]))
}

const span = (one: Shown | undefined) =>
  one?.removes ? [one.removes.from, one.removes.to, one.removes.months, one.removes.count] : null

/** What people read of what stays, as text. */
async function read(): Promise<string[]> {
  await using service = await serveHere(installation.location)
  const asked = [
    '/v1/charts?country=us&chart=top-free',
    '/v1/charts?country=us&chart=top-free&categoryId=6002',
    '/v1/charts/apps/7/history?country=us&from=2025-09-01&to=2026-03-01',
    '/v1/competitors/ios/7',
    '/v1/competitors/ios/8',
    '/v1/organic?sort=views',
  ]
  const replies: string[] = []
  for (const path of asked) {
    const reply = await fetch(`${service.address}${path}`, { headers: { authorization: `Bearer ${key}` } })
    assert.equal(reply.status, 200, path)
    replies.push(`${path} ${await reply.text()}`)
  }
  return replies
}

test('without a policy everything is kept, and it says so', async () => {
  const { code, out } = await retention(['show'], {})
  assert.equal(code, 0)
  assert.match(out, /^chart-ranks +keep everything +2025-01 to 2026-03, 10 captures, /m)
  assert.match(out, /Everything is kept: no policy is configured/)
  assert.match((await retention(['apply'], {})).out, /Everything is kept/)
})

test('a policy that is shorter than what reads look back is refused by name, and so is one that is none', async () => {
  for (const [policy, said] of [
    [{ chartRanks: 90 }, /retention\.keepDays\.chartRanks: must be at least 180 days: emerging apps/],
    [{ resultPages: 30 }, /retention\.keepDays\.resultPages: must be at least 365 days/],
    [{ media: 7 }, /retention\.keepDays\.media: must be at least 30 days: whoever looks/],
    [{ payloads: 0 }, /retention\.keepDays\.payloads: must be at least 30 days/],
    [{ payloads: 40.5 }, /retention\.keepDays\.payloads: must be a whole number of days/],
    [{ ranks: 400 }, /retention\.keepDays: Unrecognized key: "ranks"/],
  ] as const) {
    const { code, err } = await retention(['apply'], policy)
    assert.equal(code, 2, err)
    assert.match(err, said)
  }
})

test('what would be removed is shown, changes nothing, and is what is removed: everything else reads as before', async () => {
  await using store = await installation.open()
  await saved('tiktok_2')
  const untouched = await everyRow(store)
  const told = await shown(['show'])
  assert.deepEqual(await everyRow(store), untouched)
  assert.deepEqual(
    span(told.get('chart-ranks')),
    ['2025-01', '2025-06', 2, 5],
    'a chart without a later capture stays',
  )
  assert.deepEqual(
    span(told.get('result-pages')),
    ['2025-01', '2025-02', 2, 3],
    'a term without a later page stays',
  )
  assert.deepEqual(
    span(told.get('post-figures')),
    ['2025-03', '2025-03', 1, 3],
    'a saved post keeps all of its figures',
  )
  assert.equal(told.get('payloads')?.removes, null)
  const before = await read()

  const ended = await shown(['apply'])
  assert.deepEqual([...ended.values()].map(span), [...told.values()].map(span))
  assert.deepEqual(await read(), before)
  assert.deepEqual(
    [...(await shown(['show'])).values()].map(({ removes }) => removes),
    [null, null, null, null, null, null],
  )
  const parts = await rows(
    store.db,
    sql<{ part: string }>`
      select c.relname as part from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'chart_months'::regclass order by 1`,
  )
  assert.deepEqual(
    parts.map(({ part }) => part),
    ['2025_01', '2025_09', '2026_02', '2026_03'].map((month) => `chart_months_${month}`),
  )
  const ranks = await rows(
    store.db,
    sql`select store_id::text as app, ranks from chart_months where month = '2025-01-01' order by 1`,
  )
  assert.deepEqual(ranks, [
    { app: '8', ranks: [1, 1] },
    { app: '9', ranks: [2, 2] },
  ])
  const terms = await rows(store.db, sql`select term, pages from terms order by term`)
  assert.deepEqual(terms, [
    { term: 'lake', pages: 2 },
    { term: 'river', pages: 2 },
  ])
  const events = await run(['audit', '--json', ...installation.location])
  assert.match(events.out, /"operation":"retention apply".*"outcome":"done"/)

  async function saved(postId: string): Promise<void> {
    await using service = await serveHere(installation.location)
    const reply = await fetch(`${service.address}/v1/organic/${postId}/saved`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{}',
    })
    assert.ok(reply.ok, await reply.text())
  }
})

test('a history that reaches back to what was removed says from which day on all is kept', async () => {
  await using service = await serveHere(installation.location)
  const coverageFrom = async (from: string) => {
    const path = `/v1/charts/apps/7/history?country=us&from=${from}&to=2026-03-01`
    const reply = await fetch(`${service.address}${path}`, { headers: { authorization: `Bearer ${key}` } })
    return ((await reply.json()) as { coverage: object }).coverage
  }
  assert.deepEqual(await coverageFrom('2025-01-01'), {
    chartsObserved: 2,
    chartsWithApp: 1,
    keptFrom: '2025-07-01',
  })
  assert.deepEqual(await coverageFrom('2025-07-01'), { chartsObserved: 1, chartsWithApp: 1 })
})

test('a replay makes removed history anew while its payloads are there, and the next run removes it again', async () => {
  const before = await read()
  const { code, err } = await run(['replay', ...installation.location])
  assert.equal(code, 0, err)
  assert.deepEqual(await read(), before)
  assert.deepEqual(span((await shown(['apply'])).get('chart-ranks')), ['2025-01', '2025-06', 2, 5])
  assert.deepEqual(await read(), before)
})

test('evidence that was stored while a clock was years ahead removes nothing, and it says why', async () => {
  const { location, configure } = installation
  const entry = {
    country: 'us',
    chart: 'top-free',
    category: '6003',
    capturedAt: '2051-01-01T06:00:00Z',
    rank: 1,
    id: 7,
  }
  await using own = await openInstallation()
  await fill(own)
  const file = own.configure([{ ...entry, name: 'App 7' }], 'ahead.json')
  const ahead = { env: withClockAt('2051-01-02T00:00:00Z') }
  const stored = await runProcess(['import', 'charts', file, ...own.location], ahead)
  assert.equal(stored.code, 0, stored.err)
  const config = configure({ retention: { keepDays } }, 'ahead.json')
  await using store = await own.open()
  // The clock of the database as well.
  await sql
    .raw(
      "create schema ahead; create function ahead.now() returns timestamptz language sql as $$ select timestamptz '2051-01-02' $$",
    )
    .execute(store.db)
  await sql
    .raw(
      `alter database ${new URL(own.databaseUrl).pathname.slice(1)} set search_path = ahead, public, pg_catalog`,
    )
    .execute(store.db)
  const told = await runProcess(['retention', 'apply', '--json', '--config', config, ...own.location], ahead)
  assert.equal(told.code, 0, told.err)
  const [charts] = (JSON.parse(told.out) as { kinds: (Shown & { standsAlone: boolean })[] }).kinds
  assert.deepEqual([charts?.standsAlone, charts?.removes], [true, null])
  assert.ok(location)
})

test('a clock that jumps ahead removes no more', async () => {
  const config = installation.configure({ retention: { keepDays: { ...keepDays, payloads: 30 } } }, 'jump.json')
  const words = ['retention', 'apply', '--json', '--config', config, ...installation.location]
  const { code, out, err } = await runProcess(words, { env: withClockAt('2051-01-01T00:00:00Z') })
  assert.equal(code, 0, err)
  assert.ok(
    (JSON.parse(out) as { kinds: Shown[] }).kinds.every(({ removes }) => removes === null),
    out,
  )
})

test('workers remove once a day, where a policy is configured and only there', async () => {
  const queued = async (world: World) =>
    rows(
      world.store.db,
      sql<{ hours: number }>`
        select round(extract(epoch from start_after - created_on) / 3600)::int as hours
        from pgboss.job where name = 'remove-old'`,
    )
  await using without = await openWorld()
  await lookAtSchedule(without)
  assert.deepEqual(await queued(without), [])
  await using world = await openWorld({ retention: { keepDays: { chartRanks: 180 } } })
  await world.import({ kind: 'charts', paths: [join(installation.folder, 'charts.json')] })
  await lookAtSchedule(world)
  await lookAtSchedule(world)
  assert.deepEqual(await queued(world), [{ hours: 24 }])
  await removeOldJob.performer(jobPartsOf(world))({}, patient)
  const audited = await operate(world, { command: 'audit', options: { json: true } })
  const events = audited.out.trim().split('\n')
  assert.deepEqual(
    events.map((line) => {
      const { door, actor, operation, outcome } = JSON.parse(line)
      return [door, actor, operation, outcome]
    }),
    ['begun', 'done'].map((outcome) => ['schedule', 'schedule', 'retention apply', outcome]),
  )
  assert.match(events[1] ?? '', /"subject":\{"chart-ranks":5\}/)
  await removeOldJob.performer(jobPartsOf(world))({}, patient)
  const again = await operate(world, { command: 'audit', options: { json: true } })
  assert.equal(again.out, audited.out, 'a day on which nothing goes leaves no event')
})

test('what was estimated of days whose ranks are gone stays as it is, when the app is estimated anew', async () => {
  await using own = await openInstallation()
  await fill(own)
  await using store = await own.open()
  const estimated = async () => {
    await refreshEstimates(store.db, { storeId: '7', country: 'us' }, new Date('2026-03-02T00:00:00Z'))
    return rows(
      store.db,
      sql<{ day: string; reason: string | null }>`
        select metric, day::text as day, version, method, low, mid, high, inputs, reason from estimates order by 1, 2, 3`,
    )
  }
  const before = await estimated()
  assert.ok(before.some(({ day, reason }) => day === '2025-01-15' && reason === null))
  const config = own.configure({ retention: { keepDays } }, 'retention.json')
  const { code, err } = await run(['retention', 'apply', '--config', config, ...own.location])
  assert.equal(code, 0, err)
  assert.deepEqual(await estimated(), before)
})
