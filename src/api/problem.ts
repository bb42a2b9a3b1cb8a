import type { ProblemCode } from '../contract/problems.ts'

/** One offending place of a request. */
export interface InputError {
  /** JSON pointer, beginning with `/path`, `/query`, `/body` or `/header`. */
  pointer: string
  message: string
}

/** What a problem can carry beyond its code and detail. */
export interface ProblemExtras {
  errors?: InputError[]
  scope?: string
  /** How long to wait before asking again, where it is known; HTTP says it in `Retry-After` as well. */
  retryAfterSeconds?: number
  intake?: { state: 'none' | 'queued' | 'running' | 'failed'; intakeId: string | null; country: string | null }
}

/** An expected failure. Doors turn it into their own form; only the HTTP door knows status numbers. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly extras: ProblemExtras

  /** @param detail for the caller: what happened here, and what to do */
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
