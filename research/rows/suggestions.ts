import { z } from 'zod'
import {
  type SuggestionSubject,
  suggestionsFor,
  suggestionsFormula,
} from '../../src/domain/aso/keywords/suggestions.ts'
import { appInStorefront } from '../../src/domain/catalogue/app.ts'
import type { Database } from '../../src/storage/database.ts'
import { languageOfListing } from '../../src/text/language.ts'
import { listingWords, termsIn } from '../../src/text/listing-words.ts'
import { stemsInLanguage } from '../../src/text/stems.ts'
import { stopWordsOf } from '../../src/text/stop-words.ts'
import type { Backtest } from '../backtest.ts'
import { readBenchmark } from '../benchmark.ts'
import { type NamedTerms, shareOfUsableTerms } from '../judged-terms.ts'

const JudgedApp = z.strictObject({
  country: z.string(),
  storeId: z.string(),
  name: z.string(),
  language: z.string(),
  rivals: z.array(z.string()),
  suggestions: z.array(z.string()),
  verdicts: z.record(z.string(), z.enum(['usable', 'brand', 'fragment', 'empty', 'beside'])),
  /** Judged after the formula was fixed, for an app that was not used before. */
  fresh: z.literal(true).exactOptional(),
})
type JudgedApp = z.infer<typeof JudgedApp>

/** Would a professional take them? */
export const suggestionsBacktest: Backtest = {
  model: 'suggestions',
  formula: suggestionsFormula,
  measure: 'share of suggested terms, none of which the own name carries, that a professional would take',
  better: 'higher',
  unit: '%',
  baseline:
    'the words of the listing that its name does not carry, most often first, as far as they were judged',
  goal: 75,
  data: 'judged suggestions for 129 real apps in six languages, 61 of them for checking alone, 52 of which were drawn by chance (benchmarks/suggestions.json); phrases nobody has judged are left out and counted',
  run: async (context) =>
    shareOfUsableTerms(
      context,
      await readBenchmark('suggestions', JudgedApp),
      (app) => namedFor(context.db, app),
      5,
    ),
}

/** Stands in no account: no keyword is tracked for it. */
const nobodysApp = '00000000-0000-0000-0000-000000000000'

/** Undefined when no listing of the app is stored in the storefront. */
async function namedFor(
  db: Database,
  { country, storeId, rivals, verdicts }: JudgedApp,
): Promise<NamedTerms | undefined> {
  const listing = (await appInStorefront(db, storeId, country))?.state?.record.facts
  if (!listing) return undefined
  const subject = { appId: nobodysApp, storeId, country, listing, rivals, keywords: [] }
  const { items } = await suggestionsFor(db, subject)
  const verdictsOf = (terms: readonly string[]) => terms.flatMap((term) => verdicts[term] ?? [])
  const made = verdictsOf(items.map(({ term }) => term))
  const frequent = verdictsOf(await wordsOf(listing, country))
  const usable = (of: readonly string[]) => of.filter((verdict) => verdict === 'usable').length
  return {
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
  const carried = new Set(stemsInLanguage(name, language).map((stem) => stem.text))
  const terms = termsIn(listingWords(text, country), stopWordsOf(language), 1).filter(
    ({ term }) => !stemsInLanguage(term, language).every((stem) => carried.has(stem.text)),
  )
  return terms.toSorted((one, other) => other.count - one.count).map(({ term }) => term)
}
