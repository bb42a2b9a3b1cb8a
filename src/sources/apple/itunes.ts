import { decodeHTML } from 'entities'
import { z } from 'zod'
import type { AppSighting, Listing } from '../../domain/catalogue/listing.ts'

/**
 * Answers of the iTunes Search and Lookup APIs. Only the fields used are read, each on its own terms: a field of an
 * odd type counts as not carried, and the rest of the record stays.
 * Source: Apple's Search API documentation, and answers seen.
 */

const text = z.string().transform((value) => clean(value))
const optionalText = text.nullish().catch(undefined)
const count = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullish().catch(undefined)
const stars = z.number().min(0).max(5).nullish().catch(undefined)
const time = z
  .string()
  .transform((value) => instant(value))
  .nullish()
  .catch(undefined)
const address = z
  .url({ protocol: /^https?$/ })
  .nullish()
  .catch(undefined)
const addresses = z.array(z.string()).nullish().catch(undefined)
/** Ids are digits; the store keeps them as 64-bit numbers. */
export const identifier = z
  .union([z.number().int().positive(), z.string()])
  .transform(String)
  .refine((id) => /^[1-9]\d{0,18}$/.test(id) && BigInt(id) < 2n ** 63n, 'is not an id')
/** Apple's genre ids have two to five digits. */
export const genreId = z.coerce.number().int().positive().max(999_999)

const Result = z.object({
  kind: z.string().optional(),
  wrapperType: z.string().optional(),
  trackId: identifier,
  trackName: text.refine((name) => name !== ''),
  artistName: optionalText,
  artistId: identifier.nullish().catch(undefined),
  sellerName: optionalText,
  sellerUrl: address,
  bundleId: optionalText,
  artworkUrl512: address,
  artworkUrl100: address,
  description: optionalText,
  releaseNotes: optionalText,
  version: optionalText,
  price: z.number().min(0).nullish().catch(undefined),
  currency: z.string().length(3).nullish().catch(undefined),
  primaryGenreId: genreId.nullish().catch(undefined),
  genreIds: z.array(genreId).nullish().catch(undefined),
  averageUserRating: stars,
  userRatingCount: count,
  averageUserRatingForCurrentVersion: stars,
  userRatingCountForCurrentVersion: count,
  releaseDate: time,
  currentVersionReleaseDate: time,
  fileSizeBytes: count,
  languageCodesISO2A: z.array(z.string()).nullish().catch(undefined),
  minimumOsVersion: optionalText,
  contentAdvisoryRating: optionalText,
  trackContentRating: optionalText,
  screenshotUrls: addresses,
  ipadScreenshotUrls: addresses,
  appletvScreenshotUrls: addresses,
})

/** A record that could not be taken, and why. */
export interface RejectedResult {
  index: number
  reason: string
  record: unknown
}

export interface ItunesAnswer {
  /** In the order of the answer. */
  sightings: AppSighting[]
  rejected: RejectedResult[]
}

/** Whether a parsed document is such an answer. */
export function isItunesAnswer(document: unknown): document is { resultCount?: number; results: unknown[] } {
  return (
    typeof document === 'object' &&
    document !== null &&
    'results' in document &&
    Array.isArray(document.results)
  )
}

export function readItunesResults(results: readonly unknown[]): ItunesAnswer {
  const answer: ItunesAnswer = { sightings: [], rejected: [] }
  for (const [index, record] of results.entries()) {
    const outcome = readResult(record)
    if (typeof outcome === 'string') answer.rejected.push({ index, reason: outcome, record })
    else answer.sightings.push(outcome)
  }
  return answer
}

