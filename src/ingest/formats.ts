import { adsFormat } from './ads/ads-format.ts'
import { appPageFormat } from './apple/app-page-format.ts'
import { ascSalesFormat } from './apple/asc-sales-format.ts'
import { chartFeedFormat } from './apple/chart-feed-format.ts'
import { hintsFormat } from './apple/hints-format.ts'
import { lookupFormat, searchFormat } from './apple/itunes-format.ts'
import type { PayloadFormat } from './format.ts'
import { metaArchiveFormat } from './meta/archive-format.ts'
import { appRowsFormat } from './own/app-rows-format.ts'
import { chartRowsFormat } from './own/chart-rows-format.ts'
import { salesRowsFormat } from './own/sales-rows-format.ts'
import { postsFormat } from './posts/posts-format.ts'
import { tiktokAdQueryFormat } from './tiktok/ad-query-format.ts'

/**
 * The parser of each kind of payload, by the name it is stored under. Imports, collection and replays use this one table, so
 * a replay applies a fixed parser to stored payloads.
 */
export const formats = {
  'itunes-search': searchFormat,
  'itunes-lookup': lookupFormat,
  'search-hints': hintsFormat,
  'app-page': appPageFormat,
  'chart-feed': chartFeedFormat,
  'asc-sales': ascSalesFormat,
  'app-rows': appRowsFormat,
  'chart-rows': chartRowsFormat,
  'sales-rows': salesRowsFormat,
  'paid-ads': adsFormat,
  'meta-ads-archive': metaArchiveFormat,
  'tiktok-ad-query': tiktokAdQueryFormat,
  'organic-posts': postsFormat,
} as const satisfies Record<string, PayloadFormat>

export type FormatName = keyof typeof formats
