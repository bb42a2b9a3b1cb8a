import { sql } from 'kysely'
import { autocompleteFormula } from '../../src/domain/aso/scores/autocomplete.ts'
import { type Database, rows } from '../../src/storage/database.ts'
import type { Backtest, BacktestContext, BacktestOutcome } from '../backtest.ts'
import { bootstrapInterval, rankCorrelation } from '../statistics.ts'

const fewestTerms = 30
/** Terms looked at, those of the newest pages first. */
const mostTerms = 1_000

interface ScoredTerm {
  term: string
  autocomplete: number
  results: number
}

/** Tests whether terms that Apple suggests early are those with many results. */
export const autocompleteBacktest: Backtest = {
  model: 'autocomplete',
  formula: autocompleteFormula,
  measure:
    'rank correlation with the number of results of the newest page: how many apps are offered for a term stands for how often it is searched, which Apple tells nobody',
  better: 'higher',
  unit: '',
  baseline: 'the length of the term: short ones are searched more',
  goal: null,
  data: 'terms with stored suggestions and a complete page; nothing is fitted, all are for checking',
  run,
}

async function run({ db }: BacktestContext): Promise<BacktestOutcome> {
  const terms = await scoredTerms(db)
  if (terms.length < fewestTerms || new Set(terms.map(({ results }) => results)).size < 2)
    return {
      state: 'not-validated',
      why: `Terms with suggestions and a complete page: ${terms.length}. ${fewestTerms} are needed, of different numbers of results; better would be search terms of own apps in Apple Ads with their impressions, which this program does not read.`,
    }
  const figureOf = (scoreOf: (one: ScoredTerm) => number) => (list: readonly ScoredTerm[]) =>
    rankCorrelation(list.map((one) => [scoreOf(one), one.results]))
  const byScore = figureOf((one) => one.autocomplete)
  return {
    state: 'measured',
    figure: byScore(terms),
    interval: bootstrapInterval(
      terms.map((one) => [one]),
      byScore,
    ),
    baselineFigure: figureOf(({ term }) => -[...term].length)(terms),
    cases: terms.length,
    leftOut: 0,
    details: [
      {
        kind: 'table',
        title: 'Terms, the strongest first',
        columns: ['term', 'strength', 'results'],
        rows: terms
          .toSorted((one, other) => other.autocomplete - one.autocomplete)
          .slice(0, 100)
          .map((one) => [one.term, one.autocomplete, one.results]),
      },
    ],
  }
}

/** Pages that may go on are left out: they have as many results as were asked for, whatever there is. */
function scoredTerms(db: Database): Promise<ScoredTerm[]> {
  return rows(
    db,
    sql<ScoredTerm>`
      select t.term || ' (' || t.country || ')' as term, t.autocomplete, t.page_depth::int as results
      from terms t join result_pages p on p.term_id = t.term_id and p.captured_at = t.page_at
      where t.autocomplete is not null and t.autocomplete_formula = ${autocompleteFormula} and p.depth < p.requested
      order by t.page_at desc, t.term_id limit ${mostTerms}`,
  )
}
