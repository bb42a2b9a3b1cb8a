import { noteAdvertisers } from '../domain/paid-ads/advertisers.ts'
import { storeAds } from '../domain/paid-ads/store-ads.ts'
import { defineProjection } from './projection.ts'

/** Paid ads, their observations, creatives, links and advertisers. */
export const ads = defineProjection({
  summary: 'paid ads, their creatives, links and advertisers',
  tables: [
    'ads',
    'ad_observations',
    'ad_creatives',
    'ad_grounds',
    'ad_links',
    'ad_search',
    'ad_standing',
    'ad_advertisers',
  ],
  formats: ['paid-ads', 'meta-ads-archive', 'tiktok-ad-query'],
  restsOn: [],
  parse: ({ reading, parsed }) => (parsed.ads ? [{ reading, ads: parsed.ads }] : []),
  project: async (db, entries) => {
    await storeAds(db, entries)
    await noteAdvertisers(db, entries)
  },
  fulfils: {},
  exportedAs: 'paid-ads',
})
