import type { z } from 'zod'
import type { WorkState } from '../../vocabulary/work-states.ts'

/** Whether work has not ended yet. */
export const isUnderWay = (state: WorkState | undefined): state is 'queued' | 'running' =>
  state === 'queued' || state === 'running'

/** Long-running work, as it is reported to users. */
export interface Work {
  workId: string
  kind: string
  /** The subject; only one work on it runs at a time. */
  subject: string
  /** As stored; parsed by `workInputOf`. */
  input: unknown
  status: WorkState
  done: number | null
  total: number | null
  unit: string | null
  /** Empty until it ends. */
  result: Record<string, unknown>
  /** How often it was started, except attempts given back when their process was stopped. */
  attempts: number
  /** Consecutive attempts that died with their process without more progress than the one before. */
  interrupted: number
  lastErrorAt: Date | null
  lastErrorCode: string | null
  lastErrorMessage: string | null
  createdAt: Date
  startedAt: Date | null
  finishedAt: Date | null
  /** The last heartbeat of any worker process; null if there never was one. */
  workersSeenAt: Date | null
}

/** The time in which a worker may miss two heartbeats. */
const signsWithinMs = 75_000
/** Time a worker that starts with the installation needs for its first heartbeat. */
const firstSignWithinMs = 30_000

/** Attempts after which work counts as failing. */
export const oftenTried = 5
/** Work that waits longer than this while workers run is stuck, or behind a long queue. */
export const patienceHours = 6

/** The time since when no worker runs although one should; undefined while one runs or may be about to start. */
export function noWorkerSince(
  { createdAt, workersSeenAt }: Pick<Work, 'createdAt' | 'workersSeenAt'>,
  now: Date,
): Date | undefined {
  const since = workersSeenAt ?? createdAt
  const patienceMs = workersSeenAt ? signsWithinMs : firstSignWithinMs
  return now.getTime() - since.getTime() > patienceMs ? since : undefined
}

/** A kind of work that is reported to users. */
export interface WorkKind<Input = unknown> {
  name: string
  /** Schema of its input; parsed when the work is requested and whenever it is loaded from the store. */
  input: z.ZodType<Input>
  /** The unit of its progress, in the plural. */
  unit: string
}

/** The stored input does not match the schema of this version: a retry would fail in the same way. */
export class UnreadableInput extends Error {
  /** @param kind of the work or job */
  constructor(kind: string, { issues: [issue] }: z.core.$ZodError) {
    const place = issue?.path.join('.') || 'it'
    super(`The input of ${kind} is not what this version reads: ${place}: ${issue?.message ?? ''}.`)
    this.name = 'UnreadableInput'
  }
}

/** @throws UnreadableInput */
export function readInput<Input>(kind: Pick<WorkKind<Input>, 'name' | 'input'>, input: unknown): Input {
  const parsed = kind.input.safeParse(input)
  if (parsed.success) return parsed.data
  throw new UnreadableInput(kind.name, parsed.error)
}

/** As `workInputOf`, for display: undefined where this version cannot parse it. */
export function readableInputOf<Input>(kind: WorkKind<Input>, work: Pick<Work, 'input'>): Input | undefined {
  const { success, data } = kind.input.safeParse(work.input)
  return success ? data : undefined
}

/** The input of a work. @throws UnreadableInput */
export const workInputOf = <Input>(kind: WorkKind<Input>, work: Pick<Work, 'input'>): Input =>
  readInput(kind, work.input)

/** The end of work that did not fail. `partial` says what is missing. */
export interface WorkSuccess {
  status: 'succeeded' | 'partial'
  result: Record<string, unknown>
  error?: { code: string; message: string }
  /** Counts for the log; those of the result where left out. */
  counts?: Readonly<Record<string, number>>
}

export type ReportProgress = (progress: { done: number; total: number | null }) => Promise<void>

/** Reason for aborting an attempt when its process stops: not a failure; the work continues elsewhere or later. */
export class ProcessStopping extends Error {
  constructor() {
    super('the process stops')
    this.name = 'ProcessStops'
  }
}

/**
 * Performs the work. May be called twice for the same work, after a kill; throws to be retried. Reporting progress throws
 * once the work was given to another attempt.
 */
export type PerformWork<Input = unknown> = (
  work: Work & { input: Input },
  report: ReportProgress,
  signal: AbortSignal,
) => Promise<WorkSuccess>
