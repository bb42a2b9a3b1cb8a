import type { AppSighting } from '../domain/catalogue/listing.ts'
import type { ParsedPayload, ReadingContext, Rejection } from '../ingest/parsed-payload.ts'
import { RawPayload } from '../ingest/raw-payload.ts'
import { UnfitPayload } from '../ingest/unfit-payload.ts'
import { isItunesAnswer } from '../suppliers/apple/itunes.ts'
import { statedSearchOf } from '../suppliers/apple/search-page.ts'
import { parsePayload } from '../suppliers/formats.ts'
import type { ParsedInput } from '../suppliers/parsed-input.ts'
import type { TimeBasis } from '../vocabulary/provenance.ts'
import type { SearchSurface } from '../vocabulary/search-surfaces.ts'
import type { CaptureRow } from './captures-table.ts'
import type { ImportRequest } from './import-request.ts'
import type { Input } from './input-file.ts'
import { type PageContext, pageContext } from './page-context.ts'
import type { FilePiece } from './piece.ts'

/** Parses a saved result page, or says why it is refused as a whole: a page is stored with all its places or not at all. */
export function readPage(
  piece: FilePiece,
  input: Input,
  request: ImportRequest,
  row: CaptureRow | undefined,
): ParsedInput | Rejection {
  try {
    if (piece.layout !== 'document') throw new UnfitPayload('one result page a file')
    const payload = new RawPayload(piece.bytes)
    const format = formatOf(payload, request)
    const stated = format === 'app-store-search' ? statedSearchOf(piece.bytes) : undefined
    const page = pageContext(input.name, request, row, stated)
    if (typeof page === 'string') throw new UnfitPayload(page)
    const { term, country, requested, bounds } = page
    const context: ReadingContext = {
      layout: 'document',
      country,
      term,
      ...(requested === undefined || stated ? {} : { requested }),
      ...(bounds?.notAfter ? { capturedNotAfter: bounds.notAfter.toISOString() } : {}),
    }
    const parsed = parsePayload(format, payload, context)
    refuseOtherAnswers(parsed, context.requested)
    return {
      bytes: piece.bytes,
      format,
      context,
      origin: request.origin ?? 'imported',
      country,
      ...timeOf(page, parsed, new Date()),
      parsed,
    }
  } catch (error) {
    if (error instanceof UnfitPayload) return { position: 'document', reason: error.message }
    throw error
  }
}

/** An answer of the Search API, or the search page of the store's web site. @throws UnfitPayload */
function formatOf(payload: RawPayload, { format }: ImportRequest): SearchSurface {
  const isPage = Buffer.from(payload.bytes.subarray(0, 1_024)).toString('utf8').trimStart().startsWith('<')
  if (isPage && format !== 'itunes-search') return 'app-store-search'
  if (format === 'app-store-search') throw new UnfitPayload('no page: HTML was expected')
  if (!isItunesAnswer(payload.document()))
    throw new UnfitPayload('not an answer of the iTunes Search API: it has no list of results')
  return 'itunes-search'
}

/** Lookups, and searches for anything but iOS apps, have the same format but are not result pages. */
function refuseOtherAnswers(
  { resultPage, rejected, records, notes }: ParsedPayload,
  requested: number | undefined,
): void {
  if (records === 0 && !resultPage) throw new UnfitPayload(`no page: ${notes?.join(', ')}`)
  const storeIds = resultPage?.storeIds ?? []
  const other = rejected.map(({ record }) => wrapperOf(record)).find((wrapper) => wrapper !== undefined)
  if (other) throw new UnfitPayload(`it holds "${other}": no answer of a search for apps`)
  if (records > 0 && storeIds.every((storeId) => storeId === null))
    throw new UnfitPayload(`it holds no iOS app: ${rejected[0]?.reason ?? 'nothing could be read'}`)
  if (requested !== undefined && storeIds.length > requested)
    throw new UnfitPayload(`it has ${storeIds.length} places where ${requested} were asked for`)
}

function wrapperOf(record: unknown): string | undefined {
  if (typeof record !== 'object' || record === null || !('wrapperType' in record)) return undefined
  return typeof record.wrapperType === 'string' && record.wrapperType !== 'software'
    ? record.wrapperType
    : undefined
}

/** Tolerance for wrong clocks, and for a date in any time zone. */
const dayAndZone = 36 * 3_600_000
const wrongClock = 3_600_000
/** The opening day of the App Store: no page can be older. */
const storeOpened = new Date('2008-07-10T00:00:00Z')

/**
 * When a page was captured. It cannot be older than the newest version it shows: of two lower bounds the later one applies,
 * and a time before the release of that version is refused.
 */
function timeOf(
  { captured, timeBasis, bounds }: PageContext,
  { sightings }: ParsedPayload,
  now: Date,
): { observedAt: Date; timeBasis: TimeBasis } {
  const slack = captured.day ? dayAndZone : wrongClock
  const newest = newestVersion(sightings.map(({ sighting }) => sighting))
  const latest = bounds ? bounds.notAfter : captured.at
  if (newest && latest && newest.at.getTime() > latest.getTime() + slack)
    throw new UnfitPayload(
      `it cannot be of ${latest.toISOString()}: it shows a version of ${newest.name} released at ${newest.at.toISOString()}`,
    )
  const isRaised = bounds !== undefined && newest !== undefined && newest.at > captured.at
  const observedAt = isRaised ? newest.at : captured.at
  if (observedAt < storeOpened)
    throw new UnfitPayload(`${observedAt.toISOString()} lies before the App Store opened`)
  if (observedAt.getTime() > now.getTime() + (captured.day ? dayAndZone : wrongClock))
    throw new UnfitPayload(`${observedAt.toISOString()} lies in the future`)
  return { observedAt, timeBasis: isRaised ? 'payload' : timeBasis }
}

/** The newest release among released apps: a pre-order has no price, and a planned date. */
function newestVersion(sightings: readonly AppSighting[]): { at: Date; name: string } | undefined {
  const released = sightings.flatMap(({ listing: { name, price, updatedAt } }) =>
    updatedAt && typeof price === 'number' ? [{ at: new Date(updatedAt), name }] : [],
  )
  return released.sort((one, other) => other.at.getTime() - one.at.getTime())[0]
}
