import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { decideLinks, withdrawDecisions } from '../../src/domain/paid-ads/link-decisions.ts'
import type { ProjectionName } from '../../src/projections/names.ts'
import { projections } from '../../src/projections/projections.ts'
import { rebuildSchema, replacedSchema } from '../../src/projections/rebuild-tables.ts'
import { clearLeftovers, replay } from '../../src/projections/replay.ts'
import { storeReadings } from '../../src/projections/store-readings.ts'
import { inTransaction, rows } from '../../src/storage/database.ts'
import { parsePayload } from '../../src/suppliers/formats.ts'
import { adsOnFile } from '../support/ads-on-file.ts'
import { derivedState, leftovers } from '../support/derived-state.ts'
import { openFolder } from '../support/files.ts'
import { pause } from '../support/pause.ts'
import { openWorld, type World } from '../support/world.ts'

const folder = openFolder()
after(() => folder[Symbol.dispose]())

/** A chart of one hour, as a file brings it. */
const chart = (hour: number, ids: readonly number[]) =>
  ids.map((id, index) => ({
    country: 'us',
    chart: 'top-free',
    category: '36',
    capturedAt: new Date(Date.UTC(2026, 2, 1, hour)).toISOString(),
    rank: index + 1,
    id,
    name: `App ${id}`,
  }))

const bring = (world: World, hour: number, ids: readonly number[]) =>
  world.import({
    kind: 'charts',
    paths: [folder.write(`chart-${hour}.json`, JSON.stringify(chart(hour, ids)))],
  })

/** So many captures that a replay has several batches. */
const manyHours = 120

async function filled(): Promise<World> {
  const world = await openWorld()
  for (let hour = 0; hour < manyHours; hour++) await bring(world, hour, [1 + (hour % 7), 20, 30 + (hour % 3)])
  return world
}

const never = new AbortController().signal
const quietly = (world: World, names?: readonly ProjectionName[]) =>
  replay(world.store.db, () => {}, never, names)

test('reads and imports go on during a replay, and nothing that came meanwhile is lost or doubled', async () => {
  await using world = await filled()
  const arrivals: Promise<unknown>[] = []
  const counts: number[] = []
  let hour = manyHours
  await replay(
    world.store.db,
    () => {
      const own = hour++
      arrivals.push(bring(world, own, [500 + own, 20]))
      arrivals.push(
        world
          .call('get_apple_charts', {})
          .then(({ status, body }) => counts.push(status === 200 ? body.items.length : 0)),
      )
    },
    never,
    ['catalogue', 'charts'],
  )
  await Promise.all(arrivals)
  assert.ok(hour > manyHours + 1, 'there was more than one batch')
  assert.ok(counts.length > 0 && counts.every((count) => count >= 2), String(counts))
  const state = await derivedState(world.store.db)
  assert.equal(state.chart_snapshots?.length, hour)
  for (let brought = manyHours; brought < hour; brought++)
    assert.equal(
      (await world.call('get_competitor', { platform: 'ios', storeId: String(500 + brought) })).status,
      200,
    )
  await quietly(world, ['catalogue'])
  assert.deepEqual(await derivedState(world.store.db), state)
})

test('what is stored during a replay, and is seen only after it looked, comes once', async () => {
  await using world = await filled()
  const { db } = world.store
  const rowsOfFeed = Buffer.from(JSON.stringify(chart(500, [77, 78])))
  const context = { layout: 'document', country: null } as const
  const { promise: enough, resolve: letGo } = Promise.withResolvers<void>()
  const store = () =>
    inTransaction(db, async (transaction) => {
      await storeReadings(transaction, [
        {
          bytes: rowsOfFeed,
          format: 'chart-rows',
          context,
          origin: 'imported',
          country: null,
          observedAt: new Date('2026-03-20T00:00:00Z'),
          timeBasis: 'stated',
          parsed: parsePayload('chart-rows', rowsOfFeed, context),
        },
      ])
      await enough
    })
  let late: Promise<void> | undefined
  await replay(
    db,
    (done, total) => {
      late ??= store()
      if (done === total) void pause(500, 'the replay has come to its end by then').then(letGo)
    },
    never,
    ['charts'],
  )
  await late
  const state = await derivedState(db)
  assert.equal(state.chart_months?.filter(({ store_id }) => store_id === 77).length, 1)
  assert.equal(state.chart_snapshots?.length, manyHours + 1)
})

