import { sql } from 'kysely'
import { z } from 'zod'
import {
  isComparablePage,
  type RelatedTermInputs,
  relatedTermsFormula,
  relatedTerms as relatedTo,
  type TermPage,
} from '../../src/domain/aso/keywords/related-terms.ts'
import { searchCatalogue } from '../../src/domain/catalogue/search.ts'
import { type Database, rows } from '../../src/storage/database.ts'
import { termWords } from '../../src/text/stemmed-match.ts'
import type { Backtest, BacktestContext, BacktestOutcome } from '../backtest.ts'
import { readBenchmark, usableCases } from '../benchmark.ts'
import { bootstrapInterval } from '../statistics.ts'

const JudgedTerm = z.strictObject({
  country: z.string(),
  language: z.string(),
  term: z.string(),
  /** All terms of its storefront, language and use that are related. */
  related: z.array(z.string()),
})
type JudgedTerm = z.infer<typeof JudgedTerm>

const isRelated =
  ({ related }: JudgedTerm) =>
  (term: string) =>
    related.includes(term)

/** The percentage of shown terms that were judged related; 0 where nothing is shown. */
const precisionOf = (shownIn: (answered: Answered) => readonly string[]) => (answers: readonly Answered[]) => {
  const shown = answers.reduce((sum, one) => sum + shownIn(one).length, 0)
  const right = answers.reduce((sum, one) => sum + shownIn(one).filter(isRelated(one.term)).length, 0)
  return shown === 0 ? 0 : (100 * right) / shown
}

/** Maximum number of related terms, as in the formula. */
const mostNamed = 25

/** Apps of a page that are compared. */
const places = 10

const keyOf = ({ country, term }: Asked) => `${country} ${term}`

/** Tests whether a professional would consider both terms for the same app. */
export const relatedTermsBacktest: Backtest = {
  model: 'related-terms',
  formula: relatedTermsFormula,
  measure: 'share of related terms that a professional would call related',
  better: 'higher',
  unit: '%',
  baseline: 'terms that share a word, those of most shared words first',
  goal: 70,
  data: 'all pairs of 416 terms in English, Chinese and Japanese, judged (benchmarks/related-terms.json); topics are divided into those for fitting and those for checking. Pages are those stored; where a term has none, what the search over the stored apps answers stands in',
  run,
}

/** The related terms of a term, and those of the baseline, which compares words alone. */
interface Answered {
  term: JudgedTerm
  shown: string[]
  byWords: string[]
  /** Related terms whose pages show enough apps. */
  findable: number
}

async function run(context: BacktestContext): Promise<BacktestOutcome> {
  const benchmark = await readBenchmark('related-terms', JudgedTerm)
  const { pages, stored } = await pagesOfTerms(context, benchmark.cases)
  const pageOf = new Map<JudgedTerm, TermPage>(
    benchmark.cases.map((one, index) => [one, pages[index] ?? { term: one.term, top: [] }]),
  )
  const pagesOf = (some: readonly JudgedTerm[]): TermPage[] => some.flatMap((one) => pageOf.get(one) ?? [])
  const { cases, leftOut, tooFew } = usableCases(benchmark, (one) => pagesOf([one]).some(isComparablePage))
  if (tooFew) return tooFew
  const answers = cases.map((one): Answered => {
    const own = benchmark.cases.filter(({ country }) => country === one.country)
    const pool = own.filter(({ use, language }) => use === 'check' && language === one.language)
    const others = pagesOf(pool)
    const around = surroundingsAmong(one.country, pagesOf(own))
    return {
      term: one,
      shown: pagesOf([one]).flatMap((page) => relatedTo(around(page, others)).map(({ term }) => term)),
      byWords: sharingWords(one, pool),
      findable: others.filter((page) => isComparablePage(page) && one.related.includes(page.term)).length,
    }
  })
  if (answers.every(({ shown }) => shown.length === 0))
    return { state: 'not-validated', why: 'Nothing is related by what this store shows of the judged terms.' }
  const precision = precisionOf(({ shown }) => shown)
  return {
    state: 'measured',
    figure: precision(answers),
    interval: bootstrapInterval(topicsOf(answers), precision),
    baselineFigure: precisionOf(({ byWords }) => byWords)(answers),
    cases: answers.reduce((sum, { shown }) => sum + shown.length, 0),
    leftOut,
    details: [
      {
        kind: 'table',
        title: `By language: ${stored} of ${pages.length} terms have a stored page, of those for checking ${leftOut} have too little evidence`,
        columns: ['language', 'terms', 'shown', 'related, %', 'found of those related, %', 'baseline, %'],
        rows: [...Map.groupBy(answers, ({ term }) => term.language)].map(([language, some]) => [
          language,
          some.length,
          some.reduce((sum, { shown }) => sum + shown.length, 0),
          precision(some),
          recallOf(some),
          precisionOf(({ byWords }) => byWords)(some),
        ]),
      },
    ],
  }
}

