import type { Tool } from '../../../contract/contract.ts'
import { chartViews } from './charts.ts'
import { competitorRecordView } from './competitor-record.ts'
import { estimateViews } from './estimates.ts'
import { keywordViews } from './keywords.ts'
import { listingViews } from './listing.ts'
import { listingMediaView } from './listing-media.ts'
import { listViews } from './lists.ts'
import { organicViews } from './organic.ts'
import { paidAdViews } from './paid-ads.ts'
import type { ViewOf } from './view.ts'
import { workstationView } from './workstation.ts'

/**
 * The views with a layout of their own: drawings, comparisons, long texts. All others follow from `summaryColumns` and the
 * reply's shape.
 */
export const views: { [T in Tool]?: ViewOf<T> } = {
  ...listViews,
  ...competitorRecordView,
  ...chartViews,
  ...listingViews,
  ...listingMediaView,
  ...estimateViews,
  ...organicViews,
  ...paidAdViews,
  ...workstationView,
  ...keywordViews,
}
