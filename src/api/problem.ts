import type { z } from 'zod'
import type { ProblemCode } from '../contract/problems.ts'
import type { ChartName } from '../contract/shapes/charts.ts'
import { LimitReached } from '../domain/accounts/limits.ts'
import { isStatementTimeout, isStoreUnavailable } from '../storage/store.ts'

/** One invalid field of a request. */
export interface InputError {
  /** JSON pointer, beginning with `/path`, `/query`, `/body` or `/header`. */
  pointer: string
  message: string
}

/** Optional fields of a problem. */
export interface ProblemExtras {
  errors?: InputError[]
  scope?: string
  /** Seconds to wait before a retry, where known; HTTP also sends it as `Retry-After`. */
  retryAfterSeconds?: number
  intake?: { state: 'none' | 'queued' | 'running' | 'failed'; intakeId: string | null; country: string | null }
  storedCharts?: z.output<typeof ChartName>[]
}

/** An expected failure. Each interface formats it; only HTTP knows status codes. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly extras: ProblemExtras

  /** @param detail for the caller: what failed, and what to do */
  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}) {
    super(detail)
    this.name = 'Problem'
    this.code = code
    this.extras = extras
  }
}

/** @throws Problem when an account has reached a limit, and any other error as it is */
export function refuseByLimit(error: unknown): never {
  throw error instanceof LimitReached ? new Problem('invalid-request', error.message) : error
}

/** @throws always */
export function refuseInput(errors: InputError[]): never {
  const [first] = errors
  throw new Problem(
    'invalid-request',
    first ? `${first.pointer}: ${first.message}` : 'The request is not valid.',
    { errors },
  )
}

/** Runs work that needs the store. Turns an unreachable store, or one that cannot be written, into an expected failure. */
export async function storeFailuresAsProblems<T>(perform: () => Promise<T>): Promise<T> {
  try {
    return await perform()
  } catch (error) {
    if (isStoreUnavailable(error))
      throw new Problem(
        'unavailable',
        'The store cannot be reached, or cannot write, right now. Try again shortly.',
      )
    if (isStatementTimeout(error))
      throw new Problem(
        'unavailable',
        'The store took too long over this request, and it was ended; nothing was changed. Ask for less, or try again shortly.',
      )
    throw error
  }
}

/**
 * The problem for a source that could not be asked, or did not answer.
 * @param until when it may be asked again; undefined where that is unknown
 */
export function upstreamProblem(
  code: Extract<ProblemCode, 'upstream-failed' | 'upstream-timeout'>,
  detail: string,
  until: Date | undefined,
): Problem {
  if (!until) return new Problem(code, detail)
  const seconds = Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1_000))
  return new Problem(code, detail, { retryAfterSeconds: seconds })
}
