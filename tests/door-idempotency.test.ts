import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { createDoor } from '../src/api/door.ts'
import { Problem } from '../src/api/problem.ts'
import type { Contract } from '../src/contract/operation.ts'
import { ensureAccount } from '../src/domain/accounts/queries.ts'
import { type Database, inTransaction, rows } from '../src/storage/database.ts'
import { pause } from './support/pause.ts'
import { quietServer } from './support/quiet-server.ts'
import { openWorld } from './support/world.ts'

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
const world = parts.use(await openWorld())
const { db } = world.store
const mine = await world.key()

const scope = 'content:write'
const Thing = z.object({ number: z.int(), name: z.string() })
const body = z.strictObject({ name: z.string().min(1) })
const contract = {
  record_thing: { method: 'POST', path: '/v1/things', scope, ending: 'record', body, reply: Thing },
  start_work: {
    method: 'POST',
    path: '/v1/work/{place}',
    scope,
    ending: 'accept',
    params: z.strictObject({ place: z.string() }),
    reply: Thing,
  },
  order_thing: {
    method: 'POST',
    path: '/v1/orders',
    scope,
    ending: 'record',
    body: z.strictObject({
      name: z.string().min(1),
      size: z.enum(['small', 'large']).default('small'),
      extras: z.strictObject({ milk: z.int(), sugar: z.array(z.int()) }).optional(),
      notes: z.array(z.record(z.string(), z.unknown())).optional(),
    }),
    reply: Thing,
  },
  rename_thing: { method: 'PATCH', path: '/v1/things', scope, ending: 'read', body, reply: Thing },
  // A table of a test says only what the door looks at.
} as unknown as Contract

/** How often an operation was really performed, and what the next time does before it ends. */
let performed = 0
let meanwhile: (on: Database) => Promise<void> = async () => {}
beforeEach(() => {
  performed = 0
  meanwhile = async () => {}
})

async function perform(on: Database, name: string): Promise<{ number: number; name: string }> {
  performed++
  const number = performed
  await meanwhile(on)
  return { number, name }
}

const server = await quietServer(world, parts, {
  door: createDoor(contract, db, (on) => ({
    record_thing: async (input) => {
      const resource = await perform(on, (input as { name: string }).name)
      return { created: true, resource } as never
    },
    order_thing: async (input) => {
      const resource = await perform(on, (input as { name: string }).name)
      return { created: true, resource } as never
    },
    start_work: async (input) => (await perform(on, (input as { place: string }).place)) as never,
    rename_thing: async (input) => (await perform(on, (input as { name: string }).name)) as never,
  })),
})

interface Sent {
  method?: 'POST' | 'PATCH'
  url?: string
  payload?: object
  key?: string
  credential?: string
}

