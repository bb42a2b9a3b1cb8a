import type { Database } from '../storage/database.ts'
import type { Model } from './models.ts'
import type { Outcome } from './outcome.ts'

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
