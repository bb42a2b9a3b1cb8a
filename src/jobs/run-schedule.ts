import { appRefreshKind, askForAppRefresh } from '../domain/aso/tracking/refresh.ts'
import { dueAppRefreshes } from '../domain/aso/tracking/refresh-queries.ts'
import { weighWordsWhenStale } from '../domain/catalogue/word-weights.ts'
import { dueCharts, type WantedChart } from '../domain/collecting/chart-attempts.ts'
import { dueRefreshes } from '../domain/estimates/due-refreshes.ts'
import { refreshKind, refreshSubject } from '../domain/estimates/refresh.ts'
import { askForWorkWithin } from '../domain/work/ask-for-work.ts'
import { noteEarlierAskers } from '../domain/work/askers.ts'
import { workUnderWay } from '../domain/work/queries.ts'
import { type Database, inTransaction } from '../storage/database.ts'
import { chartName } from '../vocabulary/chart-identity.ts'
import { anyDue } from './collecting/collect-due-apps.ts'
import { enqueueOn, type JobQueue } from './queue.ts'
import { type Schedule, type ScheduledChart, scheduledCharts, slotStart } from './schedule.ts'
import type { WorkKind } from './task-queues.ts'

/** Charts added at a time: more than a minute's pace, far less than a day's, so that what is urgent is never far behind. */
const chartsAdded = 500
/** Work whose job is missing after this time gets a new one. */
const orphanedAfterMs = 60_000

/**
 * Adds jobs for what is due. What was missed while nothing ran is due too: the schedule looks at what is stored, not at
 * when it last looked. Words are weighed anew here too when the last weighing is stale. Run by any
 * number of workers: a job that is there already is not added again.
 */
export async function runSchedule(db: Database, queue: JobQueue, schedule: Schedule, now: Date): Promise<void> {
  const charts = scheduledCharts(schedule)
  const due = new Set((await dueCharts(db, inSlots(charts, now), now, chartsAdded)).map(chartName))
  await queue.add(
    db,
    'collect-chart',
    charts
      .filter((chart) => due.has(chartName(chart)))
      .map((chart) => ({ key: chartName(chart), data: chart })),
  )
  for (const [kind, task, rules] of [
    ['lookup', 'collect-apps', schedule.apps],
    ['page', 'collect-pages', schedule.pages],
  ] as const) {
    if (!rules) continue
    const countries = await keepWhere(rules.countries, (country) => anyDue(db, kind, country, rules))
    await queue.add(
      db,
      task,
      countries.map((country) => ({ key: country, data: { country } })),
    )
  }
  if (schedule.estimates) await askForEstimates(db, queue, schedule.estimates.everyHours, now)
  if (schedule.keywords) await askForKeywords(db, queue, schedule.keywords.everyHours, now)
  await addMissingJobs(db, queue, now)
  await weighWordsWhenStale(db, now)
}

/** Refreshes asked for at a time. */
const refreshesAdded = 200

async function askForEstimates(db: Database, queue: JobQueue, everyHours: number, now: Date): Promise<void> {
  const before = new Date(now.getTime() - everyHours * 3_600_000)
  for (const app of await dueRefreshes(db, before, refreshesAdded)) {
    const asked = { kind: refreshKind, subject: refreshSubject(app), input: { ...app } }
    await inTransaction(db, async (transaction) => {
      const work = await askForWorkWithin(transaction, enqueueOn(queue), asked)
      await noteEarlierAskers(transaction, work)
    })
  }
}

async function askForKeywords(db: Database, queue: JobQueue, everyHours: number, now: Date): Promise<void> {
  const before = new Date(now.getTime() - everyHours * 3_600_000)
  for (const appId of await dueAppRefreshes(db, appRefreshKind, before, refreshesAdded))
    await askForAppRefresh(db, enqueueOn(queue), appId, now)
}

async function addMissingJobs(db: Database, queue: JobQueue, now: Date): Promise<void> {
  const works = await workUnderWay(db, new Date(now.getTime() - orphanedAfterMs))
  for (const [kind, same] of Map.groupBy(works, (work) => work.kind as WorkKind)) {
    await queue.add(
      db,
      kind,
      same.map(({ workId }) => ({ key: workId, data: { workId } })),
    )
  }
}

async function keepWhere<T>(values: readonly T[], test: (value: T) => Promise<boolean>): Promise<T[]> {
  const kept: T[] = []
  for (const value of values) if (await test(value)) kept.push(value)
  return kept
}

/** Whether the chart is due no longer: another worker has captured it in the slot that is now, or has just tried in vain. */
export async function isDueNoLonger(db: Database, chart: ScheduledChart, now: Date): Promise<boolean> {
  return (await dueCharts(db, inSlots([chart], now), now, 1)).length === 0
}

function inSlots(charts: readonly ScheduledChart[], now: Date): WantedChart[] {
  return charts.map(({ everyHours, ...chart }) => ({ ...chart, slotStart: slotStart(everyHours, now) }))
}
