import {
  clearHintFailure,
  clearSearchFailure,
  recordHintFailure,
  recordSearchFailure,
} from '../../domain/aso/pages/search-failures.ts'
import type { TermFailure, TermName } from '../../domain/aso/pages/term-queries.ts'
import { type CheckedApps, clearCheckFailures, recordCheckFailures } from '../../domain/collecting/attempts.ts'
import { SourceFailure } from '../../sources/polite/failure.ts'
import type { Database } from '../../storage/database.ts'
import type { Outcome } from './outcome.ts'
import { isFailedAnswer, isSuspectOutcome, SuspectAnswer } from './outcome.ts'

/** Where the reason of a failed request about a term is stored. */
interface FailureRecords {
  record: (db: Database, name: TermName, failure: TermFailure) => Promise<void>
  clear: (db: Database, name: TermName) => Promise<void>
}

export const searchFailures: FailureRecords = { record: recordSearchFailure, clear: clearSearchFailure }
export const hintFailures: FailureRecords = { record: recordHintFailure, clear: clearHintFailure }

/** Makes a request about a term. On failure records the reason, which is cleared by the next success. */
export async function askAbout(
  db: Database,
  name: TermName,
  { record, clear }: FailureRecords,
  ask: () => Promise<{ outcome: Outcome }>,
): Promise<Outcome> {
  const recordReason = (failure: SourceFailure | SuspectAnswer) =>
    record(db, name, { at: new Date(), code: failure.kind, message: failure.message })
  try {
    const { outcome } = await ask()
    if (isSuspectOutcome(outcome)) await recordReason(new SuspectAnswer(name.term, name.country, outcome))
    else await clear(db, name)
    return outcome
  } catch (error) {
    // An open circuit sent no request.
    if (isFailedAnswer(error) && error.kind !== 'circuit-open') await recordReason(error)
    throw error
  }
}

/** Checks apps. On failure records the reason, which is cleared by the next success. */
export async function checkApps<Answer>(
  db: Database,
  apps: CheckedApps,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    const answer = await ask()
    await clearCheckFailures(db, apps)
    return answer
  } catch (error) {
    if (error instanceof SourceFailure) {
      const { kind: code, message } = error
      // `not-found` is a valid answer, and an open circuit sent no request.
      if (code === 'not-found') await clearCheckFailures(db, apps)
      else if (code !== 'circuit-open') await recordCheckFailures(db, apps, { at: new Date(), code, message })
    }
    throw error
  }
}
