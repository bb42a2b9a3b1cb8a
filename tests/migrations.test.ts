import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { migrate, StoreRefusedError } from '../src/storage/migrate.ts'
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
      error instanceof StoreRefusedError && /newer version of Rivalscope.*0999_future/.test(error.message),
  )
})

test('a store from before the first release is refused whole, with what to do', async () => {
  await using store = await openTestStore()
  await sql`delete from kysely_migration where name > '0002'`.execute(store.db)
  await sql`insert into kysely_migration (name, timestamp)
    values ('0003_catalogue', '2026-01-01'), ('0038_formula_names', '2026-01-01')`.execute(store.db)
  await assert.rejects(migrate(store), (error) => {
    assert.ok(error instanceof StoreRefusedError)
    assert.equal(
      error.message,
      'The store was made by a version from before the first release (it has 0003_catalogue … 0038_formula_names), and no migration leads from there. Start an empty store, and import into it what that version exports.',
    )
    return true
  })
  const { rows } = await sql`select from kysely_migration where name > '0003_d'`.execute(store.db)
  assert.equal(rows.length, 1)
})
