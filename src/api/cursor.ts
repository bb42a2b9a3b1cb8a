import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { StoreId, Timestamp, Uuid } from '../contract/shapes/primitives.ts'
import { storeSecret } from '../domain/accounts/store-secret.ts'
import type { Database } from '../storage/database.ts'
import { Problem } from './problem.ts'
import { keepReplyAs } from './reply-json.ts'

/**
 * Encodes an opaque position in a list. It holds the sort key and id of the last item, so that pages are stable while items
 * are added, and a checksum of itself and of the list with its parameters, so that it is valid for no other list. The door
 * signs it.
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

const invalidCursor = (): Problem =>
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

/** Length of a seal in characters: 120 bits. */
const sealLength = 20

/**
 * Signs outgoing cursors and verifies incoming ones, so that only cursors issued by this installation for this operation
 * are accepted. Applies to every list, independent of its handler.
 */
export class CursorSeal {
  readonly #db: Database
  #secret: Promise<Buffer> | undefined
  /** A remembered reply is signed once. */
  readonly #sealed = new WeakMap<object, object>()

  constructor(db: Database) {
    this.#db = db
  }

  /** The input with the cursor that the handler created. An empty cursor counts as none. @throws Problem `invalid-cursor` */
  async opened<Given>(tool: string, input: Given): Promise<Given> {
    if (!hasText(input, 'cursor')) return input
    if (input.cursor === '') return { ...input, cursor: undefined }
    const place = input.cursor.slice(sealLength)
    const [given, made] = [input.cursor.slice(0, sealLength), await this.#sealOf(tool, place)].map((seal) =>
      Buffer.from(seal),
    )
    if (!given || !made || given.length !== made.length || !timingSafeEqual(given, made)) throw invalidCursor()
    return { ...input, cursor: place }
  }

  /** The reply with a signed cursor. @param tool always the same for a reply */
  async sealed(tool: string, reply: unknown): Promise<unknown> {
    if (!hasText(reply, 'nextCursor')) return reply
    const known = this.#sealed.get(reply)
    if (known) return known
    const { nextCursor } = reply
    const sealed = { ...reply, nextCursor: `${await this.#sealOf(tool, nextCursor)}${nextCursor}` }
    // Requests that came meanwhile share the first one.
    const first = this.#sealed.get(reply)
    if (first) return first
    this.#sealed.set(reply, sealed)
    keepReplyAs(reply, sealed)
    return sealed
  }

  async #sealOf(tool: string, place: string): Promise<string> {
    this.#secret ??= storeSecret(this.#db).catch((error: unknown) => {
      this.#secret = undefined
      throw error
    })
    return createHmac('sha256', await this.#secret)
      .update(`${tool} ${place}`)
      .digest('base64url')
      .slice(0, sealLength)
  }
}

function hasText<Name extends string>(value: unknown, name: Name): value is Record<Name, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { [N in Name]?: unknown })[name] === 'string'
  )
}
