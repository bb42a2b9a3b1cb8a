import { type LogNormal, rangeOf } from './log-normal.ts'
import { logNormalBelow } from './normal.ts'
import type { Range } from './power-law.ts'

/**
 * An upper or a lower bound of the number: what an app at the edge of a chart has, itself unsure. The number is on the
 * named side of it, and beyond `edge` (the high of that app for an upper bound, the low for a lower one) nothing is believed.
 */
export interface Bound extends LogNormal {
  side: 'upper' | 'lower'
  /** Of the logarithm. */
  edge: number
}

/** A count that follows from the number, or anything else with its own likelihood: how likely it is when the logarithm of the number is `x`, as a logarithm. */
export interface CountEvidence {
  at(x: number): number
  /** Where it alone would put the number, roughly. */
  around: LogNormal
}

export interface EvidenceOfOne {
  normals: readonly LogNormal[]
  counts: readonly CountEvidence[]
  bounds: readonly Bound[]
  /** Logarithm of the least the number can be. */
  least: number
}

export interface Posterior {
  range: Range
  /** Share of each piece in what is known of the number, in the order given: normals, counts, bounds. They sum to 1. */
  weights: number[]
}

const cells = 320
/** How softly a bound ends, so that bounds that contradict each other meet in the middle. */
const edgeSd = 0.05

/**
 * What all evidence says of one number: the product of what each piece says, as of independent ones, before which the
 * logarithm was anything alike from `least` on. Normals alone are multiplied exactly, else on a grid of the logarithm.
 * @param evidence with a normal or a count: bounds alone are no estimate
 */
export function posteriorOf(evidence: EvidenceOfOne): Posterior {
  const { normals, counts, bounds, least } = evidence
  const together = product(normals)
  if (counts.length === 0 && bounds.length === 0) {
    const all = normals.reduce((sum, { sd }) => sum + 1 / sd ** 2, 0)
    return { range: rangeOf(together), weights: normals.map(({ sd }) => 1 / sd ** 2 / all) }
  }
  const pieces = [
    ...normals.map((normal) => ({ at: (x: number) => -0.5 * ((x - normal.mean) / normal.sd) ** 2 })),
    ...counts,
    ...bounds.map((bound) => ({ at: (x: number) => boundAt(bound, x) })),
  ]
  const [from, to] = gridOf(evidence)
  const step = (to - from) / cells
  const points = Array.from({ length: cells + 1 }, (_, at) => from + at * step)
  const said = pieces.map(({ at }) => points.map(at))
  const floor = points.map((x) => (x < least ? -0.5 * ((x - least) / edgeSd) ** 2 : 0))
  const sums = points.map((_, at) => said.reduce((sum, piece) => sum + (piece[at] ?? 0), floor[at] ?? 0))
  const best = sums.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY)
  const density = sums.map((sum) => Math.exp(sum - best))
  const [low, mid, high] = quantiles(density, from, step)
  return {
    range: { low: Math.exp(low), mid: Math.exp(mid), high: Math.exp(high) },
    weights: curvatures(said, density),
  }
}

/** Both an unsure edge, as a censored normal, and the end of what is believed. */
function boundAt({ side, mean, sd, edge }: Bound, x: number): number {
  const beyond = side === 'upper' ? x - edge : edge - x
  const inside = logNormalBelow((side === 'upper' ? mean - x : x - mean) / sd)
  return beyond > 0 ? inside - 0.5 * (beyond / edgeSd) ** 2 : inside
}

function product(normals: readonly LogNormal[]): LogNormal {
  const precision = normals.reduce((sum, { sd }) => sum + 1 / sd ** 2, 0)
  return {
    mean: normals.reduce((sum, { mean, sd }) => sum + mean / sd ** 2, 0) / precision,
    sd: 1 / Math.sqrt(precision),
  }
}

/** Wide enough for everything that anything says. */
function gridOf({ normals, counts, bounds, least }: EvidenceOfOne): [from: number, to: number] {
  const around = [...normals, ...counts.map(({ around }) => around)]
  const edges = bounds.map(({ edge }) => edge)
  const from = Math.min(...around.map(({ mean, sd }) => mean - 5 * sd), ...edges.map((edge) => edge - 2))
  const to = Math.max(...around.map(({ mean, sd }) => mean + 5 * sd), ...edges.map((edge) => edge + 2))
  return [Math.max(from, least - 0.3), Math.max(to, least + 1)]
}

/** The tenth, the half and the nine tenths of the mass, between neighbours by the trapezium. */
function quantiles(density: readonly number[], from: number, step: number): [number, number, number] {
  const sums = [0]
  for (let at = 1; at < density.length; at++)
    sums.push((sums[at - 1] ?? 0) + ((density[at - 1] ?? 0) + (density[at] ?? 0)) / 2)
  const all = sums.at(-1) ?? 1
  const quantile = (share: number) => {
    const next = sums.findIndex((sum) => sum >= share * all)
    const [below, above] = [sums[next - 1] ?? 0, sums[next] ?? all]
    return from + step * (next - 1 + (share * all - below) / (above - below || 1))
  }
  return [quantile(0.1), quantile(0.5), quantile(0.9)]
}

/** How much each piece bends the logarithm of the density where the number may be: of a normal, one over its variance. */
function curvatures(said: readonly (readonly number[])[], density: readonly number[]): number[] {
  const bent = said.map((piece) => {
    let sum = 0
    for (let at = 1; at < density.length - 1; at++)
      sum +=
        (density[at] ?? 0) * Math.max(0, 2 * (piece[at] ?? 0) - (piece[at - 1] ?? 0) - (piece[at + 1] ?? 0))
    return sum
  })
  const all = bent.reduce((sum, one) => sum + one, 0)
  return bent.map((one) => (all > 0 ? one / all : 1 / bent.length))
}