async function send({ method = 'POST', url = '/v1/things', payload, key, credential = mine }: Sent) {
  const reply = await server.inject({
    method,
    url,
    headers: {
      authorization: `Bearer ${credential}`,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(payload ? { payload } : {}),
  })
  const { statusCode: status, headers } = reply
  const { asOf: _, ...body } = reply.json()
  return { status, body, replayed: headers['idempotency-replayed'] === 'true', headers }
}

const tea = { name: 'tea' }

test('a write sent again under its key is answered from what was kept, not performed again', async () => {
  const first = await send({ payload: tea, key: 'same' })
  assert.deepEqual([first.status, first.body, first.replayed], [201, { number: 1, name: 'tea' }, false])
  const again = await send({ payload: tea, key: 'same' })
  assert.deepEqual([again.status, again.body, again.replayed], [201, first.body, true])
  assert.equal(again.headers['content-type'], first.headers['content-type'])
  assert.notEqual(again.headers['x-request-id'], first.headers['x-request-id'])
  assert.equal(performed, 1)
})

test('the same request in other writing is the same: order, blanks, letter case of words and what has a default', async () => {
  const url = '/v1/orders'
  const first = await send({
    url,
    payload: {
      name: 'tea',
      size: 'small',
      extras: { milk: 1, sugar: [1, 2] },
      notes: [{ a: 1, b: { c: 2, d: 3 } }],
    },
    key: 'writing',
  })
  assert.equal(first.status, 201)
  for (const payload of [
    { notes: [{ b: { d: 3, c: 2 }, a: 1 }], extras: { sugar: [1, 2], milk: 1 }, size: 'small', name: 'tea' },
    {
      name: ' ｔｅａ ',
      size: 'SMALL',
      extras: { milk: 1.0, sugar: [1, 2] },
      notes: [{ a: 1, b: { c: 2, d: 3 } }],
    },
    { name: 'tea', extras: { milk: 1, sugar: [1, 2] }, notes: [{ a: 1, b: { c: 2, d: 3 } }] },
  ]) {
    const again = await send({ url, payload, key: 'writing' })
    assert.deepEqual([again.status, again.replayed], [201, true], JSON.stringify(payload))
  }
  for (const payload of [
    { name: 'tea', size: 'large', extras: { milk: 1, sugar: [1, 2] }, notes: [{ a: 1, b: { c: 2, d: 3 } }] },
    { name: 'tea', extras: { milk: 1, sugar: [2, 1] }, notes: [{ a: 1, b: { c: 2, d: 3 } }] },
    { name: 'tea', extras: { milk: 1, sugar: [1, 2] }, notes: [{ a: 1, b: { c: 2, d: 4 } }] },
    { name: 'tea', extras: { milk: 1, sugar: [1, 2] } },
    { name: 'tea', unknown: 1 },
  ]) {
    const { status, body } = await send({ url, payload, key: 'writing' })
    assert.deepEqual([status, body.code], [409, 'idempotency-mismatch'], JSON.stringify(payload))
  }
  assert.equal(performed, 1)
})

test('work that was accepted is repeatable too', async () => {
  const first = await send({ url: '/v1/work/here', key: 'work' })
  const again = await send({ url: '/v1/work/here', key: 'work' })
  assert.deepEqual([first.status, again.status, again.replayed], [202, 202, true])
  assert.deepEqual(again.body, first.body)
  assert.equal(performed, 1)
})

test('without a key, and with another key, a write is performed each time', async () => {
  for (const key of [undefined, undefined, 'one', 'two']) await send({ payload: tea, ...(key ? { key } : {}) })
  assert.equal(performed, 4)
})

test('only POST takes a key', async () => {
  for (let time = 0; time < 2; time++) {
    const { status, replayed } = await send({ method: 'PATCH', payload: tea, key: 'patch' })
    assert.deepEqual([status, replayed], [200, false])
  }
  assert.equal(performed, 2)
})

test('a key used for another body, place, query or operation is refused', async () => {
  await send({ payload: tea, key: 'taken' })
  for (const other of [
    { payload: { name: 'coffee' } },
    { url: '/v1/work/here' },
    { payload: tea, url: '/v1/things?x=1' },
  ]) {
    const { status, body } = await send({ ...other, key: 'taken' })
    assert.deepEqual([status, body.code], [409, 'idempotency-mismatch'])
  }
  const elsewhere = await send({ url: '/v1/work/here', key: 'place' })
  const { body } = await send({ url: '/v1/work/there', key: 'place' })
  assert.deepEqual([elsewhere.status, body.code], [202, 'idempotency-mismatch'])
  assert.equal(performed, 2)
})

test('a key belongs to its credential: another one uses the same key for itself', async () => {
  const other = await world.key()
  await send({ payload: tea, key: 'shared' })
  const { status, body, replayed } = await send({
    payload: { name: 'coffee' },
    key: 'shared',
    credential: other,
  })
  assert.deepEqual([status, body.name, replayed], [201, 'coffee', false])
  assert.equal(performed, 2)
})

test('while the first request is under way its repetitions are told so, and later get its answer', async () => {
  const gate = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  meanwhile = () => {
    started.resolve()
    return gate.promise
  }
  const first = send({ payload: tea, key: 'slow' })
  await started.promise
  const during = await send({ payload: tea, key: 'slow' })
  assert.deepEqual([during.status, during.body.code], [409, 'already-running'])
  gate.resolve()
  assert.equal((await first).status, 201)
  assert.deepEqual((await send({ payload: tea, key: 'slow' })).body, { number: 1, name: 'tea' })
  assert.equal(performed, 1)
})

test('of many repetitions at the same moment one is performed', async () => {
  const replies = await Promise.all(Array.from({ length: 20 }, () => send({ payload: tea, key: 'rush' })))
  assert.equal(performed, 1)
  assert.equal(replies.filter(({ status, replayed }) => status === 201 && !replayed).length, 1)
  for (const { status, body, replayed } of replies) {
    if (status === 201) assert.deepEqual(body, { number: 1, name: 'tea' })
    else assert.deepEqual([status, body.code, replayed], [409, 'already-running', false])
  }
})

test('a request that failed lets its key go, whether the failure was expected or a fault', async () => {
  for (const [key, error, status] of [
    ['expected', new Problem('upstream-failed', 'Apple did not answer.'), 502],
    ['fault', new Error('broken'), 500],
  ] as const) {
    meanwhile = () => Promise.reject(error)
    assert.equal((await send({ payload: tea, key })).status, status)
    meanwhile = async () => {}
    const again = await send({ payload: { name: 'coffee' }, key })
    assert.deepEqual([again.status, again.body.name, again.replayed], [201, 'coffee', false])
  }
  assert.equal((await send({ payload: { name: '' }, key: 'refused' })).status, 400)
  assert.equal((await send({ payload: tea, key: 'refused' })).status, 201, 'bad input keeps no key')
})

test('what a request did before it failed is taken back, and its repetition does it', async () => {
  meanwhile = async (on) => {
    await note(on, 'half')
    throw new Error('broken')
  }
  assert.equal((await send({ payload: tea, key: 'half' })).status, 500)
  assert.deepEqual(await noted('half'), [])
  meanwhile = (on) => note(on, 'half')
  assert.equal((await send({ payload: tea, key: 'half' })).status, 201)
  assert.deepEqual(await noted('half'), ['half'])
})

test('of a request that goes on after a part of it failed, only that part is taken back', async () => {
  const impossible = (on: Database) => sql`select 1 / 0`.execute(on)
  meanwhile = async (on) => {
    await note(on, 'part 1')
    const failing = inTransaction(on, async (part) => {
      await note(part, 'part 2')
      await assert.rejects(inTransaction(part, impossible))
      await inTransaction(part, (inner) => note(inner, 'part 3'))
      await impossible(part)
    })
    await assert.rejects(failing)
    await inTransaction(on, (part) => note(part, 'part 4'))
  }
  assert.equal((await send({ payload: tea, key: 'parts' })).status, 201)
  assert.deepEqual(await noted('part'), ['part 1', 'part 4'])
})

test('no answer is given of what the store gave up', async () => {
  meanwhile = async (on) => {
    await note(on, 'given up')
    await assert.rejects(sql`select 1 / 0`.execute(on))
  }
  assert.equal((await send({ payload: tea, key: 'given-up' })).status, 500)
  assert.deepEqual(await noted('given up'), [])
  meanwhile = async () => {}
  const { status, replayed } = await send({ payload: tea, key: 'given-up' })
  assert.deepEqual([status, replayed], [201, false])
})

/** Leaves something in the store. */
const note = async (on: Database, name: string) => void (await ensureAccount(on, uuidv7(), name))

const noted = async (begin: string) =>
  (
    await rows(
      db,
      sql<{ name: string }>`select name from accounts where starts_with(name, ${begin}) order by name`,
    )
  ).map(({ name }) => name)

test('repetitions of a request that keeps failing are performed one at a time', async () => {
  let running = 0
  let most = 0
  meanwhile = async () => {
    running++
    most = Math.max(most, running)
    await pause(Math.random() * 2, 'others would begin meanwhile')
    running--
    throw new Problem('upstream-failed', 'Apple did not answer.')
  }
  const insist = async () => {
    for (let time = 0; time < 10; time++) await send({ payload: tea, key: 'failing' })
  }
  await Promise.all(Array.from({ length: 20 }, insist))
  assert.equal(most, 1)
})

test('a scope that is missing keeps no key', async () => {
  const reader = await world.key(['context:read'])
  assert.equal((await send({ payload: tea, key: 'scope', credential: reader })).status, 403)
  const kept = await rows(db, sql`select 1 from idempotent_replies where idempotency_key = 'scope'`)
  assert.deepEqual(kept, [])
})

test('a kept answer serves for 24 hours, then the key is as good as new', async () => {
  await send({ payload: tea, key: 'old' })
  await age('old', '23 hours 59 minutes')
  assert.equal((await send({ payload: tea, key: 'old' })).replayed, true)
  await age('old', '24 hours 1 minute')
  const { status, body, replayed } = await send({ payload: { name: 'coffee' }, key: 'old' })
  assert.deepEqual([status, body.name, replayed], [201, 'coffee', false])
})

test('a key is 1 to 200 visible ASCII characters', async () => {
  for (const key of ['', 'a b', 'a\tb', 'é', 'a'.repeat(201)]) {
    const { status, body } = await send({ payload: tea, key })
    assert.deepEqual(
      [status, body.code, body.errors[0].pointer],
      [400, 'invalid-request', '/header/Idempotency-Key'],
      key,
    )
  }
  assert.equal(performed, 0)
  for (const key of ['a', '!~', 'a'.repeat(200), '01890000-0000-7000-8000-000000000000'])
    assert.equal((await send({ payload: tea, key })).status, 201, key)
})

/** Makes what is kept under a key that old. */
async function age(key: string, by: string): Promise<void> {
  await sql`update idempotent_replies set answered_at = now() - ${by}::interval where idempotency_key = ${key}`.execute(
    db,
  )
}
