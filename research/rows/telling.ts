import { z } from 'zod'
import { countedWords, tellingFormula, tellingOf } from '../../src/domain/aso/scores/telling.ts'
import { wordCounts } from '../../src/domain/catalogue/word-weights.ts'
import type { Backtest, BacktestContext, Outcome } from '../backtest.ts'
import { casesThere, readBenchmark } from '../benchmark.ts'
import { pairsOutcome } from '../statistics.ts'

const Pair = z.strictObject({ more: z.string(), less: z.string() })

/** Does the more telling of two words have the higher number? */
export const telling: Backtest = {
  model: 'telling',
  formula: tellingFormula,
  measure: 'share of pairs of words in which the one people call more telling has the higher number',
  better: 'higher',
  unit: '%',
  baseline: 'the longer word',
  goal: null,
  data: 'judged pairs of English words (benchmarks/telling.json), and the words of all stored listings; nothing is fitted, all pairs are for checking',
  run,
}

async function run({ db }: BacktestContext): Promise<Outcome> {
  const benchmark = await readBenchmark('telling', Pair)
  const words = benchmark.cases.flatMap(({ more, less }) => [more, less])
  const counts = await wordCounts(db, words.flatMap(countedWords))
  // What stands in no other listing would be right by being rare: only words that are counted are asked about.
  const isCounted = (word: string) => countedWords(word).every((counted) => counts.holding.has(counted))
  const { cases, leftOut, tooFew } = casesThere(
    benchmark,
    ({ more, less }) => isCounted(more) && isCounted(less),
  )
  if (tooFew) return tooFew
  const pairs = cases.flatMap(({ more, less }) => {
    const [first, second] = [tellingOf(more, counts), tellingOf(less, counts)]
    if (first === undefined || second === undefined) return []
    const lengths = [more.length, less.length] as const
    return [{ score: [first, second] as const, baseline: lengths, group: more, says: `${more}, ${less}` }]
  })
  if (pairs.length === 0)
    return {
      state: 'not-validated',
      why: `${counts.listings} listings are stored, and with so few no word has a number.`,
    }
  return pairsOutcome(pairs, leftOut)
}
