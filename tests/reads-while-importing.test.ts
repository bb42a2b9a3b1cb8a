import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import type { Tool } from '../src/contract/contract.ts'
import { firstRow, inTransaction } from '../src/storage/database.ts'
import { openFolder } from './support/files.ts'
import { importContent } from './support/imports.ts'
import { until } from './support/until.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
const folder = openFolder()
after(async () => {
  folder[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

const country = 'gb'
const apps = (from: number, count: number) => ({
  resultCount: count,
  results: Array.from({ length: count }, (_, index) => ({
    wrapperType: 'software',
    kind: 'software',
    trackId: from + index,
    trackName: `Lantern number ${from + index}`,
    artistName: 'Maker',
    description: 'A light for dark evenings.',
    genreIds: ['6002'],
    userRatingCount: 10 * index,
  })),
})
const chart = (day: string, from: number) => ({
  feed: {
    country: 'gb',
    updated: `${day}T06:00:00Z`,
    id: 'https://rss.applemarketingtools.com/api/v2/gb/apps/top-free/10/apps.json',
    title: 'Top Free Apps',
    results: Array.from({ length: 10 }, (_, index) => ({
      id: String(from + index),
      name: `Lantern number ${from + index}`,
      artistName: 'Maker',
      kind: 'apps',
    })),
  },
})

test('every kind of read is answered while an import holds the locks of all that it has written', async () => {
  const first = 5_000_001
  await importContent(world, folder, 'catalogue', apps(first, 20), { country })
  await importContent(world, folder, 'charts', chart('2026-03-01', first))
  const app = { platform: 'ios', storeId: String(first), country }
  const reads: [Tool, Record<string, unknown>][] = [
    ['get_competitor', app],
    ['search_competitors', { q: 'lantern', country }],
    ['search_competitors', { categoryId: '6002', sort: 'rating-count', country }],
    ['get_similar_competitors', app],
    ['get_competitor_aso', app],
    ['list_competitor_categories', { country }],
    ['get_apple_charts', { country, chart: 'top-free' }],
    ['get_apple_chart_history', { storeId: app.storeId, country }],
    ['search_organic_content', { q: 'lantern' }],
  ]
  const importing = await inTransaction(world.store.db, async (held) => {
    // An import looks for requests that it fulfils last of all, and then waits with everything it holds.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(held)
    await sql`lock table data_requests in share mode`.execute(held)
    const brought = importContent(world, folder, 'catalogue', apps(first, 40), {
      country,
      observedAt: '2026-03-02',
    })
    await until(
      () =>
        firstRow(
          world.store.db,
          sql<{ waiting: number }>`
            select count(*)::int as waiting from pg_locks
            where relation = 'data_requests'::regclass and not granted`,
        ),
      (row) => row?.waiting === 1,
    )
    for (const [tool, input] of reads) assert.equal((await world.call(tool, input)).status, 200, tool)
    return { brought }
  })
  const { stored } = await importing.brought
  assert.equal(stored, 40)
})

test('no search reads a long list of what was imported: it is folded into the indexes with each batch', async () => {
  await importContent(world, folder, 'catalogue', apps(6_000_001, 500), { country })
  const left = await firstRow(
    world.store.db,
    sql<{ pages: number }>`
      select sum(gin_clean_pending_list(i.indexrelid))::int as pages
      from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
      where a.amname = 'gin' and c.relkind = 'i' and c.relnamespace = current_schema()::regnamespace`,
  )
  assert.equal(left?.pages, 0)
})
