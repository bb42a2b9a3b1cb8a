import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type Behaviour, type PlayedApple, playedSources, startApple } from '../../../tests/support/apple.ts'
import { noCertificate, untrustedCertificate } from '../../../tests/support/certificate.ts'
import { stopClock } from '../../../tests/support/clock.ts'
import { memoryRateLimiter } from '../../../tests/support/memory-rate-limiter.ts'
import { lastsAtLeast, pause } from '../../../tests/support/pause.ts'
import { untilTrue } from '../../../tests/support/until.ts'
import { appleClients } from '../../suppliers/apple/clients.ts'
import type { FailureKind } from '../../vocabulary/failure-kinds.ts'
import { Sources } from '../settings.ts'
import { SourceFailure } from './failure.ts'
import type { WaitTimes } from './polite-source.ts'

const quick: WaitTimes = { backOffMs: 1, throttledMs: 5, openMs: 60_000 }
const patient = new AbortController().signal

interface Options {
  settings?: Record<string, unknown>
  waits?: Partial<WaitTimes>
}

/** Clients of a simulated Apple, and the number of requests it received. */
async function openClients({ settings = {}, waits = {} }: Options = {}) {
  const apple = await startApple()
  const rateLimiter = memoryRateLimiter()
  const clients = appleClients(Sources.parse(playedSources(apple, settings)), rateLimiter, {
    ...quick,
    ...waits,
  })
  return { apple, rateLimiter, ...clients, [Symbol.asyncDispose]: () => apple[Symbol.asyncDispose]() }
}

async function failureOf(call: Promise<unknown>): Promise<SourceFailure> {
  const outcome = await call.then(
    () => 'answered',
    (error: unknown) => error,
  )
  assert.ok(outcome instanceof SourceFailure, String(outcome))
  return outcome
}

const asked = (apple: PlayedApple) => apple.requests.length

test('the upstream is asked once when it answers, under the name of the product and with the headers of the operator', async () => {
  await using world = await openClients({ settings: { headers: { 'X-Contact': 'ops@example.org' } } })
  const before = Date.now()
  const answer = await world.search({ term: 'chat', country: 'us' }, patient)
  assert.equal(answer.attempts, 1)
  assert.ok(answer.fetchedAt.getTime() >= before)
  assert.deepEqual(world.rateLimiter.turns, ['itunes'])
  const [request] = world.apple.requests
  assert.match(request?.headers['user-agent'] ?? '', /^Rivalscope\/\d/)
  assert.equal(request?.headers['x-contact'], 'ops@example.org')
})

/** For each behaviour of an upstream: the failure, the number of requests until it is reported, and the hold. */
const moods: [name: string, Behaviour, FailureKind, attempts: number, held?: number][] = [
  ['429 with seconds to wait', { does: 'throttle', status: 429, retryAfter: '7' }, 'throttled', 1, 7_000],
  ['403 with seconds to wait', { does: 'throttle', status: 403, retryAfter: '3' }, 'throttled', 1, 3_000],
  [
    'a wait of a day counts as an hour',
    { does: 'throttle', status: 429, retryAfter: '86400' },
    'throttled',
    1,
    3_600_000,
  ],
  ['403 from iTunes without a word', { does: 'throttle', status: 403 }, 'throttled', 1, 5],
  ['503', { does: 'unavailable' }, 'unavailable', 3],
  ['503 with a long wait', { does: 'unavailable', retryAfter: '120' }, 'unavailable', 1, 120_000],
  ['400', { does: 'status', status: 400 }, 'refused', 1],
  ['404', { does: 'status', status: 404 }, 'not-found', 1],
  ['204', { does: 'status', status: 204 }, 'unexpected-shape', 1],
  ['HTML in place of JSON', { does: 'html' }, 'not-json', 1],
  ['truncated JSON of the announced length', { does: 'truncate' }, 'cut-off', 3],
  ['a connection that ends in the middle', { does: 'cut' }, 'cut-off', 3],
  ['a connection that ends before the answer', { does: 'hang-up' }, 'unreachable', 3],
  ['a 200 without a byte', { does: 'nothing' }, 'cut-off', 3],
  ['JSON that is something else', { does: 'serve', body: '{"status":"ok"}' }, 'unexpected-shape', 1],
  ['JSON that is broken', { does: 'serve', body: '{"results":[,]}' }, 'not-json', 1],
  ['bytes that are no text', { does: 'serve', body: Buffer.from([0x7b, 0xff, 0x7d]) }, 'not-json', 1],
  [
    'a redirect to another host',
    { does: 'redirect', to: 'https://elsewhere.example/search' },
    'unexpected-shape',
    1,
  ],
  ['redirects without end', { does: 'redirect', to: '/search' }, 'unexpected-shape', 1],
]

