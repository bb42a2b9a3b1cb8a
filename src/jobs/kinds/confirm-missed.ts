import { z } from 'zod'
import { dueMissedLookups, performMissedLookup } from '../collecting/confirm-missed.ts'
import { type JobParts, jobKind, queues } from '../job-kind.ts'

export const confirmMissedJob = jobKind({
  name: 'confirm-missed',
  does: 'looks up tracked apps again that a storefront did not list, and in a few others',
  input: z.strictObject({ country: z.string() }),
  queue: queues.scheduled,
  atATime: 1,
  addDue,
  perform:
    ({ db, collector }) =>
    async ({ country }, signal) => {
      let apps = 0
      let listed = 0
      for (const lookup of await dueMissedLookups(db, new Date(), country)) {
        apps += lookup.storeIds.length
        listed += await performMissedLookup(db, collector, lookup, signal)
      }
      return apps === 0 ? undefined : { country, apps, listed, outcome: 'done' }
    },
})

/** Part of `schedule.apps`: without it nothing is looked up by itself. */
async function addDue({ db, queue, schedule }: JobParts, now: Date): Promise<void> {
  if (!schedule.apps) return
  const countries = new Set((await dueMissedLookups(db, now)).map(({ country }) => country))
  await queue.add(
    db,
    confirmMissedJob,
    [...countries].map((country) => ({ key: country, data: { country } })),
  )
}
