import { sql } from 'kysely'
import { forgetAdsOf, readingsOfAds } from '../../domain/ad-readings/forget-ads.ts'
import { lockKind } from '../../domain/creatives/kind-queries.ts'
import { type StoredReading, storedReading } from '../../domain/evidence/queries.ts'
import type { AdSighting } from '../../domain/paid-ads/ad.ts'
import { adKind } from '../../domain/paid-ads/ad-kind.ts'
import { adKey } from '../../domain/paid-ads/ad-queries.ts'
import { noteAdvertisersOf } from '../../domain/paid-ads/advertisers.ts'
import { storeAds } from '../../domain/paid-ads/store-ads.ts'
import { readAgain } from '../../ingest/read-again.ts'
import { type Database, inTransaction, rows } from '../../storage/database.ts'

/**
 * Withdraws the inline records of an import run: what followed from them is derived anew without them. The readings stay, and
 * a replay passes over them. A run that has not stored its records yet will store none. Twice is once.
 */
export function withdrawRun(db: Database, runId: string, now: Date): Promise<void> {
  return inTransaction(db, async (transaction) => {
    await lockKind(transaction, adKind)
    await sql`
      update ad_imports set withdrawn_at = coalesce(withdrawn_at, ${now}), records = null
      where run_id = ${runId}`.execute(transaction)
    const withdrawn = await rows(
      transaction,
      sql<StoredReading>`
        with gone as (
          update readings set withdrawn_at = ${now}
          where account_id is not null and context ->> 'run' = ${runId} and withdrawn_at is null
          returning *
        )
        select ${storedReading} from gone join payloads using (payload_hash, month)`,
    )
    const found = await Promise.all(withdrawn.map(readAgain))
    const ads = found.flatMap((read) => read?.parsed.ads ?? [])
    if (ads.length > 0)
      await deriveAnew(
        transaction,
        ads,
        withdrawn.map(({ readingId }) => readingId),
      )
  })
}

/** Derives ads anew from the readings that still show them. */
async function deriveAnew(
  db: Database,
  ads: readonly AdSighting[],
  withdrawn: readonly string[],
): Promise<void> {
  const named = [...new Map(ads.map((ad) => [adKey(ad), ad])).values()]
  const readings = await readingsOfAds(db, named)
  await forgetAdsOf(db, named, withdrawn)
  const keys = new Set(named.map(adKey))
  for (const stored of readings) {
    const read = await readAgain(stored)
    const shown = read?.parsed.ads?.filter((ad) => keys.has(adKey(ad))) ?? []
    if (read && shown.length > 0) await storeAds(db, [{ reading: read.reading, ads: shown }])
  }
  await noteAdvertisersOf(db, ads)
}
