import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../../storage/database.ts'
import { topPlaceCount } from '../pages/page-writes.ts'
import { minAppsOfPage, minSharedApps, type TermPage } from './related-terms.ts'

/**
 * Reads the pages around a term: only newest pages of terms that have one, since which terms other accounts track is
 * private. Apps and words of too many pages are skipped entirely, so that the result does not depend on the order in which
 * pages came.
 */

/** Counting pages of the storefront stops here. */
const countedPages = 10_000
/** An app on the first places of more pages than this, or a word of more terms, is not used to find other pages. */
export const tooCommonAbove = 2_000

/** Newest pages of the storefront with enough apps; matches the index `newest_pages_telling`. */
const comparablePages = (country: string) =>
  sql`n.country = ${country} and cardinality(n.top) >= ${sql.lit(minAppsOfPage)}`

/** Number of terms of a storefront with enough apps among the first places of their page; counted up to a limit. */
export async function countComparablePages(db: Database, country: string): Promise<number> {
  const [counted] = await rows(
    db,
    sql<{ pages: number }>`
      select count(*)::int as pages from (
        select 1 from newest_pages n where ${comparablePages(country)} limit ${countedPages}
      ) counted`,
  )
  return counted?.pages ?? 0
}

const placeOf = (rank: number) => sql`(select top[${sql.lit(rank)}] from asked)`

/** An app of a page, with the number of pages of the storefront that show it. */
export interface AppOfPage {
  storeId: string
  pages: number
}

/**
 * The apps of the first places of a term's newest page, best first. Pages are found by each app alone (`offset 0`): when the
 * planner also uses the index of the storefront, which is as large as the storefront, counting takes ten times as long.
 */
export function appsOfPage(db: Database, country: string, termId: number): Promise<AppOfPage[]> {
  return rows(
    db,
    sql<AppOfPage>`
      with asked as materialized (select top from newest_pages where term_id = ${termId}),
      counted as materialized (${sql.join(
        Array.from({ length: topPlaceCount }, (_, index) => index + 1).map(
          (rank) => sql`
            select ${rank}::int as rank, ${placeOf(rank)} as store_id, (
              select count(*)::int from (
                select 1 from (select * from newest_pages where top @> array[${placeOf(rank)}] offset 0) n
                where ${comparablePages(country)} limit ${tooCommonAbove + 1}
              ) found
            ) as pages`,
        ),
        sql` union all `,
      )})
      select store_id::text as "storeId", pages from counted where store_id is not null order by rank`,
  )
}

/**
 * Pages that share enough apps with a page, those that share most first.
 * @param apps those of the page, best first, each with its weight
 */
export function pagesOfApps(
  db: Database,
  country: string,
  termId: number,
  apps: readonly (AppOfPage & { weight: number })[],
  limit: number,
): Promise<TermPage[]> {
  const rare = apps.filter(({ pages }) => pages <= tooCommonAbove)
  return rows(
    db,
    sql<TermPage>`
      with asked as (
        select store_id, weight
        from unnest(${idsOf(apps)}::bigint[], ${`{${apps.map(({ weight }) => weight).join(',')}}`}::float8[]) as app(store_id, weight)
      )
      select t.term, to_json(n.top::text[]) as top
      from newest_pages n join term_names t using (term_id)
      where ${comparablePages(country)} and n.top && ${idsOf(rare)}::bigint[] and n.term_id <> ${termId}
        and (select count(*) from asked where store_id = any(n.top)) >= ${sql.lit(minSharedApps)}
      order by (select sum(weight order by store_id) from asked where store_id = any(n.top)) desc, t.term
      limit ${limit}`,
  )
}

/** Number of terms of a storefront with a page that hold each of these words; counted up to a limit. */
export function countTermsOfWords(
  db: Database,
  country: string,
  words: readonly string[],
): Promise<{ word: string; terms: number }[]> {
  if (words.length === 0) return Promise.resolve([])
  const counts = words.map(
    (word) => sql`
      select ${word}::text as word, (
        select count(*)::int from (
          select 1 from term_words w where w.country = ${country} and w.word = ${word} limit ${tooCommonAbove + 1}
        ) counted
      ) as terms`,
  )
  return rows(db, sql<{ word: string; terms: number }>`${sql.join(counts, sql` union all `)}`)
}

const wordsSent = (words: readonly string[]): RawBuilder<unknown> =>
  sql`json_array_elements_text(${JSON.stringify(words)}::json) as sent(word)`

/**
 * Pages of terms that hold one of these words, those that share most apps with a page first, however few apps they show.
 * @param apps those of the page
 */
export function pagesOfWords(
  db: Database,
  country: string,
  termId: number,
  words: readonly { word: string; terms: number }[],
  apps: readonly AppOfPage[],
  limit: number,
): Promise<TermPage[]> {
  const rare = words.filter(({ terms }) => terms <= tooCommonAbove).map(({ word }) => word)
  return rows(
    db,
    sql<TermPage>`
      select t.term, to_json(coalesce(n.top, '{}')::text[]) as top
      from (
        select term_id, count(*) as shared from term_words
        where country = ${country} and term_id <> ${termId} and word in (select word collate "C" from ${wordsSent(rare)})
        group by term_id
      ) near
      join term_names t using (term_id)
      left join newest_pages n using (term_id)
      order by (select count(*) from unnest(n.top) as app where app = any(${idsOf(apps)}::bigint[])) desc, near.shared desc, t.term
      limit ${limit}`,
  )
}

const idsOf = (apps: readonly AppOfPage[]) => `{${apps.map(({ storeId }) => storeId).join(',')}}`