test('one projection alone is made anew, and the tables of all others are the ones they were', async () => {
  await using world = await filled()
  const { db } = world.store
  const identities = async () => {
    const found = await rows(
      db,
      sql<{ name: string; id: number }>`
        select relname as name, oid::int as id from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
    )
    return new Map(found.map(({ name, id }) => [name, id]))
  }
  const before = await identities()
  await sql`update app_records set name = 'Tampered'`.execute(db)
  await quietly(world, ['charts'])
  const now = await identities()
  const made = [...now].filter(([name, id]) => before.get(name) !== id).map(([name]) => name)
  assert.deepEqual(made.sort(), projections.charts.tables.toSorted())
  assert.equal((await world.call('get_competitor', { platform: 'ios', storeId: '20' })).body.name, 'Tampered')
  assert.deepEqual(await leftovers(db), [])
})

test('of two replays at once the second is refused, and says what is under way', async () => {
  await using world = await filled()
  const refused: Promise<unknown>[] = []
  await replay(
    world.store.db,
    () => void refused.push(quietly(world, ['sales']).catch((error: Error) => error.message)),
    never,
    ['charts'],
  )
  const [first] = await Promise.all(refused)
  assert.match(String(first), /A replay of charts is under way/)
})

test('who reads for long keeps a replay from its end, and nobody who reads after them', async () => {
  await using world = await filled()
  const { db } = world.store
  const reading = Promise.withResolvers<void>()
  const { promise: enough, resolve: end } = Promise.withResolvers<void>()
  const long = inTransaction(db, async (transaction) => {
    await sql`select count(*) from charts`.execute(transaction)
    reading.resolve()
    await enough
  })
  await reading.promise
  let isOver = false
  const replayed = quietly(world, ['charts']).then(() => {
    isOver = true
  })
  try {
    for (let read = 0; read < 100; read++) {
      await pause(20, 'the replay tries again and again')
      await inTransaction(db, async (transaction) => {
        // Who waits as long as the first reader fails.
        await sql`set local lock_timeout = '20s'`.execute(transaction)
        await sql`select count(*) from charts`.execute(transaction)
      })
    }
    assert.equal(isOver, false)
  } finally {
    end()
    await Promise.all([long, replayed])
  }
  assert.deepEqual(await leftovers(db), [])
})

test('what a replay left behind when it was cut off is gone after the next one', async () => {
  await using world = await filled()
  const { db } = world.store
  const before = await derivedState(db)
  await sql`create schema ${sql.id(rebuildSchema)}`.execute(db)
  await sql`create table ${sql.table(`${rebuildSchema}.charts`)} (like charts including all)`.execute(db)
  await sql`create schema ${sql.id(replacedSchema)}`.execute(db)
  await sql`create table ${sql.table(`${replacedSchema}.terms`)} (term_id integer references term_names)`.execute(
    db,
  )
  await quietly(world, ['charts'])
  assert.deepEqual(await leftovers(db), [])
  assert.deepEqual(await derivedState(db), before)
})

test('who begins to work on jobs drops what a replay left behind, but not what one is making', async () => {
  await using world = await filled()
  const { db } = world.store
  const found: string[][] = []
  const looks: Promise<void>[] = []
  await replay(
    db,
    () => void looks.push(clearLeftovers(db, never).then(async () => void found.push(await leftovers(db)))),
    never,
    ['charts'],
  )
  await Promise.all(looks)
  assert.deepEqual(found[0], [rebuildSchema])
  await sql`create schema ${sql.id(rebuildSchema)}`.execute(db)
  await clearLeftovers(db, never)
  assert.deepEqual(await leftovers(db), [])
})

test('links decided and taken back by hand during a replay of ads hold after it', async () => {
  await using world = await openWorld()
  await using played = adsOnFile(world)
  const landing = (id: number) => [{ title: 'Tides', linkUrl: `https://apps.apple.com/us/app/id${id}` }]
  await played.import(
    { archiveId: '1', creatives: landing(100000001) },
    { archiveId: '2', creatives: landing(100000002) },
    { archiveId: '3', creatives: landing(100000003) },
  )
  const [account] = await rows(
    world.store.db,
    sql<{ id: string }>`select account_id as id from accounts limit 1`,
  )
  const decide = (action: 'link' | 'unlink', archiveId: string, storeId: string) =>
    decideLinks(world.store.db, {
      platform: 'meta',
      advertiserId: null,
      archiveIds: [archiveId],
      storeId,
      action,
      note: undefined,
      accountId: account?.id ?? '',
      door: 'http',
    })
  await decide('unlink', '2', '100000002')
  await decide('link', '3', '100000009')
  const subjects = (archiveIds: string[], storeId: string) => ({
    platform: 'meta' as const,
    advertiserId: null,
    archiveIds,
    storeId,
  })
  const meanwhile: Promise<unknown>[] = []
  await replay(
    world.store.db,
    () => {
      meanwhile.push(
        decide('unlink', '1', '100000001'),
        withdrawDecisions(world.store.db, account?.id ?? '', subjects(['2'], '100000002')),
        withdrawDecisions(world.store.db, account?.id ?? '', subjects(['3'], '100000009')),
      )
    },
    never,
    ['ads'],
  )
  await Promise.all(meanwhile)
  const links = await rows(
    world.store.db,
    sql`select archive_id as ad, store_id::text as app from ad_links join ads using (ad_number) order by 1, 2`,
  )
  assert.deepEqual(links, [
    { ad: '2', app: '100000002' },
    { ad: '3', app: '100000003' },
  ])
})
