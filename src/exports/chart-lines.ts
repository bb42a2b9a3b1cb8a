import { labelsOfAppsAt } from '../domain/catalogue/app.ts'
import { chartsToScan, snapshotsAfter } from '../domain/charts/queries.ts'
import { type ExportedRankList, exportedRankListsAfter } from '../domain/charts/rank-list-queries.ts'
import type { Database } from '../storage/database.ts'
import type { ChartIdentity } from '../vocabulary/chart-identity.ts'

/** Snapshots, or lists with gaps, held in memory at a time. */
const batchSize = 20

/**
 * All stored charts as JSON lines, one for each place, in the format of `rivalscope import charts`: charts by storefront,
 * category, kind and device, their snapshots by time, apps with their names at that time; then ranks from lists with gaps.
 */
export async function* chartLines(db: Database, onPlaces: (count: number) => void): AsyncGenerator<string> {
  for (const chart of await chartsToScan(db)) {
    let after: Date | undefined
    for (;;) {
      const snapshots = await snapshotsAfter(db, chart.chartId, after, batchSize)
      for (const snapshot of snapshots) {
        const places = snapshot.storeIds.flatMap((storeId, index) =>
          storeId === null ? [] : [{ storeId, rank: index + 1 }],
        )
        // A place whose app could not be read leaves a gap; without a mark, an import takes gaps for a list of single ranks.
        const marks = places.length < snapshot.storeIds.length ? { whole: true } : {}
        const { requested } = snapshot
        const lines = await linesOf(db, chart, snapshot, places, {
          ...(requested === null ? {} : { requested }),
          ...marks,
        })
        yield lines.join('')
        onPlaces(lines.length)
      }
      after = snapshots.at(-1)?.capturedAt
      if (!after) break
    }
  }
  yield* listLines(db, onPlaces)
}

async function* listLines(db: Database, onPlaces: (count: number) => void): AsyncGenerator<string> {
  let after: ExportedRankList | undefined
  do {
    const lists = await exportedRankListsAfter(db, after, batchSize)
    for (const list of lists) {
      const ranks = new Map(list.ranks.toReversed().map((told) => [told.storeId, told]))
      const places = [...ranks.values()].map(({ storeId, rank, depth }) => ({
        storeId,
        rank: rank ?? `>${depth}`,
      }))
      const lines = await linesOf(db, list, list, places, { whole: false })
      yield lines.join('')
      onPlaces(lines.length)
    }
    after = lists.at(-1)
  } while (after)
}

async function linesOf(
  db: Database,
  { country, kind, categoryId, device }: ChartIdentity,
  { capturedAt, day }: { capturedAt: Date; day: string },
  places: readonly { storeId: string; rank: number | string }[],
  marks: { requested?: number; whole?: boolean },
): Promise<string[]> {
  const known = places.map(({ storeId }) => storeId)
  const labels = new Map(
    (await labelsOfAppsAt(db, known, country, capturedAt)).map((label) => [label.storeId, label]),
  )
  const time = capturedAt.toISOString()
  // A capture known only by its date is exported as a date; as a time, it could fall on another storefront date.
  const shownTime = time === `${day}T00:00:00.000Z` ? day : time
  return places.map(({ storeId, rank }) => {
    const label = labels.get(storeId)
    const row = {
      country,
      chart: kind,
      categoryId,
      device,
      capturedAt: shownTime,
      ...marks,
      rank,
      storeId,
      ...(label && label.namedIn === country
        ? { name: label.name, developer: label.developer, icon: label.iconUrl }
        : {}),
    }
    return `${JSON.stringify(row)}\n`
  })
}
