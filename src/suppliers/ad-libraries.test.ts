import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type LibraryMood,
  type PlayedLibraries,
  playedAds,
  playedLibrarySources,
  startAdLibraries,
} from '../../tests/support/ad-libraries.ts'
import { memoryRateLimiter } from '../../tests/support/memory-rate-limiter.ts'
import type { AdSearch } from '../domain/paid-ads/search-plan.ts'
import type { ParsedPayload } from '../ingest/parsed-payload.ts'
import { SourceFailure } from '../sources/polite/failure.ts'
import type { FetchedAnswer } from '../sources/polite/polite-source.ts'
import { Sources } from '../sources/settings.ts'
import type { FailureKind } from '../vocabulary/failure-kinds.ts'
import { adLibraries } from './ad-libraries.ts'
import { type AdTokens, without } from './ad-library.ts'
import { restMs } from './meta/archive.ts'

const patient = new AbortController().signal
const quick = { backOffMs: 1, throttledMs: 5, openMs: 80 }
const search: AdSearch = {
  term: null,
  advertiserIds: ['7318264509182736400'],
  countries: ['de', 'fr'],
  active: true,
  deliveredFrom: '2026-01-01',
  deliveredTo: '2026-02-28',
  mediaType: 'video',
  languages: ['de'],
}

async function openLibraries(more: Record<string, unknown> = {}, tokens?: AdTokens) {
  const played = await startAdLibraries()
  const rateLimiter = memoryRateLimiter()
  const sources = Sources.parse(playedLibrarySources(played, more))
  const { meta, tiktok } = adLibraries(sources, tokens ?? played.tokens, rateLimiter, quick)
  assert.ok(meta && tiktok)
  return { played, rateLimiter, meta, tiktok, [Symbol.asyncDispose]: () => played[Symbol.asyncDispose]() }
}

const ask = (more: Partial<AdSearch> = {}, cursor: string | null = null, size = 250) => ({
  search: { ...search, ...more },
  cursor,
  size,
  onRequest: () => {},
})

async function failureOf(call: Promise<unknown>): Promise<SourceFailure> {
  const outcome = await call.then(
    () => 'answered',
    (error: unknown) => error,
  )
  assert.ok(outcome instanceof SourceFailure, String(outcome))
  return outcome
}

const bodyOf = (played: PlayedLibraries) =>
  played.requests.findLast(({ path }) => path.includes('/ad/query'))?.body ?? ''

test('without a credential only the library that answers everybody is there to be asked', () => {
  assert.deepEqual(Object.keys(adLibraries(Sources.parse({}), {}, memoryRateLimiter())), ['apple'])
})

test('Meta is asked with the token in a header alone, and always told which ads by state', async () => {
  await using world = await openLibraries()
  await world.meta.page(ask(), patient)
  await world.meta.page(
    ask({ advertiserIds: [], term: 'tide & co', countries: [], active: null, mediaType: null }),
    patient,
  )
  const [first, second] = world.played.requests.map(({ path, headers }) => {
    assert.equal(headers.authorization, `Bearer ${world.played.tokens.meta[0]}`)
    assert.doesNotMatch(path, /EAAB|access_token/)
    return Object.fromEntries(new URL(path, world.played.url).searchParams)
  })
  assert.equal(first?.search_page_ids, '[7318264509182736400]')
  assert.equal(first?.ad_reached_countries, '["DE","FR"]')
  assert.deepEqual(
    [first?.ad_active_status, first?.media_type, first?.languages, first?.limit],
    ['ACTIVE', 'VIDEO', '["de"]', '250'],
  )
  assert.deepEqual([second?.search_terms, second?.ad_active_status], ['tide & co', 'ALL'])
  assert.equal(second?.ad_reached_countries, '["ALL"]')
  assert.match(world.played.requests[0]?.path ?? '', /^\/v24\.0\/ads_archive\?/)
})

const paging = ({ value }: FetchedAnswer<ParsedPayload>) => ({ ads: value.records, next: value.nextPage })

test('Meta pages follow from their position, and end with a page without ads although it names a next one', async () => {
  await using world = await openLibraries()
  const whole = { advertiserIds: [], mediaType: null }
  const first = await world.meta.page(ask(whole, null, 20), patient)
  assert.deepEqual(paging(first), { ads: 20, next: 'after-20' })
  const second = await world.meta.page(ask(whole, 'after-20', 20), patient)
  assert.deepEqual(paging(second), { ads: 5, next: 'after-25' })
  const last = await world.meta.page(ask(whole, 'after-25', 20), patient)
  assert.deepEqual(paging(last), { ads: 0, next: null })
})

