import type { Database } from '../../storage/database.ts'
import { genresUnder } from '../catalogue/genres.ts'
import { type CaptureList, capturesOf, chartsOfGenres } from '../charts/queries.ts'
import { backtestEmerging, type ChartHistory, type EmergingBacktest } from './backtest.ts'
import type { Search } from './chart-windows.ts'
import { placesOf } from './queries.ts'
import { dayAfter, newestDay, usableByDay } from './watched-charts.ts'

/** Days after a day at which it is looked what became of the apps. */
export const horizonDays = 5
/** Days of charts that a run's back-test reads, beside its window. */
const daysRead = 60
/** Charts it reads, those with most captures first. */
const chartsRead = 30

/**
 * What became of the apps that earlier days would have named, on the stored charts of a search. Three reads.
 * @returns null when no chart was captured
 */
export async function backtestStored(
  db: Database,
  { country, categoryId, windowDays }: Search,
): Promise<EmergingBacktest | null> {
  const charts = await chartsOfGenres(db, country, categoryId === null ? undefined : genresUnder(categoryId))
  if (charts.length === 0) return null
  const ids = charts.map(({ chartId }) => chartId)
  const newest = new Date(Math.max(...charts.map(({ newestCapturedAt }) => newestCapturedAt.getTime())))
  const last = dayAfter(newest.toISOString().slice(0, 10), 1)
  const lists = await capturesOf(db, ids, dayAfter(last, -daysRead - windowDays), last)
  if (newestDay(lists) === undefined) return null
  const read = lists
    .toSorted((one, other) => other.captures.length - one.captures.length || one.chartId - other.chartId)
    .slice(0, chartsRead)
  const histories = await historiesOf(db, read)
  return backtestEmerging([...histories.values()], { horizonDays, windowDays })
}

/** The last usable capture of every day of some charts, with its places, by the id of the chart. One read. */
export async function historiesOf(
  db: Database,
  lists: readonly CaptureList[],
): Promise<Map<number, ChartHistory>> {
  const usable = lists.map((list) => ({ chartId: list.chartId, byDay: usableByDay(list) }))
  const captures = usable.flatMap(({ byDay }) => [...byDay.values()])
  const places = new Map(
    (await placesOf(db, captures)).map(({ chartId, capturedAt, places }) => [
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
