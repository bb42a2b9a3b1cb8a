import { z } from 'zod'
import { compareAppTexts } from '../../src/domain/aso/keywords/compare-app-texts.ts'
import { auditListing, untappedTermsFormula } from '../../src/domain/aso/listing/audit.ts'
import { appInStorefront } from '../../src/domain/catalogue/app.ts'
import type { Listing } from '../../src/domain/catalogue/listing.ts'
import type { Database } from '../../src/storage/database.ts'
import { listingWords, termsIn } from '../../src/text/listing-words.ts'
import { stemsInLanguage } from '../../src/text/stems.ts'
import type { Backtest } from '../backtest.ts'
import { readBenchmark } from '../benchmark.ts'
import { type NamedTerms, shareOfUsableTerms } from '../judged-terms.ts'

const JudgedApp = z.strictObject({
  country: z.string(),
  storeId: z.string(),
  name: z.string(),
  language: z.string(),
  usable: z.array(z.string()),
  not: z.array(z.string()),
  /** Judged after the formula was fixed, for an app that was not used before. */
  fresh: z.literal(true).exactOptional(),
})
type JudgedApp = z.infer<typeof JudgedApp>

/** Would a professional put them where search reads? */
export const untappedTermsBacktest: Backtest = {
  model: 'untapped-terms',
  formula: untappedTermsFormula,
  measure: 'share of untapped terms of the audit that a professional would take',
  better: 'higher',
  unit: '%',
  baseline:
    'the five words of the description that most names of apps like it hold and its own does not, as far as they were judged',
  goal: 75,
  data: 'judged terms of apps drawn by chance in English, Japanese, Chinese and Norwegian (benchmarks/untapped-terms.json), those for checking; terms nobody has judged are left out and counted',
  run: async (context) =>
    shareOfUsableTerms(
      context,
      await readBenchmark('untapped-terms', JudgedApp),
      (app) => namedFor(context.db, app),
      3,
    ),
}

/** Undefined when no listing of the app is stored in the storefront. */
async function namedFor(db: Database, app: JudgedApp): Promise<NamedTerms | undefined> {
  const { storeId, country } = app
  const listing = (await appInStorefront(db, storeId, country))?.state?.record.facts
  if (!listing) return undefined
  const { advice } = await auditListing(db, storeId, country, listing)
  const named = advice.find(({ kind }) => kind === 'untapped-term')?.terms ?? []
  const judge = (terms: readonly string[]) => {
    const usable = terms.filter((term) => app.usable.includes(term)).length
    return { usable, judged: usable + terms.filter((term) => app.not.includes(term)).length }
  }
  const made = judge(named)
  const baseline = judge(await wordsOfNames(db, storeId, country, listing))
  return { ...made, unjudged: named.length - made.judged, baseline }
}

const wordsTaken = 5

async function wordsOfNames(
  db: Database,
  storeId: string,
  country: string,
  listing: Partial<Listing> & Pick<Listing, 'name'>,
): Promise<string[]> {
  const { looked, stopWords, language } = await compareAppTexts(db, storeId, country, listing, [])
  const stem = (word: string) => stemsInLanguage(word, language)[0]?.text ?? word
  const keysOf = (text: string | null | undefined) =>
    listingWords(text ?? '', country).map(({ key }) => stem(key))
  const carried = new Set([listing.name, listing.subtitle, listing.developer].flatMap(keysOf))
  const said = new Set(listingWords(listing.description ?? '', country).map(({ text }) => text))
  const holding = new Map<string, number>()
  for (const { name, subtitle } of looked.others)
    for (const { term, key } of termsIn([...name, ...subtitle], stopWords, 1))
      if (said.has(term) && !carried.has(stem(key))) holding.set(term, (holding.get(term) ?? 0) + 1)
  return [...holding]
    .toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, wordsTaken)
    .map(([term]) => term)
}
