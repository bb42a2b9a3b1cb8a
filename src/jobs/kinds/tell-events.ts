import { z } from 'zod'
import { dueWays } from '../../domain/watches/deliveries.ts'
import { dueDigests } from '../../domain/watches/digests.ts'
import { type JobParts, jobKind, queues } from '../job-kind.ts'
import { tell } from '../telling/tell.ts'

export const tellEventsJob = jobKind({
  name: 'tell-events',
  does: 'sends events by one way of an account',
  input: z.strictObject({ wayId: z.uuid() }),
  queue: queues.scheduled,
  atATime: 4,
  addDue: addTelling,
  perform:
    ({ db, telling }) =>
    ({ wayId }, signal) =>
      tell(db, telling, wayId, signal),
})

/** Adds a job for each notification channel that has something to send now, unless it has one. */
export async function addTelling({ db, queue }: JobParts): Promise<void> {
  const due = [...(await dueWays(db)), ...(await dueDigests(db, new Date()))]
  await queue.add(
    db,
    tellEventsJob,
    due.map((wayId) => ({ key: wayId, data: { wayId } })),
  )
}
