import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { doorOn } from '../src/app.ts'
import { monthsToPack, packMonth } from '../src/projections/pack-months.ts'
import { type Database, firstRow } from '../src/storage/database.ts'
import { openStore } from '../src/storage/open-store.ts'
import { chartedApps, countRanks, fillCharts } from './chart-store.ts'
import { percentile, print, printTable, report, reportTimes } from './figures.ts'
import { benchCharts } from './generate.ts'
import { Client } from './load.ts'
import { type DuckDbConnection, openDuckDb } from './peers.ts'
import { inTurns, postmasterOf, secondsOfPostgres, secondsOfThisProcess, type Way } from './processor.ts'
import { serveStore } from './service.ts'
import { databaseExists, databaseUrl, directory, freshDatabase, nobodyAsked } from './stores.ts'

/**
 * How long the two chart reads take with ten million stored ranks on PostgreSQL: 274 charts of 100 places on 365
 * days, loaded once through the service's own storeCharts. Target: p95 under 5 ms for each.
 *
 *   node bench/charts.ts
 *   node bench/charts.ts --days 60               fewer, or more
 *   node bench/charts.ts --explain               also prints the plans of the statements
 *   node bench/charts.ts --turns 6               more turns beside the floors: one statement for each read, prepared, in this process
 *   node bench/charts.ts --peers DIR             also reads the histories from DuckDB (bench/peers), in this process
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '500' },
    days: { type: 'string', default: '365' },
    explain: { type: 'boolean', default: false },
    peers: { type: 'string' },
    turns: { type: 'string', default: '4' },
  },
})
const days = Number(values.days)
const name = `charts_${days}`
const load = { charts: 274, days, depth: 100, apps: 20_000, until: '2026-11-20' }
const target = 5

await loadOnce()
const location = { databaseUrl: databaseUrl(name) }
const pool = new Pool({ connectionString: location.databaseUrl, max: 10 })
const seen: CompiledQuery[] = []
await using db: Database = new Kysely({
  dialect: new PostgresDialect({ pool }),
  log: (event) => void seen.push(event.query),
})
const apps = (await chartedApps(db, 'us')).slice(0, 300)
const year = 'from=2025-11-21&to=2026-11-20'
const reads: Record<string, (index: number) => string> = {
  'history, one chart, a year': (index) =>
    `/v1/charts/apps/${apps[index % apps.length]}/history?country=us&chart=top-free&categoryId=36&${year}`,
  'history, all charts of a country, a year': (index) =>
    `/v1/charts/apps/${apps[index % apps.length]}/history?country=us&${year}`,
  'latest snapshot': (index) =>
    `/v1/charts?country=${['us', 'jp', 'de', 'gb', 'fr'][index % 5]}&chart=top-free&limit=100`,
}

/** The histories, asked of DuckDB. */
const ofApp = `
  select day, chart, category, rank from ranks
  where app = $1 and country = 'us' and day between '2025-11-21' and '2026-11-20'`
const inDuckDb = [`${ofApp} and chart = 'top-free' and category = 36`, ofApp]

const ranks = await countRanks(db)
report({ name: 'bytes a rank', value: (await bytesOfRanks(db)) / ranks, unit: 'B', goal: { atMost: 30 } })
await using service = await serveStore(location)
using client = new Client(service.address, service.key, 1)
const rows = []
for (const [read, pathAt] of Object.entries(reads)) {
  const paths = Array.from({ length: Number(values.requests) }, (_, index) => pathAt(index))
  await client.timesOf(paths.slice(0, 100))
  const door = await timesAtDoor(paths)
  const http = await client.timesOf(paths)
  const bytes = await client.get(pathAt(0))
  rows.push([`${read}, door`, ...figuresOf(door), ''], [`${read}, HTTP`, ...figuresOf(http), bytes])
  report({ name: `${read}, p95`, value: percentile(http, 0.95), unit: 'ms', goal: { atMost: target } })
  if (values.explain) await explain(pathAt(0))
}
await besideOneStatement()
print(`chart reads, ${ranks.toLocaleString('en')} stored ranks, milliseconds`)
printTable(['read', 'p50', 'p95', 'max', `p95 under ${target}`, 'bytes'], rows)

