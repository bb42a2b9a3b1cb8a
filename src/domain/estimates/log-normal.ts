import { z80 } from './normal.ts'
import type { Range } from './power-law.ts'

/** A positive number whose logarithm is normal. */
export interface LogNormal {
  /** Of the logarithm. */
  mean: number
  sd: number
}

/** The definition of low, mid and high everywhere: an 80 % range around the median. */
export function rangeOf({ mean, sd }: LogNormal): Range {
  return { low: Math.exp(mean - z80 * sd), mid: Math.exp(mean), high: Math.exp(mean + z80 * sd) }
}
