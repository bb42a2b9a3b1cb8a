import { z } from 'zod'
import { dueSearches } from '../../domain/aso/tracking/refresh-queries.ts'
import { isAnswerFaulty, SourceFailure } from '../../sources/polite/failure.ts'
import { type JobParts, jobKind, queues } from '../job-kind.ts'
import { hoursBefore } from '../schedule.ts'

/** Most calls of one job: the next one begins with what is due then. */
const callsPerJob = 60

export const collectSearchPagesJob = jobKind({
  name: 'collect-search-pages',
  does: "reads the App Store's web search page of tracked keywords that are due",
  input: z.strictObject({}),
  queue: queues.scheduled,
  atATime: 1,
  addDue,
  perform:
    ({ db, collector, current }) =>
    async (_, signal) => {
      const { searchPages } = await current.schedule()
      if (!searchPages) return undefined
      const due = await dueSearches(db, 'app-store-search', dueBefore(searchPages), callsPerJob)
      let unusable = 0
      for (const { term, country } of due)
        await collector.searchPage(term, country, signal).catch((error: unknown) => {
          // A faulty page does not block other terms.
          if (!(error instanceof SourceFailure && isAnswerFaulty(error))) throw error
          unusable++
        })
      return due.length === 0 ? undefined : { terms: due.length, unusable, outcome: 'done' }
    },
})

const dueBefore = ({ everyHours }: { everyHours: number }) => hoursBefore(new Date(), everyHours)

async function addDue({ db, queue, schedule }: JobParts): Promise<void> {
  if (!schedule.searchPages) return
  const [due] = await dueSearches(db, 'app-store-search', dueBefore(schedule.searchPages), 1)
  if (due) await queue.add(db, collectSearchPagesJob, [{ key: 'app-store-search', data: {} }])
}
