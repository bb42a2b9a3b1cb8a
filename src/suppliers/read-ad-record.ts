import type { AdSighting } from '../domain/paid-ads/ad.ts'
import { type AdForm, asSighting } from '../ingest/ads/ad-draft.ts'
import { AdRefusal, isRecord, namesIn, type RefusedAd } from '../ingest/ads/ad-values.ts'
import type { ParsedPayload, Rejection } from '../ingest/parsed-payload.ts'
import { unreadableIn } from '../ingest/unreadable.ts'
import { type AdPlatform, adIdForm, adPlatforms } from '../vocabulary/ad-platforms.ts'
import type { SourceName } from '../vocabulary/provenance.ts'
import { nearForm } from './ads-table.ts'
import { readOwnRecord } from './own-files/own-ad.ts'
import { adForms } from './registry.ts'

/** In the order in which they are tried. */
const forms: readonly AdForm[] = [
  { is: (record) => 'archiveId' in record && 'platform' in record, read: readOwnRecord },
  ...adForms,
]

/** Most characters of a record as JSON; the largest real ones have a tenth of that. */
const largestRecord = 512 * 1024
const mostCreatives = 200

/**
 * Parses one record of any known form; spend and impressions are dropped.
 * @param expected refuses ads of the other platform
 */
export function readAdRecord(record: unknown, expected?: AdPlatform): AdSighting | RefusedAd {
  const refused = (reason: RefusedAd['reason'], message: string): RefusedAd => ({
    reason,
    message,
    archiveId: reason === 'no-id' ? null : idIn(record),
  })
  if (!isRecord(record)) return refused('unknown-form', 'The record is no object.')
  if (JSON.stringify(record).length > largestRecord)
    return refused('too-large', `The record has more than ${largestRecord / 1024} kB.`)
  const form = forms.find(({ is }) => is(record))
  const near = form ? undefined : nearForm(record)
  if (near)
    return refused(
      'unknown-form',
      `The record looks like ${near.label}, but has no ${near.ids?.join(' or ')}; it has ${namesIn(record)}.`,
    )
  if (!form) return refused('unknown-form', `No known form of an ad has these fields: ${namesIn(record)}.`)
  try {
    const ad = asSighting(form.read(record))
    if (expected && ad.platform !== expected)
      return refused('wrong-platform', `The record is of ${ad.platform}, not of ${expected}.`)
    if (ad.creatives.length > mostCreatives)
      return refused(
        'too-large',
        `The ad has ${ad.creatives.length} creatives; at most ${mostCreatives} are taken.`,
      )
    return ad
  } catch (error) {
    if (error instanceof AdRefusal) return refused(error.reason, error.message)
    throw error
  }
}

export function isKnownForm(record: unknown): boolean {
  return isRecord(record) && forms.some(({ is }) => is(record))
}

/** The ad id of a rejected record, under any of the usual names. */
function idIn(record: unknown): string | null {
  if (!isRecord(record)) return null
  const ad = isRecord(record.ad) ? record.ad : record
  const named =
    record.archiveId ??
    record.ad_archive_id ??
    record.adArchiveID ??
    record.creative_id ??
    record.creativeId ??
    record.adId ??
    ad.id
  const text = typeof named === 'string' || Number.isSafeInteger(named) ? String(named) : ''
  return adPlatforms.some((platform) => adIdForm(platform).test(text)) ? text : null
}

/** Parses records expected to be ads of one platform: a page of a library, or records from a caller. */
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
