import type { Tool } from '../../../contract/contract.ts'
import { adImports } from './ad-imports.ts'
import { aso } from './aso.ts'
import { charts } from './charts.ts'
import { competitorRecord } from './competitor-record.ts'
import { competitors } from './competitors.ts'
import { estimates } from './estimates.ts'
import { keywords } from './keywords.ts'
import { listings } from './listing.ts'
import { listingMedia } from './listing-media.ts'
import { organic } from './organic.ts'
import { paidAds } from './paid-ads.ts'
import { removals } from './removals.ts'
import type { ViewOf } from './view.ts'
import { workstation } from './workstation.ts'

/** How each reply is laid out. Leaving an operation out is a compile error. */
export const views: { [T in Tool]: ViewOf<T> } = {
  ...competitors,
  ...competitorRecord,
  ...charts,
  ...listings,
  ...listingMedia,
  ...estimates,
  ...organic,
  ...paidAds,
  ...adImports,
  ...aso,
  ...workstation,
  ...keywords,
  ...removals,
}
