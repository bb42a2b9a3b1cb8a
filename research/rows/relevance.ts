import { sql } from 'kysely'
import { z } from 'zod'
import { relevanceFormula, relevanceTo } from '../../src/domain/aso/scores/relevance.ts'
import { type Database, rows } from '../../src/storage/database.ts'
import { storedTerms } from '../../src/text/search-terms.ts'
import type { Backtest, BacktestContext, BacktestOutcome } from '../backtest.ts'
import { readBenchmark, usableCases } from '../benchmark.ts'
import { pairOrderOutcome } from '../statistics.ts'

const Pair = z.strictObject({
  country: z.string(),
  storeId: z.string(),
  relevant: z.string(),
  other: z.string(),
})

/** Tests whether the term that people prefer for an app has the higher relevance. */
export const relevanceBacktest: Backtest = {
  model: 'relevance',
  formula: relevanceFormula,
  measure: 'share of pairs of terms in which the one people would rather find the app by is the more relevant',
  better: 'higher',
  unit: '%',
  baseline: "the share of the term's words that stand anywhere in the name, subtitle and description",
  goal: null,
  data: 'judged pairs of terms of well-known apps in English (benchmarks/relevance.json), and their stored listings with a description; nothing is fitted, all pairs are for checking',
  run,
}

async function run({ db }: BacktestContext): Promise<BacktestOutcome> {
  const benchmark = await readBenchmark('relevance', Pair)
  const listings = await listingsOf(db, benchmark.cases)
  const { cases, leftOut, tooFew } = usableCases(benchmark, (pair) => listings.has(keyOf(pair)))
  if (tooFew) return tooFew
  const scorers = new Map([...listings].map(([key, listing]) => [key, scorersOf(listing)]))
  const pairs = cases.flatMap((pair) => {
    const scorer = scorers.get(keyOf(pair))
    if (!scorer) return []
    const both = (of: (term: string) => number) => [of(pair.relevant), of(pair.other)] as const
    const says = `${scorer.name}: ${pair.relevant}, ${pair.other}`
    return [{ score: both(scorer.score), baseline: both(scorer.baseline), group: keyOf(pair), says }]
  })
  return pairOrderOutcome(pairs, leftOut)
}

interface ListingRow {
  country: string
  storeId: string
  name: string
  subtitle: string | null
  description: string
}

const keyOf = ({ country, storeId }: Pick<ListingRow, 'country' | 'storeId'>) => `${country} ${storeId}`

function scorersOf(listing: ListingRow) {
  const held = storedTerms([listing.name, listing.subtitle ?? '', listing.description].join('\n'))
  const baseline = (term: string) => {
    const words = [...storedTerms(term)]
    return words.filter((word) => held.has(word)).length / words.length
  }
  return { name: listing.name, score: relevanceTo(listing), baseline }
}

async function listingsOf(
  db: Database,
  cases: readonly Pick<ListingRow, 'country' | 'storeId'>[],
): Promise<Map<string, ListingRow>> {
  const asked = cases.map(({ country, storeId }) => ({ country, storeId }))
  const found = await rows(
    db,
    sql<ListingRow>`
      select r.country, r.store_id::text as "storeId", r.name, r.subtitle, r.description
      from (
        select distinct country, "storeId" as store_id
        from json_to_recordset(${JSON.stringify(asked)}::json) as sent(country text, "storeId" bigint)
      ) asked
      join app_records r using (country, store_id)
      where r.description is not null`,
  )
  return new Map(found.map((row) => [keyOf(row), row]))
}
