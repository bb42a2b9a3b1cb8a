import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openFolder } from './support/files.ts'
import { type Answer, openWorld, type Reply, type World } from './support/world.ts'

/** Apps of one storefront: more than a first look goes through, with values that follow from the number. */
interface Made {
  storeId: string
  name: string
  ratingCount: number
  rating: number
  releasedOn: string
  updatedOn: string
  price: number
  genre: number
  developerId: number
}

const day = (at: number) => new Date(Date.UTC(2012, 0, 1) + at * 86_400_000).toISOString().slice(0, 10)

const apps: Made[] = Array.from({ length: 3_000 }, (_, at) => ({
  storeId: String(1_000_000 + ((at * 7_919) % 3_000)),
  name: `App ${String((at * 31) % 3_000).padStart(4, '0')}`,
  // Many are equal, and those with most ratings have the fewest stars and were released first.
  ratingCount: 50_000 - Math.floor(at / 3),
  rating: 1 + Math.floor(at / 30) / 25,
  releasedOn: day(Math.floor(at / 2)),
  updatedOn: day(4_000 - Math.floor(at / 4)),
  price: at % 9 === 0 ? 2.99 : 0,
  genre: at % 300 === 299 ? 6_023 : ([6_015, 6_007, 6_016][at % 3] ?? 6_015),
  developerId: 7_000_000 + (at % 60),
}))

let world: World
before(async () => {
  world = await openWorld()
  using folder = openFolder()
  const lines = apps.map((app) => ({
    wrapperType: 'software',
    kind: 'software',
    trackId: Number(app.storeId),
    trackName: app.name,
    userRatingCount: app.ratingCount,
    averageUserRating: app.rating,
    releaseDate: `${app.releasedOn}T00:00:00Z`,
    currentVersionReleaseDate: `${app.updatedOn}T00:00:00Z`,
    currency: 'USD',
    price: app.price,
    primaryGenreId: app.genre,
    genreIds: [String(app.genre)],
    artistId: app.developerId,
  }))
  const file = folder.write('apps.ndjson', lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const summary = await world.import({
    kind: 'catalogue',
    paths: [file],
    country: 'us',
    observedAt: '2026-03-01',
  })
  assert.equal(summary.stored, apps.length)
})
after(() => world[Symbol.asyncDispose]())

const values = {
  'rating-count': (app: Made) => app.ratingCount,
  rating: (app: Made) => app.rating,
  released: (app: Made) => Date.parse(app.releasedOn),
  updated: (app: Made) => Date.parse(app.updatedOn),
} as const

const asked: [what: string, filters: Record<string, unknown>, passes: (app: Made) => boolean][] = [
  ['the best rated', { minRating: 4.9 }, ({ rating }) => rating >= 4.9],
  ['a rating that most have', { minRating: 1.5 }, ({ rating }) => rating >= 1.5],
  [
    'the newest that cost something',
    { releasedFrom: day(1_450), price: 'paid' },
    (app) => app.releasedOn >= day(1_450) && app.price > 0,
  ],
  ['the oldest', { releasedTo: day(40) }, (app) => app.releasedOn <= day(40)],
  ['updates of late', { updatedFrom: day(3_996) }, (app) => app.updatedOn >= day(3_996)],
  ['many ratings', { minRatingCount: 49_980 }, (app) => app.ratingCount >= 49_980],
  ['a rare genre', { categoryId: 6_023 }, (app) => app.genre === 6_023],
  ['a developer', { developerId: '7000042' }, (app) => app.developerId === 7_000_042],
  ['what costs something', { price: 'paid' }, (app) => app.price > 0],
  [
    'several at once',
    { categoryId: 6_007, minRating: 4, price: 'paid' },
    (app) => app.genre === 6_007 && app.rating >= 4 && app.price > 0,
  ],
  ['nothing', { minRating: 4.9, releasedTo: day(40) }, () => false],
]

for (const [what, filters, passes] of asked)
  test(`${what}: all pages of every order are the apps that pass, in order, equal ones by id`, async () => {
    const expected = apps.filter(passes)
    for (const sort of [...Object.keys(values), 'name'] as (keyof typeof values | 'name')[]) {
      const inOrder = [...expected].sort((one, other) =>
        sort === 'name'
          ? one.name.localeCompare(other.name)
          : values[sort](other) - values[sort](one) || Number(other.storeId) - Number(one.storeId),
      )
      const found: string[] = []
      let cursor: string | null = null
      do {
        const { status, body }: Reply<Answer<'search_competitors'>> = await world.call('search_competitors', {
          ...filters,
          sort,
          limit: 40,
          ...(cursor ? { cursor } : {}),
        })
        assert.equal(status, 200)
        found.push(...body.items.map(({ storeId }: { storeId: string }) => storeId))
        cursor = body.nextCursor
      } while (cursor && found.length < 120)
      assert.deepEqual(
        found,
        inOrder.slice(0, cursor ? found.length : undefined).map(({ storeId }) => storeId),
        sort,
      )
    }
  })
