import { exactReference } from '../domain/catalogue/search-plan.ts'
import type { Place } from '../domain/creatives/search/order.ts'
import { storeIdOfBundle } from '../domain/intake/queries.ts'
import type { Database } from '../storage/database.ts'
import { decodeCursor, encodeCursor, isNumberPart, isTimePart } from './cursor.ts'
import { Problem, refuseInput } from './problem.ts'

/** A page of a search: where it begins, and, from the second page on, the moment by which the first one was ranked. */
export interface PageOfSearch {
  after?: Place
  asOf?: Date
  limit: number
}

// What a value that is not measured is sorted by.
const isKeyPart = (text: string) => text === '-Infinity' || isNumberPart(text)
const isItemPart = (text: string) => /^[1-9]\d{0,17}$/.test(text)

/**
 * @param asked the parameters of the list; only what is ranked by relevance is of a moment
 * @throws Problem `invalid-cursor`
 */
export function pageOfSearch(
  cursor: string | undefined,
  list: readonly unknown[],
  { q, sort, limit }: { q?: string | undefined; sort: string; limit: number },
): PageOfSearch {
  const isRanked = q !== undefined && sort === 'relevance'
  const parts = [isKeyPart, isItemPart, ...(isRanked ? [isTimePart] : [])]
  const [key, number, asOf] = decodeCursor(cursor, list, parts) ?? []
  if (key === undefined || number === undefined) return { limit }
  return { after: { key, number }, ...(asOf === undefined ? {} : { asOf: new Date(asOf) }), limit }
}

/** The same for the same evidence, so that a list that has not changed has the same reply. */
export function cursorAfter(
  { next, asOf }: { next: Place | null; asOf: Date | undefined },
  list: readonly unknown[],
): string | null {
  return next ? encodeCursor([next.key, next.number, ...(asOf ? [asOf.toISOString()] : [])], list) : null
}

/**
 * The ids of apps that a filter names; an app need not be in the catalogue.
 * @throws Problem `competitor-not-found` for a bundle id nobody has seen
 */
export async function appsNamed(db: Database, references: readonly string[]): Promise<string[]> {
  return Promise.all(references.map((text, index) => appNamed(db, text, `/query/competitor/${index}`)))
}

/**
 * The id of the app somebody means.
 * @param pointer where the text stands in what was asked
 * @throws Problem for what names none, and `competitor-not-found` for a bundle id nobody has seen
 */
export async function appNamed(db: Database, text: string, pointer: string): Promise<string> {
  const reference = exactReference(text)
  if (!reference)
    refuseInput([{ pointer, message: 'must be an App Store id, a bundle id or an App Store address' }])
  if ('storeId' in reference) return reference.storeId
  const storeId = await storeIdOfBundle(db, reference.bundleId)
  if (storeId) return storeId
  throw new Problem('competitor-not-found', `No app with the bundle id ${reference.bundleId} is stored.`, {
    intake: { state: 'none', intakeId: null, country: null },
  })
}
