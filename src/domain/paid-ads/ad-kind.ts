import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import type { CreativeKind } from '../creatives/kind.ts'

export interface NamedAd {
  platform: AdPlatform
  archiveId: string
}

export const adKind: CreativeKind<NamedAd, { advertiserId: string | null }> = {
  items: 'ads',
  number: 'ad_number',
  name: { platform: 'platform', archiveId: 'archive_id' },
  foundBy: { advertiserId: 'advertiser_id' },
  search: 'ad_search',
  sortKeys: 'ad_sort_keys',
  grounds: { table: 'ad_grounds', first: ['brought'] },
  links: 'ad_links',
  saved: 'saved_ads',
}