test('more ads than asked for are all there, and no byte holds the token', async () => {
  await using world = await openLibraries()
  world.played.extra = 5
  const page = await world.meta.page(ask({ advertiserIds: [] }, null, 10), patient)
  assert.equal(page.value.records, 15)
  const text = Buffer.from(page.bytes).toString()
  assert.ok(!text.includes(world.played.tokens.meta[0]))
  assert.match(text, /access_token=removed/)
})

/** Responses of Meta with their status, and the failures they mean. */
const metaMoods: [number, number, string, FailureKind][] = [
  [500, 1, "Please reduce the amount of data you're asking for", 'too-much'],
  [200, 1, "Please reduce the amount of data you're asking for", 'too-much'],
  [500, 1, 'An unknown error occurred', 'unavailable'],
  [503, 2, 'Service temporarily unavailable', 'unavailable'],
  [400, 4, 'Application request limit reached', 'throttled'],
  [200, 613, 'Calls to this api have exceeded the rate limit', 'throttled'],
  [400, 17, 'User request limit reached', 'throttled'],
  [400, 80_004, 'There have been too many calls', 'throttled'],
  [401, 190, 'Error validating access token: Session has expired', 'credential'],
  [400, 10, 'Application does not have permission for this action', 'permission'],
  [403, 200, 'Requires business permissions', 'permission'],
  [400, 100, 'Invalid parameter', 'refused'],
  [200, 1009, 'Param validation failed', 'refused'],
]

for (const [status, code, message, kind] of metaMoods)
  test(`Meta's error ${code} with status ${status} is ${kind}`, async () => {
    await using world = await openLibraries()
    world.played.behave(() => true, { does: 'fail', status, error: { code, message } })
    const failure = await failureOf(world.meta.page(ask(), patient))
    assert.deepEqual([failure.kind, failure.code], [kind, String(code)])
    assert.match(failure.message, new RegExp(`^meta-ad-library: .*error ${code}: `))
    assert.deepEqual(
      world.rateLimiter.holds.map(({ forMs }) => forMs),
      kind === 'throttled' ? [3_600_000] : [],
    )
  })

test('an expired token is told by the name of its variable, and a token that is told back stays unsaid', async () => {
  await using world = await openLibraries({}, { meta: ['EAABold'], tiktok: ['k', 'wrong-one'] })
  const failure = await failureOf(world.meta.page(ask(), patient))
  assert.match(failure.message, /RIVALSCOPE_META_TOKEN, error 190: Malformed access token \(removed\)$/)
  const other = await failureOf(world.tiktok.page(ask(), patient))
  assert.equal(other.kind, 'credential')
  assert.match(other.message, /RIVALSCOPE_TIKTOK_CLIENT_KEY/)
  assert.doesNotMatch(other.message, /wrong-one/)
})

test('too much, a token that has expired and a missing permission open no circuit', async () => {
  await using world = await openLibraries()
  for (const code of [1, 190, 10]) {
    const error = { code, message: 'Please reduce the amount of data' }
    world.played.behave(() => true, { does: 'fail', status: 400, error })
    for (let call = 0; call < 6; call++)
      assert.notEqual((await failureOf(world.meta.page(ask(), patient))).kind, 'circuit-open')
  }
})

test('what Meta says of its use holds the pace for everybody, before it throttles', async () => {
  await using world = await openLibraries()
  const business = (use: object) => ({
    'x-business-use-case-usage': JSON.stringify({ '17': [{ type: 'ads', ...use }] }),
  })
  const tell = (headers: Record<string, string>): LibraryMood => ({ does: 'tell', headers })
  world.played.behave(() => true, tell(business({ call_count: 79, total_time: 1 })), 1)
  await world.meta.page(ask(), patient)
  assert.deepEqual(world.rateLimiter.holds, [])
  world.played.behave(() => true, tell(business({ call_count: 80, estimated_time_to_regain_access: 7 })), 1)
  await world.meta.page(ask(), patient)
  assert.deepEqual(world.rateLimiter.holds, [{ upstream: 'meta-ad-library', forMs: 420_000 }])
})

test('a throttled call waits as long as the headers say', async () => {
  await using world = await openLibraries()
  const headers = { 'x-app-usage': '{"call_count":"100","estimated_time_to_regain_access":"3"}' }
  world.played.behave(() => true, { does: 'fail', status: 400, error: { code: 4, message: 'limit' }, headers })
  assert.equal((await failureOf(world.meta.page(ask(), patient))).retryAfterMs, 180_000)
})

test('whatever stands in a usage header, the rest is none, or at most a day', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string({ unit: 'grapheme-ascii' })), (header) => {
      const wait = restMs(new Headers({ 'x-app-usage': header, 'x-business-use-case-usage': header }))
      return wait >= 0 && wait <= 86_400_000
    }),
  )
})

