import {
  type Attempt,
  AttemptLost,
  endWork,
  reportProgress,
  requeueWork,
  startWork,
  undoAttempt,
} from '../domain/work/queries.ts'
import {
  type PerformWork,
  ProcessStopping,
  type ReportProgress,
  UnreadableInput,
  type Work,
  type WorkKind,
  type WorkSuccess,
  workInputOf,
} from '../domain/work/work.ts'
import type { Database } from '../storage/database.ts'
import { isStoreUnavailable } from '../storage/store.ts'

/** A failure that a retry would meet again. */
export class FinalFailure extends Error {
  readonly code: string
  readonly result: Record<string, unknown>

  constructor(code: string, message: string, result: Record<string, unknown> = {}) {
    super(message)
    this.name = 'FinalFailure'
    this.code = code
    this.result = result
  }
}

/** Attempts after which work counts as failed. */
export const maxAttempts = 10

/** Makes a task of a work performer: states, attempts and errors are recorded the same way for all kinds. */
export function workTask<Input>(db: Database, kind: WorkKind<Input>, perform: PerformWork<Input>) {
  return async ({ workId }: { workId: string }, signal: AbortSignal): Promise<JobReport | undefined> => {
    const work = await startWork(db, workId)
    if (!work) return undefined
    try {
      if (work.interrupted >= maxAttempts) throw endsItsProcess(work.interrupted)
      const report: ReportProgress = (progress) => reportProgress(db, work, { ...progress, unit: kind.unit })
      const end = await perform({ ...work, input: workInputOf(kind, work) }, report, signal)
      const { counts, ...ended } = end
      await endWork(db, work, ended)
      return reportOf(work, ended, counts)
    } catch (error) {
      if (signal.reason instanceof ProcessStopping || isStoreUnavailable(error)) {
        // If this cannot be stored, the attempt counts as one whose process ended.
        await undoAttempt(db, work).catch(() => {})
        throw error
      }
      if (signal.aborted || error instanceof AttemptLost) throw error
      return reportOf(work, await afterFailure(db, work, error))
    }
  }
}

type Ended = Pick<WorkSuccess, 'result' | 'error'> & { status: WorkSuccess['status'] | 'failed' }

function reportOf(
  work: Attempt & Work,
  { status, result, error }: Ended,
  counts?: WorkSuccess['counts'],
): JobReport {
  const { workId, subject, attempts } = work
  const told = counts ?? Object.fromEntries(Object.entries(result).filter(([, value]) => isShort(value)))
  const why = error ? { code: error.code, reason: error.message } : {}
  return { ...(told as Record<string, number>), workId, subject, attempts, ...why, outcome: status }
}

const isShort = (value: unknown) => typeof value === 'number' || typeof value === 'string'

/** Work can crash its process, by its size or by a bug: the number of such attempts is limited. */
const endsItsProcess = (times: number) =>
  new FinalFailure(
    'interrupted',
    `${times} times in a row the process that worked on it ended in the middle, at the same place.`,
  )

/** Ends work that failed for good. @throws the error when the queue should retry */
async function afterFailure(db: Database, attempt: Attempt, error: unknown): Promise<Ended> {
  const reported = {
    code: codeOf(error),
    message: error instanceof Error ? error.message : String(error),
  }
  const final = error instanceof FinalFailure
  if (final || error instanceof UnreadableInput || attempt.attempts >= maxAttempts) {
    const ended = { status: 'failed', result: final ? error.result : {}, error: reported } as const
    await endWork(db, attempt, ended)
    return ended
  }
  await requeueWork(db, attempt, reported)
  throw error
}

/** Failures of sources have a kind; any other error is internal. */
function codeOf(error: unknown): string {
  if (error instanceof FinalFailure) return error.code
  if (error instanceof UnreadableInput) return 'unreadable-input'
  return error instanceof Error && 'kind' in error ? String(error.kind) : 'internal'
}

/** The result of a job, for the log: its subject, outcome and counts. Ids, counts and reasons; no secrets, and no records. */
export type JobReport = { outcome: string } & Readonly<Record<string, string | number | null>>
