import type { ChartKind } from './chart-kinds.ts'
import type { Device } from './devices.ts'

/** The identity of a chart. */
export interface ChartIdentity {
  country: string
  kind: ChartKind
  /** Apple genre id; 36 is all categories. */
  categoryId: number
  device: Device
}

/** A unique name of the chart, such as `us top-free 36 iphone`. */
export function chartName({ country, kind, categoryId, device }: ChartIdentity): string {
  return `${country} ${kind} ${categoryId} ${device}`
}
