import { parseArgs } from 'node:util'
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { mulberry32 } from '../sample/dice.ts'
import { type ChartOfReading, storeCharts } from '../src/domain/charts/store-charts.ts'
import { refreshEstimates } from '../src/domain/estimates/refresh.ts'
import type { Database } from '../src/storage/database.ts'
import { openStore } from '../src/storage/open-store.ts'
import { chartKinds } from '../src/vocabulary/chart-kinds.ts'
import { countRanks, madeUpReading } from './chart-store.ts'
import { percentile, print, printTable, report } from './figures.ts'
import { databaseExists, databaseUrl, freshDatabase } from './stores.ts'

/**
 * How long the estimates of one app take to be computed anew on PostgreSQL: a year in 20 charts of 200 places, with its
 * ratings of every day, including the statement that writes the 730 estimates. Target: under 200 ms.
 *
 *   node bench/estimates.ts
 *   node bench/estimates.ts --explain            also prints the plans of the statements
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '30' }, explain: { type: 'boolean', default: false } },
})
const target = 200
const days = 365
const depth = 200
const until = Date.parse('2026-11-20T06:00:00Z')
const now = new Date(until)
const app = { storeId: '60', country: 'us' }
const categories = [36, 6014, 6000, 6002, 6005, 6007, 6015]
/** The last is left out: three chartKinds of seven categories are 21. */
const charts = categories
  .flatMap((categoryId) => chartKinds.map((kind) => ({ kind, categoryId, country: app.country })))
  .slice(0, 20)

await loadOnce()
const pool = new Pool({ connectionString: databaseUrl('estimates'), max: 10 })
const seen: { query: CompiledQuery; ms: number }[] = []
await using db: Database = new Kysely({
  dialect: new PostgresDialect({ pool }),
  log: (event) => void seen.push({ query: event.query, ms: event.queryDurationMillis }),
})

const times: Record<string, number[]> = { 'first, into an empty table': [], 'again, over the same days': [] }
for (let round = 0; round < Number(values.rounds); round++) {
  await sql`truncate estimates`.execute(db)
  for (const list of Object.values(times)) {
    const started = performance.now()
    const refreshed = await refreshEstimates(db, app, now)
    list.push(performance.now() - started)
    if (refreshed !== days) throw new Error(`${refreshed} days were estimated, not ${days}`)
  }
}
const { rows: written } = await sql<{ version: string; days: number }>`
  select coalesce(reason, version) as version, count(*)::int as days from estimates group by 1 order by 1`.execute(
  db,
)
print(
  `estimates of one app, a year in ${charts.length} charts, ${(await countRanks(db)).toLocaleString('en')} stored ranks, milliseconds`,
)
printTable(
  ['refresh', 'p50', 'p95', 'max', `p95 under ${target}`],
  Object.entries(times).map(([name, list]) => {
    const p95 = percentile(list, 0.95)
    report({ name: `estimates, ${name}, p95`, value: p95, unit: 'ms', goal: { atMost: target } })
    return [name, percentile(list, 0.5), p95, Math.max(...list), p95 < target ? 'met' : 'missed']
  }),
)
print(written.map((row) => `${row.version}: ${row.days}`).join(', '))
if (values.explain) await explain()

async function explain(): Promise<void> {
  seen.length = 0
  await refreshEstimates(db, app, now)
  for (const { query, ms } of seen.filter(({ query }) => /^\s*(select|with|insert)/.test(query.sql))) {
    const { rows } = await pool.query(`explain (analyze, buffers) ${query.sql}`, [...query.parameters])
    print(`${ms.toFixed(1)} ms\n${query.sql}\n${rows.map((row) => row['QUERY PLAN']).join('\n')}\n`)
  }
}

async function loadOnce(): Promise<void> {
  const wanted = charts.length * days * depth
  if (await databaseExists('estimates')) {
    await using store = await openStore({ databaseUrl: databaseUrl('estimates') }, 'bench')
    if ((await countRanks(store.db)) === wanted) return
  }
  await using store = await freshDatabase('estimates')
  process.stderr.write(`storing ${wanted.toLocaleString('en')} ranks\n`)
  const readingId = await madeUpReading(store.db)
  const roll = mulberry32(11)
  for (let day = days - 1; day >= 0; day--) {
    const capturedAt = new Date(until - day * 86_400_000)
    const entries = charts.map(
      (chart): ChartOfReading => ({
        reading: { readingId, key: '', source: 'chart-file', origin: 'sample', timeBasis: 'stated' },
        chart: {
          ...chart,
          device: 'iphone',
          capturedAt,
          requested: depth,
          storeIds: placesOf(chart.categoryId, roll),
          sightings: [],
        },
      }),
    )
    await store.db.transaction().execute((transaction) => storeCharts(transaction, entries, []))
  }
  await sql`
    insert into rating_observations (store_id, country, day, observed_at, rating_count, rating, reading_id)
    select ${app.storeId}::bigint, ${app.country}, day, day, 1000 + 30 * (day::date - '2025-01-01'::date), 4.5, ${readingId}::uuid
    from generate_series(${new Date(until - (days - 1) * 86_400_000)}::date, ${now}::date, interval '1 day') day`.execute(
    store.db,
  )
  await sql`vacuum analyze`.execute(store.db)
}

/** Apps by how well they do, a little shuffled every day; each is in one category, and ours in all. */
function placesOf(categoryId: number, roll: () => number): string[] {
  const share = categories.length - 1
  const inCategory = (id: number) =>
    categoryId === 36 || id % share === categories.indexOf(categoryId) - 1 || String(id) === app.storeId
  return Array.from({ length: depth * (share + 1) }, (_, index) => index + 1)
    .filter(inCategory)
    .map((id) => ({ id, score: id * (0.8 + 0.4 * roll()) }))
    .sort((one, other) => one.score - other.score)
    .slice(0, depth)
    .map(({ id }) => String(id))
}
