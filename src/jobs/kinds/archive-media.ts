import {
  archiveMedia,
  archiveNewMedia,
  enqueuePendingCopies,
  retryMovedMedia,
} from '../../domain/media/archive-media.ts'
import { declineCopies, pendingCopies, recordWhyNoCopy } from '../../domain/media/queries.ts'
import type { PerformWork, WorkSuccess } from '../../domain/work/work.ts'
import { MediaFailure } from '../../sources/media/failure.ts'
import type { Database } from '../../storage/database.ts'
import { queues, workJobKind } from '../job-kind.ts'
import { copyMedium, type MediaArchive } from '../media/media-archive.ts'
import type { ArchivePolicy } from '../media/settings.ts'
import { enqueueOn, type JobQueue } from '../queue.ts'

export const archiveMediaJob = workJobKind({
  work: archiveMedia,
  does: 'copies the media of a post or an ad',
  queue: queues.work,
  atATime: 4,
  addDue: ({ db, queue, archive }, now) => reconcileMedia(db, queue, archive.policy, now),
  perform: ({ db, archive }) => makeMediaCopies(db, archive),
})

/** Attempts after which a copy that keeps failing counts as failed. */
const mostAttempts = 5

type Pending = Awaited<ReturnType<typeof pendingCopies>>[number]

/**
 * Makes the wanted copies of a post's or an ad's media, one after the other. Stored and refused copies are final; those
 * with transient failures are left for the next attempt.
 */
export function makeMediaCopies(db: Database, archive: MediaArchive): PerformWork {
  return async (work, report, signal) => {
    if (!isArchived(work.subject, archive.policy)) return decline(db, work.subject)
    const isLast = work.attempts >= mostAttempts
    const tried = new Map<string, MediaFailure | undefined>()
    for (;;) {
      const pending = (await pendingCopies(db, work.subject)).filter(({ mediaId }) => !tried.has(mediaId))
      if (pending.length === 0) break
      const total = tried.size + pending.length
      for (const medium of pending) {
        tried.set(medium.mediaId, await copy(db, archive, medium, isLast, signal))
        await report({ done: tried.size, total })
      }
    }
    const failures = [...tried.values()].filter((failure) => failure !== undefined)
    const trouble = failures.find(({ kind }) => kind === 'trouble')
    if (trouble && !isLast) throw trouble
    return endOf(tried.size, failures)
  }
}

/** Makes one copy. @returns why there is none; undefined when there is one */
async function copy(
  db: Database,
  archive: MediaArchive,
  medium: Pending,
  isLast: boolean,
  signal: AbortSignal,
): Promise<MediaFailure | undefined> {
  try {
    await copyMedium(db, archive, medium, signal)
    return undefined
  } catch (error) {
    if (!(error instanceof MediaFailure)) throw error
    const { kind, message } = error
    if (kind === 'removed') await recordWhyNoCopy(db, medium, 'removed-upstream', message)
    else if (kind === 'refused' || isLast) await recordWhyNoCopy(db, medium, 'failed', message)
    else await recordWhyNoCopy(db, medium, 'pending', null)
    return error
  }
}

/** Copies are requested when a creative is saved, or when it arrives and the policy archives all of its kind. */
function isArchived(owner: string, { posts, ads, saved }: ArchivePolicy): boolean {
  return saved || (owner.startsWith('post ') ? posts : ads)
}

async function decline(db: Database, owner: string): Promise<WorkSuccess> {
  await declineCopies(db, owner, 'This installation is set not to copy media of saved posts and ads.')
  return { status: 'succeeded', result: { stored: 0 } }
}

function endOf(tried: number, failures: readonly MediaFailure[]): WorkSuccess {
  const result = { stored: tried - failures.length }
  const [first] = failures
  if (!first) return { status: 'succeeded', result }
  return { status: 'partial', result, error: { code: first.kind, message: first.message } }
}

/** Minutes between reconciliations: each scans all posts or ads. */
const everyMinutes = 10
const arrivalsAtATime = 2_000
/** Jobs added at a time: more than a worker performs in a minute, and few enough not to fill the queue. */
const worksAtATime = 500

/** Adds jobs for missing copies: of new arrivals where the policy archives them, of media at a new address, and of those without a job. */
export async function reconcileMedia(
  db: Database,
  queue: JobQueue,
  policy: ArchivePolicy,
  now: Date,
): Promise<void> {
  const isTime = now.getUTCMinutes() % everyMinutes === 0
  if (isTime && (policy.posts || policy.ads)) await archiveNewMedia(db, policy, arrivalsAtATime)
  if (isTime) await retryMovedMedia(db, arrivalsAtATime)
  await enqueuePendingCopies(db, enqueueOn(queue), worksAtATime)
}
