import { sql } from 'kysely'
import { z } from 'zod'
import { appInStorefront } from '../../src/domain/catalogue/app.ts'
import { similarApps } from '../../src/domain/catalogue/similar.ts'
import { similarityFormula } from '../../src/domain/catalogue/similar-reasons.ts'
import { type Database, rows } from '../../src/storage/database.ts'
import type { Backtest, BacktestContext, BacktestOutcome } from '../backtest.ts'
import { readBenchmark, usableCases } from '../benchmark.ts'
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

/** Are the similar apps that are shown rivals? */
export const similarityBacktest: Backtest = {
  model: 'similarity',
  formula: similarityFormula,
  measure: 'share of the similar apps that are shown, five at most, that are rivals',
  better: 'higher',
  unit: '%',
  baseline:
    'the five apps of other developers whose name and description share most by TF-IDF; the most rated of the category stand in the details',
  goal: 80,
  data: 'known apps with judged rivals (benchmarks/similar-apps.json): the catalogue of 2017, charts of the US, Japan and Hong Kong, and pages of one term; the formula was made on 55 of them, the figure is of 25 others; how many apps get three or more stands in the details',
  run,
}

async function run({ db, signal, progress }: BacktestContext): Promise<BacktestOutcome> {
  const benchmark = await readBenchmark('similar-apps', CarefullyKnown)
  const drawn = (await readBenchmark('similar-apps-drawn', KnownApp)).cases
  const stored = await storedApps(db, [...benchmark.cases, ...drawn])
  const { cases, leftOut, tooFew } = usableCases(benchmark, stored.has)
  if (tooFew) return tooFew
  const texts = new Map<string, Texts>()
  const judgedOf = async (apps: readonly KnownApp[], before: number) => {
    const found: Judged[] = []
    for (const one of apps) {
      signal.throwIfAborted()
      if (!texts.has(one.country)) texts.set(one.country, await textsOf(db, one.country))
      found.push(await judge(db, one, texts.get(one.country)))
      progress(before + found.length, cases.length + drawn.length)
    }
    return found
  }
  const found = await judgedOf(cases, 0)
  const further = await judgedOf(drawn.filter(stored.has), cases.length)
  return {
    state: 'measured',
    figure: shownRight(found),
    interval: bootstrapInterval(
      found.map((one) => [one]),
      shownRight,
    ),
    baselineFigure: mean(found.map(({ byText }) => byText)),
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
  /** Rivals among five apps, in percent: for the baseline by text, and for the most rated apps of the category. */
  byText: number
  byRatings: number
}

async function judge(db: Database, one: KnownApp, texts: Texts | undefined): Promise<Judged> {
  const app = await appInStorefront(db, one.storeId, one.country)
  const similar = app ? (await similarApps(db, app, judged)).items : []
  const isRival = (storeId: string) => one.rivals.includes(storeId)
  const items = similar.map(({ storeId, score }) => ({ score, rival: isRival(storeId) }))
  const percent = (hits: number) => (100 * hits) / judged
  return {
    one,
    described: Boolean(app?.state?.record.facts.description),
    items,
    byText: percent((texts ? nearestByText(texts, one.storeId) : []).filter(isRival).length),
    byRatings: percent((await mostRated(db, one)).filter(isRival).length),
  }
}

/** Rivals among all similar apps shown, in percent. */
function shownRight(list: readonly Judged[]): number {
  const items = list.flatMap((one) => one.items)
  return items.length === 0 ? 0 : 100 * mean(items.map(({ rival }) => Number(rival)))
}

const withThree = (list: readonly Judged[]) => 100 * mean(list.map(({ items }) => Number(items.length >= 3)))

const byApp = (title: string, found: readonly Judged[]) => ({
  kind: 'table' as const,
  title,
  columns: [
    'app',
    'storefront',
    'people take it for',
    'shown',
    'of them rivals',
    'by text, of five, %',
    'most rated, of five, %',
  ],
  rows: found.map(({ one, items, byText, byRatings }) => [
    one.storeId,
    one.country,
    one.looksFor,
    items.length,
    items.filter(({ rival }) => rival).length,
    byText,
    byRatings,
  ]),
})

const byKind = (sets: Record<string, readonly Judged[]>) => ({
  kind: 'table' as const,
  title: 'By what is known of the app',
  columns: [
    'apps',
    'known by',
    'number',
    'rivals of those shown, %',
    'with three shown or more, %',
    'by text, of five, %',
    'most rated, of five, %',
  ],
  rows: Object.entries(sets).flatMap(([name, found]) =>
    [true, false].flatMap((described) => {
      const some = found.filter((one) => one.described === described)
      return some.length === 0
        ? []
        : [
            [
              name,
              described ? 'its description' : 'its name alone',
              some.length,
              shownRight(some),
              withThree(some),
              mean(some.map(({ byText }) => byText)),
              mean(some.map(({ byRatings }) => byRatings)),
            ],
          ]
    }),
  ),
})

/** Lower ends of bands of scores. */
const bands = [0.5, 0.4, 0.3, 0.2, 0.1, 0]

const byScore = (found: readonly Judged[]) => ({
  kind: 'table' as const,
  title: 'By score, those shown of all apps',
  columns: ['score from', 'similar apps', 'of them rivals, %'],
  rows: bands.map((from, index) => {
    const some = found
      .flatMap(({ items }) => items)
      .filter(({ score }) => score >= from && score < (bands[index - 1] ?? 2))
    return [from, some.length, some.length === 0 ? null : 100 * mean(some.map(({ rival }) => Number(rival)))]
  }),
})

/** The most rated apps of the category; the category comes from a chart where no listing of the app states it. */
async function mostRated(db: Database, { storeId, country }: KnownApp): Promise<string[]> {
  const found = await rows(
    db,
    sql<{ storeId: string }>`
      select other.store_id::text as "storeId"
      from app_records other
      where other.country = ${country} and other.store_id <> ${storeId}::bigint
        and other.developer is distinct from (
          select developer from app_records where store_id = ${storeId}::bigint and country = ${country})
        and other.primary_category_id = (
        select coalesce(own.primary_category_id, (
          select c.category_id from chart_ranks k join charts c using (chart_id)
          where k.store_id = own.store_id and c.country = own.country and c.category_id <> 36
          order by k.captured_at desc, c.chart_id limit 1))
        from app_records own where own.store_id = ${storeId}::bigint and own.country = ${country})
      order by other.rating_count desc nulls last, other.store_id limit ${judged}`,
  )
  return found.map((row) => row.storeId)
}

/** The words of a storefront's listings, weighed by TF-IDF and divided by the length of each. */
type Texts = ReadonlyMap<string, { developer: string | null; weights: ReadonlyMap<string, number> }>

/** Listings that the baseline by text compares, most rated first. */
const mostTexts = 20_000

async function textsOf(db: Database, country: string): Promise<Texts> {
  const listings = await rows(
    db,
    sql<{ storeId: string; developer: string | null; text: string }>`
      select store_id::text as "storeId", developer, concat_ws(' ', name, name, description) as text from app_records
      where country = ${country} order by rating_count desc nulls last, store_id limit ${mostTexts}`,
  )
  const counted = listings.map(({ text }) => {
    const times = new Map<string, number>()
    for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]{3,}/gu))
      times.set(word, (times.get(word) ?? 0) + 1)
    return times
  })
  const holding = new Map<string, number>()
  for (const times of counted) for (const word of times.keys()) holding.set(word, (holding.get(word) ?? 0) + 1)
  return new Map(
    listings.map(({ storeId, developer }, at) => {
      const weights = [...(counted[at] ?? [])].map(([word, times]): [string, number] => [
        word,
        (1 + Math.log(times)) * Math.log(listings.length / (holding.get(word) ?? 1)),
      ])
      const length = Math.hypot(...weights.map(([, weight]) => weight)) || 1
      return [
        storeId,
        { developer, weights: new Map(weights.map(([word, weight]) => [word, weight / length])) },
      ]
    }),
  )
}

function nearestByText(texts: Texts, storeId: string): string[] {
  const own = texts.get(storeId)
  if (!own) return []
  return [...texts]
    .filter(([id, { developer }]) => id !== storeId && (developer === null || developer !== own.developer))
    .map(([id, { weights }]) => {
      let shared = 0
      for (const [word, weight] of own.weights) shared += weight * (weights.get(word) ?? 0)
      return { id, shared }
    })
    .sort((one, other) => other.shared - one.shared || (one.id < other.id ? -1 : 1))
    .slice(0, judged)
    .map(({ id }) => id)
}
