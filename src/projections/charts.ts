import { type ChartOfReading, storeCharts } from '../domain/charts/store-charts.ts'
import type { Reading } from '../domain/evidence/reading.ts'
import { defineProjection, type ParsedReading } from './projection.ts'

/** Captures of charts, and the ranks of apps in them. */
export const charts = defineProjection({
  summary: 'snapshots of charts and the ranks in them',
  tables: ['charts', 'chart_snapshots', 'chart_sightings', 'chart_months'],
  formats: ['chart-feed', 'chart-rows'],
  restsOn: [],
  parse: capturesIn,
  project: storeCharts,
  settle: null,
  withdraw: null,
  fulfils: {
    charts: (captures) =>
      captures.map(({ chart: { country, storeIds } }) => ({
        country,
        storeIds: storeIds.filter((storeId) => storeId !== null),
      })),
  },
  exportedAs: 'charts',
})

/** The charts in a payload; one without a time has that of the reading. */
export function capturesIn({ reading, parsed }: ParsedReading): (ChartOfReading & { reading: Reading })[] {
  return parsed.charts.map((chart) => ({
    reading,
    chart: { ...chart, capturedAt: chart.capturedAt ?? reading.observedAt },
  }))
}
