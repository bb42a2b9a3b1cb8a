/**
 * What a cluster of four workers does on one machine, beside plain PostgreSQL of the same version on the same machine: rows a worker,
 * reads a second, what reads and writes do during a rebalance to a worker that joins, and while a worker is lost and comes back. It starts the cluster itself, with the
 * tool of `RIVALSCOPE_TEST_CLUSTER_TOOL`, and ends it.
 *
 *   node bench/cluster.ts --apps 20000 --days 30
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { mergeSearchIndexes } from '../src/domain/catalogue/record-writes.ts'
import { runImport } from '../src/imports/run-import.ts'
import { distribute } from '../src/storage/cluster.ts'
import { type Database, firstRow, rows } from '../src/storage/database.ts'
import { openPostgres, openStore } from '../src/storage/open-store.ts'
import { freePorts } from '../tests/support/free-port.ts'
import { fillCharts } from './chart-store.ts'
import { keepAsking, tellOutcomes } from './cluster-traffic.ts'
import { median, percentile, print, printTable } from './figures.ts'
import { benchStoreId, observedAt } from './generate.ts'
import { Client } from './load.ts'
import { serveStore } from './service.ts'
import { catalogueFile, directory } from './stores.ts'

const { values } = parseArgs({
  options: {
    apps: { type: 'string', default: '20000' },
    days: { type: 'string', default: '30' },
    requests: { type: 'string', default: '400' },
  },
})
const [apps, days, requests] = [Number(values.apps), Number(values.days), Number(values.requests)]
const workers = 4
const shards = 16
/** How long is asked without anything happening, and while a worker is away. */
const quietMs = 15_000

const tool =
  process.env.RIVALSCOPE_TEST_CLUSTER_TOOL ??
  new URL('../../shared/tools/citus/cluster.sh', import.meta.url).pathname
const folder = mkdtempSync('/tmp/rivalscope-cluster-')
const first = await freePorts(workers + 1)
const cluster = (...args: string[]) => execFileSync(tool, args, { encoding: 'utf8' }).trim()

const storeIdAt = (index: number) => benchStoreId((index * 7919) % apps)
const charts = ['us', 'jp', 'de', 'gb', 'fr']
const words = ['budget', 'photo editor', 'sleep', 'habit tracker', 'running']
const reads: Record<string, (index: number) => string> = {
  get_competitor: (index) => `/v1/competitors/ios/${storeIdAt(index)}?country=us`,
  'get_competitor_charts, 30 days': (index) =>
    `/v1/charts/apps/${storeIdAt(index)}/history?country=us&from=2026-10-22&to=2026-11-20`,
  get_apple_charts: (index) => `/v1/charts?country=${charts[index % 5]}&chart=top-free&limit=100`,
  search_competitors: (index) =>
    `/v1/competitors?country=us&q=${encodeURIComponent(words[index % 5] ?? '')}&limit=10`,
}

try {
  cluster('start', folder, String(workers), String(first))
  const clusterUrl = cluster('database', folder, 'bench')
  const plainUrl = clusterUrl.replace(/bench$/, 'plain')
  await using server = openPostgres(clusterUrl)
  await sql`create database plain`.execute(server.db)
  // It joins later.
  await sql`select citus_remove_node('127.0.0.1', ${first + workers}::int)`.execute(server.db)
  const filled = [await fill(plainUrl, false), await fill(clusterUrl, true)]
  print(
    `\nFilled in ${filled.map((seconds) => `${Math.round(seconds)} s`).join(' and ')}: plain, three workers.`,
  )
  await rowsOfWorkers(server.db, 'three workers')
  await compare(plainUrl, clusterUrl)
  await rebalance(server.db, clusterUrl)
  await rowsOfWorkers(server.db, 'four workers')
  await loseWorker(clusterUrl)
} finally {
  cluster('stop', folder)
  rmSync(folder, { recursive: true, force: true })
}

/** @returns seconds */
async function fill(databaseUrl: string, distributed: boolean): Promise<number> {
  await using store = await openStore({ databaseUrl }, 'bench')
  if (distributed) await distribute(store, shards)
  await using sessions = await openStore({ databaseUrl }, 'bench')
  const started = performance.now()
  const order = { kind: 'catalogue' as const, paths: [catalogueFile(apps)], country: 'us', observedAt }
  await runImport(
    sessions.db,
    { ...order, directory, rejectedFile: join(directory, 'rejected.ndjson') },
    () => {},
  )
  await mergeSearchIndexes(sessions.db)
  await fillCharts(sessions.db, { charts: 274, days, depth: 100, apps, until: '2026-11-20' })
  return (performance.now() - started) / 1000
}

