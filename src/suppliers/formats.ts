import type { PayloadFormat } from '../ingest/format.ts'
import type { ParsedPayload, ReadingContext } from '../ingest/parsed-payload.ts'
import { RawPayload } from '../ingest/raw-payload.ts'
import {
  type AskedPlatform,
  askedPlatforms,
  type LibraryFormat,
  libraryFormat,
  librarySource,
} from '../vocabulary/ad-platforms.ts'
import type { SourceName } from '../vocabulary/provenance.ts'
import { adsFormat } from './ads-format.ts'
import { chartFeedFormat } from './apple/chart-feed-format.ts'
import { appPageFormat, ascSalesFormat, lookupFormat, searchFormat, searchPageFormat } from './apple/formats.ts'
import { hintsFormat } from './apple/hints.ts'
import { appRowsFormat } from './own-files/app-rows.ts'
import { keywordRanksFormat } from './own-files/keyword-ranks.ts'
import { chartRowsFormat, salesRowsFormat } from './own-files/rows-formats.ts'
import { postsFormat } from './posts-format.ts'
import { platformAds } from './read-ad-record.ts'
import { libraries } from './registry.ts'

/** Pages of the library of a platform. */
const pagesOf = (platform: AskedPlatform): PayloadFormat => ({
  isMappable: false,
  // Saved pages are files of `paid-ads`.
  recognise: null,
  parse(payload) {
    const { records, nextPage, differences } = libraries[platform].pageOf(payload.document())
    return {
      ...platformAds(librarySource(platform), platform, records),
      nextPage,
      ...(differences ? { differences } : {}),
    }
  },
})
const pages = Object.fromEntries(
  askedPlatforms.map((platform) => [libraryFormat(platform), pagesOf(platform)]),
) as Record<LibraryFormat, PayloadFormat>

/**
 * The parser of each kind of payload, by the name it is stored under. Imports, collection and replays use this one table, so
 * a replay applies a fixed parser to stored payloads.
 */
export const formats = {
  'itunes-search': searchFormat,
  'itunes-lookup': lookupFormat,
  'search-hints': hintsFormat,
  'app-page': appPageFormat,
  'app-store-search': searchPageFormat,
  'chart-feed': chartFeedFormat,
  'asc-sales': ascSalesFormat,
  'app-rows': appRowsFormat,
  'chart-rows': chartRowsFormat,
  'sales-rows': salesRowsFormat,
  'keyword-rank-rows': keywordRanksFormat,
  'paid-ads': adsFormat,
  ...pages,
  'organic-posts': postsFormat,
} as const satisfies Record<string, PayloadFormat>

export type FormatName = keyof typeof formats

/**
 * Parses a payload: the only function from bytes to records, used for files, collected responses and replays.
 * @param payload keeps its parsed document, so that it is parsed once
 * @param from number of the first line or element in its file
 * @throws UnfitPayload when the payload as a whole is not what it should be, or not what was asked for
 */
export function parsePayload(
  format: FormatName,
  payload: Uint8Array | RawPayload,
  context: ReadingContext,
  from = 1,
): ParsedPayload {
  const raw = payload instanceof RawPayload ? payload : new RawPayload(payload)
  return formats[format].parse(raw, context, from)
}

/** The result for a payload that its parser rejected but that is stored anyway. */
export const unfitPayload = (source: SourceName, reason: string): ParsedPayload => ({
  source,
  sightings: [],
  charts: [],
  rejected: [{ position: 'answer', reason }],
  isUnfit: true,
  records: 1,
})

/** Whether a payload is empty; records of other kinds than requested do not count. */
export const isEmpty = ({ resultPage, records }: ParsedPayload): boolean =>
  resultPage ? resultPage.storeIds.length === 0 : records === 0
