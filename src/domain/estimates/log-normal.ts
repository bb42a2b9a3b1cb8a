import { z80 } from './normal.ts'
import type { Range } from './power-law.ts'

/** A number above 0 of which the logarithm is normal. */
export interface LogNormal {
  /** Of the logarithm. */
  mean: number
  sd: number
}

/** What low, mid and high are everywhere: the number lies between low and high eight times in ten; mid is the median. */
export function rangeOf({ mean, sd }: LogNormal): Range {
  return { low: Math.exp(mean - z80 * sd), mid: Math.exp(mean), high: Math.exp(mean + z80 * sd) }
}
