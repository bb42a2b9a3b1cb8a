import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import type { AppSighting } from '../catalogue/listing.ts'

/** One capture of one chart, as a source showed it. */
export interface ChartReading extends ChartIdentity {
  capturedAt: Date
  /**
   * The date of the capture where the source states a date without a time; otherwise it follows from the storefront's
   * clock.
   */
  statedDay?: string
  /** Places requested from Apple; null when the source does not say. */
  requested: number | null
  /** App ids in the order of their ranks; null where an entry could not be read. */
  storeIds: (string | null)[]
  /** Whether other readings hold more places of the same capture: long charts are collected in parts. */
  inParts?: boolean
  /** What the entries say about the apps. */
  sightings: AppSighting[]
}

/** Places stored of a chart. */
export const chartBound = 200

export const holdsApps = ({ storeIds }: ChartReading): boolean => storeIds.some((id) => id !== null)

/** A unique key of a chart. */
export function chartKey(chart: ChartIdentity): string {
  return `${chart.country} ${chart.kind} ${chart.categoryId} ${chart.device}`
}
