import type { Work } from './work.ts'

/** How work ended, when it did not fail. `partial` says what was left out. */
export interface EndedWell {
  status: 'succeeded' | 'partial'
  result: Record<string, unknown>
  error?: { code: string; message: string }
}

export type ReportProgress = (progress: { done: number; total: number | null }) => Promise<void>

/** Why an attempt is told to stop when its process does: it was no failure, and goes on elsewhere or later. */
export class ProcessStops extends Error {
  constructor() {
    super('the process stops')
    this.name = 'ProcessStops'
  }
}

/**
 * Does what was asked for. May be called twice for the same work, after a kill; throws to be tried again. A report throws
 * once the work was given to another attempt.
 */
export type PerformWork<Input = unknown> = (
  work: Work & { input: Input },
  report: ReportProgress,
  signal: AbortSignal,
) => Promise<EndedWell>
