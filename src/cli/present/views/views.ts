import type { Tool } from '../../../contract/contract.ts'
import { charts } from './charts.ts'
import { competitorRecord } from './competitor-record.ts'
import { estimates } from './estimates.ts'
import { keywords } from './keywords.ts'
import { listings } from './listing.ts'
import { listingMedia } from './listing-media.ts'
import { lists } from './lists.ts'
import { organic } from './organic.ts'
import { paidAds } from './paid-ads.ts'
import type { ViewOf } from './view.ts'
import { workstation } from './workstation.ts'

/**
 * The views with a layout of their own: drawings, comparisons, long texts. All others follow from `summaryColumns` and the
 * reply's shape.
 */
export const views: { [T in Tool]?: ViewOf<T> } = {
  ...lists,
  ...competitorRecord,
  ...charts,
  ...listings,
  ...listingMedia,
  ...estimates,
  ...organic,
  ...paidAds,
  ...workstation,
  ...keywords,
}