for (const [name, behaviour, kind, attempts, held] of moods)
  test(`${name}: ${kind} after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`, async () => {
    await using world = await openClients()
    world.apple.behave('/search', behaviour)
    const failure = await failureOf(world.search({ term: 'chat', country: 'us' }, patient))
    assert.equal(failure.kind, kind, failure.message)
    assert.equal(world.rateLimiter.turns.length, attempts)
    assert.deepEqual(world.rateLimiter.holds, held === undefined ? [] : [{ upstream: 'itunes', forMs: held }])
    assert.match(failure.message, /^itunes \(us\): /)
    assert.doesNotMatch(failure.message, /Please try again later|term=/)
  })

test('an answer that cannot be read comes with the failure, out of the sight of loggers', async () => {
  await using world = await openClients()
  world.apple.behave('/search', { does: 'serve', body: '{"status":"ok"}' })
  const failure = await failureOf(world.search({ term: 'chat', country: 'us' }, patient))
  assert.equal(Buffer.from(failure.bytes ?? []).toString(), '{"status":"ok"}')
  assert.equal('bytes' in { ...failure }, false)
})

test('a date to wait until is understood', async () => {
  await using world = await openClients()
  using _clock = stopClock()
  const date = new Date(Date.now() + 90_000).toUTCString()
  world.apple.behave('/search', { does: 'throttle', status: 429, retryAfter: date })
  const failure = await failureOf(world.search({ term: 'chat', country: 'us' }, patient))
  assert.equal(failure.retryAfterMs, Date.parse(date) - Date.now())
})

test('a short wait that 503 asks for is waited, and the call succeeds', async () => {
  await using world = await openClients()
  world.apple.behave('/search', { does: 'unavailable', retryAfter: '1' }, 1)
  const answer = await lastsAtLeast(1_000, () => world.search({ term: 'chat', country: 'us' }, patient))
  assert.equal(answer.attempts, 2)
  assert.deepEqual(world.rateLimiter.holds, [{ upstream: 'itunes', forMs: 1_000 }])
})

test('passing trouble is got over', async () => {
  for (const behaviour of [{ does: 'unavailable' }, { does: 'cut' }, { does: 'hang-up' }] as const) {
    await using world = await openClients()
    world.apple.behave('/search', behaviour, 2)
    const answer = await world.search({ term: 'chat', country: 'us' }, patient)
    assert.equal(answer.attempts, 3)
    assert.equal(answer.empty, false)
  }
})

test('a web page that answers 403 refuses, and nobody is held back for it', async () => {
  await using world = await openClients()
  world.apple.behave('/us/app', { does: 'throttle', status: 403 })
  assert.equal((await failureOf(world.page('8000000001', 'us', patient))).kind, 'refused')
  assert.deepEqual(world.rateLimiter.holds, [])
})

test('an answer that never comes, and one that drips, end by the timeout for the whole', async () => {
  // Dripping takes an hour.
  for (const behaviour of [{ does: 'hang' }, { does: 'drip', everyMs: 1_000 }] as const) {
    await using world = await openClients({ settings: { timeoutSeconds: 0.15, attempts: 1 } })
    world.apple.behave('/search', behaviour)
    const failure = await failureOf(world.search({ term: 'chat', country: 'us' }, patient))
    assert.equal(failure.kind, 'timeout')
  }
})

test('thirty megabytes are stopped at the limit, announced or not, and not asked for again', async () => {
  await using world = await openClients({ settings: { maxBytes: 1_000_000 } })
  world.apple.behave('/search', { does: 'flood', bytes: 30_000_000 })
  assert.equal((await failureOf(world.search({ term: 'chat', country: 'us' }, patient))).kind, 'too-large')
  world.apple.behave('/search', { does: 'serve', body: ' '.repeat(1_000_001) })
  assert.equal((await failureOf(world.search({ term: 'chat', country: 'us' }, patient))).kind, 'too-large')
  assert.equal(asked(world.apple), 2)
})

test('a small answer that unpacks to a large one is stopped, and an honest one arrives unpacked', async () => {
  let body = gzipSync(Buffer.alloc(20_000_000, ' '))
  const server = createServer((_, reply) => {
    reply.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length }).end(body)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  await using _ = { [Symbol.asyncDispose]: async () => void server.close().closeAllConnections() }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const sources = Sources.parse(playedSources({ url }, { maxBytes: 1_000_000 }))
  const { search } = appleClients(sources, memoryRateLimiter(), quick)
  assert.ok(body.length < 100_000)
  assert.equal((await failureOf(search({ term: 'chat', country: 'us' }, patient))).kind, 'too-large')
  body = gzipSync('{"resultCount":0,"results":[]}')
  const answer = await search({ term: 'chat', country: 'us' }, patient)
  assert.equal(Buffer.from(answer.bytes).toString(), '{"resultCount":0,"results":[]}')
  body = gzipSync('{"resultCount":0,"results":[]}').subarray(0, 25)
  assert.equal((await failureOf(search({ term: 'chat', country: 'us' }, patient))).kind, 'cut-off')
})

