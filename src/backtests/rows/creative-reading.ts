import { sql } from 'kysely'
import { z } from 'zod'
import { adToAnalyse } from '../../domain/ad-analysis/ad-to-analyse.ts'
import type { WrittenWords } from '../../domain/ad-analysis/ad-words.ts'
import { readLocally } from '../../domain/ad-analysis/analyse.ts'
import type { AnalysisReading } from '../../domain/ad-analysis/analysis.ts'
import { type Database, rows } from '../../storage/database.ts'
import type { BacktestContext } from '../backtest.ts'
import { casesThere, readBenchmark } from '../benchmark.ts'
import type { Outcome } from '../outcome.ts'
import { bootstrapInterval } from '../statistics.ts'

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

/** What is judged of one part. */
export interface JudgedPart {
  part: Part
  /** Kinds that may be told of a text. */
  isRight: (label: Labelled, kind: string) => boolean
  /** Kinds that are to be told: each of them, or any one. */
  wanted: (label: Labelled) => { all: readonly string[] } | { any: readonly string[] }
  /** What the naive way tells. */
  baseline: (words: string) => readonly string[]
}

/** Where labels and texts come from, for the rows. */
export const labelledData =
  'benchmarks/creative-reading.json: 132 ads and posts in fifteen languages, 62 of them real, and benchmarks/ads-by-language.json: 929 real ads in four languages, where a store holds them; all labelled before anything was tuned, half of them used to fit, the figure is of the others'

interface Told {
  label: Labelled
  told: readonly string[]
  /** Whether anything of the part was read, of whatever kind. */
  isRead: boolean
  naive: readonly string[]
}

/** How many of the kinds that are told are right: the precision, beside the recall and the same of the naive way. */
export async function judgedReading(context: BacktestContext, judged: JudgedPart): Promise<Outcome> {
  const [benchmark, byLanguage] = await Promise.all([
    readBenchmark('creative-reading', Labelled),
    readBenchmark('ads-by-language', Labelled),
  ])
  const cases = [...benchmark.cases, ...byLanguage.cases]
  const texts = await textsOf(context.db, cases)
  const there = casesThere({ ...benchmark, cases }, ({ id }) => texts.has(id))
  if (there.tooFew) return there.tooFew
  const told: Told[] = []
  for (const label of there.cases) {
    context.signal.throwIfAborted()
    const words = texts.get(label.id) ?? []
    const reading = await readLocally({ creatives: words })
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
const hasIt = ({ offers, hook, callToAction }: Labelled, part: Part): boolean =>
  ({
    offer: offers.length > 0,
    hook: !hook.includes('statement'),
    callToAction: callToAction.length > 0,
  })[part]

/** Whether anything of the part is read. */
function isRead(reading: AnalysisReading, part: Part): boolean {
  const said = reading[part]
  return said.state === 'read' && (part !== 'hook' || (said.kinds ?? ['statement'])[0] !== 'statement')
}

/** Of calls to action and hooks the first counts. */
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
