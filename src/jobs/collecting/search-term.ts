import { forgetSearchFailure, noteSearchFailure } from '../../domain/aso/search-failures.ts'
import type { TermName } from '../../domain/aso/term-queries.ts'
import { SourceFailure } from '../../sources/polite/failure.ts'
import type { Database } from '../../storage/database.ts'
import { collectTerm, SuspectAnswer } from './collect-term.ts'
import type { Collector } from './collector.ts'

/** Searches for a term, and keeps why that failed until it succeeds. @throws SuspectAnswer, SourceFailure */
export async function searchTerm(
  db: Database,
  collector: Collector,
  name: TermName,
  signal: AbortSignal,
): Promise<void> {
  await notingFailure(db, name, () => collectTerm(collector, { ...name, surface: 'search' }, signal))
}

/** Performs a search for a term, and keeps why it failed until one succeeds. @throws whatever the search throws */
export async function notingFailure<Found>(
  db: Database,
  name: TermName,
  search: () => Promise<Found>,
): Promise<Found> {
  try {
    const found = await search()
    await forgetSearchFailure(db, name)
    return found
  } catch (error) {
    if (isFailedAnswer(error) && error.kind !== 'circuit-open')
      await noteSearchFailure(db, name, { at: new Date(), code: error.kind, message: error.message })
    throw error
  }
}

/** Whether an error says that Apple did not answer, or not so that it could be used. */
export const isFailedAnswer = (error: unknown): error is SourceFailure | SuspectAnswer =>
  error instanceof SourceFailure || error instanceof SuspectAnswer
