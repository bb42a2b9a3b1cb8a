import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { ensureAccount } from '../src/domain/accounts/queries.ts'
import { atomically, type Database, rows } from '../src/storage/database.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

/** Connections of requests take statements ahead; those of jobs do not. */
const databases = { requests: world.store.requests.db, jobs: world.store.db }

for (const [whose, db] of Object.entries(databases)) {
  test(`statements that are asked for together run in that order (${whose})`, async () => {
    const name = `order ${whose}`
    const seen = await atomically(db, async (transaction) => {
      const [, counts] = await Promise.all([note(transaction, name), counted(transaction, name)])
      return counts
    })
    assert.equal(seen, 1)
  })

  test(`a write and the statement that ends it are stored together or not at all (${whose})`, async () => {
    const name = `end ${whose}`
    const failing = atomically(
      db,
      (transaction) => note(transaction, name),
      () => sql`select 1 / 0`,
    )
    await assert.rejects(failing, /division by zero/)
    assert.equal(await counted(db, name), 0)
    await atomically(
      db,
      (transaction) => note(transaction, name),
      () => sql`insert into accounts (account_id, name) values (${uuidv7()}, ${`${name} too`})`,
    )
    assert.deepEqual([await counted(db, name), await counted(db, `${name} too`)], [1, 1])
  })

  test(`a part of a transaction ends with the whole, and its last statement too (${whose})`, async () => {
    const name = `part ${whose}`
    const failing = atomically(db, async (transaction) => {
      await atomically(
        transaction,
        (part) => note(part, name),
        () => sql`insert into accounts (account_id, name) values (${uuidv7()}, ${`${name} too`})`,
      )
      throw new Error('after all')
    })
    await assert.rejects(failing, /after all/)
    assert.deepEqual([await counted(db, name), await counted(db, `${name} too`)], [0, 0])
  })

  test(`what failed work still asks for is written nowhere (${whose})`, async () => {
    const name = `late ${whose}`
    const failed = Promise.withResolvers<void>()
    let late: Promise<void> | undefined
    const failing = atomically(db, async (transaction) => {
      await note(transaction, `${name} early`)
      late = failed.promise.then(() => note(transaction, name))
      throw new Error('given up')
    })
    await assert.rejects(failing, /given up/)
    failed.resolve()
    await assert.rejects(late as unknown as Promise<void>)
    assert.deepEqual([await counted(db, `${name} early`), await counted(db, name)], [0, 0])
  })

  test(`a transaction fails for the reason of the statement that failed first (${whose})`, async () => {
    const failing = atomically(db, async (transaction) => {
      const slow = sql`select 1 / 0`.execute(transaction).finally(async () => void (await Promise.resolve()))
      await Promise.all([slow, sql`select 1`.execute(transaction)])
    })
    await assert.rejects(failing, /division by zero/)
  })

  test(`a transaction whose session the database has ended fails for the reason it gave (${whose})`, async () => {
    const failing = atomically(db, async (transaction) => {
      const [session] = await rows(transaction, sql<{ pid: number }>`select pg_backend_pid() as pid`)
      const { pid = 0 } = session ?? {}
      await sql`select pg_terminate_backend(${pid}, 60000)`.execute(world.store.db)
      await setImmediate()
      await note(transaction, `ended ${whose}`)
    })
    await assert.rejects(failing, /terminating connection due to administrator command/)
  })

  test(`a connection is as good as new after transactions that failed (${whose})`, async () => {
    const failing = Array.from({ length: 30 }, () =>
      atomically(db, async (transaction) => {
        await Promise.all([sql`select 1 / 0`.execute(transaction), note(transaction, `broken ${whose}`)])
      }),
    )
    for (const { status } of await Promise.allSettled(failing)) assert.equal(status, 'rejected')
    assert.equal(await counted(db, `broken ${whose}`), 0)
    const [state] = await rows(
      db,
      sql<{ open: number }>`
        select count(*)::int as open from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`,
    )
    assert.equal(state?.open, 0)
  })
}

/** Leaves something in the store. */
const note = async (on: Database, name: string) => void (await ensureAccount(on, uuidv7(), name))

async function counted(on: Database, name: string): Promise<number> {
  const [found] = await rows(
    on,
    sql<{ count: number }>`select count(*)::int as count from accounts where name = ${name}`,
  )
  return found?.count ?? 0
}
