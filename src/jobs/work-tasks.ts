import type { PerformWork } from '../domain/work/perform.ts'
import { endWork, putBackWork, startWork, tellProgress } from '../domain/work/queries.ts'
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

/** Makes a task of something that performs work: states, attempts and errors are kept in one way for all kinds. */
export function workTask(db: Database, perform: PerformWork) {
  return async ({ workId }: { workId: string }, signal: AbortSignal): Promise<void> => {
    const work = await startWork(db, workId)
    if (!work) return
    try {
      const end = await perform(work, (progress) => tellProgress(db, workId, progress), signal)
      await endWork(db, workId, end)
    } catch (error) {
      if (storeIsAway(error) || signal.aborted) throw error
      await afterFailure(db, workId, work.attempts, error)
    }
  }
}

/** @throws the error when the queue shall try again */
async function afterFailure(db: Database, workId: string, attempts: number, error: unknown): Promise<void> {
  const told = {
    code: codeOf(error),
    message: error instanceof Error ? error.message : String(error),
  }
  const final = error instanceof FinalFailure
  if (final || attempts >= mostAttempts) {
    await endWork(db, workId, { status: 'failed', result: final ? error.result : {}, error: told })
    return
  }
  await putBackWork(db, workId, told)
  throw error
}

/** Failures of sources name their kind; anything else is a fault of ours. */
function codeOf(error: unknown): string {
  if (error instanceof FinalFailure) return error.code
  return error instanceof Error && 'kind' in error ? String(error.kind) : 'internal'
}
