import { createWriteStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { mergeSearchIndexes } from '../src/domain/catalogue/record-writes.ts'
import { computeWordWeights } from '../src/domain/catalogue/word-weights.ts'
import { runImport } from '../src/imports/run-import.ts'
import { type Database, firstRow, rows } from '../src/storage/database.ts'
import type { Store } from '../src/storage/store.ts'
import { storefronts } from '../src/vocabulary/storefronts.ts'
import { fillCharts } from './chart-store.ts'
import { countPosts, fillCreatives } from './creative-store.ts'
import { print } from './figures.ts'
import { benchApps, benchStoreId, observedAt } from './generate.ts'
import { directory } from './stores.ts'

/** Places of a chart. */
const depth = 100
/** Ranks for each app. */
const ranksEach = 10
/** As many charts as there are in the storefronts of bench/generate.ts. */
const mostCharts = 5_000
/** One app in so many has a record in every storefront: 20,000 of three million. */
const oneEverywhereIn = 150

/** Every chart of a size on each of its days. */
const chartsAt = (apps: number) =>
  Math.min(mostCharts, Math.max(1, Math.round((apps * ranksEach) / (10 * depth))))
const daysAt = (apps: number) => Math.round((apps * ranksEach) / (chartsAt(apps) * depth))

/** The last day of the charts of one of the sizes: each has days of its own, and the last of all is fixed. */
export function chartsUntil(apps: number, sizes: readonly number[]): string {
  const later = sizes.filter((size) => size > apps).reduce((days, size) => days + daysAt(size), 0)
  return new Date(Date.parse('2026-11-20') - later * 86_400_000).toISOString().slice(0, 10)
}

/** Apps that a store has in the storefront of the United States. */
export async function countApps(db: Database): Promise<number> {
  const counted = await firstRow(
    db,
    sql<{ apps: number }>`select count(*)::int as apps from app_records where country = 'us'`,
  )
  return counted?.apps ?? 0
}

/**
 * Brings a store to one of the sizes, with records in other storefronts, ranks, posts and ads in proportion; one that has them
 * stays as it is.
 * @param mostPosts as many posts, and as many ads, at most
 */
export async function growStore(
  store: Store,
  apps: number,
  sizes: readonly number[],
  mostPosts: number,
): Promise<void> {
  const largest = Math.max(...sizes)
  const known = await countApps(store.db)
  const posts = await countPosts(store.db)
  const mostHere = Math.min(apps, mostPosts)
  if (known >= apps && posts >= mostHere) return
  const begun = performance.now()
  const order = { kind: 'catalogue' as const, paths: [await fileOfApps(known, apps, largest)], country: 'us' }
  const rejectedFile = join(directory, 'rejected.ndjson')
  await runImport(store.db, { ...order, observedAt, directory, rejectedFile }, () => {})
  await computeWordWeights(store.db, new Date())
  const imported = performance.now()
  await copyToStorefronts(store.db, Math.round(apps / oneEverywhereIn))
  await mergeSearchIndexes(store.db)
  const copied = performance.now()
  await fillCharts(store.db, {
    charts: chartsAt(apps),
    days: daysAt(apps),
    depth,
    apps,
    until: chartsUntil(apps, sizes),
  })
  const ranked = performance.now()
  const reading = await firstRow(
    store.db,
    sql<{ id: string }>`select reading_id as id from readings order by reading_id limit 1`,
  )
  await fillCreatives(store, mostHere, posts, reading?.id)
  const seconds = (from: number, to: number) => `${Math.round((to - from) / 1_000)} s`
  print(
    `${apps} apps: imported in ${seconds(begun, imported)}, storefronts in ${seconds(imported, copied)}, ` +
      `ranks in ${seconds(copied, ranked)}, ` +
      `posts and ads in ${seconds(ranked, performance.now())}`,
  )
}

/**
 * Gives the first apps, which charts like best, in every other storefront the record they have in the United States. Straight into
 * the tables: search finds an app by one document, which stays the same.
 */
async function copyToStorefronts(db: Database, apps: number): Promise<void> {
  const others = storefronts.map(({ code }) => code).filter((code) => code !== 'us')
  const tables = ['app_records', 'rating_observations', 'app_checks']
  for (const table of tables) {
    const found = await rows(
      db,
      sql<{ name: string }>`
        select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`,
    )
    const names = found.map(({ name }) => name)
    const values = names.map((name) => (name === 'country' ? sql`other` : sql.id(name)))
    await sql`
      insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.id(name)))})
      select ${sql.join(values)} from ${sql.table(table)}, unnest(${others}::text[]) as other
      where country = 'us' and store_id < ${benchStoreId(apps)}
      on conflict do nothing`.execute(db)
  }
  await sql`
    insert into genre_counts (country, category_ids, apps)
    select country, category_ids, count(*) from app_records where country <> 'us' group by country, category_ids
    on conflict (country, category_ids) do update set apps = excluded.apps`.execute(db)
}

/** A file of the apps from one number to another, as a store of the largest size has them. */
async function fileOfApps(from: number, to: number, largest: number): Promise<string> {
  const file = join(directory, `growth-${largest}-${from}-${to}.ndjson`)
  if (existsSync(file)) return file
  const lines = benchApps(largest)
    .take(to)
    .drop(from)
    .map((app) => `${JSON.stringify(app)}\n`)
  await pipeline(Readable.from(lines), createWriteStream(file))
  return file
}
