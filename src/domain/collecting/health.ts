import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { librarySources } from '../../vocabulary/ad-platforms.ts'
import type { FailureKind } from '../../vocabulary/failure-kinds.ts'
import type { SourceName } from '../../vocabulary/provenance.ts'
import { type AreaChange, withCountedChange } from '../evidence/changes.ts'

/** The storefront of sources that have none. */
export const noStorefront = '--'

/** Health of a source in a storefront. */
export interface SourceHealth {
  source: SourceName
  country: string
  lastSuccessAt: Date | null
  /** The first failure after the last success; null while the source is well. */
  failingSince: Date | null
  /** Consecutive failures. */
  failures: number
  lastFailureAt: Date | null
  failureKind: FailureKind | null
  failureMessage: string | null
  /** How its answers differ from the form known here, though they are read, and since when; null where they do not. */
  differences: string | null
  differsSince: Date | null
  /** Subjects that answer with nothing where they had something before, and since when the first of them does. */
  suspects: number
  suspectSince: Date | null
  /** Terms that answer with far fewer results than before, and since when the first of them does. */
  shorts: number
  shortSince: Date | null
}

/** Every record tells whether any library of ads fails, in whatever country. */
const changeOf = (source: SourceName, country: string): AreaChange =>
  country === noStorefront || librarySources.some((library) => library === source)
    ? 'other'
    : { area: 'other', scopes: [country] }

/** Interval for recording successes of a healthy source: a write for each call would not be worth its cost. */
const recordedEverySeconds = 30

export async function recordSuccess(
  db: Database,
  source: SourceName,
  country: string,
  at: Date,
): Promise<void> {
  const change = sql`
    insert into source_health as h (source, country, last_success_at) values (${source}, ${country}, ${at})
    on conflict (source, country) do update set last_success_at = excluded.last_success_at, failing_since = null,
      failures = 0
    where h.failing_since is not null or h.last_success_at is null
      or h.last_success_at < excluded.last_success_at - ${recordedEverySeconds} * interval '1 second'
    returning source`
  await withCountedChange(change, changeOf(source, country)).execute(db)
}

export async function recordFailure(
  db: Database,
  source: SourceName,
  country: string,
  failure: { at: Date; kind: FailureKind; message: string },
): Promise<void> {
  const { at, kind, message } = failure
  const change = sql`
    insert into source_health as h (source, country, failing_since, failures, last_failure_at, failure_kind,
      failure_message)
    values (${source}, ${country}, ${at}, 1, ${at}, ${kind}, ${message})
    on conflict (source, country) do update set failing_since = coalesce(h.failing_since, excluded.failing_since),
      failures = h.failures + 1, last_failure_at = excluded.last_failure_at, failure_kind = excluded.failure_kind,
      failure_message = excluded.failure_message
    returning source`
  await withCountedChange(change, changeOf(source, country)).execute(db)
}

/** Records how the answers of a source differ from the known form; null where the newest does not. */
export async function recordDifferences(
  db: Database,
  source: SourceName,
  country: string,
  { at, differences }: { at: Date; differences: string | null },
): Promise<void> {
  if (differences === null) {
    await sql`
      update source_health set differences = null, differs_since = null
      where source = ${source} and country = ${country} and differences is not null`.execute(db)
    return
  }
  const change = sql`
    insert into source_health as h (source, country, differences, differs_since)
    values (${source}, ${country}, ${differences}, ${at})
    on conflict (source, country) do update set differences = excluded.differences,
      differs_since = coalesce(h.differs_since, excluded.differs_since)
    where h.differences is distinct from excluded.differences
    returning source`
  await withCountedChange(change, changeOf(source, country)).execute(db)
}

/** Pages in doubt without a later one that counts. */
const pagesInDoubt = sql`
  term_names t join term_states s using (term_id)
  join result_pages p on p.term_id = s.term_id and not p.counts and p.captured_at > s.page_at`

/** Every source in every storefront that was ever called, those with an issue first. */
export function healthOfSources(db: Database): Promise<SourceHealth[]> {
  return rows(
    db,
    sql<SourceHealth>`
      with suspects as (
        select source, country, count(distinct subject)::int as suspects, min(observed_at) as "suspectSince"
        from suspect_answers where suspect and not cleared group by source, country
      ), shorts as (
        select t.surface::text as source, t.country, count(distinct t.term_id)::int as shorts,
          min(p.captured_at) as "shortSince"
        from ${pagesInDoubt} group by t.surface, t.country
      )
      select source, country, h.last_success_at as "lastSuccessAt", h.failing_since as "failingSince",
        coalesce(h.failures, 0) as failures, h.last_failure_at as "lastFailureAt", h.failure_kind as "failureKind",
        h.failure_message as "failureMessage", h.differences, h.differs_since as "differsSince", coalesce(s.suspects, 0) as suspects, s."suspectSince",
        coalesce(f.shorts, 0) as shorts, f."shortSince"
      from source_health h
      full join suspects s using (source, country)
      full join shorts f using (source, country)
      order by (h.failing_since is null), (s.suspects is null and f.shorts is null and h.differences is null), source,
        country`,
  )
}

