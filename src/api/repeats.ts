import { hash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { forgetOldReplies, keepReply, releaseKey, takeKey } from '../domain/repeats/queries.ts'
import type { Database } from '../storage/database.ts'
import type { Caller } from './caller.ts'
import { Problem, refuseInput } from './problem.ts'

/** A reply that can be sent again. */
export interface SentReply {
  status: number
  body: string
}

const forgetEveryMs = 60 * 60_000

/** Makes writes repeatable: the first reply under an `Idempotency-Key` answers every repetition for 24 hours. */
export class Repeats implements Disposable {
  readonly #db: Database
  readonly #forgetting: NodeJS.Timeout

  constructor(db: Database) {
    this.#db = db
    this.#forgetting = setInterval(() => void forgetOldReplies(db).catch(() => {}), forgetEveryMs).unref()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#forgetting)
  }

  /**
   * Performs a request once for each key and credential. A failed request releases its key.
   * @throws Problem `idempotency-mismatch`, `already-running`, `invalid-request`
   */
  async once(
    key: string,
    caller: Caller,
    request: readonly unknown[],
    perform: () => Promise<SentReply>,
  ): Promise<SentReply & { repeated: boolean }> {
    if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
      refuseInput([
        { pointer: '/header/Idempotency-Key', message: 'must be 1 to 200 visible ASCII characters' },
      ])
    }
    const requestHash = hash('sha256', JSON.stringify(request))
    const claim = uuidv7()
    const kept = await takeKey(this.#db, caller.credentialId, key, requestHash, claim)
    if (kept) {
      if (kept.requestHash !== requestHash)
        throw new Problem('idempotency-mismatch', 'This Idempotency-Key was used with another request.')
      if (kept.status === null)
        throw new Problem('already-running', 'The first request with this Idempotency-Key has not ended yet.')
      return { status: kept.status, body: kept.body ?? '', repeated: true }
    }
    try {
      const reply = await perform()
      await keepReply(this.#db, claim, reply.status, reply.body)
      return { ...reply, repeated: false }
    } catch (error) {
      await releaseKey(this.#db, claim).catch(() => {})
      throw error
    }
  }
}
