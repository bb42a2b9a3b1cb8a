import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { ImportRequest } from '../src/imports/import-request.ts'
import type { ImportSummary } from '../src/imports/run-import.ts'
import { rows } from '../src/storage/database.ts'
import { cases } from './support/cases.ts'
import { openFolder, rejectedLines } from './support/files.ts'
import { importContent } from './support/imports.ts'
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

const bring = (
  kind: ImportRequest['kind'],
  content: unknown,
  more: Partial<ImportRequest> & { name?: string } = {},
) => importContent(world, folder, kind, content, more)

/** All counts that are not zero. */
function counts({ read, stored, unchanged, repeated, merged, superseded, rejected }: ImportSummary) {
  const all = { read, stored, unchanged, repeated, merged, superseded, rejected }
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0))
}

const pointsOf = async (prefix: string) =>
  (
    await rows(
      world.store.db,
      sql<{ views: number; day: string }>`
        select views::int as views, observed_at::date::text as day from post_metrics join posts using (post_number)
        where post_id like ${`youtube_${prefix}%`} order by observed_at, post_id`,
    )
  ).map(({ day, views }) => `${day} ${views}`)

describe('tables of trending videos', () => {
  const header =
    'video_id,trending_date,title,channel_title,publish_time,tags,views,likes,dislikes,comment_count\n'
  const row = (id: string, day: string, views: number) =>
    `${id},${day},A title,Channel,2017-11-10T17:00:00.000Z,[none],${views},1,0,2\n`

  test('keep every day of a video, and count what stands twice by its own word', async () => {
    const summary = await bring(
      'organic',
      header +
        row('trend000001', '17.14.11', 100) +
        row('trend000001', '17.15.11', 200) +
        row('trend000002', '17.15.11', 50) +
        row('trend000001', '17.15.11', 200) +
        row('trend000001', '17.15.11', 190) +
        row('trend000001', '17.16.11', 300),
      { name: 'USvideos.csv' },
    )
    assert.deepEqual(counts(summary), { read: 6, stored: 4, repeated: 1, merged: 1 })
    assert.deepEqual(await pointsOf('trend00000'), [
      '2017-11-14 100',
      '2017-11-15 200',
      '2017-11-15 50',
      '2017-11-16 300',
    ])
    const more = await bring(
      'organic',
      header + row('trend000001', '17.16.11', 300) + row('trend000001', '17.17.11', 310),
      {
        name: 'USvideos-more.csv',
      },
    )
    assert.deepEqual(counts(more), { read: 2, stored: 1, repeated: 1 })
  })

  test('are refused without the day on which each row was seen, however the file is dated', async () => {
    const table = 'video_id,title,channel_title,views,likes\ntrend100001,A,B,100,1\ntrend100001,A,B,200,1\n'
    for (const more of [
      { name: 'a.csv' },
      { name: 'videos 2017-11-14.csv', format: 'youtube-trending' as const },
    ]) {
      const summary = await bring('organic', table, more)
      assert.deepEqual(counts(summary), { read: 2, rejected: 2 })
      for (const { reason } of rejectedLines(summary.rejectedFile))
        assert.match(reason, /no trending_date.*--map/)
    }
    const blank = await bring(
      'organic',
      header + row('trend100001', '', 100) + row('trend100001', '17.14.11', 100),
      {
        name: 'blank.csv',
      },
    )
    assert.deepEqual(counts(blank), { read: 2, stored: 1, rejected: 1 })
  })
})

