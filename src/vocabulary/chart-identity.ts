import type { ChartKind } from './chart-kinds.ts'
import type { Device } from './devices.ts'

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
