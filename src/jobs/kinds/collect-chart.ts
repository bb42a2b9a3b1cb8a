import { z } from 'zod'
import { type DueChart, dueCharts, recordAttempt } from '../../domain/collecting/attempts.ts'
import { SourceFailure } from '../../sources/polite/failure.ts'
import type { Database } from '../../storage/database.ts'
import { type ChartIdentity, chartName } from '../../vocabulary/chart-identity.ts'
import { chartKinds } from '../../vocabulary/chart-kinds.ts'
import type { AttemptOutcome } from '../../vocabulary/collecting.ts'
import { devices } from '../../vocabulary/devices.ts'
import type { Collector } from '../collecting/collector.ts'
import { type JobParts, jobKind, queues } from '../job-kind.ts'
import { type ScheduledChart, scheduledCharts, slotStart } from '../schedule.ts'

/** Charts added at a time: more than the pace of a minute, far less than that of a day, so that urgent jobs never wait long. */
const chartsAdded = 500

const inSlot = ({ everyHours, ...chart }: ScheduledChart, now: Date): DueChart => ({
  ...chart,
  slotStart: slotStart(everyHours, now),
})

export const collectChartJob = jobKind<ScheduledChart>({
  name: 'collect-chart',
  does: 'captures one chart, once in each slot of its schedule',
  input: z.strictObject({
    country: z.string(),
    kind: z.enum(chartKinds),
    categoryId: z.int(),
    device: z.enum(devices),
    everyHours: z.number().positive(),
  }),
  queue: queues.scheduled,
  // Charts wait longer for answers than for the rate limiter.
  atATime: 4,
  addDue,
  perform:
    ({ db, collector }) =>
    async ({ everyHours, ...chart }, signal) => {
      const wanted = inSlot({ everyHours, ...chart }, new Date())
      // Another worker may have captured the chart in the current slot, or has just failed to.
      const stillDue = await dueCharts(db, [wanted], new Date(), 1)
      if (stillDue.length === 0) return undefined
      const { outcome, message } = await collectChart(db, collector, chart, signal)
      return { ...chart, ...(message === null ? {} : { reason: message }), outcome }
    },
})

async function addDue({ db, queue, schedule }: JobParts, now: Date): Promise<void> {
  const charts = scheduledCharts(schedule)
  const wanted = charts.map((chart) => inSlot(chart, now))
  const due = new Set((await dueCharts(db, wanted, now, chartsAdded)).map(chartName))
  const jobs = charts.map((data) => ({ key: chartName(data), data })).filter(({ key }) => due.has(key))
  await queue.add(db, collectChartJob, jobs)
}

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
