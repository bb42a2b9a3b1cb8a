import { sql } from 'kysely'
import { type Database, rows } from '../../../storage/database.ts'
import { bigintId } from '../../../storage/ids.ts'
import { monthOfInstant } from '../../../storage/months.ts'
import { namedReadingColumns } from '../../evidence/queries.ts'
import type { NamedReading } from '../../evidence/reading.ts'
import { isCountedPage } from '../pages/page-writes.ts'
import { termIdsArray } from '../pages/rank-queries.ts'

/** The time around a change of the listing. */
export interface ChangeSpan {
  /** Place of the change in its list. */
  change: number
  /**
   * Last observation of the old listing, first of the new one, and the end: the next change or the longest time considered.
   */
  lastSeenAt: Date
  firstSeenAt: Date
  until: Date
}

/** A term with a page on both sides of a change; a rank is null where the app is not on the page. */
export interface RanksAround {
  change: number
  termId: number
  beforeAt: Date
  beforeDepth: number
  beforeRank: number | null
  afterAt: Date
  afterDepth: number
  afterRank: number | null
}

/** The ranks of an app around changes, for these terms; only pages that count, and only terms with one on both sides. */
export function ranksAround(
  db: Database,
  storeId: string,
  termIds: readonly number[],
  spans: readonly ChangeSpan[],
): Promise<RanksAround[]> {
  const place = (page: ReturnType<typeof sql>) => sql`array_position(${page}.store_ids, ${bigintId(storeId)})`
  const newest = (within: ReturnType<typeof sql>) => sql`
    (select max(p.captured_at) from result_pages p
    where p.term_id = t.term_id and ${within} and ${isCountedPage(sql`p`, sql`t`)})`
  return rows(
    db,
    sql<RanksAround>`
      select change, term_id as "termId", b.captured_at as "beforeAt", b.depth as "beforeDepth",
        ${place(sql`b`)} as "beforeRank", a.captured_at as "afterAt", a.depth as "afterDepth",
        ${place(sql`a`)} as "afterRank"
      from (
        select c.change, t.term_id, ${newest(sql`p.captured_at <= c."lastSeenAt"`)} as before_at,
          ${newest(sql`p.captured_at >= c."firstSeenAt" and p.captured_at < c.until`)} as after_at
        from term_states t
        cross join lateral json_to_recordset(${JSON.stringify(spans)}::json) as c(change integer, "lastSeenAt" timestamptz,
          "firstSeenAt" timestamptz, until timestamptz)
        where t.term_id = any(${termIdsArray(termIds)})
      ) around
      join result_pages b using (term_id)
      join result_pages a using (term_id)
      where b.captured_at = before_at and a.captured_at = after_at`,
  )
}

/** A reading that showed an app at an instant. */
export interface ReadingAt extends NamedReading {
  at: Date
}

/**
 * The reading behind each observation of an app. One that stated ratings, or a chart that showed the app, is known by the
 * app itself; any other by its instant and storefront, which only files that were given one time for all can share. Of these, one
 * that was asked for in the storefront's own language comes first.
 */
export function readingsAt(
  db: Database,
  storeId: string,
  country: string,
  instants: readonly Date[],
): Promise<ReadingAt[]> {
  const id = bigintId(storeId)
  return rows(
    db,
    sql<ReadingAt>`
      with i as materialized (
        select distinct value::timestamptz as at from json_array_elements_text(${JSON.stringify(instants)}::json)
      ), rated as materialized (
        select i.at, o.reading_id
        from i join rating_observations o on o.day = (i.at at time zone 'UTC')::date and o.observed_at = i.at
        where o.store_id = ${id} and o.country = ${country}
      ), noted as materialized (
        select distinct on (i.at, listed) i.at, listed, r.reading_id
        from i join readings r on r.observed_at = i.at
        cross join lateral (select (r.country = ${country} or r.country is null)
          and r.source in ('itunes-lookup', 'itunes-search', 'app-store-page', 'catalogue-file') as listed) told
        order by i.at, listed, r.context ? 'language', r.identity
      ), ranked as materialized (
        select distinct on (i.at) i.at, k.chart_id
        from i
        join chart_ranks k on k.captured_at = i.at and k.month = ${monthOfInstant(sql`i.at`)}
        join charts c on c.chart_id = k.chart_id
        where k.store_id = ${id} and c.country = ${country}
        order by i.at, c.category_id, c.kind, c.device
      ), charted as materialized (
        select k.at, s.reading_id
        from ranked k join chart_snapshots s on s.chart_id = k.chart_id and s.captured_at = k.at
      ), known as materialized (
        select i.at, coalesce(rated.reading_id, listing.reading_id, charted.reading_id, other.reading_id) as reading_id
        from i
        left join rated using (at)
        left join noted listing on listing.at = i.at and listing.listed
        left join charted on charted.at = i.at
        left join noted other on other.at = i.at and not other.listed
      )
      select known.at, ${namedReadingColumns(sql`r`)}
      from known join readings r using (reading_id)`,
  )
}
