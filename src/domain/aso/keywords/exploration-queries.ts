import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../../storage/database.ts'
import type { SearchSurface } from '../../../vocabulary/search-surfaces.ts'
import { namedReadingColumns } from '../../evidence/queries.ts'
import type { NamedReading } from '../../evidence/reading.ts'
import { isCountedPage, type NewestPageDetails } from '../pages/page-writes.ts'
import type { PagePlaces } from '../pages/result-pages.ts'
import { type StoredScores, storedScores, termsOn } from '../pages/term-queries.ts'
import { comparedPlaces } from '../scores/volatility.ts'

/** A term with its scores and the number of its stored pages. */
export interface ExploredTerm extends StoredScores {
  termId: number
  pages: number
  firstPageAt: Date | null
}

/** Undefined when the term was never searched on the surface, or tracked. */
export function exploredTerm(
  db: Database,
  country: string,
  term: string,
  surface: SearchSurface,
): Promise<ExploredTerm | undefined> {
  return firstRow(
    db,
    sql<ExploredTerm>`
      with t as materialized (select * from ${termsOn(surface)} where country = ${country} and term = ${term}),
      stored as materialized (
        select count(*)::int as pages, min(captured_at) as first from result_pages where term_id in (select term_id from t)
      )
      select t.term_id as "termId", stored.pages, stored.first as "firstPageAt", ${storedScores(sql`t`)}
      from t cross join stored`,
  )
}

/** A page with its day and its reading. */
export interface ResultPageRow extends PagePlaces, NamedReading {
  /** The storefront's own date. */
  day: string
  requested: number | null
  storeIds: (string | null)[]
  /** Other details the page showed of each place; null for all but the newest page. */
  shown: (NewestPageDetails | null)[] | null
  /** The stated number of results, where it differs from the length of the list; null for all but the newest page. */
  stated: number | null
}

/** The newest pages of a term that count, newest first. */
export function newestResultPages(db: Database, termId: number, count: number): Promise<ResultPageRow[]> {
  return rows(
    db,
    sql<ResultPageRow>`
      with p as materialized (
        select p.*, n.shown, n.stated
        from (
          select p.* from result_pages p join term_states t using (term_id)
          where p.term_id = ${termId} and ${isCountedPage(sql`p`, sql`t`)}
          order by p.captured_at desc limit ${count}
        ) p
        left join newest_pages n on n.term_id = p.term_id and n.captured_at = p.captured_at
      )
      select p.captured_at as "capturedAt", p.day::text as day, p.requested, to_json(p.store_ids::text[]) as "storeIds",
        p.shown, p.stated::float8 as stated, ${namedReadingColumns(sql`e`)}
      from p join readings e using (reading_id)
      order by p.captured_at desc`,
  )
}

/** Maximum pages read to find the last one of each day: a month of hourly captures. */
const pagesOfDays = 750

/** The first places of the last page of each day that counts and has results, for the newest such days, newest first. */
export function dailyTopPlaces(db: Database, termId: number, days: number): Promise<PagePlaces[]> {
  return rows(
    db,
    sql<PagePlaces>`
      select distinct on (day) captured_at as "capturedAt", to_json(store_ids[1:${sql.lit(comparedPlaces)}]::text[]) as "storeIds"
      from (
        select * from result_pages where term_id = ${termId} and depth > 0 and counts
        order by captured_at desc limit ${pagesOfDays}
      ) p
      order by day desc, captured_at desc limit ${days}`,
  )
}

/** Apple's suggestions for a prefix. */
export interface StoredHints extends NamedReading {
  typed: string
  observedAt: Date
  /** In Apple's order. */
  terms: string[]
}

/** The stored answers for these prefixes, the shortest first. */
export function hintsFor(db: Database, country: string, typed: readonly string[]): Promise<StoredHints[]> {
  return rows(
    db,
    sql<StoredHints>`
      with h as materialized (
        select * from hint_answers
        where country = ${country} and typed in (select json_array_elements_text(${JSON.stringify(typed)}::json))
      )
      select h.typed, h.observed_at as "observedAt", to_json(h.terms) as terms, ${namedReadingColumns(sql`e`)}
      from h join readings e using (reading_id)
      order by char_length(h.typed)`,
  )
}

/** A tracked app of an account. */
export interface TrackedRow {
  appId: string
  storeId: string
  role: 'own' | 'rival' | 'watched'
  /** Null when the app does not have the keyword. */
  keywordId: string | null
}

/** The apps an account tracks in a storefront, oldest first. @param termId the keyword; null when it has no row */
export function trackedApps(
  db: Database,
  accountId: string,
  country: string,
  termId: number | null,
): Promise<TrackedRow[]> {
  return rows(
    db,
    sql<TrackedRow>`
      select a.app_id as "appId", a.store_id::text as "storeId", a.role, k.keyword_id as "keywordId"
      from tracked_apps a
      left join tracked_keywords k on k.app_id = a.app_id and k.term_id = ${termId}
      where a.account_id = ${accountId}::uuid and a.country = ${country}
      order by a.app_id`,
  )
}

/** A term with its scores. */
export interface TermScores extends StoredScores {
  term: string
}

/** Leaves out terms without a page: they are stored only because an account tracks them. */
export function scoresOfTerms(db: Database, country: string, terms: readonly string[]): Promise<TermScores[]> {
  return rows(
    db,
    sql<TermScores>`
      with t as materialized (
        select * from terms
        where country = ${country} and page_at is not null
          and term in (select json_array_elements_text(${JSON.stringify(terms)}::json))
      )
      select t.term, ${storedScores(sql`t`)} from t`,
  )
}
