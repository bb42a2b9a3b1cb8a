import { storeIdOfBundle } from '../domain/add-app/add-app.ts'
import { exactReference } from '../domain/catalogue/search-plan.ts'
import type { CursorPosition } from '../domain/creatives/search/condition.ts'
import type { Database } from '../storage/database.ts'
import { decodeCursor, encodeCursor, isNumberPart, isTimePart } from './cursor.ts'
import { Problem } from './problem.ts'
import { refuseAppReference } from './refusals.ts'

/** A page of a search: its position, and, from the second page on, the reference time of the first. */
export interface DecodedSearchCursor {
  after?: CursorPosition
  asOf?: Date
  limit: number
}

// The sort key of an unmeasured value.
const isKeyPart = (text: string) => text === '-Infinity' || isNumberPart(text)
/** Marks the keys of matches that follow the ranked ones. */
const unranked = '>'
const isRankedKeyPart = (text: string) =>
  isKeyPart(text.startsWith(unranked) ? text.slice(unranked.length) : text)
const isItemPart = (text: string) => /^[1-9]\d{0,17}$/.test(text)

/**
 * Decodes the cursor of a search.
 * @param asked the parameters of the list; only a list ranked by relevance has a reference time
 * @throws Problem `invalid-cursor`
 */
export function decodeSearchCursor(
  cursor: string | undefined,
  list: readonly unknown[],
  { q, sort, limit }: { q?: string | undefined; sort: string; limit: number },
): DecodedSearchCursor {
  const isRanked = q !== undefined && sort === 'relevance'
  const parts = isRanked ? [isRankedKeyPart, isItemPart, isTimePart] : [isKeyPart, isItemPart]
  const [key, number, asOf] = decodeCursor(cursor, list, parts) ?? []
  if (key === undefined || number === undefined) return { limit }
  const after = key.startsWith(unranked)
    ? { key: key.slice(unranked.length), number, isUnranked: true }
    : { key, number }
  return { after, ...(asOf === undefined ? {} : { asOf: new Date(asOf) }), limit }
}

/** The next page's cursor; null after the last. Deterministic, so that an unchanged list gives the same reply. */
export function nextSearchCursor(
  { next, asOf }: { next: CursorPosition | null; asOf: Date | undefined },
  list: readonly unknown[],
): string | null {
  return next
    ? encodeCursor(
        [`${next.isUnranked ? unranked : ''}${next.key}`, next.number, ...(asOf ? [asOf.toISOString()] : [])],
        list,
      )
    : null
}

/**
 * The ids of the apps in a filter; an app need not be in the catalogue.
 * @throws Problem `competitor-not-found` for an unknown bundle id
 */
export async function resolveAppFilter(
  db: Database,
  references: readonly string[],
  pointer = '/query/competitor',
): Promise<string[]> {
  return Promise.all(references.map((text, index) => resolveAppReference(db, text, `${pointer}/${index}`)))
}

/**
 * The id of an app given as text.
 * @param pointer position of the text in the request
 * @throws Problem for a text that is not an app reference, and `competitor-not-found` for an unknown bundle id
 */
export async function resolveAppReference(db: Database, text: string, pointer: string): Promise<string> {
  const reference = exactReference(text)
  if (!reference) refuseAppReference(pointer, text)
  if ('storeId' in reference) return reference.storeId
  const storeId = await storeIdOfBundle(db, reference.bundleId)
  if (storeId) return storeId
  throw new Problem('competitor-not-found', `No app with the bundle id ${reference.bundleId} is stored.`, {
    intake: { state: 'none', intakeId: null, country: null },
  })
}
