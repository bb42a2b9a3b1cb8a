import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ReadAppSummaries } from '../src/api/app-summaries.ts'
import { storeListings } from './support/listings.ts'
import { openWorld, type World } from './support/world.ts'

const observedAt = '2026-03-01T06:00:00.000Z'
let world: World
let key: string
before(async () => {
  world = await openWorld()
  key = await world.key(['context:read'])
  await storeListings(world, [
    { trackId: 1, trackName: 'Brook', observedAt, averageUserRating: 4.5, userRatingCount: 120 },
    { trackId: 2, trackName: 'Stream', observedAt, country: 'gb' },
  ])
})
after(() => world[Symbol.asyncDispose]())

const ask = (query: string, headers: Record<string, string> = { authorization: `Bearer ${key}` }) =>
  world.request<Awaited<ReturnType<ReadAppSummaries>> & { code: string; errors: { pointer: string }[] }>({
    url: `/app-summaries?${query}`,
    headers,
  })

test('the apps of a chart are told as lists show them, what another storefront knows is not measured, and strangers are left out', async () => {
  const { status, body } = await ask('country=us&app=1&app=2&app=3')
  assert.equal(status, 200)
  const items = body.items.toSorted((one, other) => (one.storeId < other.storeId ? -1 : 1))
  assert.deepEqual(
    items.map(({ storeId, rating }) => [storeId, rating.state === 'measured' ? rating.value : rating.state]),
    [
      ['1', 4.5],
      ['2', 'not-measured'],
    ],
  )
  const { items: found } = (await world.call('search_competitors', { q: 'Brook', country: 'us' }, { key })).body
  assert.deepEqual(items[0], found[0])
})

test('bad input and bad credentials are refused by name', async () => {
  const refused = async (query: string) => {
    const { status, body } = await ask(query)
    return [status, body.code, body.errors[0]?.pointer]
  }
  const apps = (most: number) => Array.from({ length: most }, (_, at) => `app=${at + 1}`).join('&')
  assert.deepEqual(await refused('app=1'), [400, 'invalid-request', '/query/country'])
  assert.deepEqual(await refused('country=us&country=gb&app=1'), [400, 'invalid-request', '/query/country'])
  assert.deepEqual(await refused('country=us'), [400, 'invalid-request', '/query/app'])
  assert.deepEqual(await refused(`country=us&${apps(201)}`), [400, 'invalid-request', '/query/app'])
  assert.deepEqual(await refused('country=us&app=1&app=x'), [400, 'invalid-request', '/query/app/1'])
  assert.deepEqual(await refused('country=us&app=1&q=x'), [400, 'invalid-request', '/query/q'])
  assert.equal((await ask(`country=us&${apps(200)}`)).status, 200)
  assert.equal((await ask('country=us&app=1', {})).status, 401)
})
