import { z } from 'zod'
import { models } from '../src/vocabulary/models.ts'
import { type Backtest, type BacktestContext, BacktestOutcome } from './backtest.ts'

/** The stored result of a run: in `docs/models/results/<model>.json` without details, in a report with them. */
export const BacktestRecord = z.strictObject({
  model: z.enum(models),
  formula: z.string(),
  measure: z.string(),
  better: z.enum(['higher', 'lower']),
  unit: z.string(),
  baseline: z.string(),
  goal: z.number().nullable(),
  data: z.string(),
  /** `YYYY-MM-DD` */
  date: z.iso.date(),
  /** The command that reproduces the figure. */
  command: z.string(),
  outcome: BacktestOutcome,
})
export type BacktestRecord = z.infer<typeof BacktestRecord>

/** @param on when it was run */
export function backtestRecordOf(result: Result, on: Date, command: string): BacktestRecord {
  const { outcome, ...row } = result
  return { ...row, date: on.toISOString().slice(0, 10), command, outcome }
}

/** The result without details, rounded, so that the file stays the same when nothing changed. */
export function withoutDetails({ outcome, ...record }: BacktestRecord): BacktestRecord {
  if (outcome.state !== 'measured') return { ...record, outcome }
  const { figure, baselineFigure, interval } = outcome
  const within = interval
    ? { interval: { ...interval, low: rounded(interval.low), high: rounded(interval.high) } }
    : {}
  const figures = { figure: rounded(figure), baselineFigure: rounded(baselineFigure), ...within }
  return { ...record, outcome: { ...outcome, ...figures, details: [] } }
}

const rounded = (value: number) => Number(value.toPrecision(6))

/** A backtest with its outcome. */
type Result = Omit<Backtest, 'run'> & { outcome: BacktestOutcome }

/** Runs one backtest. @throws where its outcome is invalid, such as a figure that is not a number */
export async function performBacktest({ run, ...row }: Backtest, context: BacktestContext): Promise<Result> {
  context.signal.throwIfAborted()
  return { ...row, outcome: BacktestOutcome.parse(await run(context)) }
}

/** A number as tables show it: three figures, or whole. */
export function figureText(value: number): string {
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)))
}

/** A figure with its unit: `12 %`, `3.4 places`. */
export function withUnit(value: number, unit: string): string {
  return unit === '' ? figureText(value) : `${figureText(value)} ${unit}`
}
