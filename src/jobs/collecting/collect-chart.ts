import { recordAttempt } from '../../domain/collecting/attempts.ts'
import { SourceFailure } from '../../sources/polite/failure.ts'
import type { Database } from '../../storage/database.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import type { AttemptOutcome } from '../../vocabulary/collecting.ts'
import type { Collector } from './collector.ts'

export interface ChartAttempt {
  outcome: AttemptOutcome
  /** Why there is no snapshot; null when there is one. */
  message: string | null
}

/** Collects one chart and records the outcome. A failure of the source is an outcome; any other error is thrown. */
export async function collectChart(
  db: Database,
  collector: Collector,
  chart: ChartIdentity,
  signal: AbortSignal,
): Promise<ChartAttempt> {
  const attempt = await tryChart(collector, chart, signal)
  await recordAttempt(db, chart, { at: new Date(), ...attempt })
  return attempt
}

async function tryChart(
  collector: Collector,
  chart: ChartIdentity,
  signal: AbortSignal,
): Promise<ChartAttempt> {
  try {
    const outcome = await collector.chart(chart, signal)
    return { outcome, message: messages[outcome] }
  } catch (error) {
    if (error instanceof SourceFailure) return { outcome: 'failed', message: error.message }
    throw error
  }
}

const messages = {
  stored: null,
  empty: 'the chart is empty, and was never seen otherwise',
  'suspect-empty': 'answered with nothing where there were apps before',
} as const
