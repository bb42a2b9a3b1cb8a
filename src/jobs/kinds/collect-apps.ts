import { z } from 'zod'
import { dueStorefronts, lookUpDueApps } from '../collecting/collect-due-apps.ts'
import { type JobParts, jobKind, queues } from '../job-kind.ts'

export const collectAppsJob = jobKind({
  name: 'collect-apps',
  does: 'looks up the apps of one storefront that are due',
  input: z.strictObject({ country: z.string() }),
  queue: queues.scheduled,
  atATime: 1,
  addDue,
  perform:
    ({ db, collector, schedule }) =>
    async ({ country }, signal) => {
      if (!schedule.apps) return undefined
      const checked = await lookUpDueApps(db, collector, country, schedule.apps, signal)
      return checked.apps === 0 ? undefined : { country, ...checked, outcome: 'done' }
    },
})

async function addDue({ db, queue, schedule }: JobParts): Promise<void> {
  const countries = await dueStorefronts(db, 'lookup', schedule.apps)
  await queue.add(
    db,
    collectAppsJob,
    countries.map((country) => ({ key: country, data: { country } })),
  )
}
