import { sql } from 'kysely'
import { forgetPages } from '../domain/aso/pages/page-writes.ts'
import { forgetCatalogue } from '../domain/catalogue/record-writes.ts'
import { forgetCharts } from '../domain/charts/writes.ts'
import { forgetSuspicions } from '../domain/collecting/suspects.ts'
import { forgetSales } from '../domain/estimates/own-sales.ts'
import { countReadings, holdReadings, readingsAfter } from '../domain/evidence/queries.ts'
import { forgetPosts } from '../domain/organic/post-writes.ts'
import { forgetAds } from '../domain/paid-ads/ad-writes.ts'
import { forgetAdvertisers } from '../domain/paid-ads/advertisers.ts'
import { type Database, inTransaction } from '../storage/database.ts'
import { readAgain } from './read-again.ts'
import { deriveFrom } from './store-readings.ts'

export interface ReplaySummary {
  readings: number
  /** Readings that today's readers refuse as a whole; nothing is derived from them. */
  refused: number
}

/** What is held in memory at a time. */
const batchReadings = 50
const batchBytes = 2 * 1024 * 1024

/**
 * Derives the catalogue, the charts, result pages, own figures and posts anew from all readings, in the order they were stored,
 * with today's readers.
 * One transaction: others see the old state until it ends, what arrives meanwhile waits, and a replay that is cut off
 * changes nothing.
 */
export async function replay(
  db: Database,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<ReplaySummary> {
  return inTransaction(db, async (transaction) => {
    // A batch may take long to be read again on a busy machine.
    await sql`set local idle_in_transaction_session_timeout = '5min'`.execute(transaction)
    await holdReadings(transaction)
    const total = await countReadings(transaction)
    await forgetSuspicions(transaction)
    await forgetCharts(transaction)
    await forgetCatalogue(transaction)
    await forgetSales(transaction)
    await forgetPages(transaction)
    await forgetAds(transaction)
    await forgetAdvertisers(transaction)
    await forgetPosts(transaction)
    const summary: ReplaySummary = { readings: 0, refused: 0 }
    let last: string | undefined
    for (;;) {
      signal.throwIfAborted()
      const batch = await readingsAfter(transaction, last, batchReadings, batchBytes)
      if (batch.length === 0) return summary
      const read = await Promise.all(batch.map(readAgain))
      const understood = read.filter((entry) => entry !== undefined)
      await deriveFrom(transaction, understood)
      summary.readings += batch.length
      summary.refused += batch.length - understood.length
      last = batch.at(-1)?.readingId
      onProgress(summary.readings, total)
    }
  })
}
