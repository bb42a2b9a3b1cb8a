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
})
const CarefullyKnown = z.strictObject({ ...KnownApp.shape, not: z.array(z.string()) })
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
  data: 'known apps with judged rivals (benchmarks/similar-apps.json): the catalogue of 2017, charts of the US, Japan and Hong Kong, and pages of one term; the formula was made on 55 of them, the figure is of 25 others; where fewer than five are found, those missing count as wrong',
  run,
}

async function run({ db, signal, progress }: BacktestContext): Promise<Outcome> {
  const benchmark = await readBenchmark('similar-apps', CarefullyKnown)
  const drawn = (await readBenchmark('similar-apps-drawn', KnownApp)).cases
  const stored = await storedApps(db, [...benchmark.cases, ...drawn])
  const { cases, leftOut, tooFew } = casesThere(benchmark, stored.has)
  if (tooFew) return tooFew
  const judgedOf = async (apps: readonly KnownApp[], before: number) => {
    const found: Judged[] = []
    for (const one of apps) {
      signal.throwIfAborted()
      found.push(await judge(db, one))
      progress(before + found.length, cases.length + drawn.length)
    }
    return found
  }
  const found = await judgedOf(cases, 0)
  const further = await judgedOf(drawn.filter(stored.has), cases.length)
  return {
    state: 'measured',
    figure: shareOf(found),
    interval: bootstrapInterval(
      found.map((one) => [one]),
      shareOf,
    ),
    baselineFigure: mean(found.map(({ baseline }) => baseline)),
    cases: found.length,
    leftOut,
    details: [
      byApp('By app', found),
      byApp('Further apps, drawn by chance and judged when the formula was finished', further),
      byKind({ 'of the benchmark': found, 'drawn by chance': further }),
      byScore([...found, ...further]),
    ],
  }
}

interface Judged {
  one: KnownApp
  described: boolean
  /** Scores of the similar apps, and whether they are rivals. */
  items: { score: number; rival: boolean }[]
  /** In per cent of the five that should be found. */
  share: number
  baseline: number
}

async function judge(db: Database, one: KnownApp): Promise<Judged> {
  const app = await appInStorefront(db, one.storeId, one.country)
  const similar = app ? (await similarApps(db, app, judged)).items : []
  const isRival = (storeId: string) => one.rivals.includes(storeId)
  const items = similar.map(({ storeId, score }) => ({ score, rival: isRival(storeId) }))
  const percent = (hits: number) => (100 * hits) / judged
  return {
    one,
    described: Boolean(app?.state?.record.facts.description),
    items,
    share: percent(items.filter(({ rival }) => rival).length),
    baseline: percent((await mostRated(db, one)).filter(isRival).length),
  }
}

const shareOf = (list: readonly { share: number }[]) => mean(list.map(({ share }) => share))

const byApp = (title: string, found: readonly Judged[]) => ({
  kind: 'table' as const,
  title,
  columns: ['app', 'storefront', 'people take it for', 'rivals among the first five, %', 'baseline, %'],
  rows: found.map(({ one, share, baseline }) => [one.storeId, one.country, one.looksFor, share, baseline]),
})

const byKind = (sets: Record<string, readonly Judged[]>) => ({
  kind: 'table' as const,
  title: 'By what is known of the app',
  columns: ['apps', 'known by', 'number', 'rivals among the first five, %'],
  rows: Object.entries(sets).flatMap(([name, found]) =>
    [true, false].flatMap((described) => {
      const some = found.filter((one) => one.described === described)
      return some.length === 0
        ? []
        : [[name, described ? 'its description' : 'its name alone', some.length, shareOf(some)]]
    }),
  ),
})

/** Lower ends of bands of scores. */
const bands = [0.5, 0.4, 0.3, 0.2, 0.1, 0]

const byScore = (found: readonly Judged[]) => ({
  kind: 'table' as const,
  title: 'By score, the first five of all apps',
  columns: ['score from', 'similar apps', 'of them rivals, %'],
  rows: bands.map((from, index) => {
    const some = found
      .flatMap(({ items }) => items)
      .filter(({ score }) => score >= from && score < (bands[index - 1] ?? 2))
    return [from, some.length, some.length === 0 ? null : 100 * mean(some.map(({ rival }) => Number(rival)))]
  }),
})

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
