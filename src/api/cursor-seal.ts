import { createHmac, timingSafeEqual } from 'node:crypto'
import { storeSecret } from '../domain/accounts/store-secret.ts'
import type { Database } from '../storage/database.ts'
import { invalidCursor } from './cursor.ts'

/** Characters of a seal: 120 bits. */
const sealLength = 20

/**
 * Seals cursors on their way out and opens them on their way in, so that a place in a list is one that was handed out by
 * this installation, for this operation. Every list passes here, whatever its handler does.
 */
export class CursorSeal {
  readonly #db: Database
  #secret: Promise<Buffer> | undefined

  constructor(db: Database) {
    this.#db = db
  }

  /** The input with its cursor as the handler made it. @throws Problem `invalid-cursor` */
  async opened<Given>(tool: string, input: Given): Promise<Given> {
    if (!hasText(input, 'cursor')) return input
    const place = input.cursor.slice(sealLength)
    const [given, made] = [input.cursor.slice(0, sealLength), await this.#sealOf(tool, place)].map((seal) =>
      Buffer.from(seal),
    )
    if (!given || !made || given.length !== made.length || !timingSafeEqual(given, made)) throw invalidCursor()
    return { ...input, cursor: place }
  }

  /** The reply with its cursor as it is handed out. */
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
