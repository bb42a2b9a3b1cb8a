/** How far a backup, a restore or a move is: rows of all tables, then kept media. `total` is 0 when unknown. */
export type ReportProgress = (progress: { label: string; done: number; total: number; unit: string }) => void

/** Reports rows of one table after another as one whole. */
export class RowProgress {
  readonly #report: ReportProgress
  readonly #total: number
  #before = 0

  constructor(report: ReportProgress, total: number) {
    this.#report = report
    this.#total = total
  }

  /** Rows of a table so far. */
  rows(label: string, done: number): void {
    const all = this.#before + done
    // What PostgreSQL estimated may be too little.
    this.#report({ label, done: all, total: Math.max(this.#total, all), unit: 'records' })
  }

  /** A table has ended. */
  end(rows: number): void {
    this.#before += rows
  }
}
