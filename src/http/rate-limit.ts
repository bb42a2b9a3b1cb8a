import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import type { Caller } from '../api/caller.ts'
import { Problem, storeFailuresAsProblems } from '../api/problem.ts'
import { addToCache } from '../api/remembered.ts'

/** The remaining requests of a credential in this window. */
interface Allowance {
  limit: number
  windowSeconds: number
  remaining: number
  /** Seconds until the window ends. */
  resetSeconds: number
}

/** Requests are taken from the shared counter in portions of this share of the limit. */
const portionShare = 1 / 20

/**
 * Counts the requests of credentials. The counter is shared by all processes; each takes its requests in
 * portions and hands them out from memory: the limit holds over all processes, a request rarely waits for the
 * database, and at most a portion a process stays unused at the end of a window.
 */
export class RateLimit {
  readonly #limiter: RateLimiterAbstract
  readonly #whose: string | undefined
  readonly #portion: number
  readonly #portions = new Map<string, { left: number; remaining: number; until: number }>()
  readonly #fetching = new Map<string, Promise<void>>()

  /** @param whose the subject of a refusal besides the caller, such as `this account` */
  constructor(limiter: RateLimiterAbstract, whose?: string) {
    this.#limiter = limiter
    this.#whose = whose
    this.#portion = Math.max(1, Math.floor(limiter.points * portionShare))
  }

  /** Takes one request. @throws RateLimited when none is left */
  async take(credential: string): Promise<Allowance> {
    if (this.#portion === 1) {
      const single = await this.#consume(credential, 1)
      if (single instanceof RateLimited) throw single
      return this.#allowance(single.remaining, single.msBeforeNext)
    }
    for (;;) {
      const held = this.#portions.get(credential)
      const now = Date.now()
      if (held && held.left > 0 && held.until > now) {
        held.left--
        return this.#allowance(held.remaining + held.left, held.until - now)
      }
      await this.#fetchPortion(credential)
    }
  }

  /** Requests that find no portion in memory at the same time wait for the same one. */
  #fetchPortion(credential: string): Promise<void> {
    const under = this.#fetching.get(credential)
    if (under !== undefined) return under
    const fetching = this.#takePortion(credential)
      .then((taken) => this.#remember(credential, taken))
      .finally(() => this.#fetching.delete(credential))
    this.#fetching.set(credential, fetching)
    return fetching
  }

  async #takePortion(credential: string): Promise<{ count: number; remaining: number; msBeforeNext: number }> {
    const portion = await this.#consume(credential, this.#portion)
    if (!(portion instanceof RateLimited)) return { count: this.#portion, ...portion }
    // The portion exceeds what is left: it is given back, and single requests use up the rest. Not in the last second: if
    // the window ends meanwhile, the next one would allow more than the limit.
    if (portion.allowance.resetSeconds <= 1) throw portion
    await this.#limiter.reward(credential, this.#portion)
    const single = await this.#consume(credential, 1)
    if (single instanceof RateLimited) throw single
    return { count: 1, ...single }
  }

  async #consume(
    credential: string,
    points: number,
  ): Promise<{ remaining: number; msBeforeNext: number } | RateLimited> {
    try {
      const { remainingPoints, msBeforeNext } = await this.#limiter.consume(credential, points)
      return { remaining: remainingPoints, msBeforeNext }
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      // The window may have ended since it was counted; a client told to wait zero seconds would retry without a pause.
      return new RateLimited(this.#allowance(0, Math.max(1, refusal.msBeforeNext)), this.#whose)
    }
  }

  #remember(credential: string, taken: { count: number; remaining: number; msBeforeNext: number }): void {
    if (this.#portions.size > 10_000) this.#portions.clear()
    this.#portions.set(credential, {
      left: taken.count,
      remaining: taken.remaining,
      until: Date.now() + taken.msBeforeNext,
    })
  }

  #allowance(remaining: number, msBeforeNext: number): Allowance {
    return {
      limit: this.#limiter.points,
      windowSeconds: this.#limiter.duration,
      remaining: Math.max(0, remaining),
      resetSeconds: Math.max(0, Math.ceil(msBeforeNext / 1000)),
    }
  }
}

export class RateLimited extends Problem {
  readonly allowance: Allowance

  constructor(allowance: Allowance, whose?: string) {
    super(
      'rate-limited',
      `The limit ${whose === undefined ? '' : `of ${whose} `}of ${counted(allowance.limit, 'request')} in ${allowance.windowSeconds} seconds is used up. Try again in ${counted(allowance.resetSeconds, 'second')}.`,
    )
    this.allowance = allowance
  }
}

/** The header fields of draft-ietf-httpapi-ratelimit-headers. */
export function allowanceHeaders({
  limit,
  windowSeconds,
  remaining,
  resetSeconds,
}: Allowance): Record<string, string> {
  return {
    'ratelimit-policy': `"default";q=${limit};w=${windowSeconds}`,
    ratelimit: `"default";r=${remaining};t=${resetSeconds}`,
  }
}

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

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
    addToCache(this.#counters, limit, counter)
    return counter.take(`account:${accountId}`)
  }

  #limit(accountId: string): Promise<number | undefined> {
    const known = this.#known.get(accountId)
    if (known && known.until > Date.now()) return known.limit
    const limit = this.#limitOf(accountId)
    addToCache(this.#known, accountId, { limit, until: Date.now() + knownMs })
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
export function countRequest(
  { accountId, credentialId }: Caller,
  { rateLimit, accountRequests }: RequestCounters,
): Promise<Allowance | undefined> {
  return storeFailuresAsProblems(async () => {
    const ofAccount = await accountRequests?.take(accountId)
    const ofCredential = await rateLimit?.take(credentialId)
    if (!ofAccount || !ofCredential) return ofAccount ?? ofCredential
    return ofAccount.remaining < ofCredential.remaining ? ofAccount : ofCredential
  })
}
