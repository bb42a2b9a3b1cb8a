import { compact, compactMoney, count } from './format.ts'
import type { Estimate } from './shapes.ts'

export type EstimateRange = Extract<Estimate, { state: 'measured' }>
type Bounds = Pick<EstimateRange, 'low' | 'mid' | 'high' | 'currency'>

/**
 * A number of a range without digits that the range does not carry: no finer than a tenth of the range's width. 54,231 of
 * 24,600 to 119,000 is 54,000.
 */
export function carried(value: number, { low, high }: Pick<Bounds, 'low' | 'high'>): number {
  const width = high - low
  if (width <= 0) return value
  const unit = 10 ** Math.floor(Math.log10(width / 10))
  // A small number is not rounded to nothing.
  return Math.round(value / unit) * unit || Math.round(value / (unit / 10)) * (unit / 10)
}

/** A number of a range as it is written: `54K`, `$1.2K`. */
export function estimateText(value: number, bounds: Pick<Bounds, 'low' | 'high' | 'currency'>): string {
  const shown = carried(value, bounds)
  if (bounds.currency) return compactMoney(shown, bounds.currency)
  return shown < 1_000 ? count(shown) : compact(shown)
}

/** `25K to 119K` */
export const rangeText = (bounds: Bounds): string =>
  `${estimateText(bounds.low, bounds)} to ${estimateText(bounds.high, bounds)}`
