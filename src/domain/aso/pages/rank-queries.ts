import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../../storage/database.ts'
import { bigintId } from '../../../storage/ids.ts'
import { DayMap, dayNumber, dayOfNumber } from './rank-days.ts'

/** An array of ids as one SQL parameter. */
export const termIdsArray = (termIds: readonly number[]) => sql`${`{${termIds.join(',')}}`}::int[]`

interface MonthRow {
  termId: number
  month: string
  /** A number for each day of the month, separated by commas; empty for days without one. */
  days: string
}

/** The ranks of an app by term and day, from the pages of these days that count. Terms without a rank are left out. */
export function ranksByTermAndDay(
  db: Database,
  storeId: string,
  country: string,
  termIds: readonly number[],
  from: string,
  to: string,
): Promise<Map<number, DayMap>> {
  const ofApp = sql`
    select term_id, month, ranks as numbers from rank_months
    where store_id = ${bigintId(storeId)} and country = ${country}`
  return daysIn(db, ofApp, termIds, from, to)
}

/** The depth of the page of each term and day. Terms without a page are left out. */
export function depthsByTermAndDay(
  db: Database,
  termIds: readonly number[],
  from: string,
  to: string,
): Promise<Map<number, DayMap>> {
  return daysIn(db, sql`select term_id, month, depths as numbers from depth_months`, termIds, from, to)
}

/** @param months a query for months of terms, with the values of their days */
async function daysIn(
  db: Database,
  months: RawBuilder<unknown>,
  termIds: readonly number[],
  from: string,
  to: string,
): Promise<Map<number, DayMap>> {
  const found = await rows(
    db,
    sql<MonthRow>`
      select term_id as "termId", month::text as month, array_to_string(numbers, ',', '') as days
      from (${months}) m
      where term_id = any(${termIdsArray(termIds)}) and ${monthWithin(from, to)}`,
  )
  return byTerm(found, from, to)
}

/** Whether a month overlaps a range of days. */
const monthWithin = (from: string, to: string) =>
  sql`month between date_trunc('month', ${from}::date) and ${to}::date`

function byTerm(found: readonly MonthRow[], from: string, to: string): Map<number, DayMap> {
  const [first, last] = [dayNumber(from), dayNumber(to)]
  const series = new Map<number, DayMap>()
  const months = new Map<string, number>()
  for (const { termId, month, days } of found) {
    const known = series.get(termId) ?? new DayMap(first, last)
    series.set(termId, known)
    const start = months.get(month) ?? dayNumber(month)
    months.set(month, start)
    known.setMonth(start, days)
  }
  return series
}

/** The history of an app for a term. */
export interface RankHistory {
  /** The best rank over all stored pages, with the first day it was reached. */
  best: { value: number; on: string }
  /** Undefined when there is no rank on these days. */
  days: DayMap | undefined
}

/** Larger than any day number of this century, so that a rank and a day fit into one sortable integer. */
const pastDays = 100_000

/** The best rank of a month and its day as one number, whose minimum is the best rank on its first day. */
export const bestRankAndDayNumber = sql`best * ${sql.lit(pastDays)} + (best_day - date '1970-01-01')`

export const bestRankAndDayOf = (best: number): { value: number; on: string } => ({
  value: Math.floor(best / pastDays),
  on: dayOfNumber(best % pastDays),
})

/**
 * The best rank of an app for each term and its ranks on some days, in one scan of the app's months. Terms without any rank
 * are left out.
 */
export async function rankHistories(
  db: Database,
  storeId: string,
  country: string,
  termIds: readonly number[],
  from: string,
  to: string,
): Promise<Map<number, RankHistory>> {
  const found = await rows(
    db,
    sql<{ termId: number; best: number; months: string | null }>`
      select term_id as "termId", min(${bestRankAndDayNumber}) as best,
        string_agg(month || ' ' || array_to_string(ranks, ',', ''), ';')
          filter (where ${monthWithin(from, to)}) as months
      from rank_months
      where store_id = ${bigintId(storeId)} and country = ${country} and term_id = any(${termIdsArray(termIds)})
      group by term_id`,
  )
  const months = found.flatMap(({ termId, months }) =>
    (months?.split(';') ?? []).map((text) => ({ termId, month: text.slice(0, 10), days: text.slice(11) })),
  )
  const days = byTerm(months, from, to)
  return new Map(
    found.map(({ termId, best }) => [
      termId,
      {
        best: bestRankAndDayOf(best),
        days: days.get(termId),
      },
    ]),
  )
}

/**
 * A materialized list `newest_ranks` of the place of an app on the newest page of terms: `term_id`, `rank`, in no order. Terms
 * whose page does not show it are left out.
 * @param terms the name of a materialized list of `terms` in the statement
 */
export const newestRanksOf = (storeId: string, country: string, terms: RawBuilder<unknown>) => sql`
  newest_ranks as materialized (
    select t.term_id, m.ranks[extract(day from t.page_day)::int] as rank
    from ${terms} t
    join rank_months m on m.month = date_trunc('month', t.page_day::timestamp)::date and m.term_id = t.term_id
    where m.store_id = ${bigintId(storeId)} and m.country = ${country}
  )`

/**
 * Ranks of apps on the newest page of each term; apps that are not on it are left out. Read from the pages: ranks by month
 * are clustered by app, and most of a month belong to other terms.
 */
export async function newestRanks(
  db: Database,
  storeIds: readonly string[],
  country: string,
  termIds: readonly number[],
): Promise<{ storeId: string; termId: number; rank: number }[]> {
  const found = await rows(
    db,
    sql<{ storeId: string; termIds: number[]; ranks: number[] }>`
      select asked.store_id::text as "storeId", json_agg(t.term_id) as "termIds", json_agg(place.rank) as ranks
      from term_names t
      join term_states s using (term_id)
      join result_pages p on p.term_id = s.term_id and p.captured_at = s.page_at
      cross join unnest(${`{${storeIds.join(',')}}`}::bigint[]) as asked(store_id)
      cross join lateral (select array_position(p.store_ids, asked.store_id) as rank) place
      where s.term_id = any(${termIdsArray(termIds)}) and t.country = ${country} and place.rank is not null
      group by asked.store_id`,
  )
  return found.flatMap(({ storeId, termIds, ranks }) =>
    termIds.map((termId, index) => ({ storeId, termId, rank: ranks[index] ?? 0 })),
  )
}
