import { hash } from 'node:crypto'
import { StoreId, Timestamp, Uuid } from '../contract/shapes/primitives.ts'
import { Problem } from './problem.ts'

/**
 * Encodes an opaque position in a list. It holds the sort key and id of the last item, so that pages are stable while items
 * are added, and a checksum of itself and of the list with its parameters, so that it is valid for no other list. The door
 * signs it (cursor-seal.ts).
 */
export function encodeCursor(place: readonly string[], list: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([markOf(list, place), ...place])).toString('base64url')
}

/** Whether a text is a valid part of a position. */
type Part = (text: string) => boolean

export const isAnyPart: Part = () => true
export const isNumberPart: Part = (text) => text !== '' && Number.isFinite(Number(text))
export const isTimePart: Part = (text) => Timestamp.safeParse(text).success
export const isUuidPart: Part = (text) => Uuid.safeParse(text).success
export const isStoreIdPart: Part = (text) => StoreId.safeParse(text).success && BigInt(text) < 2n ** 63n

/** @throws Problem `invalid-cursor` */
export function decodeCursor(
  cursor: string | undefined,
  list: readonly unknown[],
  parts: readonly Part[],
): string[] | undefined {
  if (cursor === undefined) return undefined
  const [mark, ...place] = parsed(cursor) ?? []
  const fits = place.length === parts.length && parts.every((fit, index) => fit(place[index] ?? ''))
  if (!fits || mark !== markOf(list, place)) {
    throw invalidCursor()
  }
  return place
}

export const invalidCursor = (): Problem =>
  new Problem('invalid-cursor', 'The cursor is damaged, or was made by another list or with other parameters.')

function parsed(cursor: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : undefined
  } catch {
    return undefined
  }
}

function markOf(list: readonly unknown[], place: readonly string[]): string {
  return hash('sha256', JSON.stringify([list, place]), 'base64url').slice(0, 12)
}
