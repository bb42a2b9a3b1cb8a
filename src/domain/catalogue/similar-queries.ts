import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'

/** Other apps of the same developer, by its id where that is known, else by its name; most ratings first. */
export async function appsOfDeveloper(
  db: Database,
  storeId: string,
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
      where ${same} and store_id <> ${storeId}::bigint
      group by store_id order by max(rating_count) desc nulls last, store_id limit ${limit}`,
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
        order by k.captured_at desc, k.chart_id
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

export interface TermsRow {
  storeId: string
  terms: string[]
}

/** All terms of one app's names and descriptions; undefined when search does not know it. */
export async function termsOfApp(db: Database, storeId: string): Promise<string[] | undefined> {
  const [found] = await rows(
    db,
    sql<TermsRow>`
      select store_id::text as "storeId", to_json(tsvector_to_array(all_terms)) as terms
      from app_search where store_id = ${storeId}::bigint`,
  )
  return found?.terms
}

const tiers = [0, 1, 2, 3, 4]

/**
 * Apps that could resemble a text: those of a category, and those that hold any of some terms in their names, from the
 * most established tiers down.
 */
export function appsLike(
  db: Database,
  storeId: string,
  categoryId: number | null,
  nameTerms: string,
  limit: number,
): Promise<TermsRow[]> {
  const tier = (number: number, clause: ReturnType<typeof sql>) => sql`
    select s.store_id, s.all_terms from ${sql.table(`app_search_${number}`)} s
    where s.store_id <> ${storeId}::bigint and ${clause}`
  const walk = (clause: ReturnType<typeof sql>) => sql`
    (select * from (${sql.join(
      tiers.map((number) => tier(number, clause)),
      sql` union all `,
    )}) walked limit ${limit})`
  const sameCategory = sql`exists (
    select 1 from app_records r where r.store_id = s.store_id and r.primary_category_id = ${categoryId})`
  return rows(
    db,
    sql<TermsRow>`
      select distinct on (store_id) store_id::text as "storeId", to_json(tsvector_to_array(all_terms)) as terms
      from (${walk(sql`s.name_terms @@ ${nameTerms}::tsquery`)} union all ${walk(sameCategory)}) found`,
  )
}
