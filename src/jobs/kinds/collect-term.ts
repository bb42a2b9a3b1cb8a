import { z } from 'zod'
import type { Collector } from '../collecting/collector.ts'
import { isSuspectOutcome, type Outcome, SuspectAnswer } from '../collecting/outcome.ts'
import { jobKind, queues } from '../job-kind.ts'

export const collectTermJob = jobKind({
  name: 'collect-term',
  does: 'asks again for a search or for suggestions that came back empty, or far shorter, where there had been something',
  input: z.strictObject({ term: z.string(), country: z.string(), surface: z.enum(['search', 'hints']) }),
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
  surface: 'search' | 'hints'
}

/** Searches for a term, or requests Apple's suggestions for it. @throws SuspectAnswer, SourceFailure */
export async function collectTerm(
  collector: Collector,
  { term, country, surface }: TermAsked,
  signal: AbortSignal,
): Promise<Outcome> {
  const outcome =
    surface === 'search'
      ? await collector.search(term, country, signal)
      : await collector.hints(term, country, signal)
  if (isSuspectOutcome(outcome)) throw new SuspectAnswer(term, country, outcome)
  return outcome
}
