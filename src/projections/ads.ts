import { adKey } from '../domain/paid-ads/ad-comparison.ts'
import { applyLaterDecisions } from '../domain/paid-ads/ad-links.ts'
import { analysesOfAds, deleteAds } from '../domain/paid-ads/ad-writes.ts'
import { recordAdvertisers, recordAdvertisersOf } from '../domain/paid-ads/advertisers.ts'
import { storeAds } from '../domain/paid-ads/store-ads.ts'
import type { Database } from '../storage/database.ts'
import { reparse } from '../suppliers/reparse.ts'
import { askedPlatforms, libraryFormat } from '../vocabulary/ad-platforms.ts'
import { defineProjection, type ParsedReading } from './projection.ts'

/** Paid ads, their observations, creatives, links and advertisers. */
export const adsProjection = defineProjection({
  summary: 'paid ads, their creatives, links and advertisers',
  tables: [
    'ads',
    'ad_observations',
    'ad_creatives',
    'ad_grounds',
    'ad_links',
    'ad_search',
    'ad_sort_keys',
    'ad_advertisers',
  ],
  formats: ['paid-ads', ...askedPlatforms.map(libraryFormat)],
  restsOn: [],
  parse: ({ reading, parsed }) => (parsed.ads ? [{ reading, ads: parsed.ads }] : []),
  project: async (db, entries) => {
    await storeAds(db, entries)
    await recordAdvertisers(db, entries)
  },
  settle: applyLaterDecisions,
  withdraw: withdrawAds,
  fulfils: {},
  changes: () => 'all',
  exportedAs: 'paid-ads',
})

/** Recomputes the ads of withdrawn readings from the remaining readings that show them. */
export async function withdrawAds(db: Database, gone: readonly ParsedReading[]): Promise<void> {
  const adsProjection = gone.flatMap(({ parsed }) => parsed.ads ?? [])
  if (adsProjection.length === 0) return
  const named = [...new Map(adsProjection.map((ad) => [adKey(ad), ad])).values()]
  const readings = await analysesOfAds(db, named)
  await deleteAds(db, named)
  const keys = new Set(named.map(adKey))
  for (const stored of readings) {
    const read = await reparse(stored)
    const shown = read?.parsed.ads?.filter((ad) => keys.has(adKey(ad))) ?? []
    if (read && shown.length > 0) await storeAds(db, [{ reading: read.reading, ads: shown }])
  }
  await recordAdvertisersOf(db, adsProjection)
}
