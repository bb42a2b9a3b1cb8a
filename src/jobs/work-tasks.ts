import { inputOf, UnreadableInput, type WorkKind } from '../domain/work/kind.ts'
import { type PerformWork, ProcessStops, type ReportProgress } from '../domain/work/perform.ts'
import {
  type Attempt,
  AttemptLost,
  endWork,
  reportProgress,
  requeueWork,
  startWork,
  undoAttempt,
} from '../domain/work/queries.ts'
import type { Database } from '../storage/database.ts'
import { storeIsAway } from '../storage/store.ts'

/** A failure that another attempt would meet again. */
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
export const mostAttempts = 10

/** Makes a task of a work performer: states, attempts and errors are recorded the same way for all kinds. */
export function workTask<Input>(db: Database, kind: WorkKind<Input>, perform: PerformWork<Input>) {
  return async ({ workId }: { workId: string }, signal: AbortSignal): Promise<void> => {
    const work = await startWork(db, workId)
    if (!work) return
    try {
      if (work.interrupted >= mostAttempts) throw endsItsProcess(work.interrupted)
      const report: ReportProgress = (progress) => reportProgress(db, work, { ...progress, unit: kind.unit })
      const end = await perform({ ...work, input: inputOf(kind, work) }, report, signal)
      await endWork(db, work, end)
    } catch (error) {
      if (signal.reason instanceof ProcessStops || storeIsAway(error)) {
        // If this cannot be stored, the attempt counts as one whose process ended.
        await undoAttempt(db, work).catch(() => {})
        throw error
      }
      if (signal.aborted || error instanceof AttemptLost) throw error
      await afterFailure(db, work, error)
    }
  }
}

/** Work can crash its processes, by its size or by a bug: it must not do so for ever. */
const endsItsProcess = (times: number) =>
  new FinalFailure(
    'interrupted',
    `${times} times in a row the process that worked on it ended in the middle, at the same place.`,
  )

/** @throws the error when the queue should retry */
async function afterFailure(db: Database, attempt: Attempt, error: unknown): Promise<void> {
  const reported = {
    code: codeOf(error),
    message: error instanceof Error ? error.message : String(error),
  }
  const final = error instanceof FinalFailure
  if (final || error instanceof UnreadableInput || attempt.attempts >= mostAttempts) {
    await endWork(db, attempt, { status: 'failed', result: final ? error.result : {}, error: reported })
    return
  }
  await requeueWork(db, attempt, reported)
  throw error
}

/** Failures of sources name their kind; anything else is an internal error. */
function codeOf(error: unknown): string {
  if (error instanceof FinalFailure) return error.code
  if (error instanceof UnreadableInput) return 'unreadable-input'
  return error instanceof Error && 'kind' in error ? String(error.kind) : 'internal'
}
