import { SourceFailure } from '../../sources/polite/failure.ts'
import type { TaskData } from '../task-queues.ts'
import type { Collector, Outcome } from './collector.ts'

/** A term answered with nothing where it had results before: the job is tried again later, as failed ones are. */
export class SuspectAnswer extends Error {
  readonly kind = 'suspect-empty'

  constructor(term: string, country: string) {
    super(`"${term}" (${country}) answered with nothing where it had results before`)
    this.name = 'SuspectAnswer'
  }
}

/** Whether an error says that Apple did not answer, or not so that it could be used. */
export const isFailedAnswer = (error: unknown): error is SourceFailure | SuspectAnswer =>
  error instanceof SourceFailure || error instanceof SuspectAnswer

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