describe('what a file says of something again', () => {
  test('is repeated, merged or stored, for posts and ads', async () => {
    const post = { network: 'x', id: '1900000000000000011', text: 'Hello', metrics: { likes: 5 } }
    const summary = await bring('organic', [
      post,
      post,
      { ...post, metrics: { likes: 5, views: 9 } },
      { ...post, text: 'Hello again' },
      { ...post, observedAt: '2026-02-01' },
    ])
    assert.deepEqual(counts(summary), { read: 5, stored: 3, repeated: 1, merged: 1 })
    assert.deepEqual(counts(await bring('organic', [post])), { read: 1, repeated: 1 })
    const ad = {
      platform: 'meta',
      archiveId: '88100',
      countries: ['de'],
      creatives: [{ title: 'One', text: 'Body', media: [] }],
    }
    const ads = await bring('paid-ads', [
      ad,
      ad,
      { ...ad, countries: ['de', 'fr'] },
      { ...ad, creatives: [{ title: 'Two', text: 'Other' }] },
      { ...ad, observedAt: '2026-02-01' },
    ])
    assert.deepEqual(counts(ads), { read: 5, stored: 2, repeated: 1, merged: 2 })
    assert.deepEqual(counts(await bring('paid-ads', [ad, ad])), { read: 2, merged: 2 })
  })

  test('is repeated, merged or stored, for apps and own sales', async () => {
    const app = { kind: 'software', trackId: 920000001, trackName: 'One', price: 0, currency: 'USD' }
    const answer = (...results: object[]) => ({ resultCount: results.length, results })
    const first = await bring('catalogue', answer(app, app, { ...app, trackName: 'Two' }))
    assert.deepEqual(counts(first), { read: 3, stored: 1, repeated: 1, merged: 1 })
    assert.deepEqual(counts(await bring('catalogue', answer(app), { observedAt: '2026-03-02' })), {
      read: 1,
      stored: 1,
    })
    const mapping = { fields: { storeId: 'id', name: 'n', description: 'd' }, constants: {}, document: {} }
    const described = await bring('catalogue', 'id,n,d\n920000002,Three,Long\n', { name: 'a.csv', mapping })
    assert.deepEqual(counts(described), { read: 1, stored: 1 })
    const more = { fields: { storeId: 'id', name: 'n', version: 'v' }, constants: {}, document: {} }
    const added = await bring('catalogue', 'id,n,v\n920000002,Three,1.0\n', { name: 'b.csv', mapping: more })
    assert.deepEqual(counts(added), { read: 1, stored: 1 }, 'a field that was not known is new')
    const sale = { app: '920000003', country: 'us', date: '2026-02-01', downloads: 5 }
    assert.deepEqual(counts(await bring('sales', [sale])), { read: 1, stored: 1 })
    assert.deepEqual(counts(await bring('sales', [sale, { ...sale, date: '2026-02-02' }])), {
      read: 2,
      stored: 1,
      repeated: 1,
    })
    assert.deepEqual(
      counts(await bring('sales', [{ ...sale, downloads: 6 }])),
      { read: 1, stored: 1 },
      'a correction',
    )
  })

  test('is repeated or superseded, for places of charts and result pages', async () => {
    const chart = (...ids: number[]) => ({
      country: 'us',
      chart: 'top-free',
      category: '36',
      items: ids.map((id, index) => ({ id, rank: index + 1, name: `App ${id}` })),
    })
    assert.deepEqual(counts(await bring('charts', chart(921000001, 921000002))), { read: 2, stored: 2 })
    assert.deepEqual(counts(await bring('charts', { ...chart(921000001, 921000003), note: 'again' })), {
      read: 2,
      repeated: 1,
      superseded: 1,
    })
    const page = (...ids: number[]) => ({
      resultCount: ids.length,
      results: ids.map((trackId) => ({
        kind: 'software',
        trackId,
        trackName: `App ${trackId}`,
        userRatingCount: 60_000,
      })),
    })
    const order = { term: 'count', country: 'us', requested: 50 }
    assert.deepEqual(counts(await bring('search-results', page(922000001, 922000002), order)), {
      read: 2,
      stored: 2,
    })
    const later = await bring('search-results', page(922000001, 922000002), {
      ...order,
      observedAt: '2026-03-02',
    })
    assert.deepEqual(counts(later), { read: 2, repeated: 2 }, 'one capture saved under two dates')
    assert.deepEqual(counts(await bring('search-results', page(922000003), order)), { read: 1, superseded: 1 })
  })
})

test('whatever a file holds, what was read is the sum of what became of it, and stored is what the store has more', async () => {
  let round = 0
  const record = fc.record({
    id: fc.constantFrom('1', '2', '3', 'no id'),
    day: fc.constantFrom('2026-01-01', '2026-01-02', undefined, 'never'),
    likes: fc.constantFrom(0, 1, 2, -1),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(record, { maxLength: 8 }), { minLength: 1, maxLength: 3 }),
      async (parts) => {
        round++
        const observations = async () =>
          (
            await rows(world.store.db, sql<{ count: number }>`select count(*)::int as count from post_metrics`)
          )[0]?.count ?? 0
        const began = await observations()
        const paths = parts.map((records, index) =>
          folder.write(
            `round-${round}-${index}.ndjson`,
            records
              .map(({ id, day, likes }) =>
                JSON.stringify({ network: 'x', id: `${round}00${id}`, observedAt: day, metrics: { likes } }),
              )
              .join('\n'),
          ),
        )
        const order = { kind: 'organic' as const, paths, observedAt: '2026-03-01', format: 'ndjson' as const }
        const first = await world.import(order)
        assert.equal(first.read, parts.flat().length + parts.filter((records) => records.length === 0).length)
        counts(first)
        assert.equal(first.stored, (await observations()) - began)
        const again = await world.import(order)
        assert.deepEqual([again.stored, again.merged, again.rejected], [0, 0, first.rejected])
        assert.equal(again.read, first.read)
      },
    ),
    { numRuns: cases(25) },
  )
})
