import { compactMoney, compactNumber, count } from './format.ts'
import type { Estimate } from './shapes.ts'

export type EstimateRange = Extract<Estimate, { state: 'estimated' }>
type Bounds = Pick<EstimateRange, 'low' | 'mid' | 'high' | 'currency'>

/**
 * A number of a range without digits that the range does not carry: two significant ones where it is wider than a fifth of
 * its middle, as nearly all are, and one more for each power of ten that it is narrower. 54,231 of 24,600 to 119,000 is 54,000.
 */
export function toCarriedDigits(
  value: number,
  { low, mid, high }: Pick<Bounds, 'low' | 'mid' | 'high'>,
): number {
  const width = (high - low) / (mid || high)
  if (!(width > 0)) return value
  const digits = 2 + Math.max(0, Math.ceil(Math.log10(0.2 / width)))
  return Number(value.toPrecision(Math.min(digits, 15)))
}

/** A number of a range as it is written: `54K`, `$1.2K`. */
export function estimateText(value: number, bounds: Bounds): string {
  const shown = toCarriedDigits(value, bounds)
  if (bounds.currency) return compactMoney(shown, bounds.currency)
  return shown < 1_000 ? count(shown) : compactNumber(shown)
}

/** `25K to 119K` */
export const rangeText = (bounds: Bounds): string =>
  `${estimateText(bounds.low, bounds)} to ${estimateText(bounds.high, bounds)}`
