import { z } from 'zod'
import { dueChannels } from '../../domain/watches/deliveries.ts'
import { dueDigests } from '../../domain/watches/digests.ts'
import { type JobParts, jobKind, queues } from '../job-kind.ts'
import { notifyChannel } from '../notifications/notify.ts'

export const tellEventsJob = jobKind({
  name: 'tell-events',
  does: 'sends events through one channel of an account',
  input: z.strictObject({ wayId: z.uuid() }),
  queue: queues.scheduled,
  atATime: 4,
  addDue: addDueNotifications,
  perform:
    ({ db, notifications }) =>
    ({ wayId }, signal) =>
      notifyChannel(db, notifications, wayId, signal),
})

/** Adds a job for each notification channel that has something to send now, unless it has one. */
export async function addDueNotifications({ db, queue }: JobParts): Promise<void> {
  const due = [...(await dueChannels(db)), ...(await dueDigests(db, new Date()))]
  await queue.add(
    db,
    tellEventsJob,
    due.map((wayId) => ({ key: wayId, data: { wayId } })),
  )
}
