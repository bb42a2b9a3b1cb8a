import { createHmac, timingSafeEqual } from 'node:crypto'
import { storeSecret } from '../domain/accounts/store-secret.ts'
import type { Database } from '../storage/database.ts'
import { invalidCursor } from './cursor.ts'

/** Length of a seal in characters: 120 bits. */
const sealLength = 20

/**
 * Signs outgoing cursors and verifies incoming ones, so that only cursors issued by this installation for this operation
 * are accepted. Applies to every list, independent of its handler.
 */
export class CursorSeal {
  readonly #db: Database
  #secret: Promise<Buffer> | undefined

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

  /** The reply with a signed cursor. */
  async sealed(tool: string, reply: unknown): Promise<unknown> {
    if (!hasText(reply, 'nextCursor')) return reply
    const { nextCursor } = reply
    return { ...reply, nextCursor: `${await this.#sealOf(tool, nextCursor)}${nextCursor}` }
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
