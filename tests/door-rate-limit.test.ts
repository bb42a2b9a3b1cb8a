import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { doorOn, serverOn } from '../src/app.ts'
import { Problem } from '../src/contract/shapes/problem.ts'
import { RateLimit } from '../src/http/rate-limit.ts'
import { stopClock } from './support/clock.ts'
import { quietServer } from './support/quiet-server.ts'
import { openWorld } from './support/world.ts'

const limit = 100
const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
const world = parts.use(await openWorld({ rateLimit: limit }))
const clock = parts.use(stopClock())
const { db, pool } = world.store

const reading = { method: 'GET', url: '/v1/competitors/categories' } as const

async function ask(key: string, server: FastifyInstance = world.server) {
  const {
    statusCode: status,
    headers,
    body,
  } = await server.inject({
    ...reading,
    headers: { authorization: `Bearer ${key}` },
  })
  return { status, headers, body }
}

/** What `RateLimit` says: requests left, and seconds until the window ends. */
function left(headers: Record<string, unknown>): { requests: number; seconds: number } {
  const [, requests, seconds] = /^"default";r=(\d+);t=(\d+)$/.exec(String(headers.ratelimit)) ?? []
  assert.ok(requests !== undefined, `RateLimit: ${headers.ratelimit}`)
  return { requests: Number(requests), seconds: Number(seconds) }
}

test('every reply says how many requests are left, counting down', async () => {
  const key = await world.key()
  for (const expected of [99, 98, 97]) {
    const { status, headers } = await ask(key)
    assert.equal(status, 200)
    assert.equal(headers['ratelimit-policy'], `"default";q=${limit};w=60`)
    const { requests, seconds } = left(headers)
    assert.equal(requests, expected)
    assert.equal(seconds, 60)
  }
})

test('requests that are refused for another reason count too, those without a credential are not counted', async () => {
  const key = await world.key()
  const authorization = `Bearer ${key}`
  const wrong = await world.request({ method: 'GET', url: '/v1/charts?colour=red', headers: { authorization } })
  assert.deepEqual([wrong.status, left(wrong.headers).requests], [400, 99])
  const stranger = await world.request({ method: 'GET', url: '/v1/charts' })
  assert.deepEqual([stranger.status, stranger.headers.ratelimit], [401, undefined])
  for (const url of ['/healthz', '/metrics', '/openapi.json'])
    assert.equal((await world.request({ method: 'GET', url })).headers.ratelimit, undefined, url)
})

test('over the limit requests are refused with the time to wait, and other credentials are not touched', async () => {
  const key = await world.key()
  const statuses = []
  for (let number = 0; number < limit + 3; number++) statuses.push((await ask(key)).status)
  assert.deepEqual(statuses, [...Array(limit).fill(200), 429, 429, 429])
  const { headers, body } = await ask(key)
  const problem = Problem.parse(JSON.parse(body))
  assert.deepEqual([problem.code, problem.status], ['rate-limited', 429])
  assert.match(String(headers['content-type']), /^application\/problem\+json/)
  assert.equal(headers['retry-after'], '60')
  assert.deepEqual(left(headers), { requests: 0, seconds: 60 })
  assert.equal(headers['ratelimit-policy'], `"default";q=${limit};w=60`)

  const other = await ask(await world.key())
  assert.deepEqual([other.status, left(other.headers).requests], [200, 99])
})

test('a whole limit can be used at the same moment, and not one request more', async () => {
  const key = await world.key()
  const replies = await Promise.all(Array.from({ length: limit + 20 }, () => ask(key)))
  assert.equal(replies.filter(({ status }) => status === 200).length, limit)
  assert.equal(replies.filter(({ status }) => status === 429).length, 20)
})

test('when the window ends requests are served again', async () => {
  const windowSeconds = 2
  const useUp = async (points: number) => {
    const server = await serverWith(limiterOf(points, windowSeconds))
    const key = await world.key()
    const replies = await Promise.all(Array.from({ length: points + 1 }, () => ask(key, server)))
    const [refused, ...others] = replies.filter(({ status }) => status === 429)
    assert.deepEqual(others, [], `${points} requests in a window`)
    assert.equal(refused?.headers['retry-after'], String(windowSeconds))
    clock.pass(windowSeconds * 1_000 - 1)
    assert.equal((await ask(key, server)).status, 429)
    clock.pass(1)
    assert.equal((await ask(key, server)).status, 200)
  }
  await useUp(2)
  await useUp(60)
})

