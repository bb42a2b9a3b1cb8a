import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { runImport } from '../../src/imports/run-import.ts'
import { firstRow, rows } from '../../src/storage/database.ts'
import { openStore } from '../../src/storage/open-store.ts'
import type { Store } from '../../src/storage/store.ts'
import { openFolder } from '../support/files.ts'
import { partedTables } from '../support/parted-tables.ts'
import { sharedData } from '../support/world.ts'

const tool =
  process.env.RIVALSCOPE_TEST_CLUSTER ??
  new URL('../../../shared/tools/citus/cluster.sh', import.meta.url).pathname
const lacks = !existsSync(tool)
  ? 'the tool that makes a cluster of PostgreSQL is not here'
  : !existsSync('/usr/share/postgresql/15/extension/citus.control')
    ? 'Citus is not installed on this machine'
    : !existsSync(sharedData) && 'the real material is not here'

describe('On a cluster', { skip: lacks, timeout: 600_000 }, () => {
  test('every table is parted as its comment says, and charts and searches are imported', async (context) => {
    await using cluster = openCluster()
    if (!cluster.starts())
      return context.skip('the Citus of the tool does not fit the PostgreSQL of this machine')
    const databaseUrl = cluster.database('rivalscope')
    {
      await using made = await openStore({ databaseUrl }, 'test')
      await distribute(made)
      // A month that begins is made in the transaction that brings its first row.
      await sql`alter database rivalscope set citus.multi_shard_modify_mode to 'sequential'`.execute(made.db)
    }
    await using store = await openStore({ databaseUrl }, 'test')
    await using folder = openFolder()
    const order = { directory: sharedData, rejectedFile: join(folder.path, 'rejected.ndjson') }
    const charts = { ...order, kind: 'charts', paths: ['apple/charts/us-daily-2026'] } as const
    await runImport(store.db, charts, () => {})
    const searches = { ...order, kind: 'search-results', paths: ['apple/search'] } as const
    await runImport(store.db, searches, () => {})
    const stored = await firstRow(
      store.db,
      sql<{ ranks: number; pages: number; records: number; readings: number; lost: number }>`
        select (select count(*)::int from chart_ranks) as ranks, (select count(*)::int from result_pages) as pages,
          (select count(*)::int from app_records) as records,
          (select count(*)::int from readings) as readings,
          (select count(*)::int from readings r left join payloads p using (payload_hash, month)
            where p.payload_hash is null) as lost`,
    )
    assert.ok((stored?.ranks ?? 0) > 1_000 && (stored?.records ?? 0) > 100 && (stored?.pages ?? 0) > 10)
    assert.equal(stored?.lost, 0)
    // The same again is known.
    await runImport(store.db, charts, () => {})
    const again = await firstRow(
      store.db,
      sql<{ readings: number }>`select count(*)::int as readings from readings`,
    )
    assert.equal(again?.readings, stored?.readings)
    // A correction takes the place of what it corrects.
    for (const ids of [
      [10, 11],
      [11, 99],
    ]) {
      const path = folder.write(`${ids}.json`, JSON.stringify(ids.map((id, place) => entryOf(id, place + 1))))
      await runImport(store.db, { ...order, kind: 'charts', paths: [path] }, () => {})
    }
    const ranks = await rows(
      store.db,
      sql<{
        app: string
      }>`select store_id || ':' || rank as app from chart_ranks where store_id in (10, 11, 99) order by 1`,
    )
    assert.deepEqual(
      ranks.map(({ app }) => app),
      ['11:1', '99:2'],
    )
  })
})

const entryOf = (id: number, rank: number) => ({
  country: 'us',
  chart: 'top-free',
  category: '36',
  capturedAt: '2026-03-02T06:00:00Z',
  rank,
  id,
  name: `App ${id}`,
})

/** Each table that grows by its column, and what it refers to on every node; other small tables stay where they are. */
async function distribute({ db }: Store): Promise<void> {
  const tables = await partedTables(db)
  const grows = tables.filter(({ by }) => by !== undefined).map(({ table }) => table)
  const referred = await rows(
    db,
    sql<{ table: string }>`
      select distinct confrelid::regclass::text as table from pg_constraint
      where contype = 'f' and conrelid::regclass::text = any(${grows}::text[])`,
  )
  for (const { table } of referred) await sql`select create_reference_table(${table})`.execute(db)
  const first = new Map<string, string>()
  for (const { table, by } of tables) {
    if (by === undefined) continue
    const beside = first.get(by) ?? 'none'
    await sql`select create_distributed_table(${table}, ${by}, colocate_with => ${beside}, shard_count => ${
      beside === 'none' ? sql`8` : sql`null`
    })`.execute(db)
    first.set(by, beside === 'none' ? table : beside)
  }
}

function openCluster() {
  const folder = openFolder()
  const run = (...args: string[]) =>
    execFileSync(tool, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  return {
    starts() {
      try {
        return run('start', folder.path) !== ''
      } catch {
        return false
      }
    },
    database: (name: string) => run('database', folder.path, name),
    async [Symbol.asyncDispose]() {
      run('stop', folder.path)
      folder[Symbol.dispose]()
    },
  }
}
