import { z } from 'zod'
import {
  type SuggestionSubject,
  suggestionsFor,
  suggestionsFormula,
} from '../../domain/aso/keywords/suggestions.ts'
import { appInStorefront } from '../../domain/catalogue/app.ts'
import type { Database } from '../../storage/database.ts'
import { languageOfListing } from '../../text/language.ts'
import { termsIn } from '../../text/listing-terms.ts'
import { listingWords } from '../../text/listing-words.ts'
import { stemsIn } from '../../text/stems.ts'
import { stopWordsOf } from '../../text/stop-words.ts'
import type { Backtest, BacktestContext } from '../backtest.ts'
import { casesThere, readBenchmark } from '../benchmark.ts'
import type { Outcome } from '../outcome.ts'
import { bootstrapInterval } from '../statistics.ts'

const JudgedApp = z.strictObject({
  country: z.string(),
  storeId: z.string(),
  name: z.string(),
  language: z.string(),
  rivals: z.array(z.string()),
  suggestions: z.array(z.string()),
  verdicts: z.record(z.string(), z.enum(['usable', 'brand', 'fragment', 'empty', 'beside'])),
  /** Judged when the formula stood, of an app that nobody had looked at. */
  fresh: z.literal(true).exactOptional(),
})
type JudgedApp = z.infer<typeof JudgedApp>

/** Would a professional take them? */
export const suggestions: Backtest = {
  model: 'suggestions',
  formula: suggestionsFormula,
  measure: 'share of suggested terms, none of which the own name carries, that a professional would take',
  better: 'higher',
  unit: '%',
  baseline:
    'the words of the listing that its name does not carry, most often first, as far as they were judged',
  goal: 75,
  data: 'judged suggestions for 129 real apps in six languages, 61 of them for checking alone, 52 of which were drawn by chance (benchmarks/suggestions.json); phrases nobody has judged are left out and counted',
  run,
}

interface Counted {
  name: string
  fresh: boolean
  usable: number
  judged: number
  unjudged: number
  baseline: { usable: number; judged: number }
}

async function run({ db, signal, progress }: BacktestContext): Promise<Outcome> {
  const benchmark = await readBenchmark('suggestions', JudgedApp)
  const checked = benchmark.cases.filter(({ use }) => use === 'check')
  const counted = new Map<JudgedApp, Counted>()
  for (const [index, app] of checked.entries()) {
    signal.throwIfAborted()
    const found = await counts(db, app)
    if (found) counted.set(app, found)
    progress(index + 1, checked.length)
  }
  const { leftOut, tooFew } = casesThere(benchmark, (app) => counted.has(app))
  if (tooFew) return tooFew
  const apps = [...counted.values()].filter(({ judged, baseline }) => judged + baseline.judged > 0)
  if (apps.length === 0)
    return { state: 'not-validated', why: 'Nobody has judged what is suggested in this store.' }
  const share = (of: readonly Pick<Counted, 'usable' | 'judged'>[]) =>
    (100 * sum(of, 'usable')) / sum(of, 'judged')
  return {
    state: 'measured',
    figure: share(apps),
    interval: bootstrapInterval(
      apps.map((app) => [app]),
      share,
    ),
    baselineFigure: share(apps.map(({ baseline }) => baseline)),
    cases: sum(apps, 'judged'),
    leftOut,
    details: [
      {
        kind: 'table',
        title: 'By whether anybody had looked at them before',
        columns: ['apps', 'usable', 'judged', 'usable, %', 'baseline, %'],
        rows: [false, true].map((isFresh) => {
          const some = apps.filter(({ fresh }) => fresh === isFresh)
          const title = isFresh ? 'fresh' : 'looked at before'
          const baseline = some.map((app) => app.baseline)
          return [title, sum(some, 'usable'), sum(some, 'judged'), share(some), share(baseline)]
        }),
      },
      {
        kind: 'table',
        title: 'Apps by how many terms are suggested',
        columns: ['none', 'one to four', 'five and more'],
        rows: [
          [(of: number) => of === 0, (of: number) => of > 0 && of < 5, (of: number) => of >= 5].map(
            (isSo) => [...counted.values()].filter(({ judged, unjudged }) => isSo(judged + unjudged)).length,
          ),
        ],
      },
      {
        kind: 'table',
        title: 'Apps for checking',
        columns: ['app', 'usable', 'judged', 'not judged'],
        rows: apps.map(({ name, usable, judged, unjudged }) => [name, usable, judged, unjudged]),
      },
    ],
  }
}

const sum = (of: readonly Pick<Counted, 'usable' | 'judged'>[], what: 'usable' | 'judged') =>
  of.reduce((total, one) => total + one[what], 0)

/** Stands in no account: no keyword is tracked for it. */
const nobodysApp = '00000000-0000-0000-0000-000000000000'

/** Undefined when no listing of the app is stored in the storefront. */
async function counts(
  db: Database,
  { country, storeId, name, rivals, verdicts, fresh }: JudgedApp,
): Promise<Counted | undefined> {
  const listing = (await appInStorefront(db, storeId, country))?.state?.record.facts
  if (!listing) return undefined
  const subject = { appId: nobodysApp, storeId, country, listing, rivals, keywords: [] }
  const { items } = await suggestionsFor(db, subject)
  const verdictsOf = (terms: readonly string[]) => terms.flatMap((term) => verdicts[term] ?? [])
  const made = verdictsOf(items.map(({ term }) => term))
  const frequent = verdictsOf(await wordsOf(listing, country))
  const usable = (of: readonly string[]) => of.filter((verdict) => verdict === 'usable').length
  return {
    name,
    fresh: fresh ?? false,
    usable: usable(made),
    judged: made.length,
    unjudged: items.length - made.length,
    baseline: { usable: usable(frequent), judged: frequent.length },
  }
}

async function wordsOf(listing: NonNullable<SuggestionSubject['listing']>, country: string): Promise<string[]> {
  const { name, subtitle, description } = listing
  const text = [name, subtitle ?? '', description ?? ''].join('\n')
  const language = await languageOfListing(listing)
  const carried = new Set(stemsIn(name, language).map((stem) => stem.text))
  const terms = termsIn(listingWords(text, country), stopWordsOf(language), 1).filter(
    ({ term }) => !stemsIn(term, language).every((stem) => carried.has(stem.text)),
  )
  return terms.toSorted((one, other) => other.count - one.count).map(({ term }) => term)
}
