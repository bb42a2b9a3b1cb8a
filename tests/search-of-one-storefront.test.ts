import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type MadeListing, storeListings } from './support/listings.ts'
import { type Answer, openWorld, type Reply, type World } from './support/world.ts'

const observedAt = '2026-03-01T12:00:00Z'
const app = (trackId: number, trackName: string, userRatingCount: number, more: Partial<MadeListing> = {}) => ({
  trackId,
  trackName,
  userRatingCount,
  averageUserRating: 4.5,
  observedAt,
  country: 'gb',
  ...more,
})
const us = { country: 'us' }

let world: World
before(async () => {
  world = await openWorld()
  await storeListings(world, [
    // Only in the US, and the most established of all.
    app(1, 'Lantern', 900_000, { ...us, bundleId: 'com.example.lantern', releaseDate: '2020-01-01T00:00:00Z' }),
    // Free and known in the US, neither in Britain.
    app(2, 'Lantern Two', 50_000, us),
    app(2, 'Lantern Two', 10, {
      price: 1.99,
      currency: 'GBP',
      averageUserRating: 2,
      primaryGenreId: 6013,
      genreIds: ['6013'],
    }),
    app(3, 'Lantern Three', 400, { averageUserRating: 3, primaryGenreId: 6014, genreIds: ['6014'] }),
    // Called so in the US only.
    app(4, 'Lantern Four', 70, us),
    app(4, 'Candle', 70_000, { releaseDate: '2021-01-01T00:00:00Z' }),
    // What is known of it in Britain is its name.
    { trackId: 5, trackName: 'Lantern Five', observedAt, country: 'gb' },
  ])
})
after(() => world[Symbol.asyncDispose]())

interface Item {
  storeId: string
  country: string
  namedIn: string
}

async function found(input: object): Promise<Item[]> {
  const { status, body } = await world.call('search_competitors', { country: 'gb', ...input })
  assert.equal(status, 200)
  return body.items
}
const idsOf = (items: readonly Item[]) => items.map(({ storeId }) => Number(storeId))
const ids = async (input: object) => idsOf(await found({ q: 'lantern', ...input }))

test('an app without a record there comes last, says so and shows nothing but its name', async () => {
  const items = await found({ q: 'lantern' })
  assert.deepEqual(idsOf(items), [3, 2, 5, 4, 1])
  assert.ok(items.every(({ country }) => country === 'gb'))
  assert.deepEqual(
    items.map(({ namedIn }) => namedIn),
    ['gb', 'gb', 'gb', 'gb', 'us'],
  )
  const unknown = { state: 'not-measured', reason: 'never-collected' }
  const facts = [
    'developer',
    'developerId',
    'bundleId',
    'icon',
    'price',
    'primaryCategory',
    'rating',
    'ratingCount',
  ]
  assert.deepEqual(items.at(-1), {
    platform: 'ios',
    storeId: '1',
    country: 'gb',
    name: 'Lantern',
    namedIn: 'us',
    storeUrl: 'https://apps.apple.com/gb/app/id1',
    ...Object.fromEntries([...facts, 'releasedAt', 'updatedAt'].map((fact) => [fact, unknown])),
    evidence: [],
  })
})

test('a filter asks the value of the storefront, and whoever has none there does not pass', async () => {
  assert.deepEqual(await ids({ price: 'free' }), [3, 5, 4])
  assert.deepEqual(await ids({ price: 'paid' }), [2])
  assert.deepEqual(await ids({ minRatingCount: 400 }), [3, 4])
  assert.deepEqual(await ids({ minRatingCount: 0 }), [3, 2, 4])
  assert.deepEqual(await ids({ minRating: 2.5 }), [3, 4])
  assert.deepEqual(await ids({ releasedFrom: '2019-01-01' }), [4])
  assert.deepEqual(await ids({ categoryId: '6013' }), [2])
  assert.deepEqual(await ids({ charting: 'no' }), [3, 2, 5, 4])
  assert.deepEqual(await ids({ country: 'us', minRatingCount: 50_000 }), [1, 2])
})

test('a sort by a value is by that of the storefront, and holds only whoever is known there', async () => {
  assert.deepEqual(await ids({ sort: 'rating-count' }), [4, 3, 2, 5])
  assert.deepEqual(await ids({ sort: 'rating' }), [4, 3, 2, 5])
  assert.deepEqual(await ids({ sort: 'released' }), [4, 5, 3, 2])
  assert.deepEqual(await ids({ sort: 'name' }), [4, 5, 3, 2])
})

test('an app named outright is found by any storefront that knows it, and filtered by the one asked', async () => {
  for (const q of ['1', 'id1', 'com.example.lantern', 'https://apps.apple.com/us/app/id1']) {
    const items = await found({ q })
    assert.deepEqual([idsOf(items), items[0]?.namedIn], [[1], 'us'], q)
    assert.deepEqual(idsOf(await found({ q, minRatingCount: 1 })), [])
    assert.deepEqual(idsOf(await found({ q, sort: 'rating' })), [])
  }
  assert.deepEqual(idsOf(await found({ q: '2', price: 'free' })), [])
})

test('pages lead through both kinds, each app once', async () => {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const { body }: Reply<Answer<'search_competitors'>> = await world.call('search_competitors', {
      q: 'lantern',
      country: 'gb',
      limit: 2,
      ...(cursor ? { cursor } : {}),
    })
    assert.deepEqual(body.total, { value: 5, relation: 'exact' })
    seen.push(...body.items.map(({ storeId }: Item) => storeId))
    cursor = body.nextCursor
  } while (cursor)
  assert.deepEqual(seen, ['3', '2', '5', '4', '1'])
})

test('a slip is forgiven in every storefront, and those without a record still come last', async () => {
  const items = await found({ q: 'lanterm' })
  assert.deepEqual([items.length, items.at(-1)?.storeId], [5, '1'])
})

test('hundreds of apps that are big elsewhere leave room for the small ones of the storefront', async () => {
  const elsewhere = Array.from({ length: 700 }, (_, index) => app(1_000 + index, `Crowd ${index}`, 800_000, us))
  // Known everywhere, big elsewhere only: their tier there must not decide here.
  const both = Array.from({ length: 320 }, (_, index) => [
    app(2_000 + index, `Crowd both ${index}`, 90_000, us),
    app(2_000 + index, `Crowd both ${index}`, 1),
  ]).flat()
  await storeListings(world, [...elsewhere, ...both, app(3_000, 'Crowd of ours', 6_000)])
  const [first] = await found({ q: 'crowd', limit: 100 })
  assert.equal(first?.storeId, '3000')
  assert.deepEqual(idsOf(await found({ q: 'crowd', minRatingCount: 2 })), [3_000])
})
