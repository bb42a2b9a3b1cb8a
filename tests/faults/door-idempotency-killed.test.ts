import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { serverOn } from '../../src/app.ts'
import { inTransaction, rows } from '../../src/storage/database.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { playedSources, startApple } from '../support/apple.ts'
import { type BreakingLine, breakingLineTo } from '../support/breaking-line.ts'
import { importPosts, madePost } from '../support/posts.ts'
import { storeTracked } from '../support/tracking.ts'
import { until } from '../support/until.ts'
import { openWorld, type World } from '../support/world.ts'

// Two processes over one store. The one dies where a test says: its connections break, which is all that the store notices
// of a death. Its caller hears nothing and asks the other one again under the same key.

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
const apple = parts.use(await startApple())
let world: World
let line: BreakingLine
let dying: FastifyInstance
let authorization: string
let appId: string

/** More than a write here has turns. */
const subjects = 60

before(async () => {
  world = parts.use(await openWorld({ sources: playedSources(apple, { attempts: 1 }) }))
  authorization = `Bearer ${await world.key()}`
  appId = await storeTracked(world, { storeId: '6449912345' })
  await importPosts(
    world,
    Array.from({ length: subjects }, (_, turn) => madePost(String(7000 + turn))),
  )
  line = parts.use(await breakingLineTo(world.store.pool))
  const store = parts.use(await openStore({ databaseUrl: line.url }, 'test'))
  const config = { rateLimit: 0, tokenIssuer: undefined, corsOrigins: [], logLevel: 'silent' }
  dying = await serverOn(
    store,
    world.enqueue,
    world.collecting,
    { ...config, media: world.archive.store },
    parts,
  )
})

beforeEach(() => line.breakAt())

interface Asked {
  url: string
  payload: object
}

async function send(server: FastifyInstance, { url, payload }: Asked, key: string) {
  const headers = { authorization, 'idempotency-key': key }
  const reply = await server.inject({ method: 'POST', url, headers, payload })
  const replayed = reply.headers['idempotency-replayed'] === 'true'
  return { status: reply.statusCode, body: reply.json(), replayed }
}

/** Asks again until the key is free: the store may not have noticed yet that who held it is dead. */
const insist = (server: FastifyInstance, asked: Asked, key: string) =>
  until(
    () => send(server, asked, key),
    ({ body }) => body.code !== 'already-running',
  )

const numbers = async (query: ReturnType<typeof sql<{ count: number }>>) =>
  (await rows(world.store.db, query)).map(({ count }) => count)

interface Write {
  asked: (turn: number) => Asked
  /** What it answers the first time. */
  status: number
  said?: object
  /** What is in the store of it, and what should be after it was done once. */
  effect: (turn: number) => Promise<number[]>
  once: (turn: number) => number[]
}

/** Each turn is about something of its own, so that what another left is not in its way. */
const writes: Record<string, Write> = {
  'a request for data': {
    asked: (turn) => ({
      url: `/v1/competitors/ios/${1000 + turn}/data-requests`,
      payload: { country: 'us', kinds: ['record', 'organic'] },
    }),
    status: 201,
    effect: (turn) =>
      numbers(sql`select demand as count from data_requests where store_id = ${String(1000 + turn)}`),
    once: () => [1, 1],
  },
  'an app to track': {
    asked: (turn) => ({
      url: '/v1/aso/apps',
      payload: { app: String(2000 + turn), country: 'us', role: 'own' },
    }),
    status: 201,
    effect: (turn) =>
      numbers(sql`
        select count(*)::int from tracked_apps
          join work on kind = 'intake' and subject = ${`${2000 + turn} us`}
          join pgboss.job on data ->> 'workId' = work_id::text
        where store_id = ${2000 + turn}`),
    once: () => [1],
  },
  'a keyword to add': {
    asked: (turn) => ({ url: `/v1/aso/apps/${appId}/keywords`, payload: { terms: [`tide ${turn}`] } }),
    status: 200,
    said: { alreadyThere: [] },
    effect: () => numbers(sql`select count(*)::int from tracked_keywords where app_id = ${appId}`),
    once: (turn) => [turn],
  },
  'a post to save': {
    asked: (turn) => ({ url: `/v1/organic/tiktok_${7000 + turn}/saved`, payload: { note: 'for Monday' } }),
    status: 201,
    effect: (turn) =>
      numbers(sql`
        select count(*)::int from saved_posts
          join work on kind = 'archive-media' and subject = 'post ' || post_id
          join pgboss.job on data ->> 'workId' = work_id::text
        where post_id = ${`tiktok_${7000 + turn}`}`),
    once: () => [1],
  },
  'records to import': {
    asked: (turn) => ({
      url: '/v1/admin/paid-ads/imports',
      payload: {
        platform: 'meta',
        records: [{ id: `${turn}`, page_id: '12', page_name: 'A', ad_creative_bodies: ['Hello'] }],
      },
    }),
    status: 202,
    effect: () =>
      numbers(sql`select count(*)::int from ad_imports join pgboss.job on data ->> 'workId' = run_id::text`),
    once: (turn) => [turn],
  },
}

