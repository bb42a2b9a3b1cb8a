import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import type { SourceName } from '../../vocabulary/provenance.ts'
import { storefrontDay } from '../../vocabulary/storefront-day.ts'
import type { Reading } from '../evidence/reading.ts'

/** An empty answer. */
interface EmptyAnswer {
  source: SourceName
  country: string
  subject: string
  observedAt: Date
  /** Storefront date. */
  day: string
  readingId: string
  /** Whether an earlier answer was not empty. */
  suspect: boolean
  /** Whether an answer of that time or later was not empty. */
  cleared: boolean
}

/** The subject of a chart among those that can answer with nothing. */
export const chartSubject = ({ kind, categoryId, device }: Omit<ChartIdentity, 'country'>) =>
  `chart ${kind} ${categoryId} ${device}`

export const termSubject = (term: string, source: SourceName) =>
  source === 'apple-search-hints'
    ? `hints ${term}`
    : source === 'app-store-search'
      ? `web search ${term}`
      : `term ${term}`

/** Whether the answer of that instant is suspect. */
export async function isSuspect(
  db: Database,
  country: string,
  subject: string,
  observedAt: Date,
): Promise<boolean> {
  const found = await rows(
    db,
    sql`
      select from suspect_answers
      where suspect and country = ${country} and subject = ${subject} and observed_at = ${observedAt}`,
  )
  return found.length > 0
}

/** Records empty answers; the caller has already looked for answers with content around them. */
export async function recordEmptyAnswers(db: Database, answers: readonly EmptyAnswer[]): Promise<void> {
  if (answers.length === 0) return
  await sql`
    insert into suspect_answers (source, country, subject, observed_at, day, reading_id, suspect, cleared)
    select source, country, subject, "observedAt", day, "readingId", suspect, cleared
    from json_to_recordset(${JSON.stringify(answers)}::json) as a(source text, country text, subject text,
      "observedAt" timestamptz, day date, "readingId" uuid, suspect boolean, cleared boolean)
    on conflict do nothing`.execute(db)
}

/** Reassesses empty answers after answers with content: those before are cleared, those after are suspect. */
export async function reassessEmptyAnswers(
  db: Database,
  answered: readonly { country: string; subject: string; observedAt: Date }[],
): Promise<void> {
  await sql`
    update suspect_answers s
    set suspect = s.suspect or s.observed_at > a.first, cleared = s.cleared or s.observed_at <= a.last
    from (
      select country, subject, min("observedAt") as first, max("observedAt") as last
      from json_to_recordset(${JSON.stringify(answered)}::json) as a(country text, subject text, "observedAt" timestamptz)
      group by country, subject
    ) a
    where s.country = a.country and s.subject = a.subject
      and ((not s.suspect and s.observed_at > a.first) or (not s.cleared and s.observed_at <= a.last))`.execute(
    db,
  )
}

/** Days on which a chart only gave suspect empty answers, by subject. */
export async function suspectDays(
  db: Database,
  country: string,
  subjects: readonly string[],
  from: string,
  to: string,
): Promise<Map<string, Set<string>>> {
  const found = await rows(
    db,
    sql<{ subject: string; days: string[] }>`
      select subject, json_agg(distinct day) as days
      from suspect_answers
      where suspect and country = ${country} and subject = any(${[...subjects]}::text[]) and day between ${from}::date and ${to}::date
      group by subject`,
  )
  return new Map(found.map(({ subject, days }) => [subject, new Set(days)]))
}

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
  await recordEmptyAnswers(
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
  const answered = answers.filter((answer) => !answer.empty)
  if (answered.length > 0) await reassessEmptyAnswers(db, answered)
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
        where r.source in ('itunes-search', 'apple-search-hints', 'app-store-search') and r.records > r.rejected
        group by a."readingId"
      )
      select a."readingId", coalesce(r.before, false) as before, coalesce(r.after, false) as after
      from a left join results r using ("readingId")`,
  )
}
