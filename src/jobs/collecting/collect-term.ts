import type { TaskData } from '../task-queues.ts'
import type { Collector } from './collector.ts'
import { type Outcome, SuspectAnswer } from './outcome.ts'

/** Searches for a term, or asks what Apple suggests for it. @throws SuspectAnswer, SourceFailure */
export async function collectTerm(
  collector: Collector,
  { term, country, surface }: TaskData['collect-term'],
  signal: AbortSignal,
): Promise<Outcome> {
  const outcome =
    surface === 'search'
      ? await collector.search(term, country, signal)
      : await collector.hints(term, country, signal)
  if (outcome === 'suspect-empty') throw new SuspectAnswer(term, country)
  return outcome
}