for (const [name, { asked, status, said = {}, effect, once }] of Object.entries(writes)) {
  test(`${name} whose process dies, wherever that is, is done once and answered as the first time`, async () => {
    const seen = { kept: 0, done: 0 }
    for (let turn = 1; ; turn++) {
      assert.ok(turn < subjects, 'it ends')
      const key = `${name} ${turn}`.replaceAll(' ', '-')
      line.breakAt(turn)
      const unheard = await send(dying, asked(turn), key)
      const died = line.left() === 0
      line.breakAt()
      if (died) assert.deepEqual([unheard.status, unheard.body.code], [503, 'unavailable'], `turn ${turn}`)
      const reply = await insist(world.server, asked(turn), key)
      assert.equal(reply.status, status, `turn ${turn}`)
      assert.partialDeepStrictEqual(reply.body, said)
      assert.deepEqual(await effect(turn), once(turn), `turn ${turn}`)
      if (!died) break
      seen[reply.replayed ? 'kept' : 'done']++
    }
    // The first one did it all where the commit was sent: with it go the audit event and the kept reply, whose answers are turns, too.
    assert.ok(seen.kept >= 1 && seen.kept <= 3, `${seen.kept} turns`)
    assert.ok(seen.done > 10, `${seen.done} turns`)
  })
}

test('a process that dies leaves nothing behind, neither what was asked nor an answer', async () => {
  const { asked, effect } = writes['a request for data'] as Write
  // Turns before the commit: with it go two statements, each a turn there and one back.
  const turns = await turnsOf(asked(500))
  for (const [back, subject] of [
    [5, 501],
    [4, 502],
  ] as const) {
    line.breakAt(turns - back)
    assert.equal((await send(dying, asked(subject), `left-${subject}`)).status, 503)
    line.breakAt()
    await until(
      () => effect(subject),
      (demand) => demand.length === 0,
    )
    const kept = await rows(
      world.store.db,
      sql`select from idempotent_replies where idempotency_key = ${`left-${subject}`}`,
    )
    assert.equal(kept.length, 0)
  }
})

/** How many turns a write has when nothing breaks. */
async function turnsOf(asked: Asked): Promise<number> {
  const far = 1_000_000
  line.breakAt(far)
  await send(dying, asked, 'counted')
  return far - line.left()
}

test('of two processes asked under one key at once, one does it and the other says that it is under way', async () => {
  const { asked, effect } = writes['a request for data'] as Write
  const first = Promise.withResolvers<Awaited<ReturnType<typeof send>>>()
  await inTransaction(world.store.db, async (transaction) => {
    await sql`lock table data_requests in share mode`.execute(transaction)
    send(dying, asked(600), 'twice').then(first.resolve, first.reject)
    await until(
      () =>
        rows(
          world.store.db,
          sql`select from pg_locks where locktype = 'advisory' and objsubid = 1
          and database = (select oid from pg_database where datname = current_database())`,
        ),
      (held) => held.length > 0,
    )
    const during = await send(world.server, asked(600), 'twice')
    assert.deepEqual([during.status, during.body.code], [409, 'already-running'])
  })
  assert.equal((await first.promise).status, 201)
  const later = await send(world.server, asked(600), 'twice')
  assert.deepEqual([later.status, later.body, later.replayed], [201, (await first.promise).body, true])
  assert.deepEqual(await effect(600), [1, 1])
})

test('however two processes are asked under one key, one answer is given', async () => {
  const { asked, effect } = writes['a request for data'] as Write
  for (let subject = 700; subject < 720; subject++) {
    const servers = Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? dying : world.server))
    const replies = await Promise.all(servers.map((server) => send(server, asked(subject), `race-${subject}`)))
    const answered = replies.filter(({ status }) => status === 201)
    assert.equal(answered.filter(({ replayed }) => !replayed).length, 1)
    for (const { status, body } of replies)
      if (status !== 201) assert.deepEqual([status, body.code], [409, 'already-running'])
    assert.deepEqual(await effect(subject), [1, 1])
  }
})

test('more keyed writes than connections wait for their turn, not for each other', async () => {
  const { asked, status } = writes['a post to save'] as Write
  const again = Array.from({ length: 40 }, (_, index) => send(dying, asked(index % 20), `many-${index}`))
  for (const reply of await Promise.all(again)) assert.ok([status, 200].includes(reply.status))
})

test('a live search of a process that hangs or died keeps its key from nobody', async () => {
  const search = { url: '/v1/aso/app-search', payload: { term: 'tides', live: true } }
  const held = Promise.withResolvers<void>()
  apple.behave('/search', { does: 'hold', until: held.promise })
  const unheard = send(dying, search, 'search')
  await until(
    async () => apple.requests.length,
    (asked) => asked > 0,
  )
  const twice = await send(dying, search, 'search')
  assert.deepEqual([twice.status, twice.body.code], [409, 'already-running'], 'a process knows its own')
  apple.recover()
  const retried = await insist(world.server, search, 'search')
  assert.deepEqual([retried.status, retried.body.answeredFrom, retried.replayed], [200, 'live', false])
  held.resolve()
  // The late one finds what was answered meanwhile.
  assert.deepEqual((await unheard).body, retried.body)
})
