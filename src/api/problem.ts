import type { z } from 'zod'
import type { ProblemCode } from '../contract/problems.ts'
import type { ChartName } from '../contract/shapes/charts.ts'

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

/** @throws always */
export function refuseInput(errors: InputError[]): never {
  const [first] = errors
  throw new Problem(
    'invalid-request',
    first ? `${first.pointer}: ${first.message}` : 'The request is not valid.',
    { errors },
  )
}
