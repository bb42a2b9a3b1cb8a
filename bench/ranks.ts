/**
 * Bytes, writes and reads of the ranks of apps in charts, kept in two ways: a row for each rank, and an array for each
 * app, chart and month, as `chart_months` does. Both are filled from the same snapshots, day after day as they are collected, and once
 * more month by month as history is imported; then read as histories and positions are.
 *
 *   bin/node bench/ranks.ts [--days 60]          the charts of bench/charts.ts, which has to have run with as many days
 */
import { parseArgs } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import { type Database, firstRow, rows } from '../src/storage/database.ts'
import { openStore } from '../src/storage/open-store.ts'
import { withPreparedStatements } from '../src/storage/prepared.ts'
import { chartedApps } from './chart-store.ts'
import { median, percentile, print, printTable } from './figures.ts'
import { databaseUrl } from './stores.ts'

const { values } = parseArgs({
  options: { days: { type: 'string', default: '60' }, reads: { type: 'string', default: '300' } },
})
await using store = await openStore({ databaseUrl: databaseUrl(`charts_${values.days}`) }, 'bench')
const { db } = store

interface Way {
  create: RawBuilder<unknown>[]
  /** Adds the ranks of the snapshots of some days. */
  add: (from: string, before: string) => RawBuilder<unknown>
  /** The ranks of an app over all time: `chart_id`, `captured_at`, `rank`. */
  ofApp: (storeId: string) => RawBuilder<unknown>
}

const places = (from: string, before: string) => sql`
  select place.store_id, s.chart_id, s.captured_at, place.rank::smallint as rank
  from chart_snapshots s, unnest(s.store_ids) with ordinality as place(store_id, rank)
  where s.captured_at >= ${from}::timestamptz and s.captured_at < ${before}::timestamptz and place.store_id is not null`

const ways: Record<string, Way> = {
  'a row each': {
    create: [
      sql`create table by_row (store_id bigint not null, captured_at timestamptz(3) not null, chart_id integer not null,
        rank smallint not null, primary key (store_id, chart_id, captured_at) include (rank))`,
    ],
    add: (from, before) => sql`
      insert into by_row (store_id, chart_id, captured_at, rank) ${places(from, before)}`,
    ofApp: (storeId) => sql`select chart_id, captured_at, rank from by_row where store_id = ${storeId}::bigint`,
  },
  'an array a month': {
    create: [
      sql`create table by_month (store_id bigint not null, month date not null, chart_id integer not null,
        captured_at timestamptz[] not null, ranks smallint[] not null, primary key (store_id, chart_id, month))
        with (fillfactor = 65)`,
    ],
    add: (from, before) => sql`
      insert into by_month as known (store_id, chart_id, month, captured_at, ranks)
      select store_id, chart_id, date_trunc('month', captured_at)::date, array_agg(captured_at order by captured_at),
        array_agg(rank order by captured_at)
      from (${places(from, before)}) p
      group by 1, 2, 3
      on conflict (store_id, chart_id, month) do update
        set captured_at = known.captured_at || excluded.captured_at, ranks = known.ranks || excluded.ranks`,
    ofApp: (storeId) => sql`
      select m.chart_id, one.captured_at, one.rank
      from by_month m, unnest(m.captured_at, m.ranks) as one(captured_at, rank) where m.store_id = ${storeId}::bigint`,
  },
}

const days = await rows<{ day: string }>(
  db,
  sql`select distinct captured_at::date::text as day from chart_snapshots order by 1`,
)
const months = Map.groupBy(days, ({ day }) => day.slice(0, 7))
const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
const ranges = {
  'day by day': days.map(({ day }) => [day, dayAfter(day)] as const),
  'month by month': [...months.values()].map(
    (of) => [of[0]?.day ?? '', dayAfter(of.at(-1)?.day ?? '')] as const,
  ),
}
const ranks = await numberOf(sql`select coalesce(sum(returned), 0)::float8 as number from chart_snapshots`)
const apps = (await chartedApps(db, 'us')).slice(0, 200)
const keyed = withPreparedStatements(db)

const written: (string | number)[][] = []
const read: (string | number)[][] = []
for (const [name, { create, add, ofApp }] of Object.entries(ways))
  for (const [order, spans] of Object.entries(ranges)) {
    await sql`drop table if exists by_row, by_month`.execute(db)
    for (const statement of create) await statement.execute(db)
    const table = name === 'a row each' ? 'by_row' : 'by_month'
    const [walBefore, started] = [await walBytes(), performance.now()]
    for (const [from, before] of spans) await add(from, before).execute(db)
    const took = performance.now() - started
    const wal = (await walBytes()) - walBefore
    const fresh = await sizeOf(table)
    await sql`vacuum analyze ${sql.table(table)}`.execute(db)
    const added = await numberOf(
      table === 'by_row'
        ? sql`select count(*)::float8 as number from by_row`
        : sql`select sum(cardinality(ranks))::float8 as number from by_month`,
    )
    if (added !== ranks) throw new Error(`${added} ranks were added, not ${ranks}`)
    written.push([`${name}, ${order}`, fresh / ranks, wal / ranks, (1_000 * took) / ranks])
    const history = await timesOf(
      (storeId) => sql`
      select chart_id, json_agg(json_build_array((extract(epoch from captured_at) * 1000)::bigint, rank)) as ranks
      from (${ofApp(storeId)}) k group by chart_id`,
    )
    const newest = await timesOf(
      (storeId) => sql`
      select distinct on (chart_id) chart_id, captured_at, rank from (${ofApp(storeId)}) k
      order by chart_id, captured_at desc`,
    )
    read.push([
      `${name}, ${order}`,
      median(history),
      percentile(history, 0.95),
      median(newest),
      percentile(newest, 0.95),
    ])
  }
await sql`drop table if exists by_row, by_month`.execute(db)
print(`${ranks.toLocaleString('en')} ranks of ${days.length} days`)
printTable(['written', 'bytes a rank', 'bytes of WAL a rank', 'µs a rank'], written)
printTable(['read', 'history p50 ms', 'p95', 'newest p50 ms', 'p95'], read)

async function timesOf(query: (storeId: string) => RawBuilder<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < Number(values.reads) + 20; index++) {
    const statement = query(apps[index % apps.length] ?? '')
    const started = performance.now()
    await statement.execute(keyed)
    if (index >= 20) times.push(performance.now() - started)
  }
  return times
}

async function numberOf(query: RawBuilder<{ number: number }>, on: Database = db): Promise<number> {
  return (await firstRow(on, query))?.number ?? Number.NaN
}

/** With its indexes. */
function sizeOf(table: string): Promise<number> {
  return numberOf(sql`select pg_total_relation_size(${table}::regclass)::float8 as number`)
}

function walBytes(): Promise<number> {
  return numberOf(sql`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as number`)
}
