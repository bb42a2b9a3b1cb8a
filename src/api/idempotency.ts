import { hash } from 'node:crypto'
import { canonicalJson } from '../domain/idempotency/canonical.ts'
import {
  claimKey,
  deleteOldReplies,
  type StoredReply,
  storedReply,
  storeReply,
} from '../domain/idempotency/queries.ts'
import { type Database, inTransaction } from '../storage/database.ts'
import type { Caller } from './caller.ts'
import type { Outcome, Perform } from './door.ts'
import { Problem, refuseInput } from './problem.ts'

/** A reply that can be sent again. */
export interface SentReply {
  status: number
  body: string
}

/** A request under an `Idempotency-Key`. */
export interface KeyedRequest {
  key: string
  caller: Caller
  /** All that makes it this request and no other; the order of properties makes no difference. */
  asked: readonly unknown[]
  /** Reads it, and does all that comes before the store is changed. */
  prepare: () => Promise<Perform>
  replyOf: (outcome: Outcome) => SentReply
}

const deleteEveryMs = 60 * 60_000

/** Makes writes repeatable: the first reply under an `Idempotency-Key` answers every repetition for 24 hours. */
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
   * Performs a request once for each key, account and credential: a subject of tokens can speak for several accounts. What it changes and its reply are stored together or not at all,
   * so that whoever heard no answer, whatever became of the process, learns by asking again. A failed request releases
   * its key.
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
    // This may ask a source, for longer than a transaction should be held. So two processes may ask under one key at a
    // time; that leaves nothing but evidence, and only one of them performs what follows.
    const perform = await prepare()
    return inTransaction(this.#db, async (transaction) => {
      if (!(await claimKey(transaction, owner, key))) throw stillRunning()
      const kept = await storedReply(transaction, owner, key)
      if (kept) return again(kept, requestHash)
      const reply = replyOf(await perform(transaction))
      await storeReply(transaction, owner, key, { ...reply, requestHash })
      return { ...reply, repeated: false }
    })
  }
}

/** Whose keys they are. */
const ownerOf = ({ accountId, credentialId }: Caller) => `${accountId} ${credentialId}`

const stillRunning = () =>
  new Problem('already-running', 'The first request with this Idempotency-Key has not ended yet.')

function again(kept: StoredReply, requestHash: string): SentReply & { repeated: boolean } {
  if (kept.requestHash !== requestHash)
    throw new Problem('idempotency-mismatch', 'This Idempotency-Key was used with another request.')
  return { status: kept.status, body: kept.body, repeated: true }
}
