import { sql } from 'kysely'
import { z } from 'zod'
import { languagesFormula } from '../../src/domain/creatives/detected-language.ts'
import type { Stated } from '../../src/domain/facts/merge.ts'
import type { PostFields } from '../../src/domain/organic/post.ts'
import { withAuthorsLanguage } from '../../src/domain/organic/post-language.ts'
import { type Database, rows } from '../../src/storage/database.ts'
import { languageOfTexts } from '../../src/text/language.ts'
import type { Backtest, BacktestContext, BacktestOutcome } from '../backtest.ts'
import { readBenchmark, usableCases } from '../benchmark.ts'
import { bootstrapInterval } from '../statistics.ts'

const Labelled = z.strictObject({ id: z.string(), language: z.string(), text: z.string().exactOptional() })

/** Tests whether the language of a short post is detected, and correctly. */
export const languagesBacktest: Backtest = {
  model: 'languages',
  formula: languagesFormula,
  measure:
    'share of short posts whose language is told rightly; how much of what is told is right stands in the details, 98 % is asked for',
  better: 'higher',
  unit: '%',
  baseline: 'English, for every post',
  goal: 70,
  data: 'benchmarks/post-languages.json: 384 real posts and 59 written ones in 25 languages, labelled before anything was tuned; half of the authors were used to fit, the figure is of the others',
  run,
}

interface Told {
  language: string
  told: string | null
}

async function run({ db }: BacktestContext): Promise<BacktestOutcome> {
  const benchmark = await readBenchmark('post-languages', Labelled)
  const stored = await languagesOf(db, benchmark.cases)
  const { cases, leftOut, tooFew } = usableCases(
    benchmark,
    ({ id, text }) => text !== undefined || stored.has(id),
  )
  if (tooFew) return tooFew
  const told: Told[] = await Promise.all(
    cases.map(async ({ id, language, text }) => ({
      language,
      told: text === undefined ? (stored.get(id) ?? null) : ((await languageOfTexts([text])).language ?? null),
    })),
  )
  const rightly = (some: readonly Told[]) => some.filter((one) => one.told === one.language).length
  const figure = (some: readonly Told[]) => (rightly(some) * 100) / some.length
  const line = (name: string, some: readonly Told[]) => [
    name,
    some.length,
    some.filter((one) => one.told !== null).length,
    rightly(some),
  ]
  const named = [...new Set(told.map(({ language }) => language))].sort()
  return {
    state: 'measured',
    figure: figure(told),
    interval: bootstrapInterval(
      told.map((one) => [one]),
      figure,
    ),
    baselineFigure: (told.filter(({ language }) => language === 'en').length * 100) / told.length,
    cases: told.length,
    leftOut,
    details: [
      {
        kind: 'table',
        title: 'What was told',
        columns: ['language', 'posts', 'told', 'of these right'],
        rows: [
          line('all', told),
          ...named.map((language) =>
            line(
              language,
              told.filter((one) => one.language === language),
            ),
          ),
        ],
      },
    ],
  }
}

/** The language shown in replies; null where none is detected. */
async function languagesOf(
  db: Database,
  labels: readonly { id: string }[],
): Promise<Map<string, string | null>> {
  const found = await rows(
    db,
    sql<{ postId: string; facts: Stated<PostFields>; language: string | null }>`
      with p as materialized (
        select post_id, network, author, facts from posts
        where post_id in (select value from json_array_elements_text(${JSON.stringify(labels.map(({ id }) => id))}::json))
      ), a as materialized (
        select network, author, language from post_authors where (network, author) in (select network, author from p)
      )
      select post_id as "postId", facts, language from p left join a using (network, author)`,
  )
  return new Map(
    found.map(({ postId, facts, language }) => {
      const known = withAuthorsLanguage(facts, language)
      return [postId, known.language ?? known.detectedLanguage ?? null]
    }),
  )
}
