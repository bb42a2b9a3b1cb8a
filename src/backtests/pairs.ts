import type { Measured } from './outcome.ts'
import { bootstrapInterval, mean } from './statistics.ts'

/** Two things of which people put the first before the second, as a score and a baseline see them. */
export interface JudgedPair {
  score: readonly [first: number, second: number]
  baseline: readonly [first: number, second: number]
  /** Pairs that belong together, such as those of one app. */
  group: string
  /** In words, for the report. */
  says: string
}

const pairsListed = 100

/** The share of pairs put in the order people put them in, in percent; equal numbers are half right. @param pairs at least one */
export function pairsOutcome(pairs: readonly JudgedPair[], leftOut: number): Measured {
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
