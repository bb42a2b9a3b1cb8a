import { sql } from 'kysely'
import { z } from 'zod'
import { brandFormula } from '../../src/domain/aso/scores/brand-term.ts'
import { difficultyOf, type RatedPlace } from '../../src/domain/aso/scores/difficulty.ts'
import { type Database, rows } from '../../src/storage/database.ts'
import { fold } from '../../src/text/search-terms.ts'
import { type StemmedMatch, stemmedMatchesOf } from '../../src/text/stemmed-match.ts'
import type { Backtest, BacktestContext, BacktestOutcome } from '../backtest.ts'
import { readBenchmark, usableCases } from '../benchmark.ts'
import { bootstrapInterval } from '../statistics.ts'

const Term = z.strictObject({ term: z.string(), brand: z.boolean() })

/** A judged term, with the verdicts of the score and of the baseline. */
interface Told {
  term: string
  brand: boolean
  isReal: boolean
  flagged: boolean
  byBaseline: boolean
}

/** Apps of the storefront that pages are made of, the most rated. */
const mostApps = 20_000
const places = 10
/** Letters of a word that are searched for in a name before the name is split into words. */
const beginning = 4

const closeness: Record<StemmedMatch, number> = {
  name: 3,
  beginning: 2,
  together: 2,
  'all-words': 1,
  'some-words': 0,
  none: 0,
}

/** Is a term flagged as a brand where people call it one, and nowhere else? */
export const brandTermBacktest: Backtest = {
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

async function run({ db }: BacktestContext): Promise<BacktestOutcome> {
  const benchmark = await readBenchmark('brand-term', Term)
  const pageOf = await pagesOfTerms(
    db,
    'us',
    benchmark.cases.map(({ term }) => term),
  )
  const { cases, leftOut, tooFew } = usableCases(benchmark, ({ term }) => pageOf(term) !== undefined)
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

/** Precision and recall in percent; 0 where nothing is flagged, or nothing should be. */
function ratesOf(told: readonly Told[], of: 'flagged' | 'byBaseline') {
  const right = told.filter((one) => one.brand && one[of]).length
  const share = (whole: number) => (whole === 0 ? 0 : (100 * right) / whole)
  return {
    precision: share(told.filter((one) => one[of]).length),
    recall: share(told.filter(({ brand }) => brand).length),
  }
}

interface StoredApp extends RatedPlace {
  categoryId: number | null
  folded: string
}

/** A page of a term, real or made up. */
export interface TermPage {
  isReal: boolean
  places: RatedPlace[]
}

/**
 * The first places of terms: of their newest stored page, or, where there is none, made of the stored apps of the
 * storefront: those whose names hold all its words, the closest and then the most rated first, and after them the most
 * rated ones of the first one's category. Such a page has real names and ratings, in an order that is ours.
 * @returns undefined for a term that no stored name holds
 */
async function pagesOfTerms(
  db: Database,
  country: string,
  terms: readonly string[],
): Promise<(term: string) => TermPage | undefined> {
  const [real, apps] = await Promise.all([storedPages(db, country, terms), mostRated(db, country)])
  const byCategory = Map.groupBy(apps, ({ categoryId }) => categoryId)
  return (term) => {
    const shown = real.get(term)
    if (shown) return { isReal: true, places: shown }
    const holding = holdingOf(apps, term, country)
    const [first] = holding
    if (!first) return undefined
    const others = (byCategory.get(first.categoryId) ?? [])
      .filter((app) => !holding.includes(app))
      .slice(0, Math.max(0, places - holding.length))
    return { isReal: false, places: [...holding, ...others].slice(0, places) }
  }
}

function holdingOf(apps: readonly StoredApp[], term: string, country: string): StoredApp[] {
  const parts = fold(term)
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.slice(0, beginning))
  const matchOf = stemmedMatchesOf(term, country)
  return apps
    .filter(({ folded }) => parts.every((part) => folded.includes(part)))
    .map((app) => ({ app, near: closeness[matchOf(app.name)] }))
    .filter(({ near }) => near > 0)
    .sort((one, other) => other.near - one.near)
    .map(({ app }) => app)
}

async function mostRated(db: Database, country: string): Promise<StoredApp[]> {
  const found = await rows(
    db,
    sql<Omit<StoredApp, 'folded'>>`
      select store_id::text as "storeId", name, rating_count::float8 as "ratingCount",
        primary_category_id as "categoryId"
      from app_records where country = ${country} and rating_count is not null
      order by coalesce(rating_count, -1) desc, store_id limit ${mostApps}`,
  )
  return found.map((app) => ({ ...app, folded: fold(app.name) }))
}

async function storedPages(db: Database, country: string, terms: readonly string[]) {
  const found = await rows(
    db,
    sql<{
      term: string
      storeIds: (string | null)[]
      shown: ({ name: string; ratingCount?: number | null } | null)[]
    }>`
      select t.term, to_json(p.store_ids[1:${sql.lit(places)}]::text[]) as "storeIds", n.shown
      from terms t join newest_pages n using (term_id)
      join result_pages p on p.term_id = t.term_id and p.captured_at = n.captured_at
      where t.country = ${country} and t.term in (select json_array_elements_text(${JSON.stringify(terms)}::json))
        and p.depth > 0`,
  )
  return new Map(
    found.map(({ term, storeIds, shown }) => [
      term,
      storeIds.flatMap((storeId, index) => {
        const place = shown[index]
        return storeId && place ? [{ storeId, ...place }] : []
      }),
    ]),
  )
}
