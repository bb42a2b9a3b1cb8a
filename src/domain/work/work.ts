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
  /** As stored; parsed by `inputOf`. */
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

/** The time since when no worker runs although one should; undefined while one runs or may be about to start. */
export function nobodyWorksSince(
  { createdAt, workersSeenAt }: Pick<Work, 'createdAt' | 'workersSeenAt'>,
  now: Date,
): Date | undefined {
  const since = workersSeenAt ?? createdAt
  const patienceMs = workersSeenAt ? signsWithinMs : firstSignWithinMs
  return now.getTime() - since.getTime() > patienceMs ? since : undefined
}