/** One result as a sighting, or why it is none. */
function readResult(record: unknown): AppSighting | string {
  if (typeof record !== 'object' || record === null) return 'not an object'
  const { kind, wrapperType, trackId, releaseDate } = record as Record<string, unknown>
  if (wrapperType !== undefined && wrapperType !== 'software') return `not an app (${String(wrapperType)})`
  if (kind !== undefined && kind !== 'software') return `not an iOS app (${String(kind)})`
  if (trackId === undefined || trackId === null) return 'no trackId'
  if (typeof releaseDate === 'string' && instant(releaseDate) === undefined)
    return `impossible releaseDate "${releaseDate}"`
  const parsed = Result.safeParse(record)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return `${issue?.path.join('.') || 'record'}: ${issue?.message ?? 'unreadable'}`
  }
  return { storeId: parsed.data.trackId, listing: toListing(parsed.data) }
}

/** Every field an answer carries; one that Apple left out of the record is absent. */
function toListing(result: z.output<typeof Result>): AppSighting['listing'] {
  const rated = result.userRatingCount ?? null
  const listing: Partial<Listing> & Pick<Listing, 'name'> = {
    name: result.trackName,
    developer: blank(result.artistName),
    developerId: result.artistId ?? null,
    seller: blank(result.sellerName),
    sellerUrl: result.sellerUrl ?? null,
    bundleId: blank(result.bundleId),
    iconUrl: result.artworkUrl512 ?? result.artworkUrl100 ?? null,
    description: blank(result.description),
    releaseNotes: blank(result.releaseNotes),
    version: blank(result.version),
    price: result.price ?? null,
    currency: result.currency ?? null,
    primaryCategoryId: result.primaryGenreId ?? null,
    categoryIds: categoriesOf(result.primaryGenreId, result.genreIds),
    rating: rated === 0 ? null : (result.averageUserRating ?? null),
    ratingCount: rated,
    ratingCurrentVersion: result.userRatingCountForCurrentVersion
      ? (result.averageUserRatingForCurrentVersion ?? null)
      : null,
    ratingCountCurrentVersion: result.userRatingCountForCurrentVersion ?? null,
    releasedAt: result.releaseDate ?? null,
    updatedAt: result.currentVersionReleaseDate ?? null,
    sizeBytes: result.fileSizeBytes ?? null,
    languages: result.languageCodesISO2A?.map((code) => code.toLowerCase()) ?? null,
    minimumOsVersion: blank(result.minimumOsVersion),
    contentRating: blank(result.trackContentRating ?? result.contentAdvisoryRating),
    screenshotsIphone: result.screenshotUrls ?? null,
    screenshotsIpad: result.ipadScreenshotUrls ?? null,
    screenshotsTv: result.appletvScreenshotUrls ?? null,
  }
  return listing
}

function categoriesOf(primary: number | null | undefined, all: number[] | null | undefined): number[] | null {
  const ids = [...new Set([...(primary ? [primary] : []), ...(all ?? [])])]
  return ids.length > 0 ? ids : null
}

/**
 * Text as Apple means it. Some saved answers have passed through an HTML escaper, and the database cannot hold NUL.
 */
export function clean(value: string): string {
  const unescaped = /&(?:#\d+|#x[0-9a-f]+|amp|lt|gt|quot|apos|nbsp);/i.test(value) ? decodeHTML(value) : value
  return unescaped.replaceAll('\0', '').trim()
}

function blank(value: string | null | undefined): string | null {
  return value ? value : null
}

/** The instant as RFC 3339 in UTC, or undefined when there is no such time. */
export function instant(value: string): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/.exec(value.trim())
  if (!match) return undefined
  const [, year, month, day] = match.map(Number)
  if (!isCalendarDate(year ?? 0, month ?? 0, day ?? 0)) return undefined
  const zoned = /T/.test(value) && !/(?:Z|[+-]\d{2}:?\d{2})$/.test(value) ? `${value}Z` : value
  const parsed = new Date(zoned.trim())
  return Number.isNaN(parsed.getTime()) ? undefined : parsed.toISOString()
}

/** JavaScript rolls 31 February over into March; a date that cannot be is refused instead. */
export function isCalendarDate(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