function figuresOf(times: readonly number[]): (string | number)[] {
  const p95 = percentile(times, 0.95)
  return [percentile(times, 0.5), p95, Math.max(...times), p95 < target ? 'met' : 'missed']
}

/** The same through `invoke` in this process, without HTTP and without writing JSON. */
async function timesAtDoor(paths: readonly string[]): Promise<number[]> {
  const times: number[] = []
  for (const path of [...paths.slice(0, 100), ...paths]) {
    const started = performance.now()
    await invoke(path)
    times.push(performance.now() - started)
  }
  return times.slice(100)
}

async function invoke(path: string): Promise<unknown> {
  const { pathname, searchParams } = new URL(path, 'http://bench.invalid')
  const storeId = /\/apps\/(\d+)\//.exec(pathname)?.[1]
  const query: Record<string, unknown> = Object.fromEntries(searchParams)
  if (query.limit) query.limit = Number(query.limit)
  const caller = {
    credentialId: 'bench',
    accountId: 'bench',
    scopes: new Set(['context:read'] as const),
    bringsEvidence: true,
    door: 'http' as const,
  }
  const { body } = await doorOn(db, async () => {}, nobodyAsked).invoke(
    storeId ? 'get_apple_chart_history' : 'get_apple_charts',
    { params: storeId ? { storeId } : {}, query, body: undefined },
    caller,
  )
  return body
}

/**
 * Each read at the door, which remembers nothing, in turns with one statement that finds the same ranks: processor time of this process
 * and of PostgreSQL. And how many statements a read takes.
 */