/** A source that fails in a storefront, or answers with nothing or far less where it had something before. */
export interface SourceIssue {
  source: SourceName
  country: string
  kind: 'failing' | 'throttled' | 'suspect-empty' | 'suspect-short'
  since: Date
  /** The error, or the subjects that answer with nothing or far less. */
  detail: string
}

/** Subjects of an issue that are named; the rest are counted. */
const subjectsNamed = 5

/**
 * Current issues of the sources behind an answer, longest first. Empty when all are healthy or were never called.
 * @param subjects whose suspect answers matter; one that ends with a space is a prefix, such as `chart `
 */
export function openSourceIssues(
  db: Database,
  sources: readonly SourceName[],
  country: string,
  subjects: readonly string[],
): Promise<SourceIssue[]> {
  return rows(
    db,
    sql<SourceIssue>`
      select source, country, case when failure_kind = 'throttled' then 'throttled' else 'failing' end as kind,
        failing_since as since, coalesce(failure_message, '') as detail
      from source_health
      where country = ${country} and source = any(${[...sources]}::text[]) and failing_since is not null
      union all
      select source, country, 'suspect-empty', min(observed_at),
        array_to_string((array_agg(distinct subject))[1:${subjectsNamed}], ', ')
          || case when count(distinct subject) > ${subjectsNamed}
            then ' and ' || count(distinct subject) - ${subjectsNamed} || ' more' else '' end
      from suspect_answers
      where country = ${country} and suspect and not cleared
        and exists (
          select 1 from unnest(${[...subjects]}::text[]) as asked
          where subject = asked or (right(asked, 1) = ' ' and starts_with(subject, asked)))
      group by source, country
      union all
      select surface, ${country}, 'suspect-short', min(since),
        string_agg(said, ', ' order by term) filter (where place <= ${subjectsNamed})
          || case when count(*) > ${subjectsNamed} then ' and ' || count(*) - ${subjectsNamed} || ' more' else '' end
      from (
        select t.surface::text as surface, t.term, min(p.captured_at) as since,
          row_number() over (partition by t.surface order by t.term) as place,
          format('term %s (%s after %s)', t.term,
            (array_agg(p.depth order by p.captured_at desc))[1], (array_agg(p.known_depth))[1]) as said
        from ${pagesInDoubt}
        where t.country = ${country} and t.surface = any(${[...sources]}::text[]) and exists (
            select 1 from unnest(${[...subjects]}::text[]) as asked
            where 'term ' || t.term = asked or asked = 'term ')
        group by t.surface, t.term
      ) short
      group by surface
      order by since, kind, source`,
  )
}

/** A source that is not well in some storefronts. */
export interface SourceIssueOfStorefronts {
  source: SourceName
  kind: 'failing' | 'throttled' | 'suspect-empty'
  /** Longest first; empty for a source without storefronts. */
  countries: string[]
  since: Date
  /** The newest error, or how many subjects are answered with nothing. */
  detail: string
}

/** What is not well of any source in some storefronts, and of sources that have none, longest first: at most one of each kind and source. */
export function openIssuesIn(db: Database, countries: readonly string[]): Promise<SourceIssueOfStorefronts[]> {
  const here = sql`country = any(${[...countries, noStorefront]}::text[])`
  return rows(
    db,
    sql<SourceIssueOfStorefronts>`
      select source::text, kind, array_remove(array_agg(country::text order by failing_since, country), ${noStorefront}) as countries,
        min(failing_since) as since,
        coalesce((array_agg(failure_message order by last_failure_at desc nulls last))[1], '') as detail
      from (
        select *, case when failure_kind = 'throttled' then 'throttled' else 'failing' end as kind
        from source_health where ${here} and failing_since is not null
      ) failing
      group by source, kind
      union all
      select source::text, 'suspect-empty', array_remove(array_agg(country::text order by since, country), ${noStorefront}),
        min(since), sum(subjects)::text
      from (
        select source, country, min(observed_at) as since, count(distinct subject) as subjects
        from suspect_answers where ${here} and suspect and not cleared group by source, country
      ) suspect
      group by source
      order by since, kind, source`,
  )
}
