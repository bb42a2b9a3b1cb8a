import type { Operations, ProblemCode, Tool } from './operation-types.ts'

type StoredChart = Pick<
  Operations['get_apple_charts']['reply'],
  'country' | 'chart' | 'categoryId' | 'categoryName' | 'device'
>

/** The body of a failed reply (RFC 9457). */
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
  storedCharts?: StoredChart[]
}

/** The service answered with a failure. Branch on `code`; the texts are for people. */
export class RivalscopeProblem extends Error {
  readonly tool: Tool
  readonly code: ProblemCode
  readonly status: number
  readonly title: string
  /** The cause of the failure; also the message. */
  readonly detail: string
  /** Identifies the request in the log of the service. */
  readonly requestId: string
  /** Every invalid field, each as a JSON pointer into the request; empty except for `invalid-request`. */
  readonly errors: readonly { pointer: string; message: string }[]
  /** Seconds to wait before a retry; null when the service gave none. */
  readonly retryAfterSeconds: number | null
  /** The missing scope; null except for `scope-missing`. */
  readonly scope: string | null
  /** The request to add the app, if there is one; null except for `competitor-not-found`. */
  readonly intake: NonNullable<ProblemDetails['intake']> | null
  /** Charts that are stored instead; empty except for `chart-not-found`. */
  readonly storedCharts: readonly StoredChart[]

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
    this.storedCharts = details.storedCharts ?? []
  }
}

/**
 * `no-connection`: no answer, or the connection broke. `timeout`: no complete answer in time. `redirected`: the server
 * redirects elsewhere, where the key is not sent. `not-rivalscope`: the answer is not one of Rivalscope.
 */
export type NoAnswerReason = 'no-connection' | 'timeout' | 'redirected' | 'not-rivalscope'

/** No answer of the service was received. It is unknown whether a write was performed; repeating it is safe. */
export class ServerUnreachable extends Error {
  /** The address of the request. */
  readonly server: string
  readonly reason: NoAnswerReason

  constructor(server: string, reason: NoAnswerReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ServerUnreachable'
    this.server = server
    this.reason = reason
  }
}

/** The fields that all kinds of work share. */
export interface WorkState {
  status: 'queued' | 'running' | 'succeeded' | 'partial' | 'failed'
  progress: { done: number; total: number | null; unit: string } | null
  lastError: { at: string; code: string; message: string } | null
  createdAt: string
}

/** Work ended without success: it failed, or was replaced by other work. */
export class WorkNotDone extends Error {
  readonly tool: Tool
  readonly reason: 'failed' | 'out-of-sight'
  /** Its last known state. */
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
