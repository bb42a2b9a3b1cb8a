import { z } from 'zod'
import type { AppSighting, Listing } from '../../domain/catalogue/listing.ts'
import {
  address,
  cleanText,
  currency,
  genreId,
  identifier,
  instant,
  longestName,
  nameText,
  remembering,
  shortText,
} from '../../ingest/fields.ts'
import type { ParsedPayload } from '../../ingest/parsed-payload.ts'
import { isLanguageTag } from '../../text/language-tag.ts'
import type { ListingField } from '../../vocabulary/listing-fields.ts'

/**
 * Answers of the iTunes Search and Lookup APIs. Only the fields used are read, each independently: a field of an
 * unexpected type counts as not carried, and the rest of the record stays.
 * Source: Apple's Search API documentation, and answers seen.
 */

/** A field Apple may leave out: null where it did, undefined where its value is unreadable. */
const field = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([schema.nullish().transform((value) => value ?? null), z.unknown().transform(() => undefined)])

const label = field(cleanText.pipe(z.string().max(longestName)).transform((value) => value || null))
/** Apple allows descriptions of 4,000 characters; a far longer text is no listing's, and every change of it would be stored. */
const text = field(cleanText.pipe(z.string().max(100_000)).transform((value) => value || null))
const digits = z.string().regex(/^\d+$/).transform(Number)
const count = field(z.union([z.number(), digits]).pipe(z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)))
const stars = field(z.number().min(0).max(5))
const time = field(z.string().transform(instant).pipe(z.string()))
/** A list with an unreadable entry is unreadable as a whole: the others would look like the complete list. */
const addresses = field(z.array(address))
const Result = z.object({
  kind: z.string().optional(),
  wrapperType: z.string().optional(),
  trackId: identifier,
  trackName: nameText,
  artistName: label,
  artistId: field(identifier),
  sellerName: label,
  sellerUrl: field(address),
  bundleId: label,
  artworkUrl512: field(address),
  artworkUrl100: field(address),
  description: text,
  releaseNotes: text,
  version: label,
  price: field(z.number().min(0)),
  currency: field(currency),
  primaryGenreId: field(genreId),
  genreIds: field(z.array(genreId)),
  averageUserRating: stars,
  userRatingCount: count,
  averageUserRatingForCurrentVersion: stars,
  userRatingCountForCurrentVersion: count,
  releaseDate: time,
  currentVersionReleaseDate: time,
  fileSizeBytes: count,
  languageCodesISO2A: field(z.array(shortText.refine(isLanguageTag))),
  minimumOsVersion: label,
  contentAdvisoryRating: label,
  trackContentRating: label,
  screenshotUrls: addresses,
  ipadScreenshotUrls: addresses,
  appletvScreenshotUrls: addresses,
})

/** A rejected record with the reason. */
interface RejectedResult {
  index: number
  /** Whether it is something other than an iOS app; otherwise it could not be parsed. */
  isOther: boolean
  reason: string
  record: unknown
}

export interface ItunesAnswer {
  /** In the order of the answer. */
  sightings: AppSighting[]
  rejected: RejectedResult[]
  /** The number of results stated by the response, where it differs from the length of its list. */
  stated?: number
  /** Unreadable fields of these apps, with their counts. */
  unreadable?: Record<string, number>
}

/** Whether a parsed document is a response of these APIs. */
export function isItunesAnswer(document: unknown): document is { resultCount?: number; results: unknown[] } {
  return (
    typeof document === 'object' &&
    document !== null &&
    'results' in document &&
    Array.isArray(document.results)
  )
}

/** The results in a response, in its bare list, or in a single saved result. Undefined for anything else. */
export function itunesResults(document: unknown): unknown[] | undefined {
  if (isItunesAnswer(document)) return document.results
  const results = Array.isArray(document) ? document : [document]
  const isResult = (one: unknown) => typeof one === 'object' && one !== null && 'trackId' in one
  return results.some(isResult) ? results : undefined
}

/**
 * Reads a whole answer.
 * @param country storefront that was asked for; results of another one are rejected
 */
export function readItunesAnswer(
  { resultCount, results }: { resultCount?: unknown; results: unknown[] },
  country: string,
): ItunesAnswer {
  const answer = readItunesResults(results, country)
  const stated = count.parse(resultCount)
  return typeof stated === 'number' && stated !== results.length ? { ...answer, stated } : answer
}

