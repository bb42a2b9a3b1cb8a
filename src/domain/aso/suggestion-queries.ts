import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import { type StoredScores, storedScores } from './term-scores.ts'

/** The texts by which a rival names itself in a storefront. */
export interface RivalTexts {
  storeId: string
  name: string
  subtitle: string | null
  developer: string | null
}

export function rivalTexts(db: Database, storeIds: readonly string[], country: string): Promise<RivalTexts[]> {
  return rows(
    db,
    sql<RivalTexts>`
      select store_id::text as "storeId", name, subtitle, developer from app_records
      where country = ${country}
        and store_id in (select value::bigint from json_array_elements_text(${JSON.stringify(storeIds)}::json))`,
  )
}

/** A term for which rivals rank. */
export interface RivalRank {
  term: string
  /** How many of them, and the best with its rank. */
  rivals: number
  storeId: string
  rank: number
}

/**
 * Terms the tracked app has not, for which rivals rank within the first `places` of the newest page, those of most rivals
 * first. Terms whose newest page is more than a month older than a rival's newest are passed over.
 */
export function ranksOfRivals(
  db: Database,
  appId: string,
  storeIds: readonly string[],
  country: string,
  places: number,
  limit: number,
): Promise<RivalRank[]> {
  return rows(
    db,
    sql<RivalRank>`
      with ranked as (
        select m.term_id, m.store_id, m.ranks[extract(day from t.page_day)::int] as rank
        from (select value::bigint as store_id from json_array_elements_text(${JSON.stringify(storeIds)}::json)) r
        cross join lateral (
          select max(month) as month from rank_months n where n.store_id = r.store_id and n.country = ${country}
        ) newest
        join rank_months m on m.store_id = r.store_id and m.country = ${country}
          and m.month >= newest.month - interval '1 month' and m.best <= ${places}
        join terms t on t.term_id = m.term_id and date_trunc('month', t.page_day::timestamp)::date = m.month
        where m.ranks[extract(day from t.page_day)::int] <= ${places}
          and not exists (select from tracked_keywords k where k.app_id = ${appId} and k.term_id = m.term_id)
      )
      select t.term, count(*)::int as rivals, min(r.rank) as rank,
        (array_agg(r.store_id order by r.rank, r.store_id))[1]::text as "storeId"
      from ranked r join terms t using (term_id)
      group by t.term_id order by count(*) desc, min(r.rank), t.term limit ${limit}`,
  )
}

/** A term that Apple suggests. */
export interface SuggestedTerm {
  term: string
  typed: string
  /** Counted from 1. */
  place: number
}

/** What Apple suggests for things typed, each term once where it stands highest; highest first. */
export function suggestedFor(
  db: Database,
  country: string,
  typed: readonly string[],
  limit: number,
): Promise<SuggestedTerm[]> {
  return rows(
    db,
    sql<SuggestedTerm>`
      select term, typed, place from (
        select distinct on (s.term) s.term, h.typed, s.place::int as place
        from hint_answers h cross join lateral unnest(h.terms) with ordinality as s(term, place)
        where h.country = ${country}
          and h.typed in (select json_array_elements_text(${JSON.stringify(typed)}::json) collate "C")
        order by s.term, s.place, h.typed
      ) best
      order by place, term limit ${limit}`,
  )
}

/** What is stored of a term, and where an app stands for it. */
export interface TermFacts extends StoredScores {
  term: string
  pageDepth: number | null
  /** On the newest page; null when it is not on it. */
  rank: number | null
}

/** Of terms that have a row; the others are left out. */
export function factsOfTerms(
  db: Database,
  storeId: string,
  country: string,
  terms: readonly string[],
): Promise<TermFacts[]> {
  return rows(
    db,
    sql<TermFacts>`
      select t.term, t.page_depth as "pageDepth", m.ranks[extract(day from t.page_day)::int] as rank,
        ${storedScores(sql`t`)}
      from terms t
      left join rank_months m on m.store_id = ${bigintId(storeId)} and m.country = t.country
        and m.month = date_trunc('month', t.page_day::timestamp)::date and m.term_id = t.term_id
      where t.country = ${country} and t.term in (select json_array_elements_text(${JSON.stringify(terms)}::json))`,
  )
}
