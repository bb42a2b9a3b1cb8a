import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import type { SourceName } from '../../vocabulary/provenance.ts'

/** An empty answer. */
export interface EmptyAnswer {
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
  source === 'apple-search-hints' ? `hints ${term}` : `term ${term}`

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
export async function recordEmpty(db: Database, answers: readonly EmptyAnswer[]): Promise<void> {
  if (answers.length === 0) return
  await sql`
    insert into suspect_answers (source, country, subject, observed_at, day, reading_id, suspect, cleared)
    select source, country, subject, "observedAt", day, "readingId", suspect, cleared
    from json_to_recordset(${JSON.stringify(answers)}::json) as a(source text, country text, subject text,
      "observedAt" timestamptz, day date, "readingId" uuid, suspect boolean, cleared boolean)
    on conflict do nothing`.execute(db)
}

/** Reassesses empty answers after answers with content: those before are cleared, those after are suspect. */
export async function reassessEmpty(
  db: Database,
  telling: readonly { country: string; subject: string; observedAt: Date }[],
): Promise<void> {
  await sql`
    update suspect_answers s
    set suspect = s.suspect or s.observed_at > a.first, cleared = s.cleared or s.observed_at <= a.last
    from (
      select country, subject, min("observedAt") as first, max("observedAt") as last
      from json_to_recordset(${JSON.stringify(telling)}::json) as a(country text, subject text, "observedAt" timestamptz)
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
