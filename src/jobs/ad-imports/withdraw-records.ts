import { sql } from 'kysely'
import { deleteAnalysisResults } from '../../domain/ad-analysis/ask.ts'
import { lockCreativeKind } from '../../domain/creatives/kind.ts'
import { countChange } from '../../domain/evidence/changes.ts'
import { storedReadings } from '../../domain/evidence/queries.ts'
import { adKind } from '../../domain/paid-ads/ad.ts'
import { withdrawAds } from '../../projections/ads.ts'
import { type Database, inTransaction } from '../../storage/database.ts'
import { reparse } from '../../suppliers/reparse.ts'

/**
 * Withdraws the inline records of an import run: data derived from them is derived again without them. The payloads stay,
 * and a replay skips them. A run that has not stored its records yet will store none. Idempotent.
 */
export function withdrawRun(db: Database, runId: string, now: Date): Promise<void> {
  return inTransaction(db, async (transaction) => {
    await lockCreativeKind(transaction, adKind)
    await sql`
      update ad_imports set withdrawn_at = coalesce(withdrawn_at, ${now}), records = null
      where run_id = ${runId}`.execute(transaction)
    const withdrawn = await storedReadings(
      transaction,
      (columns) => sql`
        with gone as (
          update readings set withdrawn_at = ${now}
          where account_id is not null and context ->> 'run' = ${runId} and withdrawn_at is null
          returning *
        )
        select ${columns} from gone join payloads using (payload_hash, month)`,
    )
    const gone = (await Promise.all(withdrawn.map(reparse))).filter((read) => read !== undefined)
    const shown = gone.flatMap(({ parsed }) => parsed.ads ?? [])
    if (shown.length === 0) return
    await deleteAnalysisResults(
      transaction,
      shown,
      withdrawn.map(({ readingId }) => readingId),
    )
    await withdrawAds(transaction, gone)
    await countChange(transaction, ['ads'])
  })
}
