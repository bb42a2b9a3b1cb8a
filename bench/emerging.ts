import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { type SightingsOfReading, storeSightings } from '../src/domain/catalogue/store-sightings.ts'
import { emergingApps } from '../src/domain/emerging/emerging-apps.ts'
import { backtestStored } from '../src/domain/emerging/stored-backtest.ts'
import type { Database } from '../src/storage/database.ts'
import { countRanks, fillCharts } from './chart-store.ts'
import { median, print, printTable, report } from './figures.ts'
import { benchStoreId, observedAt } from './generate.ts'
import { databaseExists, databaseUrl, freshDatabase } from './stores.ts'

/**
 * How long a discovery run takes to find its candidates on PostgreSQL: one storefront of 60 charts of 100 places on 240
 * days, a run over the last 90 of them; 20,000 apps, a tenth of them young, each with ratings of every day of the window.
 * Target: under 1 s, in fewer than ten queries. The back-test that comes before is measured apart.
 *
 *   node bench/emerging.ts
 */
const until = observedAt.slice(0, 10)
const load = { charts: 60, days: 240, depth: 100, apps: 20_000, until, storefronts: ['us'] }
const target = 1_000
const runs = 5

if (!(await databaseExists('emerging'))) await loadOnce()
let queries: { query: CompiledQuery; milliseconds: number }[] = []
const pool = new Pool({ connectionString: databaseUrl('emerging'), max: 4 })
await using db: Database = new Kysely({
  dialect: new PostgresDialect({ pool }),
  log: (event) => void queries.push({ query: event.query, milliseconds: event.queryDurationMillis }),
})
print(`discovery in the us, ${(await countRanks(db)).toLocaleString('en')} stored ranks`)
const figures = []
for (const windowDays of [14, 90]) {
  const times: number[] = []
  let found = await run(windowDays)
  for (let turn = 0; turn < runs; turn++) {
    queries = []
    const started = performance.now()
    found = await run(windowDays)
    times.push(performance.now() - started)
  }
  const inStore = queries.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  const { charts, examined, apps } = found
  const took = median(times)
  report({ name: `emerging, ${windowDays} days`, value: took, unit: 'ms', goal: { atMost: target } })
  figures.push([
    `${windowDays} days`,
    took,
    Math.max(...times),
    inStore,
    queries.length,
    charts,
    examined,
    apps.length,
    took < target ? 'met' : 'missed',
  ])
  for (const { query, milliseconds } of queries)
    print(
      `  ${windowDays} days: ${milliseconds.toFixed(0)} ms ${query.sql.replaceAll(/\s+/g, ' ').trim().slice(0, 90)}`,
    )
}
printTable(
  [
    'window',
    'median ms',
    'max ms',
    'in the store',
    'queries',
    'charts',
    'examined',
    'emerging',
    `under ${target}`,
  ],
  figures,
)

const tests: [string, number, number, number][] = []
for (const windowDays of [14, 90]) {
  const [times, processor]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < runs; turn++) {
    const [started, before] = [performance.now(), process.cpuUsage()]
    await backtestStored(db, { country: 'us', categoryId: null, windowDays }, new AbortController().signal)
    times.push(performance.now() - started)
    const { user, system } = process.cpuUsage(before)
    processor.push((user + system) / 1_000)
  }
  tests.push([`${windowDays} days`, median(times), Math.max(...times), median(processor)])
}
print('the back-test before it, of up to 2,000 captures')
printTable(['window', 'median ms', 'max ms', 'processor ms'], tests)

function run(windowDays: number) {
  return emergingApps(db, { country: 'us', categoryId: null, windowDays }, new AbortController().signal)
}

/** Charts through storeCharts, records through storeSightings, and the days of their ratings as rows. */
async function loadOnce(): Promise<void> {
  await using store = await freshDatabase('emerging')
  process.stderr.write('storing charts and records\n')
  await fillCharts(store.db, load)
  const readingId = uuidv7()
  const batch = 1_000
  for (let first = 0; first < load.apps; first += batch) {
    const parsed = lookupOf(readingId, first, batch)
    await store.db.transaction().execute((transaction) => storeSightings(transaction, [parsed]))
  }
  await sql`
    insert into rating_observations (store_id, country, day, observed_at, rating_count, rating, reading_id)
    select store_id, country, day - back, observed_at - make_interval(days => back),
      greatest(0, rating_count - back * (store_id % 97)), rating, reading_id
    from rating_observations, generate_series(1, 95) as back`.execute(store.db)
  await sql`vacuum analyze`.execute(store.db)
}

function lookupOf(readingId: string, first: number, count: number): SightingsOfReading {
  const at = new Date(observedAt)
  return {
    reading: {
      readingId,
      key: readingId.slice(0, 16),
      format: 'itunes-lookup',
      source: 'itunes-lookup',
      origin: 'sample',
      country: 'us',
      observedAt: at,
      timeBasis: 'stated',
      context: {},
    },
    country: 'us',
    sightings: Array.from({ length: count }, (_, index) => {
      const app = first + index
      const ageDays = app % 10 === 0 ? app % 365 : 400 + (app % 3_000)
      const releasedAt = new Date(at.getTime() - ageDays * 86_400_000).toISOString()
      const listing = { name: `App ${app}`, rating: 4.5, ratingCount: 100 + app * 7, releasedAt }
      return { storeId: String(benchStoreId(app)), listing }
    }),
  }
}
