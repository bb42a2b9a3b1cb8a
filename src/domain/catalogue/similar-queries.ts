import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { filterTerm, tiersWith } from './search-document.ts'

/** Other apps of the same developer in a storefront, by its id where that is known, else by its name; most ratings first. */
export async function appsOfDeveloper(
  db: Database,
  storeId: string,
  country: string,
  developer: { id: string | null; name: string | null },
  limit: number,
): Promise<string[]> {
  if (developer.id === null && developer.name === null) return []
  const same =
    developer.id === null ? sql`developer = ${developer.name}` : sql`developer_id = ${developer.id}::bigint`
  const found = await rows(
    db,
    sql<{ storeId: string }>`
      select store_id::text as "storeId" from app_records
      where ${same} and country = ${country} and store_id <> ${storeId}::bigint
      order by rating_count desc nulls last, store_id limit ${limit}`,
  )
  return found.map((row) => row.storeId)
}

export interface Companion {
  storeId: string
  /** Captures that showed both apps. */
  together: number
  /** Captures of those looked at that showed the app asked about. */
  looked: number
}

/**
 * Apps that stood in the same captures as this one, most often first. Looks at the newest captures of charts of one
 * category that showed the app; the overall charts put everything together and tell nothing.
 */
export function companionsInCharts(
  db: Database,
  storeId: string,
  country: string,
  captures: number,
  limit: number,
): Promise<Companion[]> {
  return rows(
    db,
    sql<Companion>`
      with newest as (
        select max(newest_captured_at) as captured_at from charts where country = ${country}
      ), own as materialized (
        select k.chart_id, k.captured_at
        from charts c
        join chart_ranks k on k.chart_id = c.chart_id and k.store_id = ${storeId}::bigint
          and k.captured_at >= (select captured_at from newest) - interval '90 days'
        where c.country = ${country} and c.category_id <> 36
        order by k.captured_at desc, c.category_id, c.kind, c.device
        limit ${captures}
      )
      select together.store_id::text as "storeId", count(*)::int as together, (select count(*)::int from own) as looked
      from own
      join chart_snapshots s using (chart_id, captured_at)
      cross join lateral unnest(s.store_ids) as together(store_id)
      where together.store_id is not null and together.store_id <> ${storeId}::bigint
      group by together.store_id
      order by count(*) desc, together.store_id
      limit ${limit}`,
  )
}

/** The texts of an app in a storefront. */
export interface TextsRow {
  storeId: string
  /** What search knows of them; null when it knows texts of other storefronts too. */
  terms: string[] | null
  /** Null when the terms say all. */
  name: string | null
  subtitle: string | null
  developer: string | null
  description: string | null
}

const tiers = tiersWith(0)

/**
 * Apps of a storefront that could resemble a text: those of a category, and those that hold any of some terms in their
 * names, from the most established tiers down, in each tier by their ids.
 */
export function appsLike(
  db: Database,
  storeId: string,
  country: string,
  categoryId: number | null,
  nameTerms: readonly string[],
  limit: number,
): Promise<TextsRow[]> {
  const here = tiers.map((tier) => `'${filterTerm.storefront(country, tier)}'`).join(' | ')
  const named = nameTerms.length === 0 ? "''" : `(${nameTerms.join(' | ')}) & (${here})`
  const tier = (number: number, clause: ReturnType<typeof sql>) => sql`
    (select s.store_id, s.all_terms from ${sql.table(`app_search_${number}`)} s
    where s.store_id <> ${storeId}::bigint and ${clause} order by s.store_id limit ${limit})`
  const scan = (clause: ReturnType<typeof sql>) => sql`
    (select * from (${sql.join(
      tiers.map((number) => tier(number, clause)),
      sql` union all `,
    )}) walked limit ${limit})`
  const sameCategory = sql`exists (
    select 1 from app_records r
    where r.store_id = s.store_id and r.country = ${country} and r.primary_category_id = ${categoryId})`
  return rows(
    db,
    sql<TextsRow>`
      select found.store_id::text as "storeId", to_json(tsvector_to_array(found.terms)) as terms, r.name, r.subtitle,
        r.developer, r.description
      from (
        select distinct on (store_id) store_id, case when not exists (
          select from app_records other where other.store_id = found.store_id and other.country <> ${country}
        ) then all_terms end as terms
        from (${scan(sql`s.name_terms @@ ${named}::tsquery`)} union all ${scan(sameCategory)}) found
      ) found
      left join app_records r on found.terms is null and r.store_id = found.store_id and r.country = ${country}`,
  )
}

export interface NeighbourInResults {
  storeId: string
  /** Result pages with both apps among the first places. */
  together: number
  /** Result pages looked at: those with the app asked about among the first places. */
  looked: number
  /** A term of such a page. */
  term: string
}

/**
 * Apps that stand among the first places of the newest result pages that have this app there, most often first. The
 * newest `pages` such pages of the app's last two months of ranks are looked at.
 */
export function besideInResults(
  db: Database,
  storeId: string,
  country: string,
  { places, pages, limit }: { places: number; pages: number; limit: number },
): Promise<NeighbourInResults[]> {
  return rows(
    db,
    sql<NeighbourInResults>`
      with own as materialized (
        select t.term_id, t.term, t.page_at
        from rank_months m
        join terms t on t.term_id = m.term_id and date_trunc('month', t.page_day::timestamp)::date = m.month
        where m.store_id = ${storeId}::bigint and m.country = ${country} and m.best <= ${places}
          and m.month >= (
            select max(month) - interval '1 month' from rank_months
            where store_id = ${storeId}::bigint and country = ${country})
          and m.ranks[extract(day from t.page_day)::int] <= ${places}
        order by t.page_at desc, t.term
        limit ${pages}
      )
      select beside.store_id::text as "storeId", count(*)::int as together, (select count(*)::int from own) as looked,
        min(own.term) as term
      from own
      join result_pages p on p.term_id = own.term_id and p.captured_at = own.page_at
      cross join lateral unnest(p.store_ids[1:${sql.lit(places)}]) as beside(store_id)
      where beside.store_id is not null and beside.store_id <> ${storeId}::bigint
      group by beside.store_id
      order by count(*) desc, beside.store_id
      limit ${limit}`,
  )
}
