import { sql } from 'kysely'
import { type Database, rows } from '../../../storage/database.ts'
import type { LocalizationCode } from '../../../vocabulary/storefronts.ts'
import { localizedTexts } from '../../catalogue/localized-search.ts'
import { filterTerm, tiersForRatings } from '../../catalogue/search-document.ts'
import { newestRanksOf } from '../pages/rank-queries.ts'
import { type StoredScores, storedScores } from '../pages/term-queries.ts'
import type { ListingTexts } from '../scores/relevance.ts'

/** The texts of an app in a storefront, the description cut to its beginning. */
export interface AppTexts extends ListingTexts {
  storeId: string
  developer?: string | null | undefined
}

/**
 * @param described characters of a description that are read
 * @param localization the texts in this language for apps that have them in it; the storefront's own for all others
 */
export async function textsOfApps(
  db: Database,
  storeIds: readonly string[],
  country: string,
  described: number,
  localization?: LocalizationCode,
): Promise<AppTexts[]> {
  const found = await ownTextsOfApps(db, storeIds, country, described)
  if (!localization) return found
  const localized = await localizedTexts(db, storeIds, { country, language: localization })
  const texts = new Map(localized.map((one) => [one.storeId, one]))
  return found.map((app) => {
    const own = texts.get(app.storeId)
    if (!own?.name) return app
    const { name, subtitle, description } = own
    return { ...app, name, subtitle, description: description?.slice(0, described) ?? null }
  })
}

/** Apps whose name or subtitle holds any of some words in another language of a storefront, by id. */
export async function appsNamedInLanguage(
  db: Database,
  country: string,
  language: LocalizationCode,
  words: readonly string[],
  limit: number,
): Promise<string[]> {
  if (words.length === 0) return []
  const any = words.map((word) => `'${word}'`).join(' | ')
  const found = await rows(
    db,
    sql<{ storeId: string }>`
      select store_id::text as "storeId" from localized_search
      where country = ${country} and language = ${language} and name_terms @@ ${any}::tsquery
      order by store_id limit ${limit}`,
  )
  return found.map(({ storeId }) => storeId)
}

function ownTextsOfApps(
  db: Database,
  storeIds: readonly string[],
  country: string,
  described: number,
): Promise<AppTexts[]> {
  return rows(
    db,
    sql<AppTexts>`
      select store_id::text as "storeId", name, subtitle, developer, left(description, ${described}) as description
      from app_records
      where country = ${country}
        and store_id in (select value::bigint from json_array_elements_text(${JSON.stringify(storeIds)}::json))
      order by store_id`,
  )
}

/**
 * Apps of a storefront whose name, subtitle or developer holds any of some words, from the most established tier down,
 * within each by id.
 * @param words as search stores them
 */
export function appsNamedWith(
  db: Database,
  country: string,
  words: readonly string[],
  limit: number,
): Promise<{ storeId: string; name: string }[]> {
  // Safe without quoting: words consist of letters and digits alone.
  const any = words.map((word) => `'${word}'`).join(' | ')
  return rows(
    db,
    sql<{ storeId: string; name: string }>`
      select r.store_id::text as "storeId", concat_ws(' ', r.name, r.subtitle) as name
      from (${sql.join(
        tiersForRatings(0).map(
          (tier) => sql`(
            select store_id from ${sql.table(`app_search_${tier}`)}
            where name_terms @@ ${`(${any}) & '${filterTerm.storefront(country, tier)}'`}::tsquery
            order by store_id limit ${limit})`,
        ),
        sql` union all `,
      )} limit ${limit}) found
      join app_records r on r.store_id = found.store_id and r.country = ${country}`,
  )
}

/** A term for which rivals rank. */
export interface RivalRank {
  term: string
  /** Number of these rivals, and the best of them with its rank. */
  rivals: number
  storeId: string
  rank: number
}

/**
 * Terms that are no keywords of the tracked app, for which rivals rank in the first ten of the newest page, those of most
 * rivals first. Skips pages more than a month older than the newest of them.
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
        select t.term_id, t.term, s.page_day, n.top
        from newest_pages n join term_names t using (term_id) join term_states s using (term_id)
        where n.top && (select ids from rivals) and t.country = ${country}
          and n.term_id not in (select term_id from tracked_keywords where app_id = ${appId})
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

/** Apple's suggestions for some prefixes, each term once at its highest place; highest first. */
export function suggestionsForPrefixes(
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

/** Stored data of a term, with the rank of an app for it. */
export interface TermFacts extends StoredScores {
  termId: number
  term: string
  pageDepth: number | null
  /** On the newest page; null when it is not on it. */
  rank: number | null
}

/** Leaves out terms without a page: they are stored only because an account tracks them. */
export function factsOfTerms(
  db: Database,
  storeId: string,
  country: string,
  terms: readonly string[],
): Promise<TermFacts[]> {
  return rows(
    db,
    sql<TermFacts>`
      with t as materialized (
        select * from terms
        where country = ${country} and page_at is not null
          and term in (select json_array_elements_text(${JSON.stringify(terms)}::json))
      ), ${newestRanksOf(storeId, country, sql`t`)}
      select t.term_id as "termId", t.term, t.page_depth as "pageDepth", m.rank, ${storedScores(sql`t`)}
      from t left join newest_ranks m using (term_id)`,
  )
}
