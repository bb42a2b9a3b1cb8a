import { createWriteStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { tidySearch } from '../src/domain/catalogue/record-writes.ts'
import { runImport } from '../src/imports/run-import.ts'
import { firstRow } from '../src/storage/database.ts'
import type { Store } from '../src/storage/store.ts'
import { fillCharts } from './chart-store.ts'
import { countPosts, fillCreatives } from './creative-store.ts'
import { print } from './figures.ts'
import { benchApps, observedAt } from './generate.ts'
import { directory } from './stores.ts'

/** Places of a chart, and days that its charts have at each size. */
const depth = 100
const days = 10
/** Ranks for each app. */
const ranksEach = 10
/** As many charts as there are in the storefronts of bench/generate.ts. */
const mostCharts = 5_000

interface Growth {
  apps: number
  /** Apps at the end of growth: it says who makes the apps. */
  largest: number
  /** Sizes still to come, each with charts of its own ten days. */
  charted: number
}

/** Brings a store to that many apps, with ranks, posts and ads in proportion; one that has them stays as it is. */
export async function growStore(store: Store, { apps, largest, charted }: Growth): Promise<void> {
  const { rows } = await sql<{ apps: number }>`
    select count(*)::int as apps from app_records where country = 'us'`.execute(store.db)
  const known = rows[0]?.apps ?? 0
  const posts = await countPosts(store.db)
  if (known >= apps && posts >= apps) return
  const begun = performance.now()
  const order = { kind: 'catalogue' as const, paths: [await fileOfApps(known, apps, largest)], country: 'us' }
  const rejectedFile = join(directory, 'rejected.ndjson')
  await runImport(store.db, { ...order, observedAt, directory, rejectedFile }, () => {})
  await tidySearch(store.db)
  const imported = performance.now()
  await fillCharts(store.db, {
    charts: Math.min(mostCharts, Math.max(1, Math.round((apps * ranksEach) / (days * depth)))),
    days,
    depth,
    apps,
    until: new Date(Date.parse('2026-11-20') - charted * days * 86_400_000).toISOString().slice(0, 10),
  })
  const ranked = performance.now()
  const reading = await firstRow(
    store.db,
    sql<{ id: string }>`select reading_id as id from readings order by reading_id limit 1`,
  )
  await fillCreatives(store, apps, posts, reading?.id)
  const seconds = (from: number, to: number) => `${Math.round((to - from) / 1_000)} s`
  print(
    `${apps} apps: imported in ${seconds(begun, imported)}, ranks in ${seconds(imported, ranked)}, ` +
      `posts and ads in ${seconds(ranked, performance.now())}`,
  )
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
