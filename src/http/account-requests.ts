import type { Caller } from '../api/caller.ts'
import { remember } from '../api/remembered.ts'
import { withStore } from '../api/unavailable.ts'
import type { Allowance, RateLimit } from './rate-limit.ts'

/** A changed limit takes effect within this time, and a busy account costs one query in it. */
const knownMs = 1_000

/** Counts the requests of accounts that have a limit of their own, over all their credentials and all processes. */
export class AccountRequests {
  readonly #limitOf: (accountId: string) => Promise<number | undefined>
  readonly #counterOf: (limit: number) => RateLimit
  readonly #known = new Map<string, { limit: Promise<number | undefined>; until: number }>()
  readonly #counters = new Map<number, RateLimit>()

  /** @param counterOf a counter with that limit, shared by all processes */
  constructor(
    limitOf: (accountId: string) => Promise<number | undefined>,
    counterOf: (limit: number) => RateLimit,
  ) {
    this.#limitOf = limitOf
    this.#counterOf = counterOf
  }

  /** Takes one request; undefined where the account has no limit. @throws RateLimited when none is left */
  async take(accountId: string): Promise<Allowance | undefined> {
    const limit = await this.#limit(accountId)
    if (limit === undefined) return undefined
    const counter = this.#counters.get(limit) ?? this.#counterOf(limit)
    remember(this.#counters, limit, counter)
    return counter.take(`account:${accountId}`)
  }

  #limit(accountId: string): Promise<number | undefined> {
    const known = this.#known.get(accountId)
    if (known && known.until > Date.now()) return known.limit
    const limit = this.#limitOf(accountId)
    remember(this.#known, accountId, { limit, until: Date.now() + knownMs })
    limit.catch(() => this.#known.delete(accountId))
    return limit
  }
}

/** The counters of requests; undefined where requests are not limited. */
export interface RequestCounters {
  rateLimit: RateLimit | undefined
  accountRequests?: AccountRequests
}

/**
 * Counts one request against the limits of the caller's account and credential.
 * @returns the smaller remaining allowance; undefined where nothing is limited
 * @throws RateLimited when a limit is reached
 */
export function takeRequest(
  { accountId, credentialId }: Caller,
  { rateLimit, accountRequests }: RequestCounters,
): Promise<Allowance | undefined> {
  return withStore(async () => {
    const ofAccount = await accountRequests?.take(accountId)
    const ofCredential = await rateLimit?.take(credentialId)
    if (!ofAccount || !ofCredential) return ofAccount ?? ofCredential
    return ofAccount.remaining < ofCredential.remaining ? ofAccount : ofCredential
  })
}
