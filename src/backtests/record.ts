import { z } from 'zod'
import { models } from './models.ts'
import { Outcome } from './outcome.ts'
import type { Result } from './perform.ts'

/** What is kept of a run: in `docs/models/results/<model>.json` without details, in a report with them. */
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
  /** What brings the figure again. */
  command: z.string(),
  outcome: Outcome,
})
export type BacktestRecord = z.infer<typeof BacktestRecord>

/** @param on when it was run */
export function recordOf(result: Result, on: Date, command: string): BacktestRecord {
  const { outcome, ...row } = result
  return { ...row, date: on.toISOString().slice(0, 10), command, outcome }
}

/** Figures alone, rounded to what anybody reads: a file that does not change where nothing did. */
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
