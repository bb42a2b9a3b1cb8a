import { z } from 'zod'
import { ChartKind, Device } from '../contract/shapes/charts.ts'
import type { SeriesSource } from '../contract/shapes/evidence.ts'
import { CategoryId, Country, Day } from '../contract/shapes/primitives.ts'
import { provenanceOfCapture } from '../domain/charts/history-queries.ts'
import { lastSnapshotsOfDays, storedChartsOf } from '../domain/charts/queries.ts'
import type { Database } from '../storage/database.ts'
import { readAt } from './input.ts'
import { SeriesSources } from './series.ts'

/** Days of the map, and places of each. */
const [mostDays, mostPlaces] = [30, 100]
const dayMs = 86_400_000

const Asked = z.object({
  country: Country,
  chart: ChartKind,
  categoryId: CategoryId,
  device: Device,
  until: Day.optional(),
})

/** A day of a chart: its last capture, or null where there is none. `places`: how many of the first hundred Apple returned. */
interface DayOfRanks {
  date: string
  capture: { places: number; observedAt: string; source: number } | null
}

/** Ranks by day, as `GET /chart-ranks` answers. */
export interface ChartRanksReply {
  /** The thirty days that end with the newest capture, or with `until`, oldest first; empty where nothing is stored. */
  days: DayOfRanks[]
  sources: z.output<typeof SeriesSource>[]
  /** The apps of the last capture, best first, each with its rank on each day; null where the day does not show it. */
  apps: { storeId: string; ranks: (number | null)[] }[]
}

export type ReadChartRanks = (asked: Readonly<Record<string, unknown>>) => Promise<ChartRanksReply>

/**
 * Two statements, and of no day more than its places.
 * @throws Problem `invalid-request`
 */
export async function readChartRanks(
  db: Database,
  asked: Readonly<Record<string, unknown>>,
): Promise<ChartRanksReply> {
  const { country, chart: kind, categoryId, device, until } = readAt('/query', Asked, asked)
  const sources = new SeriesSources(country)
  const [chart] = await storedChartsOf(db, country, { kind, categoryId: Number(categoryId), device })
  const stored = chart ? await lastSnapshotsOfDays(db, chart, mostDays, mostPlaces, until) : []
  const last = stored.at(-1)
  const end = chart && (until ?? last?.day)
  const snapshots = new Map(stored.map((snapshot) => [snapshot.day, snapshot]))
  const dates =
    end === undefined ? [] : Array.from({ length: mostDays }, (_, at) => dayBefore(end, mostDays - 1 - at))
  const ranks = dates.map(
    (date) => new Map(snapshots.get(date)?.storeIds.map((storeId, index) => [storeId, index + 1])),
  )
  return {
    days: dates.map((date) => {
      const found = snapshots.get(date)
      return {
        date,
        capture: found
          ? {
              places: Math.min(found.returned, mostPlaces),
              ...sources.at(found.capturedAt, provenanceOfCapture(found.readAs)),
            }
          : null,
      }
    }),
    sources: sources.list,
    apps: (last?.storeIds ?? []).flatMap((storeId) =>
      storeId === null ? [] : [{ storeId, ranks: ranks.map((day) => day.get(storeId) ?? null) }],
    ),
  }
}

const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 'YYYY-MM-DD'.length)
