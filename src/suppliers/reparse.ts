import type { Listing } from '../domain/catalogue/listing.ts'
import { rawPayload } from '../domain/evidence/packed-payload.ts'
import type { StoredReading } from '../domain/evidence/queries.ts'
import type { Reading } from '../domain/evidence/reading.ts'
import type { ParsedPayload, ReadingContext, Rejection } from '../ingest/parsed-payload.ts'
import { UnfitPayload } from '../ingest/unfit-payload.ts'
import type { TimeBasis } from '../vocabulary/provenance.ts'
import { type FormatName, parsePayload } from './formats.ts'

/** Parses a stored payload with the current parser; undefined when it refuses the payload as a whole. */
export async function reparse(
  stored: StoredReading,
): Promise<{ reading: Reading; parsed: ParsedPayload } | undefined> {
  const { content, dictionary, ...reading } = stored
  try {
    const parsed = parsePayload(
      reading.format as FormatName,
      await rawPayload({ content, dictionary }),
      reading.context as unknown as ReadingContext,
    )
    const read = { ...(reading as Reading), source: parsed.source }
    if (read.origin !== 'imported') return { reading: read, parsed }
    return { reading: read, parsed: withoutLater(parsed, read.observedAt, read.timeBasis) }
  } catch (error) {
    if (error instanceof UnfitPayload) return undefined
    throw error
  }
}

/** Tolerance for time zones and wrong clocks. */
const dayAndZone = 36 * 3_600_000
const wrongClock = 3_600_000

const isDay = (time: string) => /^\d{4}-\d{2}-\d{2}(?:T00:00:00\.000Z)?$/.test(time)

/**
 * Why something cannot have been observed at a time: it contains a later date. Undefined where it can.
 * @param dates by their field; null and undefined are ignored
 */
function whyTooEarly(
  observedAt: Date,
  dates: Readonly<Record<string, string | null | undefined>>,
): string | undefined {
  for (const [field, date] of Object.entries(dates)) {
    if (!date) continue
    const slack = isDay(date) || isDay(observedAt.toISOString()) ? dayAndZone : wrongClock
    if (Date.parse(date) > observedAt.getTime() + slack)
      return `it cannot have been observed at ${observedAt.toISOString()}: its ${field} is ${date}`
  }
  return undefined
}

/** A pre-order has no price, and a planned release date. */
const datesOf = ({ price, releasedAt, updatedAt }: Partial<Listing>) =>
  price === null ? {} : { releasedAt, updatedAt }

/**
 * Rejects records of an imported payload that contain dates later than its stated time of observation. Charts and result pages
 * have their own rules, and the time of collected payloads is known.
 */
export function withoutLater(parsed: ParsedPayload, observedAt: Date, timeBasis: TimeBasis): ParsedPayload {
  if (timeBasis === 'clock' || parsed.resultPage) return parsed
  const refused: Rejection[] = []
  const lastDay = new Date(observedAt.getTime() + dayAndZone).toISOString().slice(0, 10)
  const isPossible = (name: string, at: Date, dates: Parameters<typeof whyTooEarly>[1]) => {
    const reason = whyTooEarly(at, dates)
    if (reason) refused.push({ position: name, reason })
    return !reason
  }
  const sightings = parsed.sightings.filter(({ sighting: { storeId, listing } }) =>
    isPossible(`app ${storeId}`, observedAt, datesOf(listing)),
  )
  const localized = parsed.localized?.filter(({ storeId, language, listing }) =>
    isPossible(`app ${storeId} in ${language}`, observedAt, datesOf(listing)),
  )
  const posts = parsed.posts?.filter(({ network, nativeId, observedAt: at, stated: { publishedAt } }) =>
    isPossible(`post ${network}_${nativeId}`, at ?? observedAt, { publishedAt }),
  )
  const ads = parsed.ads?.filter(({ platform, archiveId, observedAt: at, stated: { startedOn } }) =>
    isPossible(`ad ${platform} ${archiveId}`, at ?? observedAt, { startedOn }),
  )
  const sales = parsed.sales?.filter(({ storeId, country, day }) =>
    isPossible(`app ${storeId} ${country}`, observedAt, { day }),
  )
  const toolRanks = parsed.toolRanks?.filter(({ storeId, term, day }) => {
    const isLater = day > lastDay
    if (isLater) isPossible(`app ${storeId} for "${term}"`, observedAt, { day })
    return !isLater
  })
  if (refused.length === 0) return parsed
  return {
    ...parsed,
    sightings,
    ...(localized ? { localized } : {}),
    ...(posts ? { posts } : {}),
    ...(ads ? { ads } : {}),
    ...(sales ? { sales } : {}),
    ...(toolRanks ? { toolRanks } : {}),
    rejected: [...parsed.rejected, ...refused],
  }
}
