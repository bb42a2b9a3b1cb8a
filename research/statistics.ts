import type { MeasuredOutcome } from './backtest.ts'

/** Draws of a bootstrap: enough for two figures of an interval. */
const draws = 1_000

/** @returns NaN of nothing */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/**
 * The rank correlation of two lists of numbers (Spearman): 1 where their orders agree, -1 where they are opposite, 0 where
 * one of them never differs. Equal numbers share the mean of their ranks.
 */
export function rankCorrelation(pairs: readonly (readonly [number, number])[]): number {
  const [first, second] = [ranksOf(pairs.map(([one]) => one)), ranksOf(pairs.map(([, other]) => other))]
  const middle = (pairs.length + 1) / 2
  const product = (one: readonly number[], other: readonly number[]) =>
    one.reduce((sum, rank, index) => sum + (rank - middle) * ((other[index] ?? middle) - middle), 0)
  const spread = Math.sqrt(product(first, first) * product(second, second))
  return spread === 0 ? 0 : product(first, second) / spread
}

function ranksOf(values: readonly number[]): number[] {
  const sorted = values.toSorted((one, other) => one - other)
  const [first, last] = [new Map<number, number>(), new Map(sorted.map((value, index) => [value, index]))]
  for (const [index, value] of sorted.entries()) if (!first.has(value)) first.set(value, index)
  return values.map((value) => ((first.get(value) ?? 0) + (last.get(value) ?? 0)) / 2 + 1)
}

/**
 * Between which values a figure lies with this certainty: the figure of as many cases drawn from the cases with
 * replacement, a thousand times over (percentile bootstrap). The same cases give the same interval. Cases that belong
 * together, such as those of one app, are one group: groups are drawn, not cases.
 * @param groups at least one, each of at least one case
 */
export function bootstrapInterval<Case>(
  groups: readonly (readonly Case[])[],
  figureOf: (cases: readonly Case[]) => number,
  level = 0.9,
): { low: number; high: number; level: number } {
  const random = drawsOf(groups.length)
  const figures = Array.from({ length: draws }, () => {
    const drawn = groups.flatMap(() => groups[Math.floor(random() * groups.length)] ?? [])
    return figureOf(drawn)
  }).sort((one, other) => one - other)
  const at = (share: number) => figures[Math.round(share * (draws - 1))] ?? Number.NaN
  return { low: at((1 - level) / 2), high: at((1 + level) / 2), level }
}

/** A seeded pseudo-random generator of numbers from 0 to 1 (mulberry32). */
function drawsOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A pair of which people ranked the first item higher, with the values of the score and of the baseline. */
export interface JudgedPair {
  score: readonly [first: number, second: number]
  baseline: readonly [first: number, second: number]
  /** Pairs that belong together, such as those of one app. */
  group: string
  /** A description for the report. */
  says: string
}

const pairsListed = 100

/** The share of pairs put in the order people put them in, in percent; equal numbers are half right. @param pairs at least one */
export function pairOrderOutcome(pairs: readonly JudgedPair[], leftOut: number): MeasuredOutcome {
  const share = (of: 'score' | 'baseline') => (list: readonly JudgedPair[]) =>
    100 * mean(list.map((pair) => rightness(pair[of])))
  const groups = [...Map.groupBy(pairs, ({ group }) => group).values()]
  const wrong = pairs.filter(({ score }) => rightness(score) < 1)
  return {
    state: 'measured',
    figure: share('score')(pairs),
    interval: bootstrapInterval(groups, share('score')),
    baselineFigure: share('baseline')(pairs),
    cases: pairs.length,
    leftOut,
    details: [
      {
        kind: 'table',
        title: `Pairs in another order, or in none (${Math.min(wrong.length, pairsListed)} of ${wrong.length})`,
        columns: ['pair', 'score of the first', 'score of the second'],
        rows: wrong.slice(0, pairsListed).map(({ says, score: [first, second] }) => [says, first, second]),
      },
    ],
  }
}

const rightness = ([first, second]: readonly [number, number]) =>
  first === second ? 0.5 : first > second ? 1 : 0
