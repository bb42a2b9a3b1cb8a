import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { rawPayload } from '../../src/domain/evidence/packed-payload.ts'
import { withDictionaries } from '../../src/domain/evidence/payload-queries.ts'
import { monthsToPack, packMonth } from '../../src/projections/pack-months.ts'
import { replay } from '../../src/projections/replay.ts'
import { isDistributed } from '../../src/storage/cluster.ts'
import { type Database, firstRow } from '../../src/storage/database.ts'
import { expectEveryByte, importDailyPage, packedBytes, storedPayloads } from '../support/daily-pages.ts'
import { derivedState } from '../support/derived-state.ts'
import { openFolder } from '../support/files.ts'
import { openWorld, type World } from '../support/world.ts'

const folder = openFolder()
after(() => folder[Symbol.dispose]())
const never = new AbortController().signal

async function importPages(world: World, days: readonly number[]): Promise<void> {
  for (const day of days)
    for (const term of ['budget', 'planner']) await importDailyPage(world, folder, day, term)
}

/** Makes the store one of a version that packed every payload alone. @returns the name of its one month and a time long after it */
async function asBefore(db: Database): Promise<{ part: string; later: Date }> {
  const stored = await storedPayloads(db)
  const packed = await withDictionaries(db, stored)
  for (const [at, { hash }] of stored.entries()) {
    const one = packed[at]
    assert.ok(one)
    await sql`
      update payloads set content = ${zstdCompressSync(await rawPayload(one))}, dictionary_hash = null
      where payload_hash = decode(${hash}, 'hex')`.execute(db)
  }
  await sql`delete from payload_dictionaries`.execute(db)
  await sql`insert into payload_months_to_pack select distinct month from payloads`.execute(db)
  const [{ month } = { month: '' }] = stored
  return {
    part: `payloads_${month.replace('-', '_')}`,
    later: new Date(Date.parse(`${month}-01`) + 40 * 86_400_000),
  }
}

const sizeOf = async (db: Database, part: string) =>
  (await firstRow(db, sql<{ bytes: number }>`select pg_total_relation_size(${part}::regclass)::int as bytes`))
    ?.bytes ?? 0

const days = Array.from({ length: 12 }, (_, at) => at + 1)

test('payloads that an older version stored are packed with each other once their month has ended', async () => {
  await using world = await openWorld()
  const { db } = world.store
  await importPages(world, days)
  const { part, later } = await asBefore(db)
  const [state, alone, size] = [await derivedState(db), await storedPayloads(db), await sizeOf(db, part)]
  assert.deepEqual(await monthsToPack(db, new Date()), [], 'the month has not ended')
  assert.deepEqual(await monthsToPack(db, later), [part])
  assert.equal(await packMonth(db, part, never), true)
  assert.deepEqual(await monthsToPack(db, later), [])
  const packed = await storedPayloads(db)
  assert.equal(packed.length, alone.length)
  assert.ok(packedBytes(packed) < 0.4 * packedBytes(alone), `${packedBytes(packed)} of ${packedBytes(alone)}`)
  if (!(await isDistributed(db))) assert.ok((await sizeOf(db, part)) < 0.7 * size)
  await expectEveryByte(db)
  await replay(db, () => {}, never)
  assert.deepEqual(await derivedState(db), state)
})

test('a month that is half packed is whole at every moment, and is packed to its end', async () => {
  await using world = await openWorld()
  const { db } = world.store
  await importPages(world, days)
  const { part } = await asBefore(db)
  const stop = new AbortController()
  const stopOnceSome = (async () => {
    while ((await storedPayloads(db)).filter(({ dictionaryHash }) => dictionaryHash).length < 4);
    stop.abort()
  })()
  await assert.rejects(packMonth(db, part, stop.signal), { name: 'AbortError' })
  await stopOnceSome
  const half = (await storedPayloads(db)).filter(({ dictionaryHash }) => dictionaryHash).length
  assert.ok(half >= 4 && half < 22, `${half} were packed`)
  await expectEveryByte(db)
  // What this version stores meanwhile is packed with what it finds.
  await importPages(world, [13, 14, 15])
  assert.equal(await packMonth(db, part, never), true)
  await expectEveryByte(db)
  const alone = (await storedPayloads(db)).filter(({ dictionaryHash }) => dictionaryHash === null).length
  assert.ok(alone <= 6, `${alone} are packed alone`)
})
