import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { mergeSearchIndexes } from '../src/domain/catalogue/record-writes.ts'
import { type ChartOfReading, storeCharts } from '../src/domain/charts/store-charts.ts'
import { compressPayload } from '../src/domain/evidence/packed-payload.ts'
import { insertPayloads } from '../src/domain/evidence/payload-queries.ts'
import { insertReadings } from '../src/domain/evidence/queries.ts'
import type { Database } from '../src/storage/database.ts'
import { benchCharts, observedAt } from './generate.ts'

/** Snapshots in one transaction. */
const batchSnapshots = 200

/**
 * Fills a store with generated charts through the service's own storeCharts, all under one made-up reading.
 * @returns ranks stored
 */
export async function fillCharts(db: Database, load: Parameters<typeof benchCharts>[0]): Promise<number> {
  const readingId = await madeUpReading(db)
  const charts = benchCharts(load)
  let ranks = 0
  let entries: ChartOfReading[] = []
  const store = async () => {
    await db.transaction().execute((transaction) => storeCharts(transaction, entries, []))
    ranks += entries.length * load.depth
    entries = []
  }
  for (const { country, chart, categoryId, capturedAt, storeIds } of charts) {
    entries.push({
      reading: {
        readingId,
        key: '',
        source: 'apple-rss-legacy',
        origin: 'sample',
        timeBasis: 'stated',
      } as const,
      chart: {
        country,
        kind: chart,
        categoryId: Number(categoryId),
        device: 'iphone',
        capturedAt: new Date(capturedAt),
        requested: load.depth,
        storeIds: [...storeIds],
        sightings: [],
      },
    })
    if (entries.length === batchSnapshots) await store()
  }
  if (entries.length > 0) await store()
  await mergeSearchIndexes(db)
  return ranks
}

/** A reading for evidence that no file brought. @returns its id */
export async function madeUpReading(db: Database): Promise<string> {
  const readingId = uuidv7()
  // Of its own bytes: the store keeps one reading of the same bytes.
  const payload = await compressPayload(Buffer.from(JSON.stringify({ madeUp: readingId })))
  await insertPayloads(db, [{ ...payload, readingId }])
  await insertReadings(db, [
    {
      readingId,
      key: payload.hash,
      payloadHash: payload.hash,
      format: 'chart-rows',
      source: 'chart-file',
      origin: 'sample',
      country: null,
      observedAt: new Date(observedAt),
      timeBasis: 'stated',
      context: {},
      identity: payload.hash,
      records: 0,
      rejected: 0,
    },
  ])
  return readingId
}

/** Ranks a store holds. */
export async function countRanks(db: Database): Promise<number> {
  const { rows } = await sql<{ ranks: number }>`select count(*)::float8 as ranks from chart_ranks`.execute(db)
  return rows[0]?.ranks ?? 0
}

/** Apps in the newest snapshots of a storefront, those in most charts first. */
export async function chartedApps(db: Database, country: string): Promise<string[]> {
  const { rows } = await sql<{ storeId: string }>`
    select place.store_id::text as "storeId"
    from charts c join chart_snapshots s on s.chart_id = c.chart_id and s.captured_at = c.newest_captured_at,
      unnest(s.store_ids) as place(store_id)
    where c.country = ${country}
    group by place.store_id order by count(*) desc, place.store_id`.execute(db)
  return rows.map((row) => row.storeId)
}
