import { z } from 'zod'
import {
  isTelling,
  relatedTermsFormula,
  relatedTerms as relatedTo,
  type TermPage,
} from '../../domain/aso/keywords/related-terms.ts'
import { termWords } from '../../text/term-words.ts'
import type { Backtest, BacktestContext } from '../backtest.ts'
import { casesThere, readBenchmark } from '../benchmark.ts'
import type { Outcome } from '../outcome.ts'
import { bootstrapInterval } from '../statistics.ts'
import { pagesOfTerms, surroundingsAmong } from './related-terms-pages.ts'

const JudgedTerm = z.strictObject({
  country: z.string(),
  language: z.string(),
  term: z.string(),
  /** All terms of its storefront, language and use that are related. */
  related: z.array(z.string()),
})
type JudgedTerm = z.infer<typeof JudgedTerm>

/** Would a professional weigh them for the same app? */
export const relatedTerms: Backtest = {
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

/** What is shown for a term, and by words alone. */
interface Answered {
  term: JudgedTerm
  shown: string[]
  byWords: string[]
  /** Related terms whose pages show enough apps. */
  findable: number
}

async function run(context: BacktestContext): Promise<Outcome> {
  const benchmark = await readBenchmark('related-terms', JudgedTerm)
  const { pages, stored } = await pagesOfTerms(context, benchmark.cases)
  const pageOf = new Map<JudgedTerm, TermPage>(
    benchmark.cases.map((one, index) => [one, pages[index] ?? { term: one.term, top: [] }]),
  )
  const pagesOf = (some: readonly JudgedTerm[]): TermPage[] => some.flatMap((one) => pageOf.get(one) ?? [])
  const { cases, leftOut, tooFew } = casesThere(benchmark, (one) => pagesOf([one]).some(isTelling))
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
      findable: others.filter((page) => isTelling(page) && one.related.includes(page.term)).length,
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

const isRelated =
  ({ related }: JudgedTerm) =>
  (term: string) =>
    related.includes(term)

/** Of what is shown, the share that was judged related, in hundredths; 0 where nothing is shown. */
const precisionOf = (shownIn: (answered: Answered) => readonly string[]) => (answers: readonly Answered[]) => {
  const shown = answers.reduce((sum, one) => sum + shownIn(one).length, 0)
  const right = answers.reduce((sum, one) => sum + shownIn(one).filter(isRelated(one.term)).length, 0)
  return shown === 0 ? 0 : (100 * right) / shown
}

function recallOf(answers: readonly Answered[]): number {
  const findable = answers.reduce((sum, one) => sum + one.findable, 0)
  const found = answers.reduce((sum, { term, shown }) => sum + shown.filter(isRelated(term)).length, 0)
  return findable === 0 ? 0 : (100 * found) / findable
}

/** Terms named at most, as many as the formula names. */
const mostNamed = 25

function sharingWords({ term, country }: JudgedTerm, pool: readonly JudgedTerm[]): string[] {
  const own = termWords(term, country)
  return pool
    .map((other) => ({ term: other.term, shared: own.intersection(termWords(other.term, country)).size }))
    .filter((other) => other.term !== term && other.shared > 0)
    .sort((one, other) => other.shared - one.shared || (one.term < other.term ? -1 : 1))
    .slice(0, mostNamed)
    .map((other) => other.term)
}

/** Terms that hang together by what was judged: a pair is shown from both its ends, and topics resemble themselves. */
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
