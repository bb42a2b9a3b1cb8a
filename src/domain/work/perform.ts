import type { Work } from './work.ts'

/** The end of work that did not fail. `partial` says what is missing. */
export interface EndedWell {
  status: 'succeeded' | 'partial'
  result: Record<string, unknown>
  error?: { code: string; message: string }
  /** Counts for the log; those of the result where left out. */
  counts?: Readonly<Record<string, number>>
}

export type ReportProgress = (progress: { done: number; total: number | null }) => Promise<void>

/** Reason for aborting an attempt when its process stops: not a failure; the work continues elsewhere or later. */
export class ProcessStops extends Error {
  constructor() {
    super('the process stops')
    this.name = 'ProcessStops'
  }
}

/**
 * Performs the work. May be called twice for the same work, after a kill; throws to be retried. Reporting progress throws
 * once the work was given to another attempt.
 */
export type PerformWork<Input = unknown> = (
  work: Work & { input: Input },
  report: ReportProgress,
  signal: AbortSignal,
) => Promise<EndedWell>
