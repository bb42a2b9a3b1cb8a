import { z } from 'zod'
import type { Database } from '../src/storage/database.ts'
import type { Model } from '../src/vocabulary/models.ts'

/** What a backtest works with. */
export interface BacktestContext {
  /** Read, never written. */
  db: Database
  /** Ends when the operator interrupts the command. */
  signal: AbortSignal
  /** How many of its cases are done; `total` is 0 when unknown. */
  progress(done: number, total: number): void
}

/** How well a score does what it promises, against the least that anybody would do. */
export interface Backtest {
  model: Model
  /** Name and version, exported by the module of the score. */
  formula: string
  /** What is measured, in words. */
  measure: string
  better: 'higher' | 'lower'
  /** Of the figure, as it is written behind it: `%`, `places`, `points`. */
  unit: string
  /** Which naive way of answering the same question it is held against. */
  baseline: string
  /** What the figure is meant to reach; null where nobody has said. */
  goal: number | null
  /** Which data it looks at, what of it was fitted on and what was only checked on. */
  data: string
  run(context: BacktestContext): Promise<Outcome>
}

/** A row for what nobody can check yet. @param why what is missing, and what would be needed */
export function unjudged(row: Omit<Backtest, 'run'>, why: string): Backtest {
  return { ...row, run: async () => ({ state: 'not-validated', why }) }
}

/** A row for a number that is counted, and foretells nothing. @param why what it is by definition */
export function definition(model: Model, formula: string, why: string): Backtest {
  return {
    model,
    formula,
    measure: 'none: it counts, and foretells nothing',
    better: 'lower',
    unit: '',
    baseline: 'none',
    goal: null,
    data: 'none',
    run: async () => ({ state: 'definition', why }),
  }
}

const Cell = z.union([z.string(), z.number(), z.null()])

/** A part of the report behind the figure. */
const Detail = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: z.literal('table'),
      title: z.string().min(1),
      columns: z.array(z.string()).min(1),
      rows: z.array(z.array(Cell)).max(500),
    })
    .refine(({ columns, rows }) => rows.every(({ length }) => length === columns.length), {
      error: 'a line has as many cells as there are columns',
    }),
  z.strictObject({
    kind: z.literal('series'),
    title: z.string().min(1),
    /** What is written along each axis, with its unit. */
    axes: z.strictObject({ x: z.string(), y: z.string() }),
    lines: z
      .array(
        z.strictObject({ name: z.string(), points: z.array(z.tuple([z.number(), z.number()])).max(2_000) }),
      )
      .min(1),
  }),
])
export type Detail = z.infer<typeof Detail>

const Measured = z.strictObject({
  state: z.literal('measured'),
  /** In the unit of the backtest, as the baseline's. */
  figure: z.number(),
  /** Where the figure lies with this certainty, as far as the cases tell. */
  interval: z
    .strictObject({ low: z.number(), high: z.number(), level: z.number().gt(0).lt(1) })
    .exactOptional(),
  /** The same measure of the naive baseline, over the same cases. */
  baselineFigure: z.number(),
  cases: z.int().min(1),
  /** Cases that could not be judged, since their apps, terms or days are not in the store. */
  leftOut: z.int().min(0),
  details: z.array(Detail),
})
export type Measured = z.infer<typeof Measured>

/** What a backtest found: a figure, why there is none, or that nothing is claimed which could be wrong. */
export const Outcome = z.discriminatedUnion('state', [
  Measured,
  z.strictObject({ state: z.literal('not-validated'), why: z.string().min(1) }),
  z.strictObject({ state: z.literal('definition'), why: z.string().min(1) }),
])
export type Outcome = z.infer<typeof Outcome>