async function besideOneStatement(): Promise<void> {
  const ranksOf = `
    select c.kind, c.category_id, m.captured_at, m.ranks from chart_months m join charts c using (chart_id)
    where m.store_id = $1 and m.month between '2025-11-01' and '2026-11-01' and c.country = 'us'`
  const newest = `
    select one.place, one.store_id, r.name from charts c
    join chart_snapshots s on s.chart_id = c.chart_id and s.captured_at = c.newest_captured_at
    cross join lateral unnest(s.store_ids) with ordinality as one (store_id, place)
    left join app_records r on r.store_id = one.store_id and r.country = c.country
    where c.country = $1 and c.kind = 'top-free' and c.category_id = 36 order by one.place`
  const floors = [`${ranksOf} and c.kind = 'top-free' and c.category_id = 36`, ranksOf, newest]
  const postmaster = await postmasterOf(db)
  const seconds = () => secondsOfThisProcess() + secondsOfPostgres(postmaster)
  const duckDb = values.peers ? await openRanksInDuckDb(values.peers) : undefined
  for (const [at, [read, pathAt]] of Object.entries(reads).entries()) {
    const paths = Array.from({ length: 100 }, (_, index) => pathAt(index))
    const given = paths.map((path) => /\/apps\/(\d+)\//.exec(path)?.[1] ?? /country=(..)/.exec(path)?.[1])
    let found = 0
    const ofDuckDb = duckDb && inDuckDb[at]
    const ways: { ours: Way; bare: Way; duckDb?: Way } = {
      ours: {
        perform: async () => {
          for (const path of paths) JSON.stringify(await invoke(path))
        },
        seconds,
      },
      bare: {
        perform: async () => {
          for (const one of given) {
            const { rows } = await pool.query({ name: read, text: floors[at] ?? '', values: [one] })
            found += JSON.stringify(rows).length
          }
        },
        seconds,
      },
    }
    if (ofDuckDb)
      ways.duckDb = {
        perform: async () => {
          for (const one of given) {
            const rows = await duckDb.runAndReadAll(ofDuckDb, [BigInt(one ?? 0)])
            JSON.stringify(rows.getRowsJson())
          }
        },
        seconds: secondsOfThisProcess,
      }
    const taken = await inTurns(Number(values.turns), ways)
    if (found < paths.length * 100) throw new Error(`${read}: the statement finds too little`)
    reportTimes(read, 'one statement', undefined, { ...taken, each: paths.length, unit: 'ms' })
    const { ours, duckDb: bare } = taken
    if (bare) reportTimes(read, 'DuckDB', undefined, { ours, bare, each: paths.length, unit: 'ms' })
    const ms = (taken.ours * 1_000) / paths.length
    report({ name: `${read}, processor time`, value: ms, unit: 'ms', goal: { atMost: 2 } })
    seen.length = 0
    await invoke(pathAt(0))
    report({ name: `${read}, statements`, value: seen.length, unit: '', goal: { atMost: 3 } })
  }
  duckDb?.closeSync()
}

/**
 * The same ranks in one file of DuckDB, sorted by app, which is what its zone maps want, and the same questions of an app: dates and
 * ranks alone, where the service also tells what they rest on.
 */
async function openRanksInDuckDb(peers: string): Promise<DuckDbConnection> {
  const file = join(directory, `charts-${days}.duckdb`)
  const missing = !existsSync(file)
  const connection = await openDuckDb(peers, file)
  if (missing) await fillDuckDb(connection)
  return connection
}

async function fillDuckDb(connection: DuckDbConnection): Promise<void> {
  await connection.run(
    'create table unsorted (app bigint, country varchar, chart varchar, category integer, day varchar, rank integer)',
  )
  const appender = await connection.createAppender('unsorted')
  for (const { country, chart, categoryId, capturedAt, storeIds } of benchCharts(load))
    for (const [place, storeId] of storeIds.entries()) {
      appender.appendBigInt(BigInt(storeId))
      appender.appendVarchar(country)
      appender.appendVarchar(chart)
      appender.appendInteger(Number(categoryId))
      appender.appendVarchar(capturedAt.slice(0, 10))
      appender.appendInteger(place + 1)
      appender.endRow()
    }
  appender.closeSync()
  await connection.run(
    'create table ranks as select * replace (day::date as day) from unsorted order by app, country, chart, day',
  )
  await connection.run('drop table unsorted')
  await connection.run('checkpoint')
}

async function explain(path: string): Promise<void> {
  seen.length = 0
  await invoke(path)
  for (const statement of [...seen]) {
    const { rows } = await pool.query(`explain (analyze, buffers) ${statement.sql}`, [...statement.parameters])
    print(`${statement.sql}\n${rows.map((row) => row['QUERY PLAN']).join('\n')}\n`)
  }
}

/** Writes the months that have ended anew, as the job does. */
async function packMonths(on: Database, wanted: number): Promise<void> {
  const before = await bytesOfRanks(on)
  const months = await monthsToPack(on, new Date(load.until))
  const started = performance.now()
  for (const month of months) await packMonth(on, month, new AbortController().signal)
  await sql`vacuum analyze chart_months`.execute(on)
  const [ms, after] = [performance.now() - started, await bytesOfRanks(on)]
  process.stderr.write(
    `${months.length} months written anew in ${Math.round(ms)} ms: ${(before / wanted).toFixed(1)} bytes a rank, now ${(after / wanted).toFixed(1)}\n`,
  )
}

/** With its indexes. */
async function bytesOfRanks(on: Database): Promise<number> {
  const found = await firstRow(
    on,
    sql<{ bytes: number }>`
      select sum(pg_total_relation_size(relid))::float8 as bytes from pg_partition_tree('chart_months')`,
  )
  return found?.bytes ?? Number.NaN
}

async function loadOnce(): Promise<void> {
  const wanted = load.charts * load.days * load.depth
  if (await databaseExists(name)) {
    await using store = await openStore({ databaseUrl: databaseUrl(name) }, 'bench')
    if ((await countRanks(store.db)) === wanted) return
  }
  await using store = await freshDatabase(name)
  process.stderr.write(`storing ${wanted.toLocaleString('en')} ranks\n`)
  const started = performance.now()
  await fillCharts(store.db, load)
  await sql`vacuum analyze`.execute(store.db)
  const seconds = (performance.now() - started) / 1000
  process.stderr.write(`stored in ${Math.round(seconds)} s, ${Math.round(wanted / seconds)} ranks a second\n`)
  await packMonths(store.db, wanted)
}
