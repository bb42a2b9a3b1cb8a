import { z } from 'zod'
import { refreshRatingScales } from '../../domain/aso/pages/rating-scale-runs.ts'
import { refreshWordWeights } from '../../domain/catalogue/word-weights.ts'
import { workUnderWay } from '../../domain/work/queries.ts'
import { type JobKind, type JobParts, jobKind, queues } from '../job-kind.ts'
import { enqueueOn } from '../queue.ts'

/** Work whose job has been missing for this time gets a new one. */
const orphanedAfterMs = 60_000

/** The kind that checks all others, and adds their due jobs. */
export const scheduleKindFor = (others: readonly JobKind[]) =>
  jobKind({
    name: 'schedule',
    does: 'adds jobs for what is due',
    input: z.strictObject({}),
    queue: queues.scheduled,
    atATime: 1,
    addDue: null,
    perform: (parts) => async () => {
      await addDueJobs(others, parts, new Date())
      return undefined
    },
  })

/**
 * Adds due jobs, including those missed while no worker ran: whether a job is due follows from the stored data, not from the
 * last run. Outdated word weights, scales of ratings and scores of terms are recomputed here too. Any number of workers may
 * run this: an existing job is not added twice.
 */
export async function addDueJobs(kinds: readonly JobKind[], parts: JobParts, now: Date): Promise<void> {
  const following = { ...parts, schedule: await parts.current.schedule() }
  for (const kind of kinds) await kind.addDue?.(following, now)
  await addMissingJobs(kinds, parts, now)
  await refreshWordWeights(parts.db, now)
  await refreshRatingScales(parts.db, now)
}

/** Adds jobs for work that has lost its own. */
async function addMissingJobs(kinds: readonly JobKind[], { db, queue }: JobParts, now: Date): Promise<void> {
  const known = new Set(kinds.filter(({ unit }) => unit !== null).map(({ name }) => name))
  for (const { workId, kind } of await workUnderWay(db, new Date(now.getTime() - orphanedAfterMs))) {
    // Work of a kind that this version does not know is left to a process of a version that does.
    if (known.has(kind)) await enqueueOn(queue)(db, { name: kind }, { workId })
  }
}
