import { SourceFailure } from '../../sources/polite/failure.ts'

const suspectOutcomes = {
  'suspect-empty': 'answered with nothing where it had results before',
  'suspect-short': 'answered with far fewer results than before',
} as const

/** The outcome of an answer that is no evidence of absence: there were results before, or far more of them. */
export type SuspectOutcome = keyof typeof suspectOutcomes

/** Outcome of one request. */
export type Outcome = 'stored' | 'empty' | SuspectOutcome

export const isSuspectOutcome = (outcome: string): outcome is SuspectOutcome => outcome in suspectOutcomes

/** The predicate of a sentence about a suspect answer, without its subject. */
export const suspectReasonText = (outcome: SuspectOutcome): string => suspectOutcomes[outcome]

/** A suspect answer for a term: the job is retried later, like a failed one. */
export class SuspectAnswer extends Error {
  readonly kind = 'suspect-empty'

  constructor(term: string, country: string, outcome: SuspectOutcome) {
    super(`"${term}" (${country}) ${suspectReasonText(outcome)}`)
    this.name = 'SuspectAnswer'
  }
}

/** Whether an error means that Apple did not answer, or gave an unusable answer. */
export const isFailedAnswer = (error: unknown): error is SourceFailure | SuspectAnswer =>
  error instanceof SourceFailure || error instanceof SuspectAnswer
