import type { AdSighting } from '../../domain/paid-ads/ad.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import type { SourceName } from '../../vocabulary/provenance.ts'
import type { ParsedPayload, Rejection } from '../parsed-payload.ts'
import { unreadableIn } from '../unreadable.ts'
import { readAdRecord } from './read-ad-record.ts'

/** Records that are meant to be ads of one platform: the page of a library, or what a caller hands in. */
export function platformAds(
  source: SourceName,
  platform: AdPlatform,
  records: readonly unknown[],
): ParsedPayload {
  const ads: AdSighting[] = []
  const rejected: Rejection[] = []
  for (const [index, record] of records.entries()) {
    const ad = readAdRecord(record, platform)
    if ('reason' in ad)
      rejected.push({ position: `record ${index + 1}`, index, reason: ad.message, record, ad })
    else ads.push(ad)
  }
  return { source, sightings: [], charts: [], ads, rejected, records: records.length, ...unreadableIn(ads) }
}
