import type { z } from 'zod'
import type { Input, Reply } from '../../contract/operation.ts'
import type { paidAds as contract } from '../../contract/paid-ads.ts'
import type { KnownAdvertiser } from '../../contract/shapes/ad-imports.ts'
import { type StoredAdvertiser, storedAdvertisers } from '../../domain/paid-ads/advertisers.ts'
import { type AdvertiserLookup, lookUpAdvertisers } from '../../jobs/ad-imports/look-up-advertisers.ts'
import type { Collecting } from '../../jobs/collecting/collecting.ts'
import type { Database } from '../../storage/database.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import { adPlatforms } from '../../vocabulary/ad-platforms.ts'
import { labelsOfLinked } from '../creative-links.ts'
import { evidenceShapes } from '../evidence.ts'
import { appLabel } from '../listing-facts.ts'

type C = typeof contract
type Shape = z.output<typeof KnownAdvertiser>

export async function searchAdvertisers(
  db: Database,
  collecting: Collecting,
  accountId: string,
  { platform, q, country, limit }: Input<C['admin_search_paid_ad_advertisers']>,
): Promise<Reply<C['admin_search_paid_ad_advertisers']>> {
  const platforms: readonly AdPlatform[] = platform ? [platform] : adPlatforms
  const asked = q === undefined ? [] : platforms
  const [stored, ...lookups] = await Promise.all([
    storedAdvertisers(db, { platforms, q, country, limit }),
    ...asked.map((each) => lookUpAdvertisers(db, collecting, each, q ?? '')),
  ])
  const upstream = lookups.flatMap((lookup, index) => foundBy(asked[index] ?? 'meta', lookup))
  const here = upstream.filter((found) => country === undefined || found.country === country)
  const items = merged(await storedShapes(db, stored, accountId), here, upstream)
  return {
    items: items.slice(0, limit),
    nextCursor: null,
    lookups: lookups.map((lookup, index) => lookupShape(asked[index] ?? 'meta', lookup)),
  }
}

const keyOf = ({ platform, advertiserId }: Pick<Shape, 'platform' | 'advertiserId'>) =>
  `${platform} ${advertiserId}`

function foundBy(platform: AdPlatform, lookup: AdvertiserLookup): Shape[] {
  if (lookup.outcome !== 'answered') return []
  return lookup.advertisers.map((found) => ({
    platform,
    ...found,
    foundIn: ['upstream'],
    storedAds: 0,
    newestObservationAt: null,
    linkedApps: [],
    evidence: [],
  }))
}

/** Stored advertisers first, supplemented by the platform; then those only the platform knows. */
function merged(stored: readonly Shape[], here: readonly Shape[], upstream: readonly Shape[]): Shape[] {
  const found = new Map(upstream.map((one) => [keyOf(one), one]))
  const known = new Set(stored.map(keyOf))
  return [
    ...stored.map((one): Shape => {
      const also = found.get(keyOf(one))
      return also ? { ...one, country: also.country, foundIn: ['stored', 'upstream'] } : one
    }),
    ...here.filter((one) => !known.has(keyOf(one))),
  ]
}

async function storedShapes(
  db: Database,
  stored: readonly StoredAdvertiser[],
  accountId: string,
): Promise<Shape[]> {
  const storeIds = stored.flatMap((one) => one.storeIds)
  const labels = await labelsOfLinked(db, storeIds)
  return stored.map(({ storeIds, evidence, newestObservationAt, name, ...one }) => ({
    ...one,
    name: name ?? one.advertiserId,
    country: null,
    foundIn: ['stored'],
    newestObservationAt: newestObservationAt.toISOString(),
    linkedApps: storeIds.map((storeId) => labels.get(storeId) ?? appLabel(storeId, undefined)),
    evidence: evidenceShapes([evidence], null, accountId),
  }))
}

const lookupShape = (
  platform: AdPlatform,
  lookup: AdvertiserLookup,
): Reply<C['admin_search_paid_ad_advertisers']>['lookups'][number] =>
  lookup.outcome === 'answered'
    ? { platform, outcome: 'answered', found: lookup.advertisers.length, message: null }
    : { platform, outcome: lookup.outcome, found: null, message: lookup.message }
