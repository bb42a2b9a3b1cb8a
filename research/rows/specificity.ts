import { z } from 'zod'
import { specificityFormula, specificityOf, specificityWords } from '../../src/domain/aso/scores/specificity.ts'
import { wordCounts } from '../../src/domain/catalogue/word-weights.ts'
import type { Backtest, BacktestContext, BacktestOutcome } from '../backtest.ts'
import { readBenchmark, usableCases } from '../benchmark.ts'
import { pairOrderOutcome } from '../statistics.ts'

const Pair = z.strictObject({ more: z.string(), less: z.string() })

/** Tests whether the more specific of two words has the higher score. */
export const specificityBacktest: Backtest = {
  model: 'telling',
  formula: specificityFormula,
  measure: 'share of pairs of words in which the one people call more telling has the higher number',
  better: 'higher',
  unit: '%',
  baseline: 'the longer word',
  goal: null,
  data: 'judged pairs of English words (benchmarks/telling.json), and the words of all stored listings; nothing is fitted, all pairs are for checking',
  run,
}

async function run({ db }: BacktestContext): Promise<BacktestOutcome> {
  const benchmark = await readBenchmark('telling', Pair)
  const words = benchmark.cases.flatMap(({ more, less }) => [more, less])
  const counts = await wordCounts(db, words.flatMap(specificityWords))
  // A word that no listing holds would be right only because it is rare, so only counted words are compared.
  const isCounted = (word: string) => specificityWords(word).every((counted) => counts.holding.has(counted))
  const { cases, leftOut, tooFew } = usableCases(
    benchmark,
    ({ more, less }) => isCounted(more) && isCounted(less),
  )
  if (tooFew) return tooFew
  const pairs = cases.flatMap(({ more, less }) => {
    const [first, second] = [specificityOf(more, counts), specificityOf(less, counts)]
    if (first === undefined || second === undefined) return []
    const lengths = [more.length, less.length] as const
    return [{ score: [first, second] as const, baseline: lengths, group: more, says: `${more}, ${less}` }]
  })
  if (pairs.length === 0)
    return {
      state: 'not-validated',
      why: `${counts.listings} listings are stored, and with so few no word has a number.`,
    }
  return pairOrderOutcome(pairs, leftOut)
}
