import type { ProblemCode, Tool } from './operation-types.ts'

/** What a reply of the service says about a failure (RFC 9457). */
export interface ProblemDetails {
  code: ProblemCode
  status: number
  title: string
  detail: string
  instance: string
  requestId: string
  errors?: { pointer: string; message: string }[]
  scope?: string
  intake?: { state: 'none' | 'queued' | 'running' | 'failed'; intakeId: string | null; country: string | null }
}

/** The service answered that it will not, or cannot. Decide by `code`; the texts are for people. */
export class RivalscopeProblem extends Error {
  readonly tool: Tool
  readonly code: ProblemCode
  readonly status: number
  readonly title: string
  /** What went wrong this time; also the message. */
  readonly detail: string
  /** Names the request in the log of the service. */
  readonly requestId: string
  /** Every offending place, each as a JSON pointer into the request; empty but with `invalid-request`. */
  readonly errors: readonly { pointer: string; message: string }[]
  /** Seconds the service asked to wait; null when it named none. */
  readonly retryAfterSeconds: number | null
  /** The scope that is missing; null but with `scope-missing`. */
  readonly scope: string | null
  /** Whether the app is being taken in; null but with `competitor-not-found`. */
  readonly intake: NonNullable<ProblemDetails['intake']> | null

  constructor(tool: Tool, details: ProblemDetails, retryAfterSeconds: number | null) {
    super(details.detail)
    this.name = 'RivalscopeProblem'
    this.tool = tool
    this.code = details.code
    this.status = details.status
    this.title = details.title
    this.detail = details.detail
    this.requestId = details.requestId
    this.errors = details.errors ?? []
    this.retryAfterSeconds = retryAfterSeconds
    this.scope = details.scope ?? null
    this.intake = details.intake ?? null
  }
}

/**
 * `no-connection`: nothing answered, or the connection broke. `timeout`: no whole answer in time. `redirected`: the
 * address points elsewhere, where the key is not sent. `not-rivalscope`: something else answered.
 */
export type NoAnswerReason = 'no-connection' | 'timeout' | 'redirected' | 'not-rivalscope'

/** No answer of the service came. Whether a write was performed is then not known; repeating it is safe. */
export class ServerUnreachable extends Error {
  /** The address that was asked. */
  readonly server: string
  readonly reason: NoAnswerReason

  constructor(server: string, reason: NoAnswerReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ServerUnreachable'
    this.server = server
    this.reason = reason
  }
}

/** State of work that takes time, as far as all kinds of work share it. */
export interface WorkState {
  status: 'queued' | 'running' | 'succeeded' | 'partial' | 'failed'
  progress: { done: number; total: number | null; unit: string } | null
  lastError: { at: string; code: string; message: string } | null
  createdAt: string
}

/** Work that was waited for did not end well: it failed, or other work is shown in its place. */
export class WorkNotDone extends Error {
  readonly tool: Tool
  readonly reason: 'failed' | 'out-of-sight'
  /** Its last state that was seen. */
  readonly work: WorkState

  constructor(tool: Tool, reason: WorkNotDone['reason'], work: WorkState) {
    const { message } = work.lastError ?? { message: 'it does not say why' }
    super(
      reason === 'failed'
        ? `The work of ${tool} failed: ${message}`
        : `The work of ${tool} is no longer shown: other work took its place, or what it was about is gone.`,
    )
    this.name = 'WorkNotDone'
    this.tool = tool
    this.reason = reason
    this.work = work
  }
}