test('over two processes on one PostgreSQL the total never exceeds the limit, and is reached', async () => {
  const second = await otherProcess()
  const key = await world.key()
  let served = 0
  for (let number = 0; number < limit + 40; number++) {
    const { status } = await ask(key, number % 3 === 0 ? second : world.server)
    if (status === 200) served++
  }
  assert.ok(served <= limit, `${served} served`)
  // A process that no longer asks may hold back what it has not handed out, which is less than a portion.
  assert.ok(served > limit - 5, `${served} served`)
})

test('two processes that are asked everything at once do not exceed the limit together', async () => {
  const second = await otherProcess()
  const key = await world.key()
  const servers = [world.server, second]
  const asked = Array.from({ length: 4 * limit }, (_, number) => ask(key, servers[number % 2]))
  const served = (await Promise.all(asked)).filter(({ status }) => status === 200).length
  assert.ok(served <= limit && served > limit - 10, `${served} served`)
})

test('when less than a portion is left single requests use up the rest', async () => {
  // Of 98 a process takes portions of 4: after 24 of them 2 requests are left.
  const server = await serverWith(limiterOf(98, 60))
  const key = await world.key()
  const remaining = []
  for (let number = 0; number < 100; number++) {
    const { status, headers } = await ask(key, server)
    remaining.push(status === 200 ? left(headers).requests : status)
  }
  assert.deepEqual(remaining.slice(94), [3, 2, 1, 0, 429, 429])
})

test('what one process leaves of a small limit another can use', async () => {
  const [one, other] = [await serverWith(limiterOf(3, 60)), await serverWith(limiterOf(3, 60))]
  const key = await world.key()
  const statuses = []
  for (const server of [one, other, one, other, one]) statuses.push((await ask(key, server)).status)
  assert.deepEqual(statuses, [200, 200, 200, 429, 429])
})

test('while the shared counter cannot be reached the service is unavailable, not broken', async () => {
  const gone = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
  const limiter = { points: 100, duration: 60, consume: () => Promise.reject(gone) }
  const server = await serverWith(limiter as unknown as RateLimiterAbstract)
  const { status, body } = await ask(await world.key(), server)
  assert.deepEqual([status, JSON.parse(body).code], [503, 'unavailable'])
})

test('a refusal at the very end of a window asks for a second of patience, not for none', async () => {
  const consume = () => Promise.reject(new RateLimiterRes(0, 0, 11))
  const server = await serverWith({ points: 10, duration: 60, consume } as unknown as RateLimiterAbstract)
  const { status, headers } = await ask(await world.key(), server)
  assert.deepEqual([status, headers['retry-after']], [429, '1'])
})

test('without a limit nothing is counted and nothing is said of it', async () => {
  const server = await serverOn(
    world.store,
    world.enqueue,
    world.collecting,
    { rateLimit: 0, tokenIssuer: undefined, corsOrigins: [], logLevel: 'silent', media: world.archive.store },
    parts,
  )
  const { status, headers } = await ask(await world.key(), server)
  assert.deepEqual([status, headers.ratelimit, headers['ratelimit-policy']], [200, undefined, undefined])
})

function otherProcess(): Promise<FastifyInstance> {
  const config = {
    rateLimit: limit,
    tokenIssuer: undefined,
    corsOrigins: [],
    logLevel: 'silent',
    media: world.archive.store,
  }
  return serverOn(world.store, world.enqueue, world.collecting, config, parts)
}

/** A counter with a window of its own length. */
function limiterOf(points: number, duration: number): RateLimiterAbstract {
  return new RateLimiterPostgres({
    storeClient: pool,
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: '',
    points,
    duration,
  })
}

const serverWith = (limiter: RateLimiterAbstract): Promise<FastifyInstance> =>
  quietServer(world, parts, {
    door: doorOn(db, world.enqueue, world.collecting),
    rateLimit: new RateLimit(limiter),
  })
