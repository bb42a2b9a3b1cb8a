import type { Collector } from './collector.ts'
import { isSuspectOutcome, type Outcome, SuspectAnswer } from './outcome.ts'

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
