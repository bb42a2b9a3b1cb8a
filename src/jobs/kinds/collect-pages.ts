import { z } from 'zod'
import { dueStorefronts, readDuePages } from '../collecting/collect-due-apps.ts'
import { type JobParts, jobKind, queues } from '../job-kind.ts'

export const collectPagesJob = jobKind({
  name: 'collect-pages',
  does: 'reads the pages of the apps of one storefront that are due',
  input: z.strictObject({ country: z.string() }),
  queue: queues.scheduled,
  atATime: 1,
  addDue,
  perform:
    ({ db, collector, schedule }) =>
    async ({ country }, signal) => {
      if (!schedule.pages) return undefined
      const checked = await readDuePages(db, collector, country, schedule.pages, signal)
      return checked.apps === 0 ? undefined : { country, ...checked, outcome: 'done' }
    },
})

async function addDue({ db, queue, schedule }: JobParts): Promise<void> {
  const countries = await dueStorefronts(db, 'page', schedule.pages)
  await queue.add(
    db,
    collectPagesJob,
    countries.map((country) => ({ key: country, data: { country } })),
  )
}
