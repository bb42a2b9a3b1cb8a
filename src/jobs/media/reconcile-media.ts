import { archiveMovedMedia, archiveNewMedia, enqueuePendingCopies } from '../../domain/media/archive-media.ts'
import type { Database } from '../../storage/database.ts'
import { enqueueOn, type JobQueue } from '../queue.ts'
import type { ArchivePolicy } from './archive-policy.ts'

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
  if (isTime) await archiveMovedMedia(db, arrivalsAtATime)
  await enqueuePendingCopies(db, enqueueOn(queue), worksAtATime)
}