/** @param country storefront that was asked for; results of other storefronts are rejected; without it, all are accepted */
export function readItunesResults(results: readonly unknown[], country?: string): ItunesAnswer {
  const answer: ItunesAnswer = { sightings: [], rejected: [] }
  for (const [index, record] of results.entries()) {
    const outcome = foreign(record, country) ?? resultOf(record)
    if ('storeId' in outcome) {
      answer.sightings.push(outcome)
      for (const name of outcome.unreadable ?? []) {
        answer.unreadable ??= {}
        answer.unreadable[name] = (answer.unreadable[name] ?? 0) + 1
      }
    } else answer.rejected.push({ index, ...outcome, record })
  }
  return answer
}

/**
 * Whether a rejected record is about an app.
 * @param alone whether only this app was requested: records of artists and albums have no trackId, and then belong to the
 * requested id
 */
export function isAboutApp(record: unknown, storeId: string, alone: boolean): boolean {
  const trackId = typeof record === 'object' && record !== null && 'trackId' in record ? record.trackId : null
  return trackId === null ? alone : String(trackId) === storeId
}

/** The looked-up apps whose record is unreadable. A record without an id belongs to the only app requested. */
export function unreadableOf(
  { sightings, rejected }: Pick<ParsedPayload, 'sightings' | 'rejected'>,
  storeIds: readonly string[],
): { storeId: string; reason: string }[] {
  const seen = new Set(sightings.map(({ sighting }) => sighting.storeId))
  const unreadable = rejected.filter(({ isOther }) => !isOther)
  return storeIds.flatMap((storeId) => {
    const found = unreadable.find(({ record }) => isAboutApp(record, storeId, storeIds.length === 1))
    return found && !seen.has(storeId) ? [{ storeId, reason: found.reason }] : []
  })
}

/**
 * The asked apps that an answer leaves out, each once. Empty where the answer proves nothing: it lists none of the asked apps (as an
 * upstream in trouble does), states more results than it lists, or has an entry that nobody can tell the app of.
 */
export function missedIn({ sightings, rejected, stated }: ItunesAnswer, storeIds: readonly string[]): string[] {
  const listed = new Set(sightings.map(({ storeId }) => storeId))
  if (stated !== undefined || !storeIds.some((storeId) => listed.has(storeId))) return []
  const others = rejected.map(({ record }) => record as { trackId?: unknown } | null)
  if (others.some((record) => record?.trackId === undefined || record.trackId === null)) return []
  const refused = new Set(others.map((record) => String(record?.trackId)))
  return [...new Set(storeIds)].filter((storeId) => !listed.has(storeId) && !refused.has(storeId))
}

type Outcome = AppSighting | Pick<RejectedResult, 'reason' | 'isOther'>

/**
 * The storefront of a result, from its links, such as `https://apps.apple.com/us/app/…`.
 * @returns two letters; undefined where it has no link of the store, or one that names none
 */
export function storefrontOfResult(record: unknown): string | undefined {
  const { trackViewUrl } = (record ?? {}) as Record<string, unknown>
  if (typeof trackViewUrl !== 'string') return undefined
  return /^https?:\/\/(?:apps|itunes)\.apple\.com\/([a-z]{2})\//i.exec(trackViewUrl)?.[1]?.toLowerCase()
}

function foreign(record: unknown, country: string | undefined): Exclude<Outcome, AppSighting> | undefined {
  const storefront = country === undefined ? undefined : storefrontOfResult(record)
  return storefront === undefined || storefront === country
    ? undefined
    : { reason: `of the storefront "${storefront}", not "${country}"`, isOther: false }
}

type ParsedResult = z.output<typeof Result>

const fieldsOfResult = Object.entries(Result.shape)

/** What sightings were parsed from, so that the next record of an app is parsed only where it differs. */
const parsedResults = new WeakMap<Outcome, { record: Record<string, unknown>; data: ParsedResult }>()

function parseResult(record: Record<string, unknown>, before: Outcome | null | undefined) {
  const known = before && parsedResults.get(before)
  if (!known) return Result.safeParse(record)
  const data: Record<string, unknown> = {}
  for (const [name, schema] of fieldsOfResult) {
    const value = record[name]
    if (known && isSame(value, known.record[name])) data[name] = known.data[name as keyof ParsedResult]
    else {
      const parsed = schema.safeParse(value)
      if (!parsed.success) return Result.safeParse(record)
      data[name] = parsed.data
    }
  }
  return { success: true as const, data: data as ParsedResult }
}

