import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../../storage/database.ts'
import type { SearchSurface } from '../../../vocabulary/search-surfaces.ts'
import type { Work } from '../../work/work.ts'
import type { TermName } from '../pages/term-queries.ts'
import { isRivalOf } from './tracked-apps.ts'

/** A page at most this old when a refresh is requested is used instead of a new search. */
const pageServesHours = 1
/** Suggestions change slowly: an answer is used for this long. */
const hintsServeDays = 7
const dayMs = 86_400_000

const pagesSince = (asked: ReturnType<typeof sql>) =>
  sql`${asked}::timestamptz - ${pageServesHours} * interval '1 hour'`
const hintsSince = (asked: ReturnType<typeof sql>) =>
  sql`${asked}::timestamptz - ${hintsServeDays} * interval '1 day'`

export interface KeywordToRefresh extends TermName {
  termId: number
  /** Whether it has a page recent enough. */
  searched: boolean
  /** The prefix that suggestions are collected for. */
  typed: string
  /** Whether it has suggestions recent enough. */
  suggested: boolean
}

/**
 * The keywords of a tracked app, in the order they were added, except that those whose last search failed come last, so
 * that they do not delay the others. Empty for an unknown app.
 * @param asked when the refresh was requested: anything stored since then is recent enough, however long the refresh takes
 */
export function keywordsToRefresh(db: Database, appId: string, asked: Date): Promise<KeywordToRefresh[]> {
  return rows(
    db,
    sql<KeywordToRefresh>`
      with k as materialized (select * from tracked_keywords where app_id = ${appId}),
      t as materialized (select * from terms where term_id in (select term_id from k))
      select t.term_id as "termId", t.country, t.term, coalesce(t.page_at >= ${pagesSince(sql`${asked}`)}, false) as searched,
        t.half as typed, coalesce(h.observed_at >= ${hintsSince(sql`${asked}`)}, false) as suggested
      from k
      join t using (term_id)
      left join (select * from search_failures where term_id in (select term_id from k)) f using (term_id)
      left join (
        select * from hint_answers where (country, typed) in (select country, half from t)
      ) h on h.country = t.country and h.typed = t.half
      order by f.failed_at nulls first, k.added_at, k.keyword_id`,
  )
}

/** After this time the holder of a claim is assumed dead. */
const claimSeconds = 120

/** The action of a refresh for a term: search for it, wait for another refresh's search, or nothing. */
export type SearchClaim = 'mine' | 'theirs' | 'needless'

/**
 * Claims the search for a term, so that only one of several refreshes searches; another attempt of the same work takes over
 * its own claim. Needless once a recent page exists, or the term is no longer tracked.
 */
export async function claimSearch(
  db: Database,
  termId: number,
  { workId, createdAt: asked }: Pick<Work, 'workId' | 'createdAt'>,
): Promise<SearchClaim> {
  const found = await firstRow(
    db,
    sql<{ mine: boolean }>`
      with wanted as materialized (
        select term_id from term_names
        where term_id = ${termId} and exists (select 1 from tracked_keywords where term_id = ${termId})
          and not exists (
            select 1 from term_states where term_id = ${termId} and page_at >= ${pagesSince(sql`${asked}`)})
      ), claimed as (
        update term_names t set search_claimed_by = ${workId}, search_claimed_at = now() from wanted
        where t.term_id = wanted.term_id and (t.search_claimed_by is null or t.search_claimed_by = ${workId}
          or t.search_claimed_at < now() - ${claimSeconds} * interval '1 second')
        returning t.term_id
      )
      select exists (select 1 from claimed) as mine from wanted`,
  )
  if (!found) return 'needless'
  return found.mine ? 'mine' : 'theirs'
}

/** Releases the claim of a work, unless another one has taken it over. */
export async function releaseSearch(db: Database, termId: number, workId: string): Promise<void> {
  await sql`
    update term_names set search_claimed_by = null, search_claimed_at = null
    where term_id = ${termId} and search_claimed_by = ${workId}`.execute(db)
}

/** Whether a page of the term was stored at or after an instant. */
export async function searchedSince(db: Database, { country, term }: TermName, since: Date): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`select from terms where country = ${country} and term = ${term} and page_at >= ${since}`,
  )
  return found !== undefined
}

/** Whether suggestions for the prefix were stored at or after an instant. */
export async function suggestedSince(
  db: Database,
  country: string,
  typed: string,
  since: Date,
): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`select from hint_answers where country = ${country} and typed = ${typed} and observed_at >= ${since}`,
  )
  return found !== undefined
}

/** Whether suggestions for the prefix are recent enough for a refresh. */
export function hasRecentSuggestions(
  db: Database,
  country: string,
  typed: string,
  asked: Date,
): Promise<boolean> {
  return suggestedSince(db, country, typed, new Date(asked.getTime() - hintsServeDays * dayMs))
}

