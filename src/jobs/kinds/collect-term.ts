import { z } from 'zod'
import type { Database } from '../../storage/database.ts'
import type { Collector } from '../collecting/collector.ts'
import { isSuspectOutcome, type Outcome, SuspectAnswer } from '../collecting/outcome.ts'
import { jobKind, queues } from '../job-kind.ts'
import type { JobQueue } from '../queue.ts'

export const collectTermJob = jobKind({
  name: 'collect-term',
  does: 'asks again for a search or for suggestions that came back empty, or far shorter, where there had been something',
  input: z.strictObject({
    term: z.string(),
    country: z.string(),
    surface: z.enum(['search', 'hints', 'searchPage']),
  }),
  queue: queues.patient,
  atATime: 1,
  addDue: null,
  perform:
    ({ collector }) =>
    async (asked, signal) => ({ ...asked, outcome: await collectTerm(collector, asked, signal) }),
})

export interface TermAsked {
  term: string
  country: string
  surface: 'search' | 'hints' | 'searchPage'
}

/** Searches for a term on one of the surfaces, or requests Apple's suggestions for it. @throws SuspectAnswer, SourceFailure */
export async function collectTerm(
  collector: Collector,
  { term, country, surface }: TermAsked,
  signal: AbortSignal,
): Promise<Outcome> {
  const outcome = await collector[surface](term, country, signal)
  if (isSuspectOutcome(outcome)) throw new SuspectAnswer(term, country, outcome)
  return outcome
}

/** Asks for terms again in a quarter of an hour. */
export const askAgainLater = (db: Database, queue: JobQueue, terms: readonly TermAsked[]): Promise<number> =>
  queue.add(
    db,
    collectTermJob,
    terms.map((data) => ({ key: `${data.surface} ${data.country} ${data.term}`, data })),
    { afterSeconds: 900 },
  )
