import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import type { AppSighting } from '../catalogue/listing.ts'

/** One capture of one chart, as a source showed it. */
export interface ChartReading extends ChartIdentity {
  capturedAt: Date
  /** The date of the capture where the source names a date and no time; else it follows from the storefront's clock. */
  statedDay?: string
  /** Places asked of Apple; null when the source does not tell. */
  requested: number | null
  /** App ids in the order of their ranks; null where an entry could not be read. */
  storeIds: (string | null)[]
  /** Whether other readings hold more places of the same capture: long tables are read in parts. */
  inParts?: boolean
  /** What the entries say about the apps. */
  sightings: AppSighting[]
}

/** Places that are kept of a chart. */
export const chartBound = 200

export const holdsApps = ({ storeIds }: ChartReading): boolean => storeIds.some((id) => id !== null)

/** Names a chart among all of them. */
export function chartKey(chart: ChartIdentity): string {
  return `${chart.country} ${chart.kind} ${chart.categoryId} ${chart.device}`
}
