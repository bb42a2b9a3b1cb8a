import { type ChartOfReading, storeCharts, type ToldRanksOfReading } from '../domain/charts/store-charts.ts'
import type { Reading } from '../domain/evidence/reading.ts'
import { defineProjection, type ParsedReading } from './projection.ts'

/** Captures of charts, the ranks of apps in them, and ranks from lists with gaps. */
export const charts = defineProjection({
  summary: 'snapshots of charts and the ranks in them, and ranks told without their chart',
  tables: ['charts', 'chart_snapshots', 'chart_sightings', 'chart_months', 'told_ranks'],
  formats: ['chart-feed', 'chart-rows'],
  restsOn: [],
  parse: (one) => [{ captures: capturesIn(one), toldRanks: toldRanksIn(one) }],
  project: (db, parts) =>
    storeCharts(
      db,
      parts.flatMap(({ captures }) => captures),
      parts.flatMap(({ toldRanks }) => toldRanks),
    ),
  settle: null,
  withdraw: null,
  fulfils: {
    charts: (parts) =>
      parts.flatMap(({ captures, toldRanks }) => [
        ...captures.map(({ chart: { country, storeIds } }) => ({
          country,
          storeIds: storeIds.filter((storeId) => storeId !== null),
        })),
        ...toldRanks.map(({ told: { country, ranks } }) => ({
          country,
          storeIds: ranks.filter(({ rank }) => rank !== null).map(({ storeId }) => storeId),
        })),
      ]),
  },
  exportedAs: 'charts',
})

/** The ranks in a payload's lists with gaps. */
export const toldRanksIn = ({
  reading,
  parsed: { toldRanks = [] },
}: ParsedReading): (ToldRanksOfReading & { reading: Reading })[] => toldRanks.map((told) => ({ reading, told }))

/** The charts in a payload; one without a time has that of the reading. */
export function capturesIn({ reading, parsed }: ParsedReading): (ChartOfReading & { reading: Reading })[] {
  return parsed.charts.map((chart) => ({
    reading,
    chart: { ...chart, capturedAt: chart.capturedAt ?? reading.observedAt },
  }))
}
