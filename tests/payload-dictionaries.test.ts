import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { payloadHash, rawPayload } from '../src/domain/evidence/packed-payload.ts'
import { withDictionaries } from '../src/domain/evidence/payload-queries.ts'
import { replay } from '../src/projections/replay.ts'
import { payloadRetention } from '../src/projections/retention/payloads.ts'
import { inTransaction } from '../src/storage/database.ts'
import {
  dailyPage,
  expectEveryByte,
  importDailyPage,
  packedBytes,
  storedPayloads,
} from './support/daily-pages.ts'
import { derivedState } from './support/derived-state.ts'
import { openFolder } from './support/files.ts'
import { openWorld, sharedData, type World } from './support/world.ts'

const folder = openFolder()
after(() => folder[Symbol.dispose]())

const importPage = (world: World, day: number, term?: string) => importDailyPage(world, folder, day, term)

test('a page that is read every day takes little more than what changed, and every byte comes back', async () => {
  await using world = await openWorld()
  const { db } = world.store
  await importPage(world, 1)
  const [first] = await storedPayloads(db)
  assert.ok(first)
  for (let day = 2; day <= 28; day++) await importPage(world, day)
  const stored = await storedPayloads(db)
  assert.equal(stored.length, 28)
  assert.equal(stored.filter(({ dictionaryHash }) => dictionaryHash === null).length, 1)
  assert.ok(packedBytes(stored) / stored.length < 0.3 * first.content.byteLength)
  const byHash = new Map(stored.map((one) => [one.hash, one]))
  const linksOf = ({ dictionaryHash }: { dictionaryHash: string | null }): number =>
    dictionaryHash === null ? 0 : 1 + linksOf(byHash.get(dictionaryHash) ?? assert.fail('a link is lost'))
  assert.equal(Math.max(...stored.map(linksOf)), 4)
  await expectEveryByte(db)
})

test('pages of several terms that come together are packed with those of their own term', async () => {
  await using world = await openWorld()
  const { db } = world.store
  for (const term of ['budget', 'planner']) await importPage(world, 1, term)
  const rest = Array.from({ length: 10 }, (_, at) => at + 2)
  await Promise.all(rest.flatMap((day) => ['budget', 'planner'].map((term) => importPage(world, day, term))))
  await expectEveryByte(db)
  const before = await derivedState(db)
  await replay(db, () => {}, new AbortController().signal)
  assert.deepEqual(await derivedState(db), before)
})

test('pages of Apple that were saved on many days are packed with each other, and every byte comes back', {
  skip: existsSync(join(sharedData, 'apple'))
    ? false
    : 'the real material is not beside the project (../shared/data)',
}, async () => {
  await using world = await openWorld()
  const { db } = world.store
  const names = readdirSync(join(sharedData, 'apple/search')).filter((name) => /^search_chat/.test(name))
  await world.import({ kind: 'search-results', paths: names.map((name) => `apple/search/${name}`) })
  await world.import({ kind: 'charts', paths: ['apple/charts/us-daily-2026'] })
  const finance = { country: 'jp', chart: 'top-free', category: '6015' }
  await world.import({ kind: 'charts', paths: ['apple/charts/jp-finance-daily'], ...finance })
  const stored = await storedPayloads(db)
  assert.ok(stored.filter(({ dictionaryHash }) => dictionaryHash !== null).length > stored.length / 2)
  await expectEveryByte(db)
})

test('where what others were packed with is lost, a replay says so and changes nothing', async () => {
  await using world = await openWorld()
  const { db } = world.store
  for (let day = 1; day <= 12; day++) await importPage(world, day)
  const before = await derivedState(db)
  await sql`delete from payloads where payload_hash in (select dictionary_hash from payloads)`.execute(db)
  await assert.rejects(
    replay(db, () => {}, new AbortController().signal),
    /were packed with, is lost/,
  )
  assert.deepEqual(await derivedState(db), before)
})

test('a page that comes after such a loss is stored alone, and what is read of it is whole', async () => {
  await using world = await openWorld()
  const { db } = world.store
  for (let day = 1; day <= 3; day++) await importPage(world, day)
  await sql`delete from payloads where dictionary_hash is null`.execute(db)
  const { stored } = await importPage(world, 4)
  assert.equal(stored, 50)
  const alone = (await storedPayloads(db)).filter(({ dictionaryHash }) => dictionaryHash === null)
  const [found] = await withDictionaries(db, alone)
  assert.equal(alone.length, 1)
  assert.equal(found && payloadHash(await rawPayload(found)), payloadHash(Buffer.from(dailyPage(4))))
})

test('what stays of a month that goes is packed alone before that', async () => {
  await using world = await openWorld()
  const { db } = world.store
  for (let day = 1; day <= 12; day++) await importPage(world, day)
  const before = await storedPayloads(db)
  // An account imported it as well, so it stays.
  const kept = before.find(({ dictionaryHash }) => dictionaryHash !== null) ?? assert.fail('none was packed')
  await sql`
    update readings set account_id = (select account_id from accounts limit 1), door = 'http'
    where payload_hash = decode(${kept.hash}, 'hex')`.execute(db)
  assert.equal(await inTransaction(db, (held) => payloadRetention.remove(held, kept.month)), 11)
  const left = await storedPayloads(db)
  assert.deepEqual(
    left.map(({ hash, dictionaryHash }) => [hash, dictionaryHash]),
    [[kept.hash, null]],
  )
  await expectEveryByte(db)
})
