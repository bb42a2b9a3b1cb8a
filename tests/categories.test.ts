import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { openFolder } from './support/files.ts'
import { openWorld, type World } from './support/world.ts'

const folder = openFolder()
let world: World
before(async () => {
  world = await openWorld()
})
after(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

interface Described {
  id: number
  name?: string
  genres?: number[]
  ratings?: number
  rating?: number
}

/** Stores apps as Apple's Lookup would tell of them. */
async function stored(country: string, apps: readonly Described[], observedAt = '2026-03-01T00:00:00Z') {
  const results = apps.map(({ id, name = `App ${id}`, genres, ratings, rating }) => ({
    wrapperType: 'software',
    kind: 'software',
    trackId: id,
    trackName: name,
    ...(genres ? { primaryGenreId: genres[0], genreIds: genres.map(String) } : {}),
    ...(ratings === undefined ? {} : { userRatingCount: ratings }),
    ...(rating === undefined ? {} : { averageUserRating: rating }),
  }))
  const path = folder.write('lookup.json', JSON.stringify({ resultCount: results.length, results }))
  const { rejected } = await world.import({ kind: 'catalogue', paths: [path], country, observedAt })
  assert.equal(rejected, 0)
}

const found = async (query: object) => (await world.call('search_competitors', { limit: 100, ...query })).body
const ids = ({ items }: { items: { storeId: string }[] }) => items.map(({ storeId }) => Number(storeId)).sort()

test('a category means all apps under it, in the tree, in lists and in searches alike', async () => {
  await stored('us', [
    { id: 1, name: 'Alike finance', genres: [6015, 6007] },
    { id: 2, name: 'Alike puzzle', genres: [6014, 7012] },
    { id: 3, name: 'Alike word', genres: [7019] },
    { id: 4, name: 'Alike nothing' },
    { id: 5, name: 'Alike of a genre nobody knows', genres: [6099] },
  ])
  const tree = (await world.call('list_competitor_categories', {})).body.items
  const expected: Record<string, number[]> = {
    36: [1, 2, 3, 4, 5],
    6015: [1],
    6007: [1],
    6014: [2, 3],
    7012: [2],
    7019: [3],
  }
  for (const { categoryId, apps } of tree) {
    const under = expected[categoryId] ?? []
    assert.equal(apps, under.length, `the tree says ${apps} apps in ${categoryId}`)
    for (const q of [{}, { q: 'alike' }]) {
      const page = await found({ categoryId, ...q })
      assert.deepEqual(ids(page), under, `${categoryId} ${JSON.stringify(q)}`)
      assert.deepEqual(page.total, { value: under.length, relation: 'exact' })
    }
  }
  assert.deepEqual(ids(await found({ categoryId: '36', q: '3' })), [3], 'an app named outright, too')
})

test('an app whose genres change is counted where it is now, and no more where it was', async () => {
  const apps = async (...ids: string[]) => {
    const { items } = (await world.call('list_competitor_categories', { country: 'fr' })).body
    return ids.map((id) => items.find((item: { categoryId: string }) => item.categoryId === id).apps)
  }
  await stored('fr', [{ id: 1, genres: [6015] }, { id: 2, genres: [6015] }, { id: 3 }])
  assert.deepEqual(await apps('36', '6015', '6007'), [3, 2, 0])
  await stored(
    'fr',
    [
      { id: 1, genres: [6007] },
      { id: 3, genres: [6007] },
    ],
    '2026-03-02T00:00:00Z',
  )
  assert.deepEqual(await apps('36', '6015', '6007'), [3, 1, 2])
  await stored('fr', [{ id: 2, genres: [6007] }], '2026-02-01T00:00:00Z')
  assert.deepEqual(await apps('36', '6015', '6007'), [3, 1, 2], 'what was seen earlier changes nothing')
  const { rows } = await sql`select apps from genre_counts where country = 'fr' order by apps`.execute(
    world.store.db,
  )
  assert.deepEqual(rows, [{ apps: 1 }, { apps: 2 }])
})

test('a search with a filter that few pass goes on until it has found them, and no total is "at least 0"', async () => {
  const many = Array.from({ length: 1_000 }, (_, index) => 1_000 + index)
  await stored('de', [
    ...many.map((id) => ({ id, name: `Common ${id}`, genres: [6015], ratings: 100, rating: 3 })),
    { id: 9, name: 'Common and rare', genres: [6015], ratings: 3, rating: 5 },
  ])
  const rare = await found({ q: 'common', country: 'de', minRating: 4.5 })
  assert.deepEqual(ids(rare), [9])
  assert.deepEqual(rare.total, { value: 1, relation: 'exact' })
  const none = await found({ q: 'common', country: 'de', minRatingCount: 1_000_000 })
  assert.deepEqual([none.items, none.total], [[], { value: 0, relation: 'exact' }])
  const broad = await found({ q: 'common', country: 'de', minRating: 2 })
  assert.equal(broad.total.relation, 'at-least')
  assert.ok(broad.total.value >= broad.items.length)
})

test('a list counts at least what it shows, however far counting got', async () => {
  await stored('jp', [{ id: 30, genres: [6015], ratings: 1 }])
  await sql`
    insert into app_records (store_id, country, name, sort_name, category_ids, rating_count, first_observed_at,
      last_observed_at, since, evidence)
    select 100000 + n, country, name, sort_name, array[6000], 50, first_observed_at, last_observed_at, since, evidence
    from app_records, generate_series(1, 12000) n where country = 'jp'`.execute(world.store.db)
  await stored(
    'jp',
    Array.from({ length: 5 }, (_, index) => ({ id: 31 + index, genres: [6015], ratings: 1 })),
  )
  for (const query of [{ categoryId: '6015' }, { categoryId: '6015', limit: 2 }, { categoryId: '6016' }]) {
    let cursor: string | null = null
    let shown = 0
    do {
      const page: Awaited<ReturnType<typeof found>> = await found({
        country: 'jp',
        ...query,
        ...(cursor ? { cursor } : {}),
      })
      const { value, relation } = page.total
      shown += page.items.length
      assert.ok(relation === 'exact' || value > 0, JSON.stringify(page.total))
      assert.ok(value >= page.items.length + (page.nextCursor ? 1 : 0), JSON.stringify(page.total))
      if (relation === 'exact') assert.equal(value, query.categoryId === '6015' ? 6 : 0)
      cursor = page.nextCursor
    } while (cursor)
    assert.equal(shown, query.categoryId === '6015' ? 6 : 0)
  }
})
