import type { FailureKind } from '../../vocabulary/failure-kinds.ts'

export interface FailureFacts {
  kind: FailureKind
  /** Name of the upstream in the settings. */
  upstream: string
  country: string | null
  /** HTTP status, where one arrived. */
  status?: number
  /** The wait that the source demands. */
  retryAfterMs?: number
  /** The source's own code for the failure. */
  code?: string
  /** A complete answer that does not parse as what was requested, or says that there is nothing. */
  bytes?: Uint8Array
}

/** The message is for people: what failed, without the body of the answer and without secrets. */
export class SourceFailure extends Error {
  readonly kind: FailureKind
  readonly upstream: string
  readonly country: string | null
  readonly status?: number
  readonly retryAfterMs?: number
  readonly code?: string
  readonly #bytes: Uint8Array | undefined

  constructor(facts: FailureFacts, what: string, cause?: unknown) {
    const { kind, upstream, country, status, retryAfterMs, code } = facts
    super(`${upstream}${country === null ? '' : ` (${country})`}: ${what}`, { cause })
    this.name = 'SourceFailure'
    this.kind = kind
    this.upstream = upstream
    this.country = country
    if (status !== undefined) this.status = status
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs
    if (code !== undefined) this.code = code
    this.#bytes = facts.bytes
  }

  /** The raw answer, stored so that a fixed parser can read it later. Loggers do not see it. */
  get bytes(): Uint8Array | undefined {
    return this.#bytes
  }
}

const answers = new Set<FailureKind>(['not-found', 'too-much', 'credential', 'permission'])

/** Whether a failure is a valid answer of a healthy source: it does not count for the circuit breaker. */
export const isAnswer = ({ kind }: SourceFailure) => answers.has(kind)

/** Whether the source is healthy and only this answer is faulty: other calls may succeed, a retry of this one will not. */
export const isAnswerFaulty = ({ kind, bytes }: SourceFailure) =>
  (bytes !== undefined && kind !== 'not-found') ||
  kind === 'too-large' ||
  kind === 'not-json' ||
  kind === 'unexpected-shape'
