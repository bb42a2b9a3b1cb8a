import { sql } from 'kysely'
import { type Database, rows } from '../../../storage/database.ts'
import { bigintId } from '../../../storage/ids.ts'
import { type StoredScores, storedScores } from '../pages/term-scores.ts'

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
 * Terms the tracked app has not, for which rivals stand in the first ten places of the newest page, those of most rivals
 * first. Pages more than a month older than the newest of them are passed over.
 */
export function ranksOfRivals(
  db: Database,
  appId: string,
  storeIds: readonly string[],
  country: string,
  limit: number,
): Promise<RivalRank[]> {
  return rows(
    db,
    sql<RivalRank>`
      with rivals as materialized (select array(
        select value::bigint from json_array_elements_text(${JSON.stringify(storeIds)}::json)
      ) as ids),
      pages as materialized (
        select t.term_id, t.term, t.page_day, n.top
        from newest_pages n join terms t using (term_id)
        where n.top && (select ids from rivals) and t.country = ${country}
          and not exists (select from tracked_keywords k where k.app_id = ${appId} and k.term_id = t.term_id)
      )
      select p.term, count(*)::int as rivals, min(place.rank) as rank,
        (array_agg(r.store_id order by place.rank, r.store_id))[1]::text as "storeId"
      from pages p
      cross join (select unnest(ids) as store_id from rivals) r
      cross join lateral (select array_position(p.top, r.store_id) as rank) place
      where place.rank is not null and p.page_day >= (select max(page_day) - 31 from pages)
      group by p.term_id, p.term order by count(*) desc, min(place.rank), p.term limit ${limit}`,
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

/** Of terms with a page; the others are left out: what is stored of them is there because somebody tracks them. */
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
      where t.country = ${country} and t.page_at is not null
        and t.term in (select json_array_elements_text(${JSON.stringify(terms)}::json))`,
  )
}
