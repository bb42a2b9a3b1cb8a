import { decodeHTMLStrict } from 'entities/decode'
import { z } from 'zod'
import { isBlank } from '../text/blank-text.ts'
import { isStoreId } from '../vocabulary/ids.ts'

/** Values as Apple writes them, in all of its formats. */

/** Maximum length of a name, which is indexed; Apple's have at most 30 characters today and had up to 255. */
export const longestName = 500

/** Text without invisible characters. */
export const cleanText = z.string().transform((value) => clean(value))
/** A name, refused if too long for the index. */
export const nameText = cleanText.pipe(z.string().min(1).max(longestName))
/** A line of text. */
export const shortText = cleanText.pipe(z.string().max(longestName))
/** An http or https address; other URLs are rejected. */
export const address = z
  .url({ protocol: /^https?$/ })
  .regex(/^[^\s\0]*$/)
  .max(2_000)
/** Ids are digits; the store keeps them as 64-bit numbers. */
export const identifier = z
  .union([z.number().int().positive(), z.string()])
  .transform(String)
  .refine(isStoreId, 'is not an id')
/** ISO 4217. */
export const currency = z.string().regex(/^[A-Z]{3}$/)
/** Apple's genre ids have two to five digits. */
export const genreId = z.coerce.number().int().positive().max(999_999)

/**
 * Cleaned text; empty without visible characters. Some saved answers have passed through an HTML escaper, and the database
 * stores neither NUL nor lone surrogates.
 */
export function clean(value: string): string {
  const unescaped = /&(?:#\d+|#x[0-9a-f]+|amp|lt|gt|quot|apos|nbsp);/i.test(value)
    ? decodeHTMLStrict(value)
    : value
  return isBlank(unescaped) ? '' : unescaped.replaceAll('\0', '').toWellFormed().trim()
}

/** The instant as RFC 3339 in UTC, or undefined when there is no such time. */
export function instant(value: string): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/.exec(value.trim())
  if (!match) return undefined
  const [, year, month, day] = match.map(Number)
  if (!isCalendarDate(year ?? 0, month ?? 0, day ?? 0)) return undefined
  const zoned = /T/.test(value) && !/(?:Z|[+-]\d{2}:?\d{2})$/.test(value) ? `${value}Z` : value
  const parsed = new Date(zoned.trim())
  // A zone can move the last hours of 9999 into a year that no database parses.
  return Number.isNaN(parsed.getTime()) || parsed.getUTCFullYear() > 9999 ? undefined : parsed.toISOString()
}

/** Whether a time lies in the supported years, 1900 to 2099. */
export function isSupportedYear(time: Date): boolean {
  const year = time.getUTCFullYear()
  return year >= 1900 && year <= 2099
}

/** JavaScript rolls 31 February over into March; an impossible date is rejected instead. */
export function isCalendarDate(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** Maximum size of the cache in characters of JSON: some 20,000 results, or 2,000 entries with descriptions. */
const mostLetters = 6_000_000

/**
 * Parses records with a cache: a record equal to the last one with the same name returns the same parsed object, since
 * charts of consecutive days and pages of one day repeat most apps. Records are compared as texts, which costs a fifth of
 * comparing their fields; one that names its fields in another order is read anew.
 * @param read is also given what was read of the last record with the same name, if it is known; null where this one is not remembered
 * @param nameOf undefined where the record tells none
 * @param isKept whether what was read may be answered again
 * @param from from which record of a name on: long ones of which most come once are better remembered from the second
 */
export function remembering<Entry>(
  read: (record: unknown, before?: Entry | null) => Entry,
  nameOf: (record: unknown) => unknown,
  isKept: (entry: Entry) => boolean,
  from: 'first' | 'second' = 'first',
): (record: unknown) => Entry {
  const known = new Map<string, { text: string; entry: Entry }>()
  const met = new Set<string>()
  let letters = 0
  const takeRoom = (some: number) => {
    letters += some
    if (letters <= mostLetters) return
    known.clear()
    met.clear()
    letters = some
  }
  return (record) => {
    const name = nameOf(record)
    if (typeof name !== 'string') return read(record, null)
    if (from === 'second' && !met.has(name)) {
      takeRoom(name.length)
      met.add(name)
      return read(record, null)
    }
    const text = JSON.stringify(record)
    const before = known.get(name)
    if (before?.text === text) return before.entry
    const entry = read(record, before?.entry)
    if (!isKept(entry)) return entry
    takeRoom(text.length)
    known.set(name, { text, entry })
    return entry
  }
}
