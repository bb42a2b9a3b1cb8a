import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { monthsToPack, packMonth } from '../../src/projections/pack-months.ts'
import { replay } from '../../src/projections/replay.ts'
import { type Database, firstRow, inTransaction, rows } from '../../src/storage/database.ts'
import { derivedState } from '../support/derived-state.ts'
import { openFolder } from '../support/files.ts'
import { untilTrue } from '../support/until.ts'
import { openWorld, type World } from '../support/world.ts'

const [january, february] = ['chart_months_2026_01', 'chart_months_2026_02']
const genres = [6002, 6003, 6004, 6005]
const places = 200
const settled = new Date('2026-02-05T00:00:00Z')
const never = new AbortController().signal

const folder = openFolder()
let world: World
let db: Database
before(async () => {
  world = await openWorld()
  db = world.store.db
  for (let day = 16; day <= 32; day++) await bring(new Date(Date.UTC(2026, 0, day, 6)))
})
after(async () => {
  folder[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

/** The charts of a day: every app moves from day to day, and one place has other apps. */
async function bring(capturedAt: Date): Promise<void> {
  const day = capturedAt.getTime() / 86_400_000
  const entries = genres.flatMap((category) =>
    Array.from({ length: places }, (_, place) => ({
      country: 'us',
      chart: 'top-free',
      category: String(category),
      capturedAt: capturedAt.toISOString(),
      rank: ((place + Math.floor(day)) % places) + 1,
      id: place === 0 ? 9_000 + Math.floor(day) : category * 1_000 + place,
      name: `App ${place}`,
    })),
  )
  await world.import({ kind: 'charts', paths: [folder.write(`${day}.json`, JSON.stringify(entries))] })
}

const analyse = () => sql`vacuum analyze chart_months`.execute(db)
const sizeOf = async (part: string) =>
  (await firstRow(db, sql<{ bytes: number }>`select pg_total_relation_size(${part}::regclass)::int as bytes`))
    ?.bytes ?? 0
const history = async () => {
  const { status, body } = await world.call('get_apple_chart_history', {
    storeId: '6002007',
    categoryId: '6002',
    from: '2026-01-15',
    to: '2026-02-01',
  })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const names = () =>
  rows(
    db,
    sql`
      select c.relname, c.relkind, pg_get_expr(c.relpartbound, c.oid) as bound, (
        select json_agg(pg_get_constraintdef(k.oid) order by k.conname) from pg_constraint k where k.conrelid = c.oid
      ) as rules
      from pg_class c where c.relname like 'chart_months%' order by 1`,
  )

test('a month of ranks is written anew once it has ended, in much less space, and says what it said', async () => {
  await analyse()
  assert.deepEqual(await monthsToPack(db, new Date('2026-02-03T12:00:00Z')), [], 'is still written to')
  assert.deepEqual(await monthsToPack(db, settled), [january])
  const told = await history()
  assert.match(JSON.stringify(told), /"2026-01-31".*"2026-02-01"/)
  const [size, state, named] = [await sizeOf(january), await derivedState(db), await names()]
  assert.equal(await packMonth(db, january, never), true)
  assert.ok((await sizeOf(january)) < 0.7 * size, `${await sizeOf(january)} of ${size} bytes`)
  assert.deepEqual(await derivedState(db), state)
  assert.deepEqual(await history(), told)
  assert.deepEqual(await names(), named)
  assert.deepEqual(await monthsToPack(db, settled), [])
  await replay(db, () => {}, never, ['charts'])
  assert.deepEqual(await derivedState(db), state)
})

test('a capture that comes late finds its place in a month that was written anew', async () => {
  await packMonth(db, january, never)
  await bring(new Date('2026-01-20T12:00:00Z'))
  const found = await rows(
    db,
    sql<{
      at: Date[]
    }>`select captured_at as at from chart_months where store_id = 6002007 and month = '2026-01-01'`,
  )
  assert.deepEqual(
    found.map(({ at }) => [at.length, at.findIndex((one) => one.toISOString() === '2026-01-20T12:00:00.000Z')]),
    [[17, 5]],
  )
})

test('a month that somebody reads for long is left as it is, and nobody else waits', async () => {
  const reading = Promise.withResolvers<void>()
  const { promise: enough, resolve: end } = Promise.withResolvers<void>()
  const long = inTransaction(db, async (transaction) => {
    await sql`select count(*) from chart_ranks`.execute(transaction)
    reading.resolve()
    await enough
  })
  await reading.promise
  try {
    const packing = packMonth(db, january, never)
    await inTransaction(db, async (transaction) => {
      // Who waits as long as the first reader fails.
      await sql`set local lock_timeout = '1s'`.execute(transaction)
      await sql`select from chart_ranks where store_id = 6002007`.execute(transaction)
    })
    assert.equal(await packing, false)
  } finally {
    end()
    await long
  }
  assert.equal(await packMonth(db, january, never), true)
})

test('whoever writes to a month while it is copied waits for no longer than that, and loses nothing', async () => {
  // An index that makes the copy take seconds.
  await sql
    .raw(`
      create function slowly(id bigint) returns bigint immutable language plpgsql as
        'begin perform pg_sleep(0.002); return id; end';
      create index slow on chart_months (slowly(store_id))`)
    .execute(db)
  try {
    const packing = packMonth(db, january, never)
    const isCopied = sql`
      select from pg_locks where relation = ${january}::regclass and mode = 'ShareLock' and granted`
    await untilTrue(async () => (await firstRow(db, isCopied)) !== undefined)
    await bring(new Date('2026-01-21T12:00:00Z'))
    assert.equal(await packing, false)
  } finally {
    await sql.raw('drop index slow; drop function slowly').execute(db)
  }
  const [late] = await rows(
    db,
    sql<{
      ranks: number
    }>`select count(*)::int as ranks from chart_ranks where captured_at = '2026-01-21T12:00:00Z'`,
  )
  assert.equal(late?.ranks, genres.length * places)
})

test('what cannot be done leaves the month as it was', async () => {
  const state = await derivedState(db)
  await inTransaction(db, async (transaction) => {
    await sql`update chart_months set ranks = ranks where month = '2026-01-01'`.execute(transaction)
    assert.equal(await packMonth(db, january, never), false)
  })
  assert.equal(await packMonth(db, 'chart_months_1999_01', never), false)
  const stopped = AbortSignal.abort()
  await assert.rejects(packMonth(db, february, stopped), { name: 'AbortError' })
  assert.deepEqual(await derivedState(db), state)
})
