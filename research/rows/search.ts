import { sql } from 'kysely'
import { z } from 'zod'
import { searchFormula } from '../../src/domain/catalogue/relevance.ts'
import { searchCatalogue } from '../../src/domain/catalogue/search.ts'
import { type Database, rows } from '../../src/storage/database.ts'
import type { Backtest, BacktestContext, BacktestOutcome } from '../backtest.ts'
import { readBenchmark, usableCases } from '../benchmark.ts'
import { bootstrapInterval, mean } from '../statistics.ts'
import { storedApps } from '../stored-apps.ts'

const Question = z.strictObject({
  q: z.string(),
  kind: z.enum(['apart', 'together', 'typo', 'prefix', 'exact', 'language', 'description', 'developer']),
  country: z.string(),
  expected: z.array(z.string()).min(1),
})
type Question = z.infer<typeof Question>

/** Places among which the expected app is looked for. */
const first = 3

/** Tests whether search finds the app that people mean. */
export const searchBacktest: Backtest = {
  model: 'search',
  formula: searchFormula,
  measure: 'share of questions whose expected app is among the first three',
  better: 'higher',
  unit: '%',
  baseline: 'apps whose name holds the text, most ratings first',
  goal: 95,
  data: 'sixty questions as people type them with expected apps (benchmarks/search-questions.json), over the catalogue of 2017 and the charts of the US and Japan; one half was looked at while the search was made, the figure is of the other',
  run,
}

async function run({ db, signal, progress }: BacktestContext): Promise<BacktestOutcome> {
  const benchmark = await readBenchmark('search-questions', Question)
  const stored = await storedApps(
    db,
    benchmark.cases.flatMap(({ country, expected }) => expected.map((storeId) => ({ country, storeId }))),
  )
  const { cases, leftOut, tooFew } = usableCases(benchmark, ({ country, expected }) =>
    expected.some((id) => stored.has({ country, storeId: id })),
  )
  if (tooFew) return tooFew
  const found: { one: Question; answered: number; baseline: number }[] = []
  for (const one of cases) {
    signal.throwIfAborted()
    const { q, country } = one
    const { apps } = await searchCatalogue(db, { q, country, filters: {}, sort: 'relevance', limit: first })
    const answers = (ids: readonly string[]) => (ids.some((id) => one.expected.includes(id)) ? 100 : 0)
    const baseline = answers(await named(db, one))
    found.push({ one, answered: answers(apps.map(({ storeId }) => storeId)), baseline })
    progress(found.length, cases.length)
  }
  const figureOf = (list: readonly { answered: number }[]) => mean(list.map(({ answered }) => answered))
  const kinds = [...Map.groupBy(found, ({ one }) => one.kind)]
  return {
    state: 'measured',
    figure: figureOf(found),
    interval: bootstrapInterval(
      found.map((one) => [one]),
      figureOf,
    ),
    baselineFigure: mean(found.map(({ baseline }) => baseline)),
    cases: found.length,
    leftOut,
    details: [
      {
        kind: 'table',
        title: 'By kind of question',
        columns: ['kind', 'questions', 'answered, %', 'baseline, %'],
        rows: kinds.map(([kind, some]) => [
          kind,
          some.length,
          figureOf(some),
          mean(some.map(({ baseline }) => baseline)),
        ]),
      },
    ],
  }
}

/** The baseline. */
async function named(db: Database, { q, country }: Question): Promise<string[]> {
  const found = await rows(
    db,
    sql<{ storeId: string }>`
      select store_id::text as "storeId" from app_records
      where country = ${country} and strpos(lower(name), lower(${q})) > 0
      order by rating_count desc nulls last, store_id limit ${first}`,
  )
  return found.map((row) => row.storeId)
}
