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
function counts({ read, stored, unchanged, rejected }: ImportSummary) {
  const all = { read, stored, unchanged, rejected }
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

  test('keep every day of a video once, however often its rows stand there', async () => {
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
    assert.deepEqual(counts(summary), { read: 6, stored: 6 })
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
    assert.deepEqual(counts(more), { read: 2, stored: 2 })
    assert.equal((await pointsOf('trend000001')).length, 4)
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

test('a file, or a part of one, that was imported before is unchanged under any name, and another file is stored', async () => {
  const post = (id: string) => `${JSON.stringify({ network: 'x', id, text: 'Hello', metrics: { likes: 5 } })}\n`
  const [one, other] = [post('1900000000000000011'), post('1900000000000000012')]
  assert.deepEqual(counts(await bring('organic', one, { name: 'one.ndjson' })), { read: 1, stored: 1 })
  assert.deepEqual(counts(await bring('organic', one, { name: 'copy.ndjson' })), { read: 1, unchanged: 1 })
  const both = await bring('organic', one + other, { name: 'both.ndjson' })
  assert.deepEqual(counts(both), { read: 2, stored: 2 })
})

test('whatever a file holds, what was read is the sum of what became of it, and importing it again stores nothing', async () => {
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
        const again = await world.import(order)
        assert.deepEqual(
          counts(again),
          counts({ ...first, stored: 0, unchanged: first.stored + first.unchanged }),
        )
      },
    ),
    { numRuns: cases(25) },
  )
})
