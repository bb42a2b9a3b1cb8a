import { SourceFailure } from '../../sources/polite/failure.ts'

/** Outcome of one request. `suspect-empty`: the answer was empty where there were results before. */
export type Outcome = 'stored' | 'empty' | 'suspect-empty'

/** An empty answer for a term that had results before: the job is retried later, like a failed one. */
export class SuspectAnswer extends Error {
  readonly kind = 'suspect-empty'

  constructor(term: string, country: string) {
    super(`"${term}" (${country}) answered with nothing where it had results before`)
    this.name = 'SuspectAnswer'
  }
}

/** Whether an error means that Apple did not answer, or gave an unusable answer. */
export const isFailedAnswer = (error: unknown): error is SourceFailure | SuspectAnswer =>
  error instanceof SourceFailure || error instanceof SuspectAnswer
