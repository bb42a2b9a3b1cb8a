import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Pool } from 'pg'
import { countChange } from '../src/domain/evidence/changes.ts'
import { storeListings } from './support/listings.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

interface Prepared {
  text: string
  /** How often it ran by a plan that is kept. */
  kept: number
}

test('what a record rests on is planned once for each connection, and what is stored afterwards is read', async () => {
  const key = await world.key()
  const stored = (day: number) =>
    storeListings(world, [{ trackId: 4711, trackName: `Reed ${day}`, observedAt: `2026-03-${day}T06:00:00Z` }])
  const read = async () =>
    (await world.call('get_competitor', { platform: 'ios', storeId: '4711', country: 'us' }, { key })).body.name
  await stored(10)
  for (let reads = 0; reads < 100; reads++) {
    // So that no reply is remembered.
    await countChange(world.store.db, ['apps'])
    assert.equal(await read(), 'Reed 10')
  }
  const { pool, requests } = world.store
  const prepared = [...(await preparedBy(pool)), ...(await preparedBy(requests.pool))]
  const plannedOnce = prepared.filter(({ kept }) => kept > 0).map(({ text }) => text)
  for (const table of ['app_records', 'charts', 'estimates', 'evidence_changes'])
    assert.ok(
      plannedOnce.some((text) => text.includes(`from ${table}`)),
      table,
    )
  await stored(11)
  assert.equal(await read(), 'Reed 11')
})

/** The statements that idle connections have prepared. */
async function preparedBy(pool: Pool): Promise<Prepared[]> {
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
  try {
    const found = await Promise.all(
      clients.map((client) =>
        client.query<Prepared>(
          'select statement as text, generic_plans::int as kept from pg_prepared_statements',
        ),
      ),
    )
    return found.flatMap(({ rows }) => rows)
  } finally {
    for (const client of clients) client.release()
  }
}
