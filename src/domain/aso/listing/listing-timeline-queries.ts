import { sql } from 'kysely'
import { type Database, rows } from '../../../storage/database.ts'
import { bigintId } from '../../../storage/ids.ts'
import { monthAt } from '../../../storage/months.ts'
import { namedReading } from '../../evidence/queries.ts'
import type { NamedReading } from '../../evidence/reading.ts'
import { countsIn } from '../pages/page-writes.ts'
import { termIdsArray } from '../pages/rank-queries.ts'

/** The time around a change of the listing. */
export interface ChangeSpan {
  /** Place of the change in its list. */
  change: number
  /** Last observation of the old listing, first of the new one, and when it changed again or too long had passed. */
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

/** Where an app stood around changes, for these terms; only pages that count, and only terms with one on both sides. */
export function ranksAround(
  db: Database,
  storeId: string,
  termIds: readonly number[],
  spans: readonly ChangeSpan[],
): Promise<RanksAround[]> {
  const place = (page: ReturnType<typeof sql>) => sql`array_position(${page}.store_ids, ${bigintId(storeId)})`
  const newest = (within: ReturnType<typeof sql>) => sql`
    (select p.captured_at, p.depth, p.store_ids from result_pages p
    where p.term_id = t.term_id and ${within} and ${countsIn(sql`p`, sql`t`)}
    order by p.captured_at desc limit 1)`
  return rows(
    db,
    sql<RanksAround>`
      select c.change, t.term_id as "termId", b.captured_at as "beforeAt", b.depth as "beforeDepth",
        ${place(sql`b`)} as "beforeRank", a.captured_at as "afterAt", a.depth as "afterDepth",
        ${place(sql`a`)} as "afterRank"
      from json_to_recordset(${JSON.stringify(spans)}::json) as c(change integer, "lastSeenAt" timestamptz,
        "firstSeenAt" timestamptz, until timestamptz)
      join terms t on t.term_id = any(${termIdsArray(termIds)})
      cross join lateral ${newest(sql`p.captured_at >= c."firstSeenAt" and p.captured_at < c.until`)} a
      cross join lateral ${newest(sql`p.captured_at <= c."lastSeenAt"`)} b`,
  )
}

/** A reading that showed an app at an instant. */
export interface ReadingAt extends NamedReading {
  at: Date
}

/**
 * The reading behind each sighting of an app. One that stated ratings, or a chart that showed the app, is known by the
 * app itself; any other by its instant and storefront, which only files that were given one time for all can share.
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
      select i.at, ${namedReading(sql`r`)}
      from (select distinct value::timestamptz as at from json_array_elements_text(${JSON.stringify(instants)}::json)) i
      cross join lateral (
        select coalesce(
          (select o.reading_id from rating_observations o
            where o.store_id = ${id} and o.country = ${country} and o.day = (i.at at time zone 'UTC')::date
              and o.observed_at = i.at),
          (select r.reading_id from readings r
            where r.observed_at = i.at and (r.country = ${country} or r.country is null)
              and r.source in ('itunes-lookup', 'itunes-search', 'app-store-page', 'catalogue-file')
            order by r.identity limit 1),
          (select s.reading_id from charts c
            join chart_ranks k on k.chart_id = c.chart_id and k.store_id = ${id} and k.captured_at = i.at
              and k.month = ${monthAt(sql`i.at`)}
            join chart_snapshots s on s.chart_id = c.chart_id and s.captured_at = k.captured_at
            where c.country = ${country} order by c.category_id, c.kind, c.device limit 1),
          (select r.reading_id from readings r where r.observed_at = i.at order by r.identity limit 1)
        ) as reading_id
      ) known
      join readings r using (reading_id)`,
  )
}
