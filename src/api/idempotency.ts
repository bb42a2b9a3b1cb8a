import { hash } from 'node:crypto'
import { canonicalJson } from '../domain/idempotency/canonical.ts'
import {
  claimKey,
  deleteOldReplies,
  keepReply,
  type StoredReply,
  storedReply,
} from '../domain/idempotency/queries.ts'
import { atomically, type Database } from '../storage/database.ts'
import type { Caller } from './caller.ts'
import type { OperationOutcome, PerformOnDatabase } from './door.ts'
import { Problem, refuseInput } from './problem.ts'

/** A stored reply. */
export interface SentReply {
  status: number
  body: string
}

/** A request under an `Idempotency-Key`. */
export interface KeyedRequest {
  key: string
  caller: Caller
  /** The canonical request, which identifies it; independent of the order of properties. */
  asked: readonly unknown[]
  /** Parses it, and does everything that precedes changes of the store. */
  prepare: () => Promise<PerformOnDatabase>
  replyOf: (outcome: OperationOutcome) => Promise<SentReply>
}

const deleteEveryMs = 60 * 60_000

/** Makes writes idempotent: the first reply under an `Idempotency-Key` answers every repetition for 24 hours. */
export class IdempotentRequests implements Disposable {
  readonly #db: Database
  readonly #deleting: NodeJS.Timeout
  /** Requests of this process under way, by owner and key. */
  readonly #underWay = new Set<string>()

  constructor(db: Database) {
    this.#db = db
    this.#deleting = setInterval(() => void deleteOldReplies(db).catch(() => {}), deleteEveryMs).unref()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#deleting)
  }

  /**
   * Performs a request once for each key, account and credential: a subject of tokens can act for several accounts. Its
   * changes and its reply are stored atomically, so that a caller who got no reply, even after a crash, can safely repeat
   * the request. A failed request releases its key.
   * @throws Problem `idempotency-mismatch`, `already-running`, `invalid-request`
   */
  async once(request: KeyedRequest): Promise<SentReply & { repeated: boolean }> {
    const { key, caller, asked } = request
    if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
      refuseInput([
        { pointer: '/header/Idempotency-Key', message: 'must be 1 to 200 visible ASCII characters' },
      ])
    }
    const name = `${ownerOf(caller)} ${key}`
    if (this.#underWay.has(name)) throw stillRunning()
    this.#underWay.add(name)
    try {
      return await this.#answer(request, hash('sha256', canonicalJson(asked)))
    } finally {
      this.#underWay.delete(name)
    }
  }

  async #answer(
    { key, caller, prepare, replyOf }: KeyedRequest,
    requestHash: string,
  ): Promise<SentReply & { repeated: boolean }> {
    const owner = ownerOf(caller)
    const before = await storedReply(this.#db, owner, key)
    if (before) return again(before, requestHash)
    // This may call a source, for longer than a transaction should be held. So two processes may do it under one key at the
    // same time; the only side effect is evidence, and only one of them performs the rest.
    const perform = await prepare()
    return atomically(
      this.#db,
      async (transaction) => {
        // Sent after the statement that takes the key: statements run in the order in which they are sent.
        const [isFree, kept] = await Promise.all([
          claimKey(transaction, owner, key),
          storedReply(transaction, owner, key),
        ])
        if (!isFree) throw stillRunning()
        if (kept) return again(kept, requestHash)
        return { ...(await replyOf(await perform(transaction))), repeated: false }
      },
      ({ repeated, status, body }) =>
        repeated ? undefined : keepReply(owner, key, { status, body, requestHash }),
    )
  }
}

/** The owner of keys. */
const ownerOf = ({ accountId, credentialId }: Caller) => `${accountId} ${credentialId}`

const stillRunning = () =>
  new Problem('already-running', 'The first request with this Idempotency-Key has not ended yet.')

function again(kept: StoredReply, requestHash: string): SentReply & { repeated: boolean } {
  if (kept.requestHash !== requestHash)
    throw new Problem('idempotency-mismatch', 'This Idempotency-Key was used with another request.')
  return { status: kept.status, body: kept.body, repeated: true }
}
