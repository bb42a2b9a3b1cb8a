import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openStore } from '../../src/storage/open-store.ts'
import { openTestServer } from '../../src/storage/testing.ts'
import { everyRow, openBackedUp } from '../support/backups.ts'
import { emptyDatabase } from '../support/empty-database.ts'
import { run } from '../support/in-process.ts'

const parts = new AsyncDisposableStack()
const from = parts.use(await openBackedUp())
const server = parts.use(await openTestServer())
after(() => parts.disposeAsync())
const { location } = from.installation
await from.importApps(1, 20)

const rowsAt = async (databaseUrl: string) => {
  await using store = await openStore({ databaseUrl }, 'test')
  return await everyRow(store)
}

test('a store moves into an empty database with every row, and the source stays as it was', async () => {
  await using database = await emptyDatabase(server.url)
  const before = await rowsAt(from.installation.databaseUrl)
  const { code, out, err } = await run(['move', '--to', database.url, '--json', ...location])
  assert.equal(code, 0, err)
  const moved = JSON.parse(out.trim().split('\n').at(-1) ?? '')
  assert.ok(moved.tables > 50 && moved.rows > 20, out)
  assert.equal(moved.movedBefore, 0)
  assert.deepEqual(await rowsAt(database.url), before)
  assert.deepEqual(await rowsAt(from.installation.databaseUrl), before)
  const listed = await run(['keys', 'list', '--database-url', database.url])
  assert.match(listed.out, /valid/)
})

test('a target that holds anything is refused, and so is the source itself; nothing is changed', async () => {
  await using database = await emptyDatabase(server.url)
  {
    await using store = await openStore({ databaseUrl: database.url }, 'test')
    await sql`insert into accounts (account_id, name) values (gen_random_uuid(), 'of somebody')`.execute(
      store.db,
    )
  }
  const before = await rowsAt(database.url)
  const full = await run(['move', '--to', database.url, ...location])
  assert.equal(full.code, 1)
  assert.match(full.err, /^The store is not empty/)
  assert.deepEqual(await rowsAt(database.url), before)
  const itself = await run(['move', '--to', from.installation.databaseUrl, ...location])
  assert.notEqual(itself.code, 0)
})
