import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { storefrontDay } from '../../vocabulary/storefront-day.ts'
import type { Reading } from '../evidence/reading.ts'
import { reassessEmpty, recordEmpty, termSubject } from './suspects.ts'

/** An answer for a term. */
export interface PerformedSearch {
  reading: Reading
  term: string
  empty: boolean
}

/** A term that had results and answers with none is suspect; a later answer with results clears it. */
export async function recordSearches(db: Database, notes: readonly PerformedSearch[]): Promise<void> {
  const answers = notes.flatMap(({ reading, term, empty }) => {
    const { country, source, observedAt, readingId } = reading
    if (country === null) return []
    return [{ source, country, term, subject: termSubject(term, source), observedAt, readingId, empty }]
  })
  if (answers.length === 0) return
  const empty = answers.filter((answer) => answer.empty)
  const around = new Map((await resultsAround(db, empty)).map(({ readingId, ...found }) => [readingId, found]))
  await recordEmpty(
    db,
    empty.map(({ source, country, subject, observedAt, readingId }) => ({
      source,
      country,
      subject,
      observedAt,
      day: storefrontDay(country, observedAt),
      readingId,
      suspect: around.get(readingId)?.before ?? false,
      cleared: around.get(readingId)?.after ?? false,
    })),
  )
  const telling = answers.filter((answer) => !answer.empty)
  if (telling.length > 0) await reassessEmpty(db, telling)
}

/**
 * Whether the term of each reading had results in an earlier reading of the same source and storefront, or in a later one.
 */
async function resultsAround(
  db: Database,
  answers: readonly { readingId: string; source: string; country: string; term: string; observedAt: Date }[],
): Promise<{ readingId: string; before: boolean; after: boolean }[]> {
  if (answers.length === 0) return []
  return rows(
    db,
    sql<{ readingId: string; before: boolean; after: boolean }>`
      with a as materialized (
        select * from json_to_recordset(${JSON.stringify(answers)}::json) as a("readingId" text, source text, country text,
          term text, "observedAt" timestamptz)
      ), results as materialized (
        select a."readingId", bool_or(r.observed_at < a."observedAt") as before,
          bool_or(r.observed_at >= a."observedAt") as after
        from a join readings r on r.country = a.country and r.context ->> 'term' = a.term and r.source = a.source
        where r.source in ('itunes-search', 'apple-search-hints') and r.records > r.rejected
        group by a."readingId"
      )
      select a."readingId", coalesce(r.before, false) as before, coalesce(r.after, false) as after
      from a left join results r using ("readingId")`,
  )
}
