import { sql } from 'kysely'
import { z } from 'zod'
import { adToAnalyse } from '../../src/domain/ad-analysis/ad-to-analyse.ts'
import type { WrittenWords } from '../../src/domain/ad-analysis/ad-words.ts'
import { readTextsLocally } from '../../src/domain/ad-analysis/analyse.ts'
import type { AnalysisReading } from '../../src/domain/ad-analysis/analysis.ts'
import { hooksFormula } from '../../src/domain/ad-analysis/hook.ts'
import { callsToActionFormula } from '../../src/domain/ad-analysis/local-analysis.ts'
import { offersFormula } from '../../src/domain/ad-analysis/offer.ts'
import { type Database, rows } from '../../src/storage/database.ts'
import type { Backtest, BacktestContext, BacktestOutcome } from '../backtest.ts'
import { readBenchmark, usableCases } from '../benchmark.ts'
import { bootstrapInterval } from '../statistics.ts'

/** Where labels and texts come from, for the rows. */
const labelledData =
  'benchmarks/creative-reading.json: 132 ads and posts in fifteen languages, 62 of them real, and benchmarks/ads-by-language.json: 929 real ads in four languages, where a store holds them; all labelled before anything was tuned, half of them used to fit, the figure is of the others'

/** Is what an ad is said to offer what people read in it? */
export const offersBacktest: Backtest = {
  model: 'offers',
  formula: offersFormula,
  measure: 'share of read offers that people see in the text',
  better: 'higher',
  unit: '%',
  baseline:
    'every text with a price, a percentage or the word for free makes an offer; ten words of a language, which find more offers and misread more, stand in the card',
  goal: 90,
  data: labelledData,
  run: (context) =>
    judgedReading(context, {
      part: 'offer',
      isRight: ({ offers: labels }, kind) => labels.includes(kind),
      wanted: ({ offers: labels }) => ({ all: labels }),
      baseline: (words) => signs.filter(([, sign]) => sign.test(words)).map(([kind]) => kind),
    }),
}

/** A labelled text: one of the store, by its id, or one written for the benchmark. */
const Labelled = z.strictObject({
  id: z.string(),
  language: z.string(),
  part: z.literal('title').exactOptional(),
  text: z.string().exactOptional(),
  offers: z.array(z.string()),
  hook: z.array(z.string()),
  callToAction: z.array(z.string()),
})
type Labelled = z.infer<typeof Labelled>

/** The three parts of a reading that are labelled. */
type Part = 'offer' | 'hook' | 'callToAction'

/** The judgement of one part. */
export interface JudgedPart {
  part: Part
  /** Kinds that may be found in a text. */
  isRight: (label: Labelled, kind: string) => boolean
  /** Kinds that have to be found: all of them, or any one. */
  wanted: (label: Labelled) => { all: readonly string[] } | { any: readonly string[] }
  /** The kinds that the baseline finds. */
  baseline: (words: string) => readonly string[]
}

interface Told {
  label: Labelled
  told: readonly string[]
  /** Whether anything of the part was read, of whatever kind. */
  isRead: boolean
  naive: readonly string[]
}

/** Measures the precision of the kinds found, with the recall, and both for the baseline. */
async function judgedReading(context: BacktestContext, judged: JudgedPart): Promise<BacktestOutcome> {
  const [benchmark, byLanguage] = await Promise.all([
    readBenchmark('creative-reading', Labelled),
    readBenchmark('ads-by-language', Labelled),
  ])
  const cases = [...benchmark.cases, ...byLanguage.cases]
  const texts = await textsOf(context.db, cases)
  const there = usableCases({ ...benchmark, cases }, ({ id }) => texts.has(id))
  if (there.tooFew) return there.tooFew
  const told: Told[] = []
  for (const label of there.cases) {
    context.signal.throwIfAborted()
    const words = texts.get(label.id) ?? []
    const reading = await readTextsLocally({ creatives: words })
    const { part } = judged
    told.push({
      label,
      told: kindsOf(reading, part),
      isRead: isRead(reading, part),
      naive: judged.baseline(wordsOf(words)),
    })
    context.progress(told.length, there.cases.length)
  }
  const precision = (of: 'told' | 'naive') => (some: readonly Told[]) => {
    const said = some.flatMap((one) => one[of].map((kind) => judged.isRight(one.label, kind)))
    return (said.filter(Boolean).length * 100) / Math.max(1, said.length)
  }
  const counts = (some: readonly Told[]) => {
    const said = some.flatMap((one) => one.told.map((kind) => judged.isRight(one.label, kind)))
    const wanted = some.flatMap((one) => found(judged.wanted(one.label), one.told))
    const [withIt, without] = [true, false].map((has) =>
      some.filter(({ label }) => hasIt(label, judged.part) === has),
    )
    return [
      ...[said.length, said.filter(Boolean).length, wanted.length, wanted.filter(Boolean).length],
      ...[withIt, without].flatMap((those = []) => [those.length, those.filter((one) => one.isRead).length]),
    ]
  }
  const languages = [...new Set(told.map(({ label }) => label.language))].sort()
  return {
    state: 'measured',
    figure: precision('told')(told),
    interval: bootstrapInterval(
      told.map((one) => [one]),
      precision('told'),
    ),
    baselineFigure: precision('naive')(told),
    cases: told.length,
    leftOut: there.leftOut,
    details: [
      {
        kind: 'table',
        title: 'What was told, and what there was to tell',
        columns: [
          ...['language', 'texts', 'told', 'of these right', 'to be told', 'of these told'],
          ...['texts with it', 'of these read', 'texts without it', 'of these read all the same'],
        ],
        rows: [
          ['all', told.length, ...counts(told)],
          ...languages.map((language) => {
            const some = told.filter(({ label }) => label.language === language)
            return [language, some.length, ...counts(some)]
          }),
        ],
      },
    ],
  }
}

