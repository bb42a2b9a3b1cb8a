import type { z } from 'zod'
import type { WorkStatus } from '../contract/shapes/work.ts'
import { noWorkerSince, type Work } from '../domain/work/work.ts'

/** The status of work in the form that all operations share. */
export function workStatus(work: Work, now = new Date()): z.output<typeof WorkStatus> {
  const alone = work.status === 'queued' ? noWorkerSince(work, now) : undefined
  return {
    workId: work.workId,
    status: work.status,
    progress: work.done === null ? null : { done: work.done, total: work.total, unit: work.unit ?? '' },
    attempts: work.attempts,
    lastError:
      work.lastErrorAt === null
        ? null
        : {
            at: work.lastErrorAt.toISOString(),
            code: work.lastErrorCode ?? 'internal',
            message: work.lastErrorMessage ?? '',
          },
    createdAt: work.createdAt.toISOString(),
    startedAt: work.startedAt?.toISOString() ?? null,
    finishedAt: work.finishedAt?.toISOString() ?? null,
    ...(alone ? { waitingForWorker: { since: alone.toISOString() } } : {}),
  }
}
