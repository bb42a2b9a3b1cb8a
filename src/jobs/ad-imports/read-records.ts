import type { AdSighting } from '../../domain/paid-ads/ad.ts'
import { type AdComparison, adKey, compareAd, factsAt, knownAds } from '../../domain/paid-ads/ad-comparison.ts'
import type { RejectedRecord } from '../../domain/paid-ads/imports/import-run.ts'
import { platformAds } from '../../ingest/ads/platform-ads.ts'
import type { ParsedPayload } from '../../ingest/parsed-payload.ts'
import type { Database } from '../../storage/database.ts'
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
    const facts = factsAt(ad, ad.observedAt ?? observedAt)
    return { ad, ...compareAd(known.get(key), { facts, creatives: ad.creatives }) }
  })
}

/** How many ads are new, known and changed. */
export function tally(compared: readonly ComparedAd[]): Record<AdComparison, number> {
  const of = (wanted: AdComparison) => compared.filter((one) => one.standing === wanted).length
  return { new: of('new'), known: of('known'), changed: of('changed') }
}
