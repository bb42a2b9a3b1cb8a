import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { replay } from '../src/projections/replay.ts'
import { isDistributed } from '../src/storage/cluster.ts'
import { type Database, rows } from '../src/storage/database.ts'
import { derivedState, keptEvidence } from './support/derived-state.ts'
import { openFolder } from './support/files.ts'
import { openWorld, type World } from './support/world.ts'

const folder = openFolder()
after(() => folder[Symbol.dispose]())

const result = (trackId: number, more: object = {}) => ({
  wrapperType: 'software',
  kind: 'software',
  trackId,
  trackName: `App ${trackId}`,
  artistName: 'Maker',
  artistId: 7,
  primaryGenreId: 6002,
  price: 0,
  currency: 'USD',
  userRatingCount: trackId * 100,
  averageUserRating: 4.5,
  screenshotUrls: [`https://example.com/${trackId}.png`],
  ...more,
})
const answer = (...results: object[]) => JSON.stringify({ resultCount: results.length, results })
const feed = (day: number, ids: number[]) =>
  JSON.stringify({
    feed: {
      id: 'https://rss.marketingtools.apple.com/api/v2/us/apps/top-free/100/apps.json',
      updated: `2026-03-0${day}T12:00:00Z`,
      results: ids.map((id) => ({
        id: String(id),
        name: `Charted ${id}`,
        artistName: 'Maker',
        releaseDate: '2020-01-01',
      })),
    },
  })

/** Names, prices and charts that change, from answers, tables and feeds. */
async function filled(): Promise<World> {
  const world = await openWorld()
  const catalogue = { kind: 'catalogue' as const }
  for (const day of [1, 2, 3]) {
    const ids = [1, 2, 3, 4].map((id) =>
      result(id, { trackName: `App ${id}${day > 1 ? ` v${day}` : ''}`, price: day }),
    )
    await world.import({
      ...catalogue,
      paths: [folder.write('answer.json', answer(...ids))],
      observedAt: `2026-03-0${day}`,
    })
    await world.import({ kind: 'charts', paths: [folder.write('feed.json', feed(day, [3, day, 9]))] })
  }
  const table = 'id,name,about\n2,App 2 v3,"first line\nsecond line"\n5,Fünf 家計簿,\n'
  await world.import({
    ...catalogue,
    country: 'de',
    observedAt: '2026-02-01',
    paths: [folder.write('table.csv', table)],
    mapping: { fields: { storeId: 'id', name: 'name', description: 'about' }, constants: {}, document: {} },
  })
  const places = '{"rank":1,"id":3,"name":"App 3"}\n{"rank":2,"id":1}\n'
  await world.import({
    kind: 'charts',
    country: 'jp',
    chart: 'top-paid',
    category: '6002',
    observedAt: '2026-03-02T22:10:00Z',
    paths: [folder.write('places.ndjson', places)],
  })
  return world
}

const again = (world: World) => replay(world.store.db, () => {}, new AbortController().signal)

test('a replay restores exactly what imports gave, whatever was done to what they derived', async () => {
  await using world = await filled()
  const { db } = world.store
  const [before, kept] = [await derivedState(db), await keptEvidence(db)]
  for (const table of [
    'app_records',
    'genre_counts',
    'listing_versions',
    'rating_observations',
    'chart_snapshots',
    'chart_months',
    'app_search',
    'search_words',
    'described_words',
  ])
    assert.ok((before[table]?.length ?? 0) > 0, `${table} hold something to lose`)

  await sql`update app_records set name = 'Tampered', price = 99, evidence = '[]'`.execute(db)
  await sql`delete from app_records where store_id = 4`.execute(db)
  await sql`update genre_counts set apps = 99`.execute(db)
  await sql`delete from listing_versions where store_id = 2`.execute(db)
  await sql`update rating_observations set rating_count = 0, observed_at = '2030-01-01'`.execute(db)
  await sql`delete from chart_months`.execute(db)
  await sql`update chart_snapshots set store_ids = '{1}', returned = 1`.execute(db)
  await sql`delete from app_search`.execute(db)
  await sql`insert into search_words (word, deletion_variants) values ('tampered', '{tampered}')`.execute(db)
  assert.notDeepEqual(await derivedState(db), before)

  const summary = await again(world)
  assert.deepEqual(summary, { readings: kept.readings, refused: 0 })
  assert.deepEqual(await derivedState(db), before)
  assert.deepEqual(await keptEvidence(db), kept, 'evidence itself is never touched')
})

test('a replay twice is a replay once, and replies of the service stay the same', async () => {
  await using world = await filled()
  const replies = async () => [
    (await world.call('get_competitor', { platform: 'ios', storeId: '2' })).body,
    (await world.call('get_apple_charts', {})).body,
    (await world.call('search_competitors', { q: 'app' })).body,
  ]
  const before = await replies()
  await again(world)
  assert.deepEqual(await replies(), before)
  await again(world)
  assert.deepEqual(await replies(), before)
})

