/** Progress of a backup, a restore or a move: rows of all tables, then kept media. `total` is 0 when unknown. */
export type ReportProgress = (progress: { label: string; done: number; total: number; unit: string }) => void

/** Adds up the progress of one table after another. */
export class RowProgress {
  readonly #report: ReportProgress
  readonly #total: number
  #before = 0

  constructor(report: ReportProgress, total: number) {
    this.#report = report
    this.#total = total
  }

  /** Reports the rows of the current table so far. */
  rows(label: string, done: number): void {
    const all = this.#before + done
    // PostgreSQL's estimate can be too low.
    this.#report({ label, done: all, total: Math.max(this.#total, all), unit: 'records' })
  }

  /** Ends the current table. */
  end(rows: number): void {
    this.#before += rows
  }
}
