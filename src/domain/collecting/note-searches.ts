import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { storefrontDay } from '../charts/storefront-day.ts'
import type { Reading } from '../evidence/reading.ts'
import { clearSuspicions, suspectAnswers, termSubject } from './suspects.ts'

/** An answer for a term. */
export interface SearchNote {
  reading: Reading
  term: string
  empty: boolean
}

/** A term that had results and now answers with none is suspect; results end the suspicion. */
export async function noteSearches(db: Database, notes: readonly SearchNote[]): Promise<void> {
  const answers = notes.flatMap(({ reading, term, empty }) => {
    const { country, source, observedAt, readingId } = reading
    if (country === null) return []
    return [{ source, country, term, subject: termSubject(term, source), observedAt, readingId, empty }]
  })
  if (answers.length === 0) return
  const empty = answers.filter((answer) => answer.empty)
  const had = empty.length === 0 ? new Set<string>() : await readingsWithResultsBefore(db, empty)
  await suspectAnswers(
    db,
    empty
      .filter(({ readingId }) => had.has(readingId))
      .map(({ source, country, subject, observedAt, readingId }) => {
        const day = storefrontDay(country, observedAt)
        return { source, country, subject, observedAt, day, readingId, cleared: false }
      }),
  )
  const telling = answers.filter((answer) => !answer.empty)
  if (telling.length > 0) await clearSuspicions(db, telling)
}

/** Of these readings, those whose term had results in an earlier one of the same source and storefront. */
async function readingsWithResultsBefore(
  db: Database,
  answers: readonly { readingId: string; source: string; country: string; term: string; observedAt: Date }[],
): Promise<Set<string>> {
  const found = await rows(
    db,
    sql<{ readingId: string }>`
      select a."readingId"
      from json_to_recordset(${JSON.stringify(answers)}::json) as a("readingId" text, source text, country text,
        term text, "observedAt" timestamptz)
      where exists (
        select from readings r
        where r.country = a.country and r.context ->> 'term' = a.term and r.observed_at < a."observedAt"
          and r.source in ('itunes-search', 'apple-search-hints') and r.source = a.source and r.records > r.rejected)`,
  )
  return new Set(found.map((row) => row.readingId))
}
