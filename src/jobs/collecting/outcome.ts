import { SourceFailure } from '../../sources/polite/failure.ts'

/** What came of asking once. `suspect-empty` answered with nothing where there was something before. */
export type Outcome = 'stored' | 'empty' | 'suspect-empty'

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