/** Whether two values of a record are the same text, number, or list of such. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
  return one.every((value, at) => value === other[at])
}

/**
 * One result as a sighting, or the reason why it is rejected.
 * @param before what was read of the app last; null where nothing is remembered
 */
function readResult(record: unknown, before?: Outcome | null): Outcome {
  const unreadable = (reason: string) => ({ reason, isOther: false })
  if (typeof record !== 'object' || record === null) return unreadable('not an object')
  const fields = record as Record<string, unknown>
  const { kind, wrapperType, trackId, releaseDate } = fields
  if (wrapperType !== undefined && wrapperType !== 'software')
    return other(`not an app (${named(wrapperType)})`)
  if (kind !== undefined && kind !== 'software') return other(`not an iOS app (${named(kind)})`)
  if (trackId === undefined || trackId === null) return unreadable('no trackId')
  if (typeof releaseDate === 'string' && instant(releaseDate) === undefined)
    return unreadable(`impossible releaseDate "${releaseDate}"`)
  const parsed = parseResult(fields, before)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return unreadable(`${issue?.path.join('.') || 'record'}: ${issue?.message ?? 'unreadable'}`)
  }
  const sighting = { storeId: parsed.data.trackId, ...toListing(parsed.data) }
  if (before !== null) parsedResults.set(sighting, { record: fields, data: parsed.data })
  return sighting
}

/** Apps are identified by their addresses, which name the storefront. */
const resultOf = remembering<Outcome>(
  readResult,
  (record) => (record as { trackViewUrl?: unknown } | null)?.trackViewUrl,
  (outcome) => 'storeId' in outcome,
  'second',
)

const other = (reason: string) => ({ reason, isOther: true })

const named = (kind: unknown) => (typeof kind === 'string' ? kind : JSON.stringify(kind))

/** All fields that the format carries: one that Apple left out is absent, an unreadable one is missing here. */
function toListing(result: ParsedResult): Pick<AppSighting, 'listing' | 'unreadable'> {
  const listing: { [Field in ListingField]?: Listing[Field] | undefined } & Pick<Listing, 'name'> = {
    name: result.trackName,
    developer: result.artistName,
    developerId: result.artistId,
    seller: result.sellerName,
    sellerUrl: result.sellerUrl,
    bundleId: result.bundleId,
    iconUrl: either(result.artworkUrl512, result.artworkUrl100),
    description: result.description,
    releaseNotes: result.releaseNotes,
    version: result.version,
    price: result.price,
    currency: result.currency,
    primaryCategoryId: result.primaryGenreId,
    categoryIds: categoriesOf(result.primaryGenreId, result.genreIds),
    rating: result.userRatingCount === 0 ? null : result.averageUserRating,
    ratingCount: result.userRatingCount,
    ratingCurrentVersion:
      result.userRatingCountForCurrentVersion === 0 ? null : result.averageUserRatingForCurrentVersion,
    ratingCountCurrentVersion: result.userRatingCountForCurrentVersion,
    releasedAt: result.releaseDate,
    updatedAt: result.currentVersionReleaseDate,
    sizeBytes: result.fileSizeBytes,
    languages: result.languageCodesISO2A?.map((code) => code.toLowerCase()) ?? result.languageCodesISO2A,
    minimumOsVersion: result.minimumOsVersion,
    contentRating: either(result.trackContentRating, result.contentAdvisoryRating),
    screenshotsIphone: result.screenshotUrls,
    screenshotsIpad: result.ipadScreenshotUrls,
    screenshotsTv: result.appletvScreenshotUrls,
  }
  const fields = Object.entries(listing)
  const carried = fields.filter(([, value]) => value !== undefined)
  const unreadable = fields.flatMap(([name, value]) => (value === undefined ? [name as ListingField] : []))
  return {
    listing: Object.fromEntries(carried) as AppSighting['listing'],
    ...(unreadable.length > 0 ? { unreadable } : {}),
  }
}

/** The value of two equivalent fields. Absent where both were left out; not measured where one is unreadable. */
function either(one: string | null | undefined, other: string | null | undefined): string | null | undefined {
  return one ?? other ?? (one === null && other === null ? null : undefined)
}

function categoriesOf(
  primary: number | null | undefined,
  all: number[] | null | undefined,
): number[] | null | undefined {
  // The first entry of an unreadable list is not its whole value.
  if (all === undefined) return undefined
  const ids = [...new Set([...(primary ? [primary] : []), ...(all ?? [])])]
  if (ids.length > 0) return ids
  return primary === null ? null : undefined
}