/** A tracked app and the rivals its account tracks in the storefront, except those with a recent look-up. */
export async function listingsToRefresh(
  db: Database,
  appId: string,
  asked: Date,
): Promise<{ country: string; storeIds: string[] } | undefined> {
  const found = await firstRow(
    db,
    sql<{ country: string; storeIds: string[] }>`
      select own.country, json_agg(a.store_id::text order by a.app_id <> own.app_id, a.store_id)
        filter (where coalesce(c.looked_up_at < ${pagesSince(sql`${asked}`)}, true)) as "storeIds"
      from tracked_apps own
      join tracked_apps a on a.account_id = own.account_id and a.country = own.country
        and (a.app_id = own.app_id or ${isRivalOf(sql`a`, { appId: sql`own.app_id`, rivalOf: sql`own.rival_of` })})
      left join app_checks c on c.store_id = a.store_id and c.country = a.country
      where own.app_id = ${appId}
      group by own.app_id, own.country`,
  )
  return found && { country: found.country, storeIds: found.storeIds ?? [] }
}

/** Remaining calls of the refresh of an app. */
export interface CallsLeft {
  appId: string
  lookups: number
  searches: number
  suggestions: number
}

/** Remaining calls of every refresh under way for the accounts of some tracked apps, unordered. */
export function callsLeft(db: Database, kind: string, appIds: readonly string[]): Promise<CallsLeft[]> {
  return rows(
    db,
    sql<CallsLeft>`
      select w.subject as "appId",
        (exists (
          select 1 from tracked_apps a left join app_checks c on c.store_id = a.store_id and c.country = a.country
          where a.app_id = w.subject::uuid and coalesce(c.looked_up_at < ${pagesSince(sql`w.created_at`)}, true)
        ))::int as lookups,
        count(k.term_id) filter (where coalesce(t.page_at < ${pagesSince(sql`w.created_at`)}, true))::int as searches,
        count(distinct t.half)
          filter (where coalesce(h.observed_at < ${hintsSince(sql`w.created_at`)}, true))::int as suggestions
      from work w
      join tracked_apps of on of.app_id = w.subject::uuid
      left join tracked_keywords k on k.app_id = of.app_id
      left join terms t using (term_id)
      left join hint_answers h on h.country = t.country and h.typed = t.half
      where w.kind = ${kind} and w.status in ('queued', 'running') and of.account_id in (
        select account_id from tracked_apps
        where app_id in (select json_array_elements_text(${JSON.stringify(appIds)}::json)::uuid))
      group by w.work_id, w.subject, w.created_at`,
  )
}

/**
 * Tracked apps whose keywords are due, those with the oldest request first: at least one keyword has an old page or none,
 * and no refresh was requested lately.
 */
export async function dueAppRefreshes(
  db: Database,
  kind: string,
  before: Date,
  limit: number,
): Promise<string[]> {
  const found = await rows(
    db,
    sql<{ appId: string }>`
      with idle as materialized (
        select a.app_id, newest.created_at
        from tracked_apps a
        left join lateral (
          select w.status, w.created_at from work w
          where w.kind = ${kind} and w.subject = a.app_id::text order by w.work_id desc limit 1
        ) newest on true
        where coalesce(newest.status not in ('queued', 'running') and newest.created_at < ${before}, true)
      ), k as materialized (
        select app_id, term_id from tracked_keywords where app_id in (select app_id from idle)
      ), fresh as materialized (
        select term_id from term_states where page_at >= ${before} and term_id in (select term_id from k)
      )
      select app_id as "appId" from idle
      where app_id in (
        select app_id from k where not exists (select 1 from fresh where fresh.term_id = k.term_id))
      order by created_at nulls first, app_id limit ${limit}`,
  )
  return found.map(({ appId }) => appId)
}

/** A search that failed is not asked again by itself for this long. */
const failureWaitsHours = 1

/**
 * Tracked keywords without a page of a surface since an instant, each once; those that failed last come last.
 * @param before null for all tracked keywords
 */
export function dueSearches(
  db: Database,
  surface: SearchSurface,
  before: Date | null,
  limit: number | null,
): Promise<TermName[]> {
  return rows(
    db,
    sql<TermName>`
      with k as materialized (select distinct term_id from tracked_keywords),
      named as materialized (
        select n.country, n.term, o.term_id from term_names n
        left join term_names o on o.country = n.country and o.term = n.term and o.surface = ${surface}
        where n.term_id in (select term_id from k)
      ), fresh as materialized (
        select term_id from term_states
        where page_at >= ${before}::timestamptz and term_id in (select term_id from named)
      ), failed as materialized (
        select term_id, failed_at from search_failures where term_id in (select term_id from named)
      )
      select named.country, named.term from named left join failed using (term_id)
      where not exists (select 1 from fresh where fresh.term_id = named.term_id)
        and (${before}::timestamptz is null
          or coalesce(failed.failed_at < now() - ${failureWaitsHours} * interval '1 hour', true))
      order by failed.failed_at nulls first, named.country, named.term
      limit ${limit}::int`,
  )
}
