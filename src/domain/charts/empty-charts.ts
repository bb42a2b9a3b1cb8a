import type { Database } from '../../storage/database.ts'
import { storefrontDay } from '../../vocabulary/storefront-day.ts'
import { chartSubject, reassessEmpty, recordEmpty } from '../collecting/suspects.ts'
import { chartKey, holdsApps } from './chart-reading.ts'
import { knownCharts } from './queries.ts'
import type { ChartOfReading } from './store-charts.ts'

/**
 * Records captures without any app. Such a capture of a chart that had apps before is suspect; a chart never seen with apps
 * may really be empty. Runs after the captures of the same readings are stored.
 */
export async function recordSuspectCharts(db: Database, entries: readonly ChartOfReading[]): Promise<void> {
  const empty = entries.filter(({ chart }) => !holdsApps(chart))
  if (empty.length > 0) await recordEmptyCharts(db, empty)
  const telling = entries.filter(({ chart }) => holdsApps(chart))
  if (telling.length === 0) return
  await reassessEmpty(
    db,
    telling.map(({ chart }) => ({
      country: chart.country,
      subject: chartSubject(chart),
      observedAt: chart.capturedAt,
    })),
  )
}

async function recordEmptyCharts(db: Database, empty: readonly ChartOfReading[]): Promise<void> {
  const known = await knownCharts(
    db,
    empty.map(({ chart }) => chart),
  )
  await recordEmpty(
    db,
    empty.map(({ reading: { readingId, source }, chart }) => {
      const { country, capturedAt, statedDay } = chart
      const captures = known.get(chartKey(chart))
      return {
        source,
        country,
        subject: chartSubject(chart),
        observedAt: capturedAt,
        day: statedDay ?? storefrontDay(country, capturedAt),
        readingId,
        suspect: captures !== undefined && captures.oldest < capturedAt,
        cleared: captures !== undefined && captures.newest >= capturedAt,
      }
    }),
  )
}
