import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { runImport } from '../../src/imports/run-import.ts'
import { distributableTables } from '../../src/storage/cluster.ts'
import { type Database, firstRow, rows } from '../../src/storage/database.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { openFolder } from '../support/files.ts'
import { run } from '../support/in-process.ts'
import { sharedData } from '../support/world.ts'

const tool =
  process.env.RIVALSCOPE_TEST_CLUSTER_TOOL ??
  new URL('../../../shared/tools/citus/cluster.sh', import.meta.url).pathname
const lacks = !existsSync(tool)
  ? 'the tool that makes a cluster of PostgreSQL is not here'
  : !existsSync('/usr/share/postgresql/15/extension/citus.control')
    ? 'Citus is not installed on this machine'
    : !existsSync(sharedData) && 'the real material is not here'

describe('On a cluster', { skip: lacks, timeout: 600_000 }, () => {
  test('every table is parted as its comment says, one key asks one shard, and charts and searches are imported', async (context) => {
    await using cluster = openCluster()
    if (!cluster.starts())
      return context.skip('the Citus of the tool does not fit the PostgreSQL of this machine')
    const databaseUrl = cluster.database('rivalscope')
    await migrateThere(databaseUrl)
    await using store = await openStore({ databaseUrl }, 'test')
    await asksOneShardForOneKey(store.db)
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

/** With words of its refusals, and of doing it again. */
async function migrateThere(databaseUrl: string): Promise<void> {
  const migrated = (...args: string[]) => run(['migrate', '--database-url', databaseUrl, '--cluster', ...args])
  const first = await migrated('--shards', '8')
  assert.deepEqual([first.code, first.err], [0, ''])
  assert.match(first.out, /^the store is up to date\ndistributed \d\d tables: 8 shards a table, 2 workers\n$/)
  const again = await migrated()
  assert.match(again.out, /\nit is distributed: 8 shards a table, 2 workers\n$/)
  const otherwise = await migrated('--shards', '16')
  assert.deepEqual([otherwise.code, /over 8 shards/.test(otherwise.err)], [1, true])
}

async function asksOneShardForOneKey(db: Database): Promise<void> {
  const growing = (await distributableTables(db)).filter(({ by }) => by !== undefined)
  assert.ok(growing.length > 40)
  for (const { table, by } of growing) {
    const key = by === 'media_id' ? '00000000-0000-0000-0000-000000000000' : '1'
    const tasks = (condition: RawBuilder<unknown>) =>
      tasksOf(db, sql`select * from ${sql.table(table)} where ${condition}`)
    assert.equal(await tasks(sql`${sql.ref(by ?? '')} = ${sql.lit(key)}`), 1, table)
    assert.equal(await tasks(sql`true`), 8, table)
  }
  const found = sql`
    select store_id from app_search where name_terms @@ 'budget'::tsquery order by tier, store_id limit 10`
  assert.equal(await tasksOf(db, found), 8)
}

/** Of how many shards a statement asks something. */
async function tasksOf(db: Database, statement: RawBuilder<unknown>): Promise<number> {
  const plan = await rows(db, sql<{ 'QUERY PLAN': string }>`explain (costs off) ${statement}`)
  return Number(plan.map((line) => /Task Count: (\d+)/.exec(line['QUERY PLAN'])?.[1]).find((count) => count))
}

function openCluster() {
  const folder = openFolder()
  const call = (...args: string[]) =>
    execFileSync(tool, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  return {
    starts() {
      try {
        return call('start', folder.path) !== ''
      } catch {
        return false
      }
    },
    database: (name: string) => call('database', folder.path, name),
    async [Symbol.asyncDispose]() {
      call('stop', folder.path)
      folder[Symbol.dispose]()
    },
  }
}