test('after five failures in a row a storefront is left alone, the others are not, and one success ends it', async () => {
  using clock = stopClock()
  await using world = await openClients({ settings: { attempts: 1 } })
  world.apple.behave((request) => request.path.includes('country=de'), { does: 'throttle', status: 429 })
  const inGermany = () => failureOf(world.search({ term: 'chat', country: 'de' }, patient))
  for (let call = 0; call < 5; call++) assert.equal((await inGermany()).kind, 'throttled')
  const left = await inGermany()
  assert.equal(left.kind, 'circuit-open')
  assert.equal(left.retryAfterMs, quick.openMs)
  assert.equal(asked(world.apple), 5)
  assert.equal((await world.search({ term: 'chat', country: 'us' }, patient)).empty, false)
  clock.pass(quick.openMs - 1)
  assert.equal((await inGermany()).kind, 'circuit-open')
  clock.pass(1)
  assert.equal((await inGermany()).kind, 'throttled')
  assert.equal((await inGermany()).kind, 'circuit-open')
  world.apple.recover()
  clock.pass(quick.openMs)
  assert.equal((await world.search({ term: 'chat', country: 'de' }, patient)).empty, false)
})

test('apps that do not exist open no circuit, and end a row of failures', async () => {
  await using world = await openClients({ settings: { attempts: 1 } })
  for (let call = 0; call < 8; call++)
    assert.equal((await failureOf(world.page('1', 'us', patient))).kind, 'not-found')
  world.apple.behave('/us/app/id2', { does: 'unavailable' })
  for (let call = 0; call < 4; call++) await failureOf(world.page('2', 'us', patient))
  await failureOf(world.page('1', 'us', patient))
  for (let call = 0; call < 4; call++)
    assert.equal((await failureOf(world.page('2', 'us', patient))).kind, 'unavailable')
})

test('no turn, no request: calls keep the pace, and wait out a hold', async () => {
  await using world = await openClients({ settings: { callsPerMinute: 1_200 }, waits: { throttledMs: 150 } })
  await lastsAtLeast(100, async () => {
    for (let call = 0; call < 3; call++) await world.search({ term: 'chat', country: 'us' }, patient)
  })
  world.apple.behave('/search', { does: 'throttle', status: 403 }, 1)
  await failureOf(world.search({ term: 'chat', country: 'us' }, patient))
  const { holds, turns } = world.rateLimiter
  assert.deepEqual(holds, [{ upstream: 'itunes', forMs: 150 }])
  await world.lookup(['8000000001'], 'us', patient)
  assert.equal(turns.length, 5, 'a turn for each, which is when the hold allows it')
})

test('whoever aborts is let go at once: while waiting for a turn, for an answer, and between attempts', async () => {
  // Without an abort, a waiting call takes hours.
  const abort = async (world: Awaited<ReturnType<typeof openClients>>, requests: number) => {
    const caller = new AbortController()
    const stopped = assert.rejects(
      world.search({ term: 'chat', country: 'us' }, caller.signal),
      /stopped by the caller/,
    )
    await untilTrue(() => asked(world.apple) === requests)
    await pause(40, 'the answer, if there is one, is read')
    caller.abort(new Error('stopped by the caller'))
    await stopped
    assert.equal(asked(world.apple), requests)
  }
  await using waiting = await openClients()
  await waiting.rateLimiter.hold('itunes', 3_600_000)
  await abort(waiting, 0)
  await using hanging = await openClients({ settings: { timeoutSeconds: 300 } })
  hanging.apple.behave('/search', { does: 'hang' })
  await abort(hanging, 1)
  await using backingOff = await openClients({ waits: { backOffMs: 3_600_000 } })
  backingOff.apple.behave('/search', { does: 'unavailable' })
  await abort(backingOff, 1)
  await assert.rejects(
    backingOff.search({ term: 'chat', country: 'us' }, AbortSignal.abort(new Error('before it began'))),
    /before it began/,
  )
})

test('nobody there is unreachable', async () => {
  const apple = await startApple()
  const sources = Sources.parse(playedSources(apple, { attempts: 1 }))
  await apple[Symbol.asyncDispose]()
  const { search } = appleClients(sources, memoryRateLimiter(), quick)
  const failure = await failureOf(search({ term: 'chat', country: 'us' }, patient))
  assert.equal(failure.kind, 'unreachable')
  assert.match(failure.message, /ECONNREFUSED/)
})

test('a server that cannot prove who it is is not asked again', {
  skip: noCertificate,
}, async () => {
  await using apple = await startApple({ certificate: untrustedCertificate() })
  const rateLimiter = memoryRateLimiter()
  const { search } = appleClients(Sources.parse(playedSources(apple)), rateLimiter, quick)
  const failure = await failureOf(search({ term: 'chat', country: 'us' }, patient))
  assert.equal(failure.kind, 'certificate', failure.message)
  assert.equal(rateLimiter.turns.length, 1)
  assert.equal(apple.requests.length, 0)
})
