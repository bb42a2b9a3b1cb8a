import type { ChartKind } from '../../vocabulary/chart-kinds.ts'
import type { Device } from '../../vocabulary/devices.ts'
import type { AppSighting } from '../catalogue/listing.ts'

/** Which chart this is. */
export interface ChartIdentity {
  country: string
  kind: ChartKind
  /** Apple genre id; 36 is all categories. */
  categoryId: number
  device: Device
}

/** The chart in words, such as `us top-free 36 iphone`; no two charts share them. */
export function chartName({ country, kind, categoryId, device }: ChartIdentity): string {
  return `${country} ${kind} ${categoryId} ${device}`
}

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