test('pages that lie are unfit: other JSON, HTML, half a page', async () => {
  await using world = await openLibraries()
  const kinds: [string, FailureKind][] = [
    ['{"status":"ok"}', 'unexpected-shape'],
    ['{"data":{}}', 'unexpected-shape'],
    ['<html>', 'not-json'],
    ['{"data":[{"id":"1"', 'cut-off'],
  ]
  for (const [body, kind] of kinds) {
    world.played.behave(() => true, { does: 'serve', body })
    assert.equal((await failureOf(world.meta.page(ask(), patient))).kind, kind)
  }
})

test('TikTok is asked by POST with a client token that is fetched once', async () => {
  await using world = await openLibraries()
  await world.tiktok.page(ask({ countries: ['de'] }), patient)
  const [token, query] = world.played.requests
  assert.equal(token?.path, '/v2/oauth/token/')
  assert.match(query?.headers.authorization ?? '', /^Bearer clt\.played/)
  const sent = JSON.parse(bodyOf(world.played))
  assert.deepEqual(sent.filters.ad_published_date_range, { min: '20260101', max: '20260228' })
  assert.deepEqual([sent.filters.country_code, sent.max_count, 'search_term' in sent], ['DE', 50, false])
  assert.match(bodyOf(world.played), /"advertiser_business_ids":\[7318264509182736400\]/)
  await world.tiktok.page(ask({ term: 'tides', advertiserIds: [], countries: [] }), patient)
  const again = JSON.parse(bodyOf(world.played))
  assert.deepEqual([again.search_term, again.filters.country_code], ['tides', 'ALL'])
  assert.equal(world.played.requests.filter(({ path }) => path.includes('oauth')).length, 1)
})

test('TikTok pages follow from has_more and search_id', async () => {
  await using world = await openLibraries()
  world.played.ads = playedAds(60)
  const first = await world.tiktok.page(ask({ advertiserIds: [] }), patient)
  assert.deepEqual(paging(first), { ads: 50, next: 'search-50' })
  assert.deepEqual(paging(await world.tiktok.page(ask({ advertiserIds: [] }, 'search-50'), patient)), {
    ads: 10,
    next: null,
  })
})

test('a client token that is not accepted is replaced once', async () => {
  await using world = await openLibraries()
  await world.tiktok.page(ask(), patient)
  world.played.revoke()
  await world.tiktok.page(ask(), patient)
  assert.equal(world.played.requests.filter(({ path }) => path.includes('oauth')).length, 2)
  world.played.behave(({ path }) => path.includes('/ad/query'), {
    does: 'fail',
    status: 401,
    error: { code: 'access_token_invalid', message: 'no' },
  })
  assert.equal((await failureOf(world.tiktok.page(ask(), patient))).kind, 'credential')
  assert.equal(world.played.requests.filter(({ path }) => path.includes('oauth')).length, 3)
})

const tiktokMoods: [number, string, FailureKind][] = [
  [200, 'internal_error', 'unavailable'],
  [500, 'internal_error', 'unavailable'],
  [200, 'rate_limit_exceeded', 'throttled'],
  [429, 'rate_limit_exceeded', 'throttled'],
  [200, 'invalid_params', 'refused'],
  [401, 'scope_not_authorized', 'permission'],
]

for (const [status, code, kind] of tiktokMoods)
  test(`TikTok's ${code} with status ${status} is ${kind}`, async () => {
    await using world = await openLibraries()
    await world.tiktok.page(ask(), patient)
    world.played.behave(({ path }) => path.includes('/ad/query'), {
      does: 'fail',
      status,
      error: { code, message: 'Something is wrong', log_id: '1' },
    })
    const failure = await failureOf(world.tiktok.page(ask(), patient))
    assert.deepEqual([failure.kind, failure.code], [kind, code])
  })

test('errors of TikTok that come now and then are tried again', async () => {
  await using world = await openLibraries({ attempts: 3 })
  const error = { code: 'internal_error', message: 'Try again' }
  world.played.behave(({ path }) => path.includes('/ad/query'), { does: 'fail', status: 500, error }, 2)
  assert.equal((await world.tiktok.page(ask({ advertiserIds: [] }), patient)).attempts, 3)
})

test('advertisers of TikTok keep every digit of their ids', async () => {
  await using world = await openLibraries()
  assert.deepEqual(await world.tiktok.advertisers?.('tidepool', patient), [
    { advertiserId: '7318264509182736400', name: 'Tidepool Habits', country: 'de' },
  ])
})

test('secrets are taken out wherever they stand, and nothing else changes', () => {
  const clean = without(['a|b+c'])
  assert.equal(clean.text('x a|b+c y a%7Cb%2Bc'), 'x (removed) y (removed)')
  const bytes = Buffer.from('潮騒 a|b+c ü')
  assert.equal(Buffer.from(clean.bytes(bytes)).toString(), '潮騒 (removed) ü')
  const other = Buffer.from([0xff, 0x00, 0x41])
  assert.equal(clean.bytes(other), other)
})
