import { labelsOfAppsAt } from '../domain/catalogue/app-queries.ts'
import {
  type ChartToScan,
  chartsToScan,
  type ScannedSnapshot,
  snapshotsAfter,
} from '../domain/charts/scan-queries.ts'
import type { Database } from '../storage/database.ts'

/** Snapshots held in memory at a time. */
const batchSize = 20

/**
 * All stored charts as JSON lines, one for each place, in the format of `rivalscope import charts`: charts by storefront,
 * category, kind and device, their snapshots by time, apps with their names at that time.
 */
export async function* chartLines(db: Database, onPlaces: (count: number) => void): AsyncGenerator<string> {
  for (const chart of await chartsToScan(db)) {
    let after: Date | undefined
    for (;;) {
      const snapshots = await snapshotsAfter(db, chart.chartId, after, batchSize)
      for (const snapshot of snapshots) {
        const lines = await placesOf(db, chart, snapshot)
        yield lines.join('')
        onPlaces(lines.length)
      }
      after = snapshots.at(-1)?.capturedAt
      if (!after) break
    }
  }
}

async function placesOf(db: Database, chart: ChartToScan, snapshot: ScannedSnapshot): Promise<string[]> {
  const { country, kind, categoryId, device } = chart
  const { capturedAt, day, requested, storeIds } = snapshot
  const known = storeIds.filter((id) => id !== null)
  const labels = new Map(
    (await labelsOfAppsAt(db, known, country, capturedAt)).map((label) => [label.storeId, label]),
  )
  const time = capturedAt.toISOString()
  // A capture known only by its date is exported as a date; as a time, it could fall on another storefront date.
  const shownTime = time === `${day}T00:00:00.000Z` ? day : time
  return storeIds.flatMap((storeId, index) => {
    if (storeId === null) return []
    const label = labels.get(storeId)
    const row = {
      country,
      chart: kind,
      categoryId,
      device,
      capturedAt: shownTime,
      ...(requested === null ? {} : { requested }),
      rank: index + 1,
      storeId,
      ...(label && label.namedIn === country
        ? { name: label.name, developer: label.developer, icon: label.iconUrl }
        : {}),
    }
    return [`${JSON.stringify(row)}\n`]
  })
}
