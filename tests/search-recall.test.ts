import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { matchRelevance } from '../src/domain/catalogue/relevance.ts'
import { createShareIndexes, isLargeCatalogue } from '../src/domain/catalogue/tier-matches.ts'
import { refreshWordWeights } from '../src/domain/catalogue/word-weights.ts'
import { countChange } from '../src/domain/evidence/changes.ts'
import { rows } from '../src/storage/database.ts'
import { fold, parseSearchText } from '../src/text/search-terms.ts'
import { storeListings } from './support/listings.ts'
import { openWorld, type World } from './support/world.ts'

/** Apps whose names all hold a word that is common: more of them in every tier of ratings than a search looks at. */
interface Named {
  storeId: string
  name: string
  ratingCount: number
  releasedAt: string
  price: number
}

/** Of the app with that number: a fifth of them for each tier, those of the first far apart. */
const ratingsOf = (at: number) => [60_000 + ((at * 7_919) % 2_400) * 4_000, 40_000, 3_000, 200, 4][at % 5] ?? 0
const others = ['Family', 'Weekly', 'Pocket', 'Simple', 'Smart', 'Student', 'Travel', 'Wedding', 'Home', 'Tiny']
const brands = ['Budget: My Money', 'Budget - Spend Less', 'Budget | Bills', 'Budget (Lite)', 'Budget by Moss']

const apps: Named[] = Array.from({ length: 2_400 }, (_, at) => ({
  storeId: String(1_000_000 + at),
  name: nameOf(at),
  ratingCount: ratingsOf(at) + (at % 100),
  releasedAt: `20${10 + (at % 16)}-0${1 + (at % 9)}-1${at % 10}T00:00:00Z`,
  price: at % 7 === 0 ? 1.99 : 0,
}))

/** Every 60th is called just so, every 30th has it for its brand, and the rest hold it anywhere. */
function nameOf(at: number): string {
  const [one = '', two = ''] = [others[at % 10], others[(at * 7) % 9]]
  if (at % 60 === 59) return 'Budget'
  if (at % 30 === 11) return brands[Math.floor(at / 30) % brands.length] ?? ''
  if (at % 3 === 0) return `${one} Budget ${two}`
  return at % 3 === 1 ? `Budgeting ${one} ${two}` : `${one} ${two} Budget Planner`
}

let world: World
before(async () => {
  world = await openWorld()
  await storeListings(
    world,
    apps.map(({ storeId, name, ratingCount, releasedAt, price }) => ({
      trackId: Number(storeId),
      trackName: name,
      observedAt: '2026-03-01T06:00:00Z',
      userRatingCount: ratingCount,
      releaseDate: releasedAt,
      price,
    })),
  )
})
after(() => world[Symbol.asyncDispose]())

/** What would come first if every app were looked at. */
function bestOfAll(q: string, count: number): string[] {
  const asked = parseSearchText(q)
  const scored = apps
    .filter(({ name }) =>
      fold(q)
        .split(' ')
        .every((word) => fold(name).includes(word)),
    )
    .map(({ storeId, name, ratingCount }) => ({
      storeId,
      score: matchRelevance(asked, { sortName: fold(name), ratingCount, inName: true, corrected: false }),
    }))
  return scored
    .sort((one, other) => other.score - one.score || Number(other.storeId) - Number(one.storeId))
    .slice(0, count)
    .map(({ storeId }) => storeId)
}

/** All pages of a list, none of which says that there is more in all than is listed. */
async function walk(input: object): Promise<string[]> {
  const listed: string[] = []
  let total = 0
  for (let cursor: string | undefined; ; ) {
    const { status, body } = await world.call('search_competitors', {
      ...input,
      limit: 100,
      ...(cursor ? { cursor } : {}),
    })
    assert.equal(status, 200, JSON.stringify(body))
    listed.push(...body.items.map(({ storeId }) => storeId))
    total = Math.max(total, body.total.value)
    if (body.nextCursor === null) break
    cursor = body.nextCursor
  }
  assert.ok(total <= listed.length, `${total} in all, ${listed.length} listed: ${JSON.stringify(input)}`)
  return listed
}

const asked = [
  ['budget', 10],
  ['budget', 100],
  ['bud', 10],
  ['bud', 100],
  ['Budgeting', 10],
  ['budget planner', 10],
  ['family budget', 10],
] as const

