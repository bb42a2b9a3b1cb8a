import type { Backtest, BacktestContext } from './backtest.ts'
import { Outcome } from './outcome.ts'

/** A row with what it found. */
export type Result = Omit<Backtest, 'run'> & { outcome: Outcome }

/** Runs one backtest. Throws where what it found has no sense, such as a figure that is no number. */
export async function performBacktest({ run, ...row }: Backtest, context: BacktestContext): Promise<Result> {
  context.signal.throwIfAborted()
  return { ...row, outcome: Outcome.parse(await run(context)) }
}

/** A number as tables show it: three figures, or whole. */
export function figureText(value: number): string {
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)))
}

/** A figure with its unit: `12 %`, `3.4 places`. */
export function withUnit(value: number, unit: string): string {
  return unit === '' ? figureText(value) : `${figureText(value)} ${unit}`
}
