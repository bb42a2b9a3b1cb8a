import { sql } from 'kysely'
import {
  type ChangedPlaces,
  changedPlacesBetween,
  changedShareAfter,
  changeRateWithoutOutliers,
  comparedPlaces,
  volatilityFormula,
} from '../../src/domain/aso/scores/volatility.ts'
import { type Database, rows } from '../../src/storage/database.ts'
import type { Backtest, BacktestContext, BacktestOutcome } from '../backtest.ts'
import { bootstrapInterval, mean } from '../statistics.ts'

/** Pages a forecast rests on, and forecasts needed for a figure. */
const [fewestBefore, fewestForecasts] = [3, 20]
/** Terms looked at, those with most pages first; how many are read at a time, and the newest pages of each. */
const [mostTerms, termsAtATime, mostPages] = [2_000, 50, 200]

/** The predicted and the actual volatility of a term's next page, in percent of changed places. */
interface Forecast {
  at: Date
  byScore: number
  byBaseline: number
  came: number
}

/** Does the volatility of a term so far foretell how much its next page changes? */
export const volatilityBacktest: Backtest = {
  model: 'volatility',
  formula: volatilityFormula,
  measure:
    'mean absolute error of the change of the next page, foretold by the usual weekly rate of the year before for the days between',
  better: 'lower',
  unit: 'points',
  baseline: 'the next page changes as much as the last one did',
  goal: null,
  data: `stored result pages; nothing is fitted, every forecast is checked on the page after those it rests on (${fewestBefore} or more)`,
  run,
}

async function run({ db, signal, progress }: BacktestContext): Promise<BacktestOutcome> {
  const forecasts: { term: string; list: Forecast[] }[] = []
  const terms = await termsWithPages(db)
  for (let done = 0; done < terms.length; done += termsAtATime) {
    signal.throwIfAborted()
    const some = terms.slice(done, done + termsAtATime)
    for (const [termId, pages] of await pagesOf(db, some)) {
      const list = forecastsOver(pages)
      const { term = '' } = some.find((one) => one.termId === termId) ?? {}
      if (list.length > 0) forecasts.push({ term, list })
    }
    progress(Math.min(terms.length, done + termsAtATime), terms.length)
  }
  const all = forecasts.flatMap(({ list }) => list)
  if (all.length < fewestForecasts)
    return {
      state: 'not-validated',
      why: `${all.length} pages follow ${fewestBefore} others of their term; ${fewestForecasts} are needed.`,
    }
  const errorOf = (of: 'byScore' | 'byBaseline') => (list: readonly Forecast[]) =>
    mean(list.map((one) => Math.abs(one[of] - one.came)))
  // Pages of one term resemble each other: with several, terms are drawn and not pages.
  const groups = forecasts.length > 1 ? forecasts.map(({ list }) => list) : all.map((one) => [one])
  const [longest] = forecasts.toSorted((one, other) => other.list.length - one.list.length)
  const start = longest?.list[0]?.at.getTime() ?? 0
  const lineOf = (of: 'byScore' | 'byBaseline' | 'came') =>
    (longest?.list ?? []).map((one): [number, number] => [(one.at.getTime() - start) / 86_400_000, one[of]])
  return {
    state: 'measured',
    figure: errorOf('byScore')(all),
    interval: bootstrapInterval(groups, errorOf('byScore')),
    baselineFigure: errorOf('byBaseline')(all),
    cases: all.length,
    leftOut: 0,
    details: [
      {
        kind: 'table',
        title: 'Error by term',
        columns: ['term', 'forecasts', 'error of the score', 'error of the baseline'],
        rows: forecasts
          .slice(0, 50)
          .map(({ term, list }) => [term, list.length, errorOf('byScore')(list), errorOf('byBaseline')(list)]),
      },
      {
        kind: 'series',
        title: `Change of each page of ${longest?.term ?? ''}, foretold and come`,
        axes: { x: 'days since the first of them', y: 'places changed, of a hundred' },
        lines: [
          { name: 'came', points: lineOf('came') },
          { name: 'by the score', points: lineOf('byScore') },
          { name: 'by the baseline', points: lineOf('byBaseline') },
        ],
      },
    ],
  }
}

/** @param pages oldest first, none without results, no two of one instant */
function forecastsOver(pages: readonly PageRow[]): Forecast[] {
  const changes = changedPlacesBetween(pages.map(({ at, storeIds }) => ({ capturedAt: at, storeIds })))
  return changes.flatMap((next, index) => {
    const [last, at] = [changes[index - 1], pages[index + 1]?.at]
    if (index < fewestBefore - 1 || !last || !at) return []
    const byScore = 100 * changedShareAfter(next.days, changeRateWithoutOutliers(changes.slice(0, index)))
    return [{ at, byScore, byBaseline: hundredths(last), came: hundredths(next) }]
  })
}

const hundredths = ({ changed, places }: ChangedPlaces) => (100 * changed) / places

interface TermRow {
  termId: number
  /** The term with its storefront. */
  term: string
}

interface PageRow {
  termId: number
  at: Date
  storeIds: (string | null)[]
}

function termsWithPages(db: Database): Promise<TermRow[]> {
  return rows(
    db,
    sql<TermRow>`
      select term_id as "termId", term || ' (' || country || ')' as term from terms
      where pages > ${fewestBefore} order by pages desc, term_id limit ${mostTerms}`,
  )
}

async function pagesOf(db: Database, terms: readonly TermRow[]) {
  const found = await rows(
    db,
    sql<PageRow>`
      select asked.term_id as "termId", p.captured_at as at, p.first_ids::text[] as "storeIds"
      from term_states asked
      cross join lateral (
        select captured_at, store_ids[1:${sql.lit(comparedPlaces)}] as first_ids from result_pages
        where term_id = asked.term_id and depth > 0 and counts order by captured_at desc limit ${mostPages}
      ) p
      where asked.term_id = any(${`{${terms.map(({ termId }) => termId).join(',')}}`}::int[])
      order by asked.term_id, p.captured_at`,
  )
  return Map.groupBy(found, ({ termId }) => termId)
}