const found = (wanted: ReturnType<JudgedPart['wanted']>, told: readonly string[]) =>
  'all' in wanted
    ? wanted.all.map((kind) => told.includes(kind))
    : wanted.any.length === 0
      ? []
      : [wanted.any.some((kind) => told.includes(kind))]

/** Whether people see it in the text; a hook where it opens with anything but a statement. */
const hasIt = ({ offers: offersBacktest, hook, callToAction }: Labelled, part: Part): boolean =>
  ({
    offer: offersBacktest.length > 0,
    hook: !hook.includes('statement'),
    callToAction: callToAction.length > 0,
  })[part]

/** Whether anything of the part is read. */
function isRead(reading: AnalysisReading, part: Part): boolean {
  const said = reading[part]
  return said.state === 'read' && (part !== 'hook' || (said.kinds ?? ['statement'])[0] !== 'statement')
}

/** Only the first call to action or hook counts. */
function kindsOf(reading: AnalysisReading, part: Part): string[] {
  const said = reading[part]
  return said.state === 'read' ? (said.kinds ?? []) : []
}

const wordsOf = (words: readonly WrittenWords[]) =>
  words.flatMap(({ title, body, description }) => [title, body, description]).join('\n')

/** The texts that are there, by the ids of the benchmark. */
async function textsOf(db: Database, labels: readonly Labelled[]): Promise<Map<string, WrittenWords[]>> {
  const texts = new Map<string, WrittenWords[]>()
  const posts = await postsOf(db, labels)
  for (const { id, part, text } of labels) {
    const [source = '', native = ''] = id.split(':')
    const post = posts.get(`${source}_${native}`)
    if (text !== undefined) texts.set(id, [{ body: text }])
    else if (post)
      texts.set(id, [part === 'title' ? { title: post.title } : { title: post.title, body: post.text }])
    else {
      const platform = source === 'tiktok-ad' ? 'tiktok' : source
      const ad =
        platform === 'meta' || source === 'tiktok-ad'
          ? await adToAnalyse(db, { platform, archiveId: native })
          : undefined
      if (ad)
        texts.set(
          id,
          ad.creatives.map(({ facts }) => facts),
        )
    }
  }
  return texts
}

async function postsOf(db: Database, labels: readonly Labelled[]) {
  const postIds = labels.map(({ id }) => id.replace(':', '_'))
  const found = await rows(
    db,
    sql<{ postId: string; title: string | null; text: string | null }>`
      select post_id as "postId", facts->>'title' as title, facts->>'text' as text from posts
      where post_id in (select value from json_array_elements_text(${JSON.stringify(postIds)}::json))`,
  )
  return new Map(found.map((post) => [post.postId, post]))
}

/** Does an ad open in the way it is said to? */
export const hooksBacktest: Backtest = {
  model: 'hooks',
  formula: hooksFormula,
  measure: 'share of ways of opening, as read, that people would name',
  better: 'higher',
  unit: '%',
  baseline: 'what has a question mark in its first sentence opens with a question, all else with a statement',
  goal: 90,
  data: labelledData,
  run: (context) =>
    judgedReading(context, {
      part: 'hook',
      isRight: ({ hook }, kind) => hook.includes(kind),
      wanted: ({ hook }) => ({ any: hook }),
      baseline: (words) => [/^[^.!?。！？\n]*[?？]/u.test(words.trim()) ? 'question' : 'statement'],
    }),
}

/** Does an ad ask for what it is said to? */
export const callsToActionBacktest: Backtest = {
  model: 'calls-to-action',
  formula: callsToActionFormula,
  measure: 'share of read calls to action that people see in the text',
  better: 'higher',
  unit: '%',
  baseline:
    'every text asks for a message, the most frequent request of the labelled ads; ten words of a language, which find fewer requests, stand in the card',
  goal: 90,
  data: labelledData,
  run: (context) =>
    judgedReading(context, {
      part: 'callToAction',
      isRight: ({ callToAction }, kind) => callToAction.includes(kind),
      wanted: ({ callToAction }) => ({ any: callToAction }),
      baseline: () => ['contact'],
    }),
}

const signs: readonly (readonly [string, RegExp])[] = [
  ['free', /free|gratis|grátis|kostenlos|gratuit|бесплатн|無料|무료|免费/iu],
  ['discount', /\d\s?%/u],
  ['price', /[$€£¥₩₽]\s?\d|\d\s?[$€£¥₩₽円원]/u],
]
