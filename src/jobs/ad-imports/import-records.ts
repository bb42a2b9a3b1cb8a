import { lockKind } from '../../domain/creatives/kind.ts'
import { adKind } from '../../domain/paid-ads/ad.ts'
import { adImport, type RunState } from '../../domain/paid-ads/imports/import-run.ts'
import {
  countPage,
  deleteRecords,
  endReading,
  lockedRunState,
  runRecords,
} from '../../domain/paid-ads/imports/run-queries.ts'
import { reportProgress } from '../../domain/work/queries.ts'
import type { EndedWell, Work } from '../../domain/work/work.ts'
import { storeReadings } from '../../projections/store-readings.ts'
import { type Database, inTransaction } from '../../storage/database.ts'
import { unpackRecords } from './packed-records.ts'
import { compareAds, inlinePayload, recordsRead, tally } from './read-records.ts'

/** Stores inline records in one transaction, unless they are stored already. @throws AttemptLost, and then none is stored */
export async function importRecords(
  db: Database,
  { runId, platform, accountId, door }: RunState,
  work: Work,
): Promise<EndedWell> {
  const counts = await inTransaction(db, async (transaction) => {
    const now = await lockedRunState(transaction, runId)
    const kept = await runRecords(transaction, runId)
    if (!now || !kept) return undefined
    const records = await unpackRecords(kept)
    const parsed = inlinePayload(platform, records)
    const { read, ads, rejections } = recordsRead(parsed, 0)
    await lockKind(transaction, adKind)
    const compared = tally(await compareAds(transaction, ads, work.createdAt))
    // Records of another platform were not requested, and a replay must not add them either.
    const others = new Set(
      rejections.flatMap(({ reason, position }) => (reason === 'wrong-platform' ? [position] : [])),
    )
    const meant = records.filter((_, index) => !others.has(index + 1))
    await storeReadings(transaction, [
      {
        bytes: Buffer.from(JSON.stringify(meant)),
        format: 'paid-ads',
        context: { layout: 'document', country: null, run: runId },
        broughtBy: { accountId, door },
        origin: 'imported',
        country: null,
        observedAt: work.createdAt,
        timeBasis: 'clock',
        parsed: {
          ...parsed,
          rejected: parsed.rejected.filter(({ ad }) => ad?.reason !== 'wrong-platform'),
          records: meant.length,
        },
      },
    ])
    const { new: stored, changed: updated, known: unchanged } = compared
    await countPage(transaction, runId, { read, stored, updated, unchanged, rejections })
    await deleteRecords(transaction, runId)
    await endReading(transaction, runId, 'end')
    await reportProgress(transaction, work, { done: read, total: read, unit: adImport.unit })
    return { read, stored, updated, unchanged, rejected: rejections.length }
  })
  return { status: 'succeeded', result: {}, ...(counts ? { counts } : {}) }
}