async function rowsOfWorkers(db: Database, when: string): Promise<void> {
  const found = await rows(
    db,
    sql<{ port: number; shards: number; bytes: string; rows: number }>`
      select nodeport as port, count(*)::int as shards, pg_size_pretty(sum(shard_size)) as bytes,
        (sum(shard_size) / 1024)::int as rows
      from citus_shards where citus_table_type = 'distributed' group by nodeport order by nodeport`,
  )
  const counts = await rows(
    db,
    sql<{ port: number; records: number; months: number }>`
      select nodeport as port,
        sum(case when logicalrelid = 'app_records'::regclass then result::bigint else 0 end)::int as records,
        sum(case when logicalrelid = 'chart_months'::regclass then result::bigint else 0 end)::int as months
      from (
        select 'app_records'::regclass as logicalrelid, shardid, result from run_command_on_shards('app_records', 'select count(*) from %s')
        union all
        select 'chart_months'::regclass, shardid, result from run_command_on_shards('chart_months', 'select count(*) from %s')
      ) counted
      join pg_dist_shard_placement using (shardid)
      group by nodeport order by nodeport`,
  )
  print(`\nRows a worker, ${when}`)
  printTable(
    ['worker', 'records of apps', 'months of ranks', 'parts of tables', 'bytes'],
    counts.map(({ port, records, months }) => {
      const node = found.find((one) => one.port === port)
      return [`${port - first}`, records, months, node?.shards ?? 0, node?.bytes ?? '']
    }),
  )
}

async function compare(plainUrl: string, clusterUrl: string): Promise<void> {
  const lines: (string | number)[][] = []
  for (const [name, url] of [
    ['plain', plainUrl],
    ['three workers', clusterUrl],
  ] as const) {
    await using service = await serveStore({ databaseUrl: url })
    for (const [read, pathAt] of Object.entries(reads)) {
      using client = new Client(service.address, service.key, 8)
      try {
        await client.timesOf(Array.from({ length: 50 }, (_, index) => pathAt(index)))
        const times = await client.timesOf(Array.from({ length: 100 }, (_, index) => pathAt(index + 50)))
        const rate = await client.rateOf((index) => pathAt(index + 150), requests, 8)
        lines.push([read, name, median(times).toFixed(1), percentile(times, 0.95).toFixed(1), Math.round(rate)])
      } catch (error) {
        lines.push([read, name, '', '', `refused: ${error}`])
      }
    }
  }
  print('\nReads, one after the other and by 8 at once')
  printTable(['read', 'store', 'median ms', 'p95 ms', 'a second'], lines)
}

async function rebalance(db: Database, databaseUrl: string): Promise<void> {
  const log = join(folder, 'service.log')
  await using service = await serveStore({ databaseUrl }, { logLevel: 'error', log })
  const before = keepAsking(service, databaseUrl, folder, reads)
  await setTimeout(quietMs)
  tellOutcomes(`${quietMs / 1000} s before the rebalance`, await before())
  const stop = keepAsking(service, databaseUrl, folder, reads)
  const started = performance.now()
  await sql`select citus_add_node('127.0.0.1', ${first + workers}::int)`.execute(db)
  await sql`select citus_rebalance_start()`.execute(db)
  for (;;) {
    const job = await firstRow(
      db,
      sql<{ state: string; details: unknown }>`
        select state::text as state, details from citus_rebalance_status() order by job_id desc limit 1`,
    )
    if (job && ['finished', 'failed', 'cancelled'].includes(job.state)) {
      const seconds = Math.round((performance.now() - started) / 1000)
      print(`\nRebalance to a fourth worker: ${job.state} after ${seconds} s.`)
      if (job.state !== 'finished') print(JSON.stringify(job.details))
      break
    }
    await setTimeout(500)
  }
  tellOutcomes('During the rebalance', await stop())
  print(readFileSync(log, 'utf8'))
}

async function loseWorker(databaseUrl: string): Promise<void> {
  await using service = await serveStore({ databaseUrl })
  const lost = join(folder, `n${workers}`)
  const control = (...args: string[]) =>
    execFileSync('su', [
      'postgres',
      '-s',
      '/bin/sh',
      '-c',
      `/usr/lib/postgresql/15/bin/pg_ctl -D ${lost} ${args.join(' ')} >/dev/null`,
    ])
  const before = keepAsking(service, databaseUrl, folder, reads)
  await setTimeout(quietMs)
  tellOutcomes(`${quietMs / 1000} s with four workers`, await before())
  control('-m', 'immediate', 'stop')
  const during = keepAsking(service, databaseUrl, folder, reads)
  await setTimeout(quietMs)
  tellOutcomes(`${quietMs / 1000} s without one of the four`, await during())
  const after = keepAsking(service, databaseUrl, folder, reads)
  control('-w', '-l', `${lost}.log`, 'start')
  const back = performance.now()
  using client = new Client(service.address, service.key, 1)
  const search = reads.search_competitors as (index: number) => string
  for (let index = 0; ; index += 1) {
    const answered = await client.get(search(index)).then(
      () => true,
      () => false,
    )
    if (answered) break
    await setTimeout(20)
  }
  print(`\nA search of all shards answers ${Math.round(performance.now() - back)} ms after the worker is back.`)
  await setTimeout(quietMs)
  tellOutcomes(`${quietMs / 1000} s from its start on`, await after())
}