test('a replay that is interrupted changes nothing', async () => {
  await using world = await filled()
  const before = await derivedState(world.store.db)
  const interrupted = new AbortController()
  await assert.rejects(
    replay(world.store.db, () => interrupted.abort(), interrupted.signal),
    (error: Error) => error.name === 'AbortError',
  )
  assert.deepEqual(await derivedState(world.store.db), before)
})

test('a payload that can no longer be read is counted, and the others are derived all the same', async () => {
  await using world = await filled()
  const { db } = world.store
  const { readings } = await keptEvidence(db)
  await sql`update readings set format = 'chart-feed' where format = 'app-rows'`.execute(db)
  assert.deepEqual(await again(world), { readings, refused: 1 })
  assert.equal((await world.call('get_competitor', { platform: 'ios', storeId: '5' })).status, 404)
  assert.equal((await world.call('get_competitor', { platform: 'ios', storeId: '2' })).body.name, 'App 2 v3')
})

test('a store without readings is replayed to nothing', async () => {
  await using world = await openWorld()
  assert.deepEqual(await again(world), { readings: 0, refused: 0 })
})

test('a correction of an older capture still stands after a replay', async () => {
  await using world = await openWorld()
  const row = (day: number, rank: number, id: number) => ({
    country: 'us',
    chart: 'top-free',
    category: '36',
    capturedAt: `2026-03-0${day}T06:00:00Z`,
    rank,
    id,
    name: `App ${id}`,
  })
  const file = (name: string, rows: object[]) => folder.write(name, JSON.stringify(rows))
  const first = [1, 2, 3].flatMap((day) => [row(day, 1, 10), row(day, 2, 11)])
  await world.import({ kind: 'charts', paths: [file('month.json', first)] })
  await world.import({ kind: 'charts', paths: [file('correction.json', [row(2, 1, 99), row(2, 2, 98)])] })
  const before = await derivedState(world.store.db)
  await replay(world.store.db, () => {}, new AbortController().signal)
  assert.deepEqual((await derivedState(world.store.db)).chart_months, before.chart_months)
})

/** Everything the store says of its tables, as far as a statement could meet it. */
async function structure(db: Database): Promise<unknown> {
  const reported = await rows(
    db,
    sql<{ kind: string; about: unknown }>`
      select 'relation' as kind, jsonb_build_array(n.nspname, c.relname, c.relkind, c.reloptions, c.relpersistence, c.relacl::text,
        pg_get_expr(c.relpartbound, c.oid), pg_get_partkeydef(c.oid), obj_description(c.oid, 'pg_class')) as about
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'pgboss') and c.relkind in ('r', 'p', 'i', 'I', 'S', 'v')
      union all
      select 'column', jsonb_build_array(a.attrelid::regclass, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
        a.attidentity, a.attstorage, a.attcollation::regcollation, pg_get_expr(d.adbin, d.adrelid))
      from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped
      union all
      select 'constraint', jsonb_build_array(conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace
      union all
      select 'index', jsonb_build_array(indexrelid::regclass, pg_get_indexdef(indexrelid), indisvalid) from pg_index
      where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      union all
      select 'view', jsonb_build_array(oid::regclass, pg_get_viewdef(oid)) from pg_class
      where relkind = 'v' and relnamespace = 'public'::regnamespace
      union all
      select 'owned sequence', jsonb_build_array(objid::regclass, refobjid::regclass, refobjsubid) from pg_depend
      where classid = 'pg_class'::regclass and deptype = 'i' and objid in (select oid from pg_class where relkind = 'S')`,
  )
  if (await isDistributed(db))
    reported.push(
      ...(await rows(
        db,
        sql<{ kind: string; about: unknown }>`
          select 'distributed' as kind, jsonb_build_array(logicalrelid::regclass, partmethod, colocationid,
            column_to_column_name(logicalrelid, partkey)) as about
          from pg_dist_partition`,
      )),
    )
  // PostgreSQL names columns inside of a view once they have been read back. A cluster counts its shards.
  const alike = (text: string) =>
    (text.startsWith('view') ? text.replaceAll(/ AS [\w"\\]+/g, '') : text).replaceAll(/_1\d{5}\b/g, '_shard')
  return reported.map(({ kind, about }) => alike(`${kind} ${JSON.stringify(about)}`)).sort()
}

test('tables that were made anew are the same in everything: names, indexes, partitions, views, comments, rights', async () => {
  await using world = await filled()
  const { db } = world.store
  await sql`grant select on chart_ranks, chart_months, app_records, terms to pg_monitor`.execute(db)
  await sql`grant select on posts to public`.execute(db)
  const before = await structure(db)
  await again(world)
  assert.deepEqual(await structure(db), before)
  await again(world)
  assert.deepEqual(await structure(db), before)
})
