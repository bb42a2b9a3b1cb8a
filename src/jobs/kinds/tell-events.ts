import { z } from 'zod'
import { dueWays } from '../../domain/watches/deliveries.ts'
import { type JobParts, jobKind, queues } from '../job-kind.ts'
import { tell } from '../telling/tell.ts'

export const tellEventsJob = jobKind({
  name: 'tell-events',
  does: 'sends events by one way of an account',
  input: z.strictObject({ wayId: z.uuid() }),
  queue: queues.scheduled,
  atATime: 4,
  addDue: async (parts) => addTelling(parts, await dueWays(parts.db)),
  perform:
    ({ db, telling }) =>
    ({ wayId }, signal) =>
      tell(db, telling, wayId, signal),
})

/** Adds a job for each of these ways that has none. */
export async function addTelling({ db, queue }: JobParts, wayIds: readonly string[]): Promise<void> {
  await queue.add(
    db,
    tellEventsJob,
    wayIds.map((wayId) => ({ key: wayId, data: { wayId } })),
  )
}
