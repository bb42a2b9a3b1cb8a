import { hash } from 'node:crypto'
import { Problem } from './problem.ts'

/**
 * An opaque position in a list. It holds the sort key and id of the last item, so pages hold still while items are
 * added, and a mark of itself and of the list with its parameters, so that it works for no other and not once damaged.
 */
export function encodeCursor(place: readonly string[], list: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([markOf(list, place), ...place])).toString('base64url')
}

/** @throws Problem `invalid-cursor` */
export function decodeCursor(
  cursor: string | undefined,
  list: readonly unknown[],
  length: number,
): string[] | undefined {
  if (cursor === undefined) return undefined
  const [mark, ...place] = parsed(cursor) ?? []
  if (place.length !== length || mark !== markOf(list, place)) {
    throw new Problem(
      'invalid-cursor',
      'The cursor is damaged, or was made by another list or with other parameters.',
    )
  }
  return place
}

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
