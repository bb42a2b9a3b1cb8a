import { sql } from 'kysely'
import { countReadings, holdReadings, readingsAfter } from '../domain/evidence/queries.ts'
import { readAgain } from '../ingest/read-again.ts'
import { type Database, inTransaction } from '../storage/database.ts'
import { deriveAll, projectionNames, projections } from './projections.ts'

export interface ReplaySummary {
  readings: number
  /** Readings that today's parsers refuse as a whole; nothing is derived from them. */
  refused: number
}

/** What is held in memory at a time. */
const batchReadings = 50
const batchBytes = 2 * 1024 * 1024

/**
 * Derives everything anew from all readings, in the order they were stored, with today's parsers.
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
    for (const table of projectionNames.flatMap((name) => projections[name].tables.toReversed()))
      await sql`delete from ${sql.table(table)}`.execute(transaction)
    const summary: ReplaySummary = { readings: 0, refused: 0 }
    let last: string | undefined
    for (;;) {
      signal.throwIfAborted()
      const batch = await readingsAfter(transaction, last, batchReadings, batchBytes)
      if (batch.length === 0) return summary
      const read = await Promise.all(batch.map(readAgain))
      const understood = read.filter((entry) => entry !== undefined)
      await deriveAll(transaction, understood)
      summary.readings += batch.length
      summary.refused += batch.length - understood.length
      last = batch.at(-1)?.readingId
      onProgress(summary.readings, total)
    }
  })
}
