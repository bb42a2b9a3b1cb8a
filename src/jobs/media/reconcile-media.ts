import { archiveMovedMedia, archiveNewMedia, enqueuePendingCopies } from '../../domain/media/archive-media.ts'
import type { Database } from '../../storage/database.ts'
import { enqueueOn, type JobQueue } from '../queue.ts'
import type { ArchivePolicy } from './archive-policy.ts'

/** Minutes between looks for what arrived: each reads through all posts or ads. */
const everyMinutes = 10
const arrivalsAtATime = 2_000
/** More than a worker makes in a minute, and few enough not to fill the queue. */
const worksAtATime = 500

/** Has copies made of what arrived, where that is kept, of what is now at another address, and of whatever waits for its copy with nobody at work. */
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
