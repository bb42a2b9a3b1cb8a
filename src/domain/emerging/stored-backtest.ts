import type { Database } from '../../storage/database.ts'
import { countWithNoun } from '../../text/numbers.ts'
import { genreAndDescendants } from '../catalogue/genres.ts'
import { type CaptureList, capturesOf } from '../charts/history-queries.ts'
import { chartsOfGenres } from '../charts/queries.ts'
import {
  type ChartHistory,
  type EmergingBacktest,
  type FollowedGroups,
  followAppsOfChart,
  type GroupOutcome,
  outcomesOfGroups,
} from './backtest.ts'
import type { DiscoveryParameters } from './chart-windows.ts'
import { placesOfCaptures } from './queries.ts'
import { dayAfter, newestDay, usableByDay } from './watched-charts.ts'

/** Days after which outcomes are measured. */
export const outcomeHorizonDays = [5, 10]
/** Days of charts that the back-test reads besides its window. */
const daysRead = 60
/** Maximum captures it reads in total: half a second of computing where they have 100 places (bench/DETAILS.md). */
const mostCaptures = 2_000

/**
 * The outcomes of apps that had moved up on earlier days, on the stored charts of a search. Two reads, and one for each
 * chart, which lets other tasks run in between and a cancelled run stop.
 * @returns null when no chart was captured
 */
export async function backtestStored(
  db: Database,
  { country, categoryId, windowDays }: DiscoveryParameters,
  signal: AbortSignal,
): Promise<EmergingBacktest | null> {
  const charts = await chartsOfGenres(
    db,
    country,
    categoryId === null ? undefined : genreAndDescendants(categoryId),
  )
  if (charts.length === 0) return null
  const ids = charts.map(({ chartId }) => chartId)
  const newest = new Date(Math.max(...charts.map(({ newestCapturedAt }) => newestCapturedAt.getTime())))
  const last = dayAfter(newest.toISOString().slice(0, 10), 1)
  const lists = await capturesOf(db, ids, dayAfter(last, -daysRead - windowDays), last)
  if (newestDay(lists) === undefined) return null
  const settings = { horizons: outcomeHorizonDays, windowDays }
  const followed: FollowedGroups[][] = []
  for (const list of chartsToRead(lists, mostCaptures)) {
    signal.throwIfAborted()
    const [history = []] = (await chartHistoriesOf(db, [list])).values()
    followed.push(followAppsOfChart(history, settings))
  }
  return outcomesOfGroups(followed, settings)
}

/** At least one chart, those with captures on most days first, while their days sum to at most this number. */
export function chartsToRead(lists: readonly CaptureList[], most: number): CaptureList[] {
  let read = 0
  return lists
    .map((list) => ({ list, days: usableByDay(list).size }))
    .sort((one, other) => other.days - one.days || one.list.chartId - other.list.chartId)
    .filter(({ days }, at) => {
      read += days
      return at === 0 || read <= most
    })
    .map(({ list }) => list)
}

/** The last usable capture of every day of some charts, with its places, by the id of the chart. One read. */
export async function chartHistoriesOf(
  db: Database,
  lists: readonly CaptureList[],
): Promise<Map<number, ChartHistory>> {
  const usable = lists.map((list) => ({ chartId: list.chartId, byDay: usableByDay(list) }))
  const captures = usable.flatMap(({ byDay }) => [...byDay.values()])
  const places = new Map(
    (await placesOfCaptures(db, captures)).map(({ chartId, capturedAt, places }) => [
      `${chartId} ${capturedAt}`,
      { capturedAt, storeIds: places.split(',') },
    ]),
  )
  return new Map(
    usable.map(({ chartId, byDay }) => [
      chartId,
      [...byDay]
        .flatMap(([day, { capturedAt }]) => {
          const found = places.get(`${chartId} ${capturedAt}`)
          return found ? [{ ...found, day }] : []
        })
        .sort((one, other) => (one.day < other.day ? -1 : 1)),
    ]),
  )
}

const percent = ({ better }: GroupOutcome) => `${Math.round(100 * (better ?? 0))}%`

/** The result of a back-test, in one plain sentence. */
export function backtestInWords({ verdict, after }: EmergingBacktest): string {
  if (verdict === 'not-validated') {
    const seen = after.map(
      ({ days, movedUp }) => `${countWithNoun(movedUp.apps, 'app')} that moved up, followed for ${days} days`,
    )
    return `not enough data on these charts for a backtest: ${seen.join(', and ')}; each group needs 20 apps`
  }
  const outcomes = after.map(
    ({ days, movedUp, others, sameRanks, belowMedian }) =>
      `${days} days later ${percent(movedUp)} of apps that moved up had a better rank, compared with ${percent(others)} of other apps, ${percent(sameRanks)} of apps at the same ranks and ${percent(belowMedian)} of apps below their own median`,
  )
  const so =
    verdict === 'foretells'
      ? 'on these charts moving up predicted better ranks'
      : 'on these charts moving up did not predict better ranks'
  return `${so}: ${outcomes.join('; ')}`
}
