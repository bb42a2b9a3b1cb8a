import { z } from 'zod'
import { brandFormula } from '../../domain/aso/scores/brand-term.ts'
import { difficultyOf } from '../../domain/aso/scores/difficulty.ts'
import { stemmedMatchesOf } from '../../text/stemmed-match.ts'
import type { Backtest, BacktestContext } from '../backtest.ts'
import { casesThere, readBenchmark } from '../benchmark.ts'
import type { Outcome } from '../outcome.ts'
import { bootstrapInterval } from '../statistics.ts'
import { pagesOfTerms } from './brand-term-pages.ts'

const Term = z.strictObject({ term: z.string(), brand: z.boolean() })

/** A judged term, and what two ways of telling say of it. */
interface Told {
  term: string
  brand: boolean
  isReal: boolean
  flagged: boolean
  byBaseline: boolean
}

/** Is a term flagged as a brand where people call it one, and nowhere else? */
export const brandTerm: Backtest = {
  model: 'brand-term',
  formula: brandFormula,
  measure: 'F1 (harmonic mean of precision and recall) of the flag over terms that people judged',
  better: 'higher',
  unit: '%',
  baseline: 'a term is a brand where one result alone is called so',
  goal: null,
  data: 'judged terms (benchmarks/brand-term.json), half to fit the rule and half to check; their newest stored pages in the US, and, for terms without one, pages made of the most rated stored apps',
  run,
}

async function run({ db }: BacktestContext): Promise<Outcome> {
  const benchmark = await readBenchmark('brand-term', Term)
  const pageOf = await pagesOfTerms(
    db,
    'us',
    benchmark.cases.map(({ term }) => term),
  )
  const { cases, leftOut, tooFew } = casesThere(benchmark, ({ term }) => pageOf(term) !== undefined)
  if (tooFew) return tooFew
  const told = cases.flatMap(({ term, brand }): Told[] => {
    const page = pageOf(term)
    if (!page) return []
    const { isReal, places } = page
    const matchOf = stemmedMatchesOf(term, 'us')
    const difficulty = difficultyOf({ term, country: 'us', places, requested: 200, stated: null }, null)
    return [
      {
        term,
        brand,
        isReal,
        flagged: (difficulty?.brand ?? null) !== null,
        byBaseline: places.filter(({ name }) => matchOf(name) === 'name').length === 1,
      },
    ]
  })
  const figureOf = (of: 'flagged' | 'byBaseline') => (list: readonly Told[]) => {
    const { precision, recall } = ratesOf(list, of)
    return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  }
  const groups = told.map((one) => [one])
  return {
    state: 'measured',
    figure: figureOf('flagged')(told),
    interval: bootstrapInterval(groups, figureOf('flagged')),
    baselineFigure: figureOf('byBaseline')(told),
    cases: told.length,
    leftOut,
    details: [
      {
        kind: 'table',
        title: 'Precision and recall',
        columns: ['told by', 'pages', 'terms', 'brands', 'precision', 'recall'],
        rows: [true, false].flatMap((isReal) => {
          const some = told.filter((one) => one.isReal === isReal)
          if (some.length === 0) return []
          return (['flagged', 'byBaseline'] as const).map((of) => {
            const { precision, recall } = ratesOf(some, of)
            const brands = some.filter(({ brand }) => brand).length
            const [by, pages] = [of === 'flagged' ? 'the flag' : 'the baseline', isReal ? 'stored' : 'made up']
            return [by, pages, some.length, brands, precision, recall]
          })
        }),
      },
      {
        kind: 'table',
        title: 'Told wrongly',
        columns: ['term', 'judged', 'page'],
        rows: told
          .filter(({ brand, flagged }) => brand !== flagged)
          .slice(0, 100)
          .map(({ term, brand, isReal }) => [
            term,
            brand ? 'brand' : 'not a brand',
            isReal ? 'stored' : 'made up',
          ]),
      },
    ],
  }
}

/** In percent; 0 where nothing is flagged, or nothing is to be. */
function ratesOf(told: readonly Told[], of: 'flagged' | 'byBaseline') {
  const right = told.filter((one) => one.brand && one[of]).length
  const share = (whole: number) => (whole === 0 ? 0 : (100 * right) / whole)
  return {
    precision: share(told.filter((one) => one[of]).length),
    recall: share(told.filter(({ brand }) => brand).length),
  }
}
