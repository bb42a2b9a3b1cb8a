import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  decorrelatedJitterGenerator,
  handleType,
  handleWhen,
  retry,
} from 'cockatiel'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import type { CallOutcome } from '../../vocabulary/failure-kinds.ts'
import type { SourceSettings } from '../settings.ts'
import { performExchange, type ReportedFailure, type UpstreamResponse } from './exchange.ts'
import { isAnswer, SourceFailure } from './failure.ts'

/** One call of an upstream. */
interface Ask<Value> {
  /** Path and query, relative to the base address. */
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

/** The answer to a call. */
export interface FetchedAnswer<Value> {
  /** As received, after content decoding, and cleaned where the policy says so. */
  bytes: Uint8Array
  value: Value
  fetchedAt: Date
  url: string
  /** Attempts until the answer arrived, from 1. */
  attempts: number
}

/** An upstream with its limits: pace, retries and circuit breaker. */
export interface PoliteSource {
  /** @throws SourceFailure, or the signal's reason when it aborts */
  get<Value>(ask: Ask<Value>): Promise<FetchedAnswer<Value>>
}

/** Known behaviour of one upstream, besides its settings. */
export interface UpstreamPolicy {
  /** What a 403 without `Retry-After` means here. */
  forbiddenMeans: 'throttled' | 'refused'
  /** Failures it reports in the body, with any status; undefined when an answer reports none. */
  failureIn?: (answer: UpstreamResponse) => ReportedFailure | undefined
  /** The hold after a successful answer, in milliseconds; 0 for none. */
  restAfter?: (headers: Headers) => number
  /** Whether the body of a 404 or 410 is read, and kept with the failure. */
  keepsNotFound?: boolean
  /** Removes secrets from an answer, before it is parsed. */
  clean?: (bytes: Uint8Array) => Uint8Array
}

/** Waits, in milliseconds; tests make them short. */
export interface WaitTimes {
  /** Before the second attempt, roughly; later ones wait longer. */
  backOffMs: number
  /** The hold for an upstream that throttles without `Retry-After`. */
  throttledMs: number
  /** How long a circuit stays open. */
  openMs: number
}

export const defaultWaits: WaitTimes = { backOffMs: 1_000, throttledMs: 60_000, openMs: 60_000 }

/**
 * Asks one upstream. Every attempt waits for the rate limiter. Connection failures, 5xx and incomplete answers are retried
 * with exponential back-off; throttling is not, but holds requests of all processes. After five consecutive failed calls the
 * circuit of that storefront opens, and no request is sent until it closes. Circuits are local to this process.
 */
export function politeSource(
  upstream: string,
  settings: SourceSettings,
  policy: UpstreamPolicy,
  rateLimiter: RateLimiter,
  waits: WaitTimes = defaultWaits,
): PoliteSource {
  const circuits = circuitBreakersOf(upstream, waits.openMs)

  async function attempt<Value>(ask: Ask<Value>, url: URL, attempts: number): Promise<FetchedAnswer<Value>> {
    await rateLimiter.turn(settings.pace, settings.callsPerMinute, ask.signal)
    const { country, body, signal } = ask
    const headers = { ...settings.headers, ...ask.headers }
    try {
      ask.onRequest?.()
      const answer = await performExchange({
        upstream,
        country,
        url,
        headers,
        body,
        settings,
        ...policy,
        signal,
      })
      const restMs = policy.restAfter?.(answer.headers) ?? 0
      if (restMs > 0) await rateLimiter.hold(settings.pace, restMs)
      const { bytes, fetchedAt } = answer
      const value = understood(ask, bytes)
      await counted('answered')
      return { bytes, fetchedAt, value, url: url.href, attempts }
    } catch (error) {
      if (error instanceof SourceFailure) {
        if (asksForPeace(error)) await rateLimiter.hold(settings.pace, error.retryAfterMs ?? waits.throttledMs)
        await counted(error.kind)
      }
      throw error
    }
  }

  /** A failure to count a call must not lose its answer. */
  const counted = (outcome: CallOutcome) => rateLimiter.count(upstream, outcome).catch(() => {})

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
      // Some failures are valid answers of a healthy upstream: its circuit stays closed.
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

/** Whether the failure puts the upstream on hold. */
const asksForPeace = (failure: SourceFailure) =>
  failure.kind === 'throttled' || (failure.status === 503 && failure.retryAfterMs !== undefined)

/** Library waits, such as those between attempts, ignore the signal: on abort the caller is released at once. */
function unlessAborted<Value>(outcome: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  const leave = () => reject(signal.reason)
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  outcome.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  return promise
}

/** Limits how often an upstream is asked, over all processes together, and counts how calls end. */
export interface RateLimiter {
  /**
   * Resolves when it is the caller's turn. With 0 calls a minute there is no spacing, but holds still apply.
   * @throws the signal's reason when it aborts first
   */
  turn(upstream: string, callsPerMinute: number, signal: AbortSignal): Promise<void>
  /** Blocks all turns for this long from now. A hold never shortens an existing one. */
  hold(upstream: string, forMs: number): Promise<void>
  /** Counts a call that has ended. */
  count(upstream: string, outcome: CallOutcome): Promise<void>
}

const failuresInARow = 5

/** The circuit breakers of one upstream, one for each storefront, known to this process only. */
export interface CircuitBreakers {
  /**
   * Runs the call, unless the circuit is open. A half-open circuit lets a single call through first.
   * @throws SourceFailure `circuit-open`, or any error of the call
   */
  run<Value>(country: string | null, call: () => Promise<Value>, signal: AbortSignal): Promise<Value>
}

/** A circuit opens after five failed calls in a row, and stays open for `openMs`. */
function circuitBreakersOf(upstream: string, openMs: number): CircuitBreakers {
  const circuits = new Map<string | null, CircuitBreaker>()
  return {
    async run(country, call, signal) {
      const circuit = circuits.get(country) ?? newCircuitBreaker(openMs)
      circuits.set(country, circuit)
      try {
        return await circuit.policy.execute(call, signal)
      } catch (error) {
        if (!(error instanceof BrokenCircuitError)) throw error
        const retryAfterMs = Math.max(0, circuit.openUntil - Date.now())
        const facts = { kind: 'circuit-open', upstream, country, retryAfterMs } as const
        throw new SourceFailure(facts, `left alone after ${failuresInARow} failures in a row`)
      }
    },
  }
}

interface CircuitBreaker {
  policy: CircuitBreakerPolicy
  /** Milliseconds since 1970. */
  openUntil: number
}

function newCircuitBreaker(openMs: number): CircuitBreaker {
  const breaker = new ConsecutiveBreaker(failuresInARow)
  const circuit = {
    policy: circuitBreaker(handleType(SourceFailure), { halfOpenAfter: openMs, breaker }),
    openUntil: 0,
  }
  circuit.policy.onBreak(() => {
    circuit.openUntil = Date.now() + openMs
  })
  return circuit
}

const longestMs = 15_000
/** Longest hold that is waited out; after a longer one a later job retries. */
const shortWaitMs = 5_000

const passing = new Set<SourceFailure['kind']>(['unreachable', 'timeout', 'cut-off', 'unavailable'])

/** Whether the failure is transient. Throttling is not: an immediate retry makes it worse. */
const isWorthAnotherAttempt = (error: unknown) =>
  error instanceof SourceFailure && passing.has(error.kind) && (error.retryAfterMs ?? 0) <= shortWaitMs

type State = ReturnType<typeof decorrelatedJitterGenerator>[1]

/** Exponential back-off with decorrelated jitter, never shorter than `Retry-After`. */
function backOff(initialDelay: number) {
  const options = { initialDelay, maxDelay: longestMs, exponent: 2, generator: decorrelatedJitterGenerator }
  return new DelegateBackoff<{ result: unknown }, State>(({ result }, state) => {
    const [delay, next] = decorrelatedJitterGenerator(state, options)
    const asked = isFailed(result) && result.error instanceof SourceFailure ? result.error.retryAfterMs : 0
    return { delay: Math.max(delay, asked ?? 0), state: next }
  })
}

const isFailed = (result: unknown): result is { error: unknown } =>
  typeof result === 'object' && result !== null && 'error' in result
