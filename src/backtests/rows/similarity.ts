import { sql } from 'kysely'
import { z } from 'zod'
import { appInStorefront } from '../../domain/catalogue/app.ts'
import { similarApps } from '../../domain/catalogue/similar.ts'
import { similarityFormula } from '../../domain/catalogue/similar-score.ts'
import { type Database, rows } from '../../storage/database.ts'
import type { Backtest, BacktestContext } from '../backtest.ts'
import { casesThere, readBenchmark } from '../benchmark.ts'
import type { Outcome } from '../outcome.ts'
import { bootstrapInterval, mean } from '../statistics.ts'
import { storedApps } from '../stored-apps.ts'

const KnownApp = z.strictObject({
  storeId: z.string(),
  country: z.string(),
  looksFor: z.string(),
  rivals: z.array(z.string()).min(1),
  not: z.array(z.string()),
})
type KnownApp = z.infer<typeof KnownApp>

/** Similar apps that are judged of each app. */
const judged = 5

/** Are the first similar apps rivals? */
export const similarity: Backtest = {
  model: 'similarity',
  formula: similarityFormula,
  measure: 'share of the first five similar apps that are rivals',
  better: 'higher',
  unit: '%',
  baseline: 'the apps of the same category with the most ratings',
  goal: 80,
  data: 'fifty known apps with judged rivals (benchmarks/similar-apps.json): the catalogue of 2017, charts of the US, Japan and Hong Kong, and pages of one term; weights were chosen on one half, the figure is of the other',
  run,
}

async function run({ db, signal, progress }: BacktestContext): Promise<Outcome> {
  const benchmark = await readBenchmark('similar-apps', KnownApp)
  const stored = await storedApps(db, benchmark.cases)
  const { cases, leftOut, tooFew } = casesThere(benchmark, stored.has)
  if (tooFew) return tooFew
  const found: { one: KnownApp; share: number; baseline: number }[] = []
  for (const one of cases) {
    signal.throwIfAborted()
    const app = await appInStorefront(db, one.storeId, one.country)
    const items = app ? (await similarApps(db, app, judged)).items : []
    const shareOf = (ids: readonly string[]) =>
      (100 * ids.filter((id) => one.rivals.includes(id)).length) / judged
    const baseline = shareOf(await mostRated(db, one))
    found.push({ one, share: shareOf(items.map(({ storeId }) => storeId)), baseline })
    progress(found.length, cases.length)
  }
  const figureOf = (list: readonly { share: number }[]) => mean(list.map(({ share }) => share))
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
        title: 'By app',
        columns: ['app', 'storefront', 'people take it for', 'rivals among the first five, %', 'baseline, %'],
        rows: found.map(({ one, share, baseline }) => [
          one.storeId,
          one.country,
          one.looksFor,
          share,
          baseline,
        ]),
      },
    ],
  }
}

/** The baseline; where no listing tells the category of the app, that of a chart that shows it. */
async function mostRated(db: Database, { storeId, country }: KnownApp): Promise<string[]> {
  const found = await rows(
    db,
    sql<{ storeId: string }>`
      select other.store_id::text as "storeId"
      from app_records other
      where other.country = ${country} and other.store_id <> ${storeId}::bigint and other.primary_category_id = (
        select coalesce(own.primary_category_id, (
          select c.category_id from chart_ranks k join charts c using (chart_id)
          where k.store_id = own.store_id and c.country = own.country and c.category_id <> 36
          order by k.captured_at desc, c.chart_id limit 1))
        from app_records own where own.store_id = ${storeId}::bigint and own.country = ${country})
      order by other.rating_count desc nulls last, other.store_id limit ${judged}`,
  )
  return found.map((row) => row.storeId)
}