function recallOf(answers: readonly Answered[]): number {
  const findable = answers.reduce((sum, one) => sum + one.findable, 0)
  const found = answers.reduce((sum, { term, shown }) => sum + shown.filter(isRelated(term)).length, 0)
  return findable === 0 ? 0 : (100 * found) / findable
}

function sharingWords({ term, country }: JudgedTerm, pool: readonly JudgedTerm[]): string[] {
  const own = termWords(term, country)
  return pool
    .map((other) => ({ term: other.term, shared: own.intersection(termWords(other.term, country)).size }))
    .filter((other) => other.term !== term && other.shared > 0)
    .sort((one, other) => other.shared - one.shared || (one.term < other.term ? -1 : 1))
    .slice(0, mostNamed)
    .map((other) => other.term)
}

/**
 * Groups of judged terms that depend on each other: a pair occurs for both of its terms, and terms of one topic are similar.
 */
function topicsOf(answers: readonly Answered[]): Answered[][] {
  const left = new Set(answers)
  const topics: Answered[][] = []
  for (const first of answers) {
    if (!left.delete(first)) continue
    const topic = [first]
    for (const { term } of topic)
      for (const other of left)
        if (other.term.language === term.language && isRelated(term)(other.term.term)) {
          left.delete(other)
          topic.push(other)
        }
    topics.push(topic)
  }
  return topics
}

interface Asked {
  country: string
  term: string
}

/** The first places of the newest page of each term, in their order; where none is stored, apps of the store's own search. */
async function pagesOfTerms(
  { db, signal, progress }: BacktestContext,
  terms: readonly Asked[],
): Promise<{ pages: TermPage[]; stored: number }> {
  const pageOf = await storedPages(db, terms)
  const pages: TermPage[] = []
  for (const { country, term } of terms) {
    signal.throwIfAborted()
    const top = pageOf.get(keyOf({ country, term })) ?? (await standIn(db, country, term))
    pages.push({ term, top })
    progress(pages.length, terms.length)
  }
  return { pages, stored: pageOf.size }
}

async function storedPages(db: Database, terms: readonly Asked[]): Promise<Map<string, string[]>> {
  const sent = JSON.stringify(terms.map(({ country, term }) => ({ country, term })))
  const found = await rows(
    db,
    sql<Asked & { top: string[] }>`
      select t.country, t.term, to_json(n.top::text[]) as top
      from json_to_recordset(${sent}::json) as sent(country text, term text)
      join term_names t on t.country = sent.country and t.term = sent.term
      join newest_pages n using (term_id)`,
  )
  return new Map(found.map(({ top, ...asked }) => [keyOf(asked), top]))
}

async function standIn(db: Database, country: string, q: string): Promise<string[]> {
  const { apps } = await searchCatalogue(db, { q, country, filters: {}, sort: 'relevance', limit: places })
  return apps.map(({ storeId }) => storeId)
}

/** The surroundings of each term, as if only these pages were stored for the storefront. */
function surroundingsAmong(country: string, all: readonly TermPage[]) {
  const comparable = all.filter(isComparablePage)
  const countOf = (things: Iterable<string>) => {
    const counts = new Map<string, number>()
    for (const thing of things) counts.set(thing, (counts.get(thing) ?? 0) + 1)
    return counts
  }
  const pagesWith = countOf(comparable.flatMap(({ top }) => top))
  const termsWith = countOf(all.flatMap(({ term }) => [...termWords(term, country)]))
  return (page: TermPage, others: readonly TermPage[]): RelatedTermInputs => ({
    ...page,
    country,
    pages: comparable.length,
    pagesWith,
    termsWith,
    others,
  })
}
