import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from 'kysely'
import { migrate, StoreNewerError } from '../src/storage/migrate.ts'
import { openPostgres } from '../src/storage/open-store.ts'
import { openTestServer, openTestStore } from '../src/storage/testing.ts'
import { emptyDatabase } from './support/empty-database.ts'
import { run } from './support/in-process.ts'

test('processes that start at once on an empty database all find it migrated, once', async () => {
  await using server = await openTestServer()
  await using database = await emptyDatabase(server.url)
  const outcomes = await Promise.all([1, 2, 3].map(() => run(['migrate', '--database-url', database.url])))
  for (const { code, out, err } of outcomes) {
    assert.equal(code, 0, err)
    assert.match(out, /^the store is up to date$/m)
  }
  await using store = openPostgres(database.url)
  const { rows } = await sql<{ name: string; times: number }>`
    select name, count(*)::int as times from kysely_migration group by name order by name`.execute(store.db)
  assert.ok(rows.length >= 5 && rows.every((row) => row.times === 1))
  assert.deepEqual(await migrate(store), [])
})

test('a migrated store has nothing left to do', async () => {
  await using store = await openTestStore()
  assert.deepEqual(await migrate(store), [])
})

test('a store that a newer version wrote is refused, by the name of what it has more', async () => {
  await using store = await openTestStore()
  await sql`insert into kysely_migration (name, timestamp) values ('0999_future', '2030-01-01')`.execute(
    store.db,
  )
  await assert.rejects(
    migrate(store),
    (error) =>
      error instanceof StoreNewerError && /newer version of Rivalscope.*0999_future/.test(error.message),
  )
})

test('estimates kept under the names that formulas had before say the names they have', async () => {
  await using store = await openTestStore()
  const keep = (version: string) =>
    sql`insert into estimates (store_id, country, metric, day, version, inputs, computed_at)
      values (1, 'us', 'downloads', '2026-03-01', ${version}, '[]', now())`.execute(store.db)
  for (const version of ['chart-rank-1', 'chart-rank-1/cal-12', 'rating-growth-1', 'grossing-rank/1 (cal-3)'])
    await keep(version)
  const rename = new URL('../migrations/0038_formula_names.sql', import.meta.url)
  await sql.raw(readFileSync(rename, 'utf8')).execute(store.db)
  const { rows } = await sql<{ version: string }>`
    select version from estimates order by version collate "C"`.execute(store.db)
  assert.deepEqual(
    rows.map(({ version }) => version),
    ['chart-rank/1', 'chart-rank/1 (cal-12)', 'grossing-rank/1 (cal-3)', 'rating-growth/1'],
  )
})