/** A catalogue that is held for large is looked through in shares. */
async function holdForLarge(): Promise<void> {
  await Promise.all([1, 2, 3].map(() => createShareIndexes(world.store.db, 1_000_000)))
  await sql`
    insert into word_weight_runs (computed_at, listings, catalogued) values (now(), 1, 1000000)
    on conflict (only_one) do update set catalogued = excluded.catalogued`.execute(world.store.db)
}

for (const large of [false, true])
  describe(`In a catalogue that is held for ${large ? 'large' : 'small'}`, () => {
    before(async () => {
      if (large) await holdForLarge()
      await countChange(world.store.db, ['apps'])
    })

    for (const [q, count] of asked)
      test(`the first ${count} of “${q}” are those that come first among all apps, however many hold the word`, async () => {
        const { body } = await world.call('search_competitors', { q, limit: count })
        const found = new Set(body.items.map(({ storeId }: { storeId: string }) => storeId))
        const missed = bestOfAll(q, count).filter((storeId) => !found.has(storeId))
        assert.deepEqual(
          missed.map((storeId) => apps.find((app) => app.storeId === storeId)),
          [],
        )
      })

    test('more matches than are ranked are all listed, in every order and with filters, each once', async () => {
      const orders = {
        relevance: undefined,
        'rating-count': (app: Named) => app.ratingCount,
        released: (app: Named) => Date.parse(app.releasedAt),
        name: undefined,
      }
      const words = ['budget', 'planner']
      for (const q of words)
        for (const filters of [
          {},
          { price: 'paid' },
          { releasedFrom: '2024-01-01', minRatingCount: 100 },
        ] as const)
          for (const [sort, value] of Object.entries(orders)) {
            const listed = await walk({ q, sort, ...filters })
            const wanted = apps.filter(
              (app) =>
                fold(app.name).includes(q) &&
                (!('price' in filters) || app.price > 0) &&
                (!('minRatingCount' in filters) || (app.ratingCount >= 100 && app.releasedAt >= '2024')),
            )
            const what = JSON.stringify({ q, sort, ...filters })
            assert.equal(new Set(listed).size, listed.length, what)
            assert.deepEqual(listed.toSorted(), wanted.map(({ storeId }) => storeId).toSorted(), what)
            if (value)
              assert.deepEqual(
                listed,
                wanted
                  .toSorted(
                    (one, other) => value(other) - value(one) || Number(other.storeId) - Number(one.storeId),
                  )
                  .map(({ storeId }) => storeId),
                what,
              )
          }
    })

    test('fewer matches than are looked at are found whole, misspelt or not', async () => {
      for (const q of ['wedding budget planner', 'weddign budget planner', 'student tiny']) {
        const { body } = await world.call('search_competitors', { q, limit: 100 })
        const right = q.replace('weddign', 'wedding').split(' ')
        const wanted = apps.filter(({ name }) => right.every((word) => fold(name).includes(word)))
        assert.equal(body.items.length, Math.min(100, wanted.length))
        assert.equal(body.total.value, wanted.length)
      }
    })
  })

test('a catalogue gets its indexes of shares when so many words are counted that it is large, and again where a restored store lacks them', async () => {
  await using small = await openWorld()
  const { db } = small.store
  const indexes = async () =>
    (await rows(db, sql`select from pg_indexes where indexname ~ '^app_search_\\d_\\d+_'`)).length
  const storeUpTo = (apps: number) =>
    sql`
      insert into app_search (store_id, tier, name_terms, all_terms)
      select id, 4, 'budget', 'budget' from generate_series(1, ${apps}::int) id on conflict do nothing`.execute(
      db,
    )
  await storeUpTo(29_999)
  await refreshWordWeights(db, new Date())
  assert.deepEqual([await isLargeCatalogue(db), await indexes()], [false, 0])
  await storeUpTo(30_000)
  const tomorrow = new Date(Date.now() + 86_400_000)
  await refreshWordWeights(db, tomorrow)
  assert.deepEqual([await isLargeCatalogue(db), await indexes()], [true, 12])
  for (const index of ['app_search_4_8_name_terms', 'app_search_2_64_all_terms'])
    await sql`drop index ${sql.id(index)}`.execute(db)
  await refreshWordWeights(db, tomorrow)
  assert.equal(await indexes(), 12)
})
