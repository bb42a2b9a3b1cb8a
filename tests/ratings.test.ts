import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { rows } from '../src/storage/database.ts'
import { openFolder } from './support/files.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
const folder = openFolder()
after(async () => {
  folder[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

/** Brings a saved answer that shows one app with its ratings. */
async function seen(
  storeId: number,
  observedAt: string,
  ratings: { userRatingCount?: number | null; averageUserRating?: number },
  country = 'us',
) {
  const app = {
    wrapperType: 'software',
    kind: 'software',
    trackId: storeId,
    trackName: `App ${storeId}`,
    ...ratings,
  }
  const file = folder.write('answer.json', JSON.stringify({ resultCount: 1, results: [app] }))
  const summary = await world.import({ kind: 'catalogue', paths: [file], country, observedAt })
  assert.equal(summary.stored, 1)
}

async function days(storeId: number) {
  const found = await rows(
    world.store.db,
    sql<{ country: string; day: string; count: number; rating: number | null }>`
      select country, day::text as day, rating_count::float8 as count, rating
      from rating_observations where store_id = ${storeId} order by country, day`,
  )
  return found.map(({ country, day, count, rating }) => [country, day, count, rating])
}

test('each UTC day keeps the last observation of the ratings, in whatever order they arrive', async () => {
  await seen(1, '2026-03-01T10:00:00Z', { userRatingCount: 100, averageUserRating: 4 })
  await seen(1, '2026-03-02T18:00:00Z', { userRatingCount: 130, averageUserRating: 4.2 })
  await seen(1, '2026-03-01T23:59:59Z', { userRatingCount: 110, averageUserRating: 4.1 })
  await seen(1, '2026-03-02T03:00:00Z', { userRatingCount: 120, averageUserRating: 4.1 })
  assert.deepEqual(await days(1), [
    ['us', '2026-03-01', 110, 4.1],
    ['us', '2026-03-02', 130, 4.2],
  ])
})

test('storefronts count apart, and a day begins at midnight UTC whatever the storefront', async () => {
  await seen(2, '2026-03-01T23:30:00Z', { userRatingCount: 5, averageUserRating: 3 }, 'jp')
  await seen(2, '2026-03-02T00:30:00Z', { userRatingCount: 6, averageUserRating: 3 }, 'jp')
  await seen(2, '2026-03-01T12:00:00Z', { userRatingCount: 70, averageUserRating: 5 })
  assert.deepEqual(await days(2), [
    ['jp', '2026-03-01', 5, 3],
    ['jp', '2026-03-02', 6, 3],
    ['us', '2026-03-01', 70, 5],
  ])
})

test('an answer without a count is no observation of ratings, and a count of zero is one', async () => {
  await seen(3, '2026-03-01', {})
  await seen(3, '2026-03-02', { userRatingCount: 0 })
  assert.deepEqual(
    (await days(3)).map(([, day, count]) => [day, count]),
    [['2026-03-02', 0]],
  )
})

test('an app that one file shows twice is observed once, as the last of the file said', async () => {
  const app = { wrapperType: 'software', kind: 'software', trackId: 4, trackName: 'App 4' }
  const results = [10, 11].map((userRatingCount) => ({ ...app, userRatingCount }))
  const file = folder.write('twice.json', JSON.stringify({ resultCount: 2, results }))
  await world.import({ kind: 'catalogue', paths: [file], country: 'us', observedAt: '2026-03-01' })
  assert.deepEqual(
    (await days(4)).map(([, day, count]) => [day, count]),
    [['2026-03-01', 11]],
  )
})
