import { z } from 'zod'
import type { Database } from '../src/storage/database.ts'
import type { Model } from '../src/vocabulary/models.ts'

/** The inputs of a backtest. */
export interface BacktestContext {
  /** Read, never written. */
  db: Database
  /** Ends when the operator interrupts the command. */
  signal: AbortSignal
  /** The number of cases done; `total` is 0 when unknown. */
  progress(done: number, total: number): void
}

/** A backtest: how well a score does what it promises, compared with a naive baseline. */
export interface Backtest {
  model: Model
  /** Name and version, exported by the module of the score. */
  formula: string
  /** The measure, in words. */
  measure: string
  better: 'higher' | 'lower'
  /** The unit of the figure, written after it: `%`, `places`, `points`. */
  unit: string
  /** The naive baseline for the same question. */
  baseline: string
  /** The target of the figure; null where none is set. */
  goal: number | null
  /** The data it uses, with the parts used for fitting and those used only for checking. */
  data: string
  run(context: BacktestContext): Promise<BacktestOutcome>
}

/** A row for a score that cannot be checked yet. @param why what is missing, and what would be needed */
export function uncheckableBacktest(row: Omit<Backtest, 'run'>, why: string): Backtest {
  return { ...row, run: async () => ({ state: 'not-validated', why }) }
}

/** A row for a number that is counted and predicts nothing. @param why what it is by definition */
export function definitionBacktest(model: Model, formula: string, why: string): Backtest {
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
const BacktestDetail = z.discriminatedUnion('kind', [
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
    /** The label of each axis, with its unit. */
    axes: z.strictObject({ x: z.string(), y: z.string() }),
    lines: z
      .array(
        z.strictObject({ name: z.string(), points: z.array(z.tuple([z.number(), z.number()])).max(2_000) }),
      )
      .min(1),
  }),
])
export type BacktestDetail = z.infer<typeof BacktestDetail>

const MeasuredOutcome = z.strictObject({
  state: z.literal('measured'),
  /** The figure, in the unit of the backtest; the baseline's has the same unit. */
  figure: z.number(),
  /** The confidence interval of the figure, estimated from the cases. */
  interval: z
    .strictObject({ low: z.number(), high: z.number(), level: z.number().gt(0).lt(1) })
    .exactOptional(),
  /** The same measure of the naive baseline, over the same cases. */
  baselineFigure: z.number(),
  cases: z.int().min(1),
  /** Cases that could not be judged, since their apps, terms or days are not in the store. */
  leftOut: z.int().min(0),
  details: z.array(BacktestDetail),
})
export type MeasuredOutcome = z.infer<typeof MeasuredOutcome>

/**
 * The outcome of a backtest: a figure, the reason why there is none, or that the score makes no claim that could be wrong.
 */
export const BacktestOutcome = z.discriminatedUnion('state', [
  MeasuredOutcome,
  z.strictObject({ state: z.literal('not-validated'), why: z.string().min(1) }),
  z.strictObject({ state: z.literal('definition'), why: z.string().min(1) }),
])
export type BacktestOutcome = z.infer<typeof BacktestOutcome>
