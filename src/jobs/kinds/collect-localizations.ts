import { z } from 'zod'
import { dueLocalizations, readDueLocalizations } from '../collecting/collect-localizations.ts'
import { type JobParts, jobKind, queues } from '../job-kind.ts'

export const collectLocalizationsJob = jobKind({
  name: 'collect-localizations',
  does: 'reads the pages of the tracked apps of one storefront in its other languages, where they are due',
  input: z.strictObject({ country: z.string() }),
  queue: queues.scheduled,
  atATime: 1,
  addDue,
  perform:
    ({ db, collector, schedule }) =>
    async ({ country }, signal) => {
      if (!schedule.localizations) return undefined
      const checked = await readDueLocalizations(db, collector, country, schedule.localizations, signal)
      return checked.apps === 0 ? undefined : { country, ...checked, outcome: 'done' }
    },
})

async function addDue({ db, queue, schedule }: JobParts): Promise<void> {
  if (!schedule.localizations) return
  const due = await dueLocalizations(db, schedule.localizations)
  const countries = [...new Set(due.map(({ country }) => country))]
  await queue.add(
    db,
    collectLocalizationsJob,
    countries.map((country) => ({ key: country, data: { country } })),
  )
}
