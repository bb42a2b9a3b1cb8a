import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { type Model, models } from '../src/vocabulary/models.ts'
import type { BacktestOutcome } from './backtest.ts'

/** Cases with the judgement of people, kept in `benchmarks/<name>.json`: ids, terms and judgements, never copies of data. */
export interface Benchmark<Case> {
  /** The models it is used for; a file for one model has the model's name. */
  models: readonly Model[]
  /** The question, who judged, and by which rule. */
  about: string
  /** The labels of the judgements, each explained. */
  rules?: Readonly<Record<string, string>>
  /** `YYYY-MM-DD`: when the judgements were made; formulas from before were not fitted to them. */
  judgedOn: string
  /** Cases needed for a figure. */
  fewest: number
  /** Cases for `fit` may be used while a formula is developed; the figure is computed from those for `check` alone. */
  cases: readonly (Case & { use: 'fit' | 'check' })[]
}

/** Reads a benchmark. @param name of its file, without the ending @param Case what a case holds beside its use; fails on anything else */
export async function readBenchmark<Shape extends z.core.$ZodLooseShape>(
  name: string,
  Case: z.ZodObject<Shape>,
): Promise<Benchmark<z.output<z.ZodObject<Shape>>>> {
  const text = await readFile(
    new URL(`benchmarks/${name}.json`, import.meta.resolve('rivalscope/package.json')),
    'utf8',
  )
  return benchmarkShape(Case).parse(JSON.parse(text)) as Benchmark<z.output<z.ZodObject<Shape>>>
}

/** A file of a benchmark, with cases of this shape and nothing else. */
export function benchmarkShape<Shape extends z.core.$ZodLooseShape>(Case: z.ZodObject<Shape>) {
  return z.strictObject({
    models: z.array(z.enum(models)).min(1),
    about: z.string().min(1),
    rules: z.record(z.string(), z.string()).exactOptional(),
    judgedOn: z.iso.date(),
    fewest: z.int().min(1),
    cases: z.array(z.strictObject({ ...Case.shape, use: z.enum(['fit', 'check']) })).min(1),
  })
}

/**
 * The cases to judge by, those of `check` whose apps or terms are there.
 * @returns `tooFew`, the outcome to answer with, where they are fewer than the benchmark asks for
 */
export function usableCases<Case>(
  { cases, fewest }: Benchmark<Case>,
  isThere: (one: Case) => boolean,
): { cases: Case[]; leftOut: number; tooFew: BacktestOutcome | undefined } {
  const checked = cases.filter(({ use }) => use === 'check')
  const there = checked.filter(isThere)
  const why = `${there.length} of the ${checked.length} judged cases are in this store; ${fewest} are needed.`
  return {
    cases: there,
    leftOut: checked.length - there.length,
    tooFew: there.length < fewest ? { state: 'not-validated', why } : undefined,
  }
}
