import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createKey } from '../../src/domain/accounts/keys.ts'
import { inTransaction } from '../../src/storage/database.ts'
import { openWorld } from '../support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const { db, requests } = world.store

test('a request that waits for a lock is unavailable for its caller alone', async () => {
  const key = await createKey(db, {
    name: 'waiting',
    scopes: ['context:read', 'content:write'],
    account: 'other',
  })
  const track = { app: '1064216828', country: 'us', role: 'own' }
  await inTransaction(db, async (transaction) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
    await sql`lock table tracked_apps in access exclusive mode`.execute(transaction)
    const waiting = world.call('track_aso_app', track, { key })
    const others = await Promise.all(
      Array.from({ length: 20 }, () => world.call('search_competitors', { q: 'anything' }, { key })),
    )
    assert.ok(others.every(({ status }) => status === 200))
    const { status, body, headers } = await waiting
    assert.deepEqual([status, body.code], [503, 'unavailable'])
    assert.match(body.detail, /took too long/)
    assert.ok(Number(headers['retry-after']) > 0)
  })
  assert.ok([200, 201, 202].includes((await world.call('track_aso_app', track, { key })).status))
})

test('statements of requests end after 20 seconds, those of jobs, imports and migrations do not', async () => {
  const limitOf = async (of: typeof db) =>
    (await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(of)).rows[0]
      ?.limit
  assert.equal(await limitOf(requests.db), '20s')
  assert.equal(await limitOf(db), '0')
})
