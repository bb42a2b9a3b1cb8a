import type { WorkState } from '../../vocabulary/work-states.ts'

/** Whether work has not ended yet. */
export const isUnderWay = (state: WorkState | undefined): state is 'queued' | 'running' =>
  state === 'queued' || state === 'running'

/** Work that takes time, as it is reported to people. */
export interface Work {
  workId: string
  kind: string
  /** What it is about; the same subject is worked on once at a time. */
  subject: string
  /** As stored; `inputOf` reads it. */
  input: unknown
  status: WorkState
  done: number | null
  total: number | null
  unit: string | null
  /** What came of it; empty until it ends. */
  result: Record<string, unknown>
  /** How often it was begun, save for attempts that were given back when their process was stopped. */
  attempts: number
  /** Attempts in a row that ended with their process and got no further than the one before. */
  interrupted: number
  lastErrorAt: Date | null
  lastErrorCode: string | null
  lastErrorMessage: string | null
  createdAt: Date
  startedAt: Date | null
  finishedAt: Date | null
  /** When a process that works on jobs last gave a sign; null where none ever did. */
  workersSeenAt: Date | null
}

/** Two signs of a working process may be missed. */
const signsWithinMs = 75_000
/** One that starts with the installation takes this long to give its first. */
const firstSignWithinMs = 30_000

/** Since when nobody works on jobs, where somebody should; undefined where there is somebody, or may be in a moment. */
export function nobodyWorksSince(
  { createdAt, workersSeenAt }: Pick<Work, 'createdAt' | 'workersSeenAt'>,
  now: Date,
): Date | undefined {
  const since = workersSeenAt ?? createdAt
  const patienceMs = workersSeenAt ? signsWithinMs : firstSignWithinMs
  return now.getTime() - since.getTime() > patienceMs ? since : undefined
}
