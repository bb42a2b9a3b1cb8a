import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { StoredRateLimiter } from '../src/domain/collecting/rate-limiter.ts'
import { type PlayedLibraries, playedLibrarySources, startAdLibraries } from './support/ad-libraries.ts'
import { type PlayedApple, playedSources, startApple } from './support/apple.ts'
import { appsOf, storePage } from './support/result-pages.ts'
import { openWorld, type Reply, type World } from './support/world.ts'

const parts = new AsyncDisposableStack()
let apple: PlayedApple
let libraries: PlayedLibraries
let world: World
before(async () => {
  apple = parts.use(await startApple())
  libraries = parts.use(await startAdLibraries())
  const sources = { ...playedSources(apple, { attempts: 1 }), ...playedLibrarySources(libraries) }
  world = parts.use(await openWorld({ sources, adTokens: libraries.tokens }))
})
after(() => parts.disposeAsync())

/** Everything that asks a source while its caller waits, with the upstream it asks. */
const asking = {
  'a preview of Meta': {
    pace: 'meta-ad-library',
    tool: 'admin_preview_paid_ads',
    input: { platform: 'meta', terms: ['a'] },
  },
  'a preview of TikTok': {
    pace: 'tiktok-ad-library',
    tool: 'admin_preview_paid_ads',
    input: { platform: 'tiktok', terms: ['a'] },
  },
  'a live search': { pace: 'itunes', tool: 'search_ios_apps', input: { term: 'nothing of this is stored' } },
  'tracking by a bundle id nobody has seen': {
    pace: 'itunes',
    tool: 'track_aso_app',
    input: { app: 'com.example.unseen', role: 'own' },
  },
} as const

const requests = () => apple.requests.length + libraries.requests.length

function isHeld(
  { status, headers, body }: Reply<{ retryAfterSeconds: number }>,
  longest: number,
  name: string,
) {
  assert.equal(status, 502, `${name}: ${JSON.stringify(body)}`)
  const wait = Number(headers['retry-after'])
  assert.ok(wait > 0 && wait <= longest, `${name} says to wait ${headers['retry-after']}`)
  assert.equal(body.retryAfterSeconds, wait, name)
}

test('while a source is to be left alone, whoever would ask it is told so at once, and for how long', async () => {
  for (const [name, { pace, tool, input }] of Object.entries(asking))
    for (const seconds of [60, 600]) {
      await new StoredRateLimiter(world.store.db).hold(pace, seconds * 1_000)
      const asked = requests()
      isHeld(await world.call(tool, input), seconds, `${name}, ${seconds} s`)
      assert.equal(requests(), asked, `${name} asks nobody`)
      await sql`update upstream_rate_limits set held_until = null`.execute(world.store.db)
    }
})

test('who is the first to be refused is told for how long, too', async () => {
  const throttle = {
    does: 'fail',
    status: 429,
    error: { message: 'slow down', code: 4 },
    headers: { 'retry-after': '90' },
  } as const
  for (const [name, { tool, input }] of Object.entries(asking)) {
    libraries.behave(({ path }) => !path.includes('oauth'), throttle)
    for (const path of ['/search', '/lookup'])
      apple.behave(path, { does: 'throttle', status: 429, retryAfter: '90' })
    isHeld(await world.call(tool, input), 90, name)
    libraries.recover()
    apple.recover()
    await sql`update upstream_rate_limits set held_until = null`.execute(world.store.db)
  }
})

test('a live search with a stored page answers that at once, with the hold as the reason', async () => {
  await storePage(world, { term: 'budget', observedAt: '2026-03-01T06:02:00.000Z', apps: appsOf([3]) })
  await new StoredRateLimiter(world.store.db).hold('itunes', 600_000)
  const asked = requests()
  const { body, status } = await world.call('search_ios_apps', { term: 'budget' })
  assert.deepEqual([status, body.reason, body.basis], [200, 'source-throttled', 'result-page'])
  assert.deepEqual(
    body.trouble.map(({ source, kind }) => [source, kind]),
    [['itunes-search', 'throttled']],
  )
  const [, seconds] = /for about (\d+) more seconds/.exec(body.detail) ?? []
  assert.ok(Number(seconds) > 0 && Number(seconds) <= 600, body.detail)
  assert.equal(requests(), asked)
  await sql`update upstream_rate_limits set held_until = null`.execute(world.store.db)
})

test('a search for advertisers says of a library that is left alone until when, and answers what is stored', async () => {
  await new StoredRateLimiter(world.store.db).hold('tiktok-ad-library', 600_000)
  const asked = requests()
  const { body, status } = await world.call('admin_search_paid_ad_advertisers', {
    platform: 'tiktok',
    q: 'tide',
  })
  assert.deepEqual([status, body.lookups[0].outcome], [200, 'throttled'])
  assert.match(body.lookups[0].message, /left alone until \d{4}-/)
  assert.equal(requests(), asked)
  await sql`update upstream_rate_limits set held_until = null`.execute(world.store.db)
})
