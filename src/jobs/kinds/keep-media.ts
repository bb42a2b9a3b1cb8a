import { keepMedia } from '../../domain/media/keep-media.ts'
import { declineCopies, pendingCopies, recordMissing } from '../../domain/media/queries.ts'
import type { EndedWell, PerformWork } from '../../domain/work/perform.ts'
import { MediaFailure } from '../../sources/media/failure.ts'
import type { Database } from '../../storage/database.ts'
import { queues, workJobKind } from '../job-kind.ts'
import { copyMedium } from '../media/copy-medium.ts'
import type { Keeping } from '../media/keeping.ts'
import type { KeptMedia } from '../media/kept-media.ts'
import { lookAfterCopies } from '../media/look-after-copies.ts'

export const keepMediaJob = workJobKind({
  work: keepMedia,
  does: 'copies the media of a post or an ad',
  queue: queues.told,
  atATime: 4,
  addDue: ({ db, queue, keeping }, now) => lookAfterCopies(db, queue, keeping.keep, now),
  perform: ({ db, keeping }) => makeCopies(db, keeping),
})

/** Attempts after which a copy that always breaks off counts as failed. */
const mostAttempts = 5

type Pending = Awaited<ReturnType<typeof pendingCopies>>[number]

/**
 * Makes the copies that are wanted of a post's or an ad's media, one after the other. What is stored or refused stays so
 * when it runs again; what met trouble is left for the next attempt.
 */
export function makeCopies(db: Database, keeping: Keeping): PerformWork {
  return async (work, report, signal) => {
    if (!isKept(work.subject, keeping.keep)) return decline(db, work.subject)
    const isLast = work.attempts >= mostAttempts
    const tried = new Map<string, MediaFailure | undefined>()
    for (;;) {
      const pending = (await pendingCopies(db, work.subject)).filter(({ mediaId }) => !tried.has(mediaId))
      if (pending.length === 0) break
      const total = tried.size + pending.length
      for (const medium of pending) {
        tried.set(medium.mediaId, await copy(db, keeping, medium, isLast, signal))
        await report({ done: tried.size, total })
      }
    }
    const failures = [...tried.values()].filter((failure) => failure !== undefined)
    const trouble = failures.find(({ kind }) => kind === 'trouble')
    if (trouble && !isLast) throw trouble
    return endOf(tried.size, failures)
  }
}

/** @returns why there is no copy; undefined when there is one */
async function copy(
  db: Database,
  keeping: Keeping,
  medium: Pending,
  isLast: boolean,
  signal: AbortSignal,
): Promise<MediaFailure | undefined> {
  try {
    await copyMedium(db, keeping, medium, signal)
    return undefined
  } catch (error) {
    if (!(error instanceof MediaFailure)) throw error
    const { kind, message } = error
    if (kind === 'removed') await recordMissing(db, medium, 'removed-upstream', message)
    else if (kind === 'refused' || isLast) await recordMissing(db, medium, 'failed', message)
    else await recordMissing(db, medium, 'pending', null)
    return error
  }
}

/** Copies are asked for when something is saved, or when it arrives where all of its kind is kept. */
function isKept(owner: string, { posts, ads, saved }: KeptMedia): boolean {
  return saved || (owner.startsWith('post ') ? posts : ads)
}

async function decline(db: Database, owner: string): Promise<EndedWell> {
  await declineCopies(db, owner, 'This installation is set not to copy media of saved posts and ads.')
  return { status: 'succeeded', result: { stored: 0 } }
}

function endOf(tried: number, failures: readonly MediaFailure[]): EndedWell {
  const result = { stored: tried - failures.length }
  const [first] = failures
  if (!first) return { status: 'succeeded', result }
  return { status: 'partial', result, error: { code: first.kind, message: first.message } }
}
