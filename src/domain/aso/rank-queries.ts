import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import { Days, dayNumber } from './rank-days.ts'

/** Ids as one parameter. */
export const termIdsArray = (termIds: readonly number[]) => sql`${`{${termIds.join(',')}}`}::int[]`

interface MonthRow {
  termId: number
  month: string
  /** A number for each day of the month, separated by commas; empty for days without one. */
  days: string
}

/** The ranks of an app by term and day, over the pages of these days that count. Terms without a rank are left out. */
export async function rankDays(
  db: Database,
  storeId: string,
  country: string,
  termIds: readonly number[],
  from: string,
  to: string,
): Promise<Map<number, Days>> {
  const found = await rows(
    db,
    sql<MonthRow>`
      select term_id as "termId", month::text as month, array_to_string(ranks, ',', '') as days
      from rank_months
      where store_id = ${bigintId(storeId)} and country = ${country}
        and month between date_trunc('month', ${from}::date) and ${to}::date
        and term_id = any(${termIdsArray(termIds)})`,
  )
  return byTerm(found, from, to)
}

/** How deep the page of each term and day is. Terms without a page are left out. */
export async function depthDays(
  db: Database,
  termIds: readonly number[],
  from: string,
  to: string,
): Promise<Map<number, Days>> {
  const found = await rows(
    db,
    sql<MonthRow>`
      select term_id as "termId", month::text as month, array_to_string(depths, ',', '') as days
      from depth_months
      where term_id = any(${termIdsArray(termIds)})
        and month between date_trunc('month', ${from}::date) and ${to}::date`,
  )
  return byTerm(found, from, to)
}

function byTerm(found: readonly MonthRow[], from: string, to: string): Map<number, Days> {
  const [first, last] = [dayNumber(from), dayNumber(to)]
  const series = new Map<number, Days>()
  const months = new Map<string, number>()
  for (const { termId, month, days } of found) {
    const known = series.get(termId) ?? new Days(first, last)
    series.set(termId, known)
    const start = months.get(month) ?? dayNumber(month)
    months.set(month, start)
    known.setMonth(start, days)
  }
  return series
}

/** The best rank of an app for each term over all stored pages, with the first day it was reached. */
export async function bestRanks(
  db: Database,
  storeId: string,
  country: string,
  termIds: readonly number[],
): Promise<Map<number, { value: number; on: string }>> {
  const found = await rows(
    db,
    sql<{ termId: number; value: number; on: string }>`
      select distinct on (term_id) term_id as "termId", best as value, best_day::text as on
      from rank_months
      where store_id = ${bigintId(storeId)} and country = ${country} and term_id = any(${termIdsArray(termIds)})
      order by term_id, best, best_day`,
  )
  return new Map(found.map(({ termId, value, on }) => [termId, { value, on }]))
}

/**
 * Ranks of apps on the newest page of each term; apps that are not on it are left out. Read from the pages: the ranks by
 * month lie by app, and most of a month's are of terms nobody asks for here.
 */
export function newestRanks(
  db: Database,
  storeIds: readonly string[],
  country: string,
  termIds: readonly number[],
): Promise<{ storeId: string; termId: number; rank: number }[]> {
  return rows(
    db,
    sql<{ storeId: string; termId: number; rank: number }>`
      select asked.store_id::text as "storeId", t.term_id as "termId", place.rank
      from terms t
      join result_pages p on p.term_id = t.term_id and p.captured_at = t.page_at
      cross join unnest(${`{${storeIds.join(',')}}`}::bigint[]) as asked(store_id)
      cross join lateral (select array_position(p.store_ids, asked.store_id) as rank) place
      where t.term_id = any(${termIdsArray(termIds)}) and t.country = ${country} and place.rank is not null`,
  )
}
