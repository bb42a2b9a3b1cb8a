import { handleWhen, retry } from 'cockatiel'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import { backOff, isWorthAnotherAttempt } from './back-off.ts'
import { circuitBreakersOf } from './circuit-breakers.ts'
import { exchange, type ReportedFailure, type UpstreamResponse } from './exchange.ts'
import { isAnswer, SourceFailure } from './failure.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { SourceSettings } from './settings.ts'

/** One call of an upstream. */
interface Ask<Value> {
  /** Path and query, from the base address. */
  path: string
  /** Storefront asked, or null where the upstream has none. */
  country: string | null
  headers: Record<string, string>
  /** Sent with POST; without one the call is a GET. */
  body?: string
  /** Called for each request as it goes out. */
  onRequest?: () => void
  /** Reads the answer once. @throws UnfitPayload when it is not what was asked for */
  read: (bytes: Uint8Array) => Value
  signal: AbortSignal
}

/** What came back. */
export interface FetchedAnswer<Value> {
  /** As received, after content decoding, and cleaned where the policy says so. */
  bytes: Uint8Array
  value: Value
  fetchedAt: Date
  url: string
  /** How often was asked until the answer was here, from 1. */
  attempts: number
}

/** An upstream that is asked within its limits. */
export interface PoliteSource {
  /** @throws SourceFailure, or the signal's reason when it aborts */
  get<Value>(ask: Ask<Value>): Promise<FetchedAnswer<Value>>
}

/** What one upstream is known to do, beside its settings. */
export interface UpstreamPolicy {
  /** What a 403 without `Retry-After` means here. */
  forbiddenMeans: 'throttled' | 'refused'
  /** Failures it reports in its own words, with whatever status; undefined when an answer reports none. */
  failureIn?: (answer: UpstreamResponse) => ReportedFailure | undefined
  /** How long everybody should leave it alone after an answer that went well, in milliseconds; 0 for not at all. */
  restAfter?: (headers: Headers) => number
  /** Takes out of an answer what must not be kept, before anybody reads it. */
  clean?: (bytes: Uint8Array) => Uint8Array
}

/** Waits, in milliseconds; tests make them short. */
export interface Waits {
  /** Before the second attempt, roughly; later ones wait longer. */
  backOffMs: number
  /** How long an upstream is left alone that throttles without saying for how long. */
  throttledMs: number
  /** How long a broken circuit stays open. */
  openMs: number
}

export const usualWaits: Waits = { backOffMs: 1_000, throttledMs: 60_000, openMs: 60_000 }

/**
 * Asks one upstream: every attempt takes a turn of its pace; connection trouble, 5xx and broken answers are tried again
 * after a growing, jittered wait; throttling is not, but holds the pace for everybody. After five calls in a row that
 * failed, the circuit of that storefront opens, and nothing is asked until it closes. Circuits are known to this process
 * only.
 */
export function politeSource(
  upstream: string,
  settings: SourceSettings,
  policy: UpstreamPolicy,
  rateLimiter: RateLimiter,
  waits: Waits = usualWaits,
): PoliteSource {
  const circuits = circuitBreakersOf(upstream, waits.openMs)

  async function attempt<Value>(ask: Ask<Value>, url: URL, attempts: number): Promise<FetchedAnswer<Value>> {
    await rateLimiter.turn(settings.pace, settings.callsPerMinute, ask.signal)
    const { country, body, signal } = ask
    const headers = { ...settings.headers, ...ask.headers }
    try {
      ask.onRequest?.()
      const answer = await exchange({ upstream, country, url, headers, body, settings, ...policy, signal })
      const restMs = policy.restAfter?.(answer.headers) ?? 0
      if (restMs > 0) await rateLimiter.hold(settings.pace, restMs)
      const { bytes, fetchedAt } = answer
      return { bytes, fetchedAt, value: understood(ask, bytes), url: url.href, attempts }
    } catch (error) {
      if (error instanceof SourceFailure && asksForPeace(error))
        await rateLimiter.hold(settings.pace, error.retryAfterMs ?? waits.throttledMs)
      throw error
    }
  }

  function understood<Value>({ read, country }: Ask<Value>, bytes: Uint8Array): Value {
    try {
      return read(bytes)
    } catch (error) {
      if (!(error instanceof UnfitPayload)) throw error
      throw new SourceFailure(
        { kind: error.kind, upstream, country, status: 200, bytes },
        error.discreet,
        error,
      )
    }
  }

  async function persist<Value>(ask: Ask<Value>): Promise<FetchedAnswer<Value> | SourceFailure> {
    const url = new URL(settings.baseUrl.replace(/\/+$/, '') + ask.path)
    const policy = retry(handleWhen(isWorthAnotherAttempt), {
      maxAttempts: settings.attempts - 1,
      backoff: backOff(waits.backOffMs),
    })
    try {
      return await policy.execute((context) => {
        ask.signal.throwIfAborted()
        return attempt(ask, url, context.attempt + 1)
      }, ask.signal)
    } catch (error) {
      // Some failures are answers: the upstream is well, and its circuit stays closed.
      if (error instanceof SourceFailure && isAnswer(error)) return error
      throw error
    }
  }

  async function guarded<Value>(ask: Ask<Value>): Promise<FetchedAnswer<Value>> {
    const outcome = await circuits.run(ask.country, () => persist(ask), ask.signal)
    if (outcome instanceof SourceFailure) throw outcome
    return outcome
  }

  return { get: (ask) => unlessAborted(guarded(ask), ask.signal) }
}

/** Whether everybody should leave the upstream alone for a while. */
const asksForPeace = (failure: SourceFailure) =>
  failure.kind === 'throttled' || (failure.status === 503 && failure.retryAfterMs !== undefined)

/** Waits of others, such as those between attempts, do not know the signal: whoever aborts is let go at once. */
function unlessAborted<Value>(outcome: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  const leave = () => reject(signal.reason)
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  outcome.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  return promise
}
