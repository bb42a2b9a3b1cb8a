import type { Database } from '../../../storage/database.ts'
import { capturesOf, ranksOfApp } from '../../charts/history-queries.ts'
import { chartsOf } from '../../charts/queries.ts'
import { dayNumber, dayText } from '../pages/rank-days.ts'
import { depthDays, rankDays } from '../pages/rank-queries.ts'
import type { Stand, Stands } from './impact.ts'

const dayMs = 86_400_000

/** The ranks of an app in each chart of a storefront that ever showed it between two days, by day. Three reads. */
export async function chartStands(
  db: Database,
  storeId: string,
  country: string,
  from: number,
  to: number,
): Promise<Stands[]> {
  const charts = await chartsOf(db, country)
  // A storefront's day begins and ends up to a day before or after the UTC day.
  const [first, last] = [new Date((from - 1) * dayMs), new Date((to + 2) * dayMs)]
  const lists = await ranksOfApp(
    db,
    storeId,
    charts.map(({ chartId }) => chartId),
    first,
    last,
  )
  if (lists.length === 0) return []
  const ranks = new Map(lists.map((list) => [list.chartId, new Map(list.ranks)]))
  const captures = await capturesOf(db, [...ranks.keys()], dayText(from), dayText(to))
  return captures.map(
    ({ chartId, captures }) =>
      new Map(
        captures.map(([capturedAt, day, returned]): [number, Stand] => [
          dayNumber(day),
          standOf(ranks.get(chartId)?.get(capturedAt), returned),
        ]),
      ),
  )
}

/**
 * The ranks of an app for each of these terms between two days, by day; leaves out terms for which it never ranked. Two
 * reads.
 */
export async function keywordStands(
  db: Database,
  storeId: string,
  country: string,
  termIds: readonly number[],
  from: number,
  to: number,
): Promise<Stands[]> {
  const [first, last] = [dayText(from), dayText(to)]
  const [ranks, depths] = await Promise.all([
    rankDays(db, storeId, country, termIds, first, last),
    depthDays(db, termIds, first, last),
  ])
  return [...ranks].map(([termId, ofApp]) => {
    const stands = new Map<number, Stand>()
    for (let day = from; day <= to; day++) {
      const depth = depths.get(termId)?.at(day)
      if (depth) stands.set(day, standOf(ofApp.at(day), depth))
    }
    return stands
  })
}

const standOf = (rank: number | undefined, depth: number): Stand =>
  rank === undefined ? { place: depth + 1, shown: false } : { place: rank, shown: true }
