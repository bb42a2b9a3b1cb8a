import { lockCreativeKind } from '../../domain/creatives/kind.ts'
import { compressPayload, decompressPayload } from '../../domain/evidence/packed-payload.ts'
import type { AdSighting } from '../../domain/paid-ads/ad.ts'
import { adKind } from '../../domain/paid-ads/ad.ts'
import {
  type AdComparison,
  adFactsAt,
  adKey,
  compareAd,
  knownAds,
} from '../../domain/paid-ads/ad-comparison.ts'
import { adImport, type RejectedRecord, type RunState } from '../../domain/paid-ads/imports/import-run.ts'
import {
  addPageCounts,
  deleteRecords,
  endRunReading,
  lockedRunState,
  runRecords,
} from '../../domain/paid-ads/imports/run-queries.ts'
import { reportProgress } from '../../domain/work/queries.ts'
import type { Work, WorkSuccess } from '../../domain/work/work.ts'
import { scrubTokens } from '../../ingest/ads/scrub-tokens.ts'
import type { ParsedPayload } from '../../ingest/parsed-payload.ts'
import { storeReadings } from '../../projections/store-readings.ts'
import { type Database, inTransaction } from '../../storage/database.ts'
import { platformAds } from '../../suppliers/read-ad-record.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'

/** Parsed records: the ads in their order, and the rejected ones. */
export interface ReadRecords {
  read: number
  ads: AdSighting[]
  rejections: RejectedRecord[]
}

/**
 * The ads and rejections of a payload; the positions of rejections count on from earlier payloads.
 * @param before number of records that were read earlier
 */
export function recordsRead({ ads = [], rejected, records }: ParsedPayload, before: number): ReadRecords {
  const rejections = rejected.flatMap(({ index, ad }) =>
    index !== undefined && ad ? [{ position: before + index + 1, ...ad }] : [],
  )
  return { read: records, ads, rejections }
}

/** The payload of records that a caller passes in. */
export const inlinePayload = (platform: AdPlatform, records: readonly unknown[]): ParsedPayload =>
  platformAds('paid-ads-file', platform, records)

/** A parsed ad and how it compares with the stored one. */
export interface ComparedAd {
  ad: AdSighting
  standing: AdComparison
  /** Fields that differ; empty unless `changed`. */
  changes: string[]
}

/**
 * Compares ads with the stored ones, in their order. The second occurrence of an ad counts as known.
 * @param observedAt for ads that do not state when they were observed
 * @param seen keys of ads seen before; those of these ads are added
 */
export async function compareAds(
  db: Database,
  ads: readonly AdSighting[],
  observedAt: Date,
  seen = new Set<string>(),
): Promise<ComparedAd[]> {
  const known = await knownAds(db, ads)
  return ads.map((ad) => {
    const key = adKey(ad)
    if (seen.has(key)) return { ad, standing: 'known', changes: [] }
    seen.add(key)
    const facts = adFactsAt(ad, ad.observedAt ?? observedAt)
    return { ad, ...compareAd(known.get(key), { facts, creatives: ad.creatives }) }
  })
}

/** How many ads are new, known and changed. */
export function countByComparison(compared: readonly ComparedAd[]): Record<AdComparison, number> {
  const of = (wanted: AdComparison) => compared.filter((one) => one.standing === wanted).length
  return { new: of('new'), known: of('known'), changed: of('changed') }
}

/** Compresses inline records until they are imported. */
export async function packRecords(records: readonly unknown[]): Promise<Uint8Array> {
  return (await compressPayload(Buffer.from(JSON.stringify(records)))).content
}

/** Records without the tokens that libraries put into addresses: an error message can quote the value of a record. */
export function withoutTokens<Value>(records: readonly Value[]): Value[] {
  const written = Buffer.from(JSON.stringify(records))
  const clean = scrubTokens(written)
  return clean === written ? [...records] : (JSON.parse(clean.toString('utf8')) as Value[])
}

async function unpackRecords(kept: Uint8Array): Promise<unknown[]> {
  return JSON.parse(Buffer.from(await decompressPayload(kept)).toString('utf8')) as unknown[]
}

/** Stores inline records in one transaction, unless they are stored already. @throws AttemptLost, and then none is stored */
export async function importRecords(
  db: Database,
  { runId, platform, accountId, door }: RunState,
  work: Work,
): Promise<WorkSuccess> {
  const counts = await inTransaction(db, async (transaction) => {
    const now = await lockedRunState(transaction, runId)
    const kept = await runRecords(transaction, runId)
    if (!now || !kept) return undefined
    const records = await unpackRecords(kept)
    const parsed = inlinePayload(platform, records)
    const { read, ads, rejections } = recordsRead(parsed, 0)
    await lockCreativeKind(transaction, adKind)
    const compared = countByComparison(await compareAds(transaction, ads, work.createdAt))
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
    await addPageCounts(transaction, runId, { read, stored, updated, unchanged, rejections })
    await deleteRecords(transaction, runId)
    await endRunReading(transaction, runId, 'end')
    await reportProgress(transaction, work, { done: read, total: read, unit: adImport.unit })
    return { read, stored, updated, unchanged, rejected: rejections.length }
  })
  return { status: 'succeeded', result: {}, ...(counts ? { counts } : {}) }
}
