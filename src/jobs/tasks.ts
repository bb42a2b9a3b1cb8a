import type { PerformWork } from '../domain/work/perform.ts'
import type { AdLibraries } from '../sources/ad-libraries.ts'
import type { Database } from '../storage/database.ts'
import { collectChart } from './collecting/collect-chart.ts'
import { lookUpDueApps, readDuePages } from './collecting/collect-due-apps.ts'
import { collectTerm } from './collecting/collect-term.ts'
import type { Collector } from './collecting/collector.ts'
import type { Keeping } from './media/keeping.ts'
import { lookAfterCopies } from './media/look-after-copies.ts'
import type { JobQueue } from './queue.ts'
import { isDueNoLonger, runSchedule } from './run-schedule.ts'
import type { Schedule } from './schedule.ts'
import type { TaskData, TaskName, WorkKind } from './task-queues.ts'
import { workTask } from './work-tasks.ts'

/** What the job of each queue does. May run twice for the same job; throws to be tried again. */
export type Tasks = { [Name in TaskName]: (data: TaskData[Name], signal: AbortSignal) => Promise<void> }

/** What each kind of work does. */
export type Performers = Record<WorkKind, PerformWork>

export interface TaskParts {
  db: Database
  queue: JobQueue
  collector: Collector
  adLibraries: AdLibraries
  schedule: Schedule
  keeping: Keeping
  performers: Performers
}

export function tasksOn({ db, queue, collector, schedule, keeping, performers }: TaskParts): Tasks {
  return {
    schedule: async () => {
      const now = new Date()
      await runSchedule(db, queue, schedule, now)
      await lookAfterCopies(db, queue, keeping.keep, now)
    },
    'collect-chart': async (chart, signal) => {
      if (!(await isDueNoLonger(db, chart, new Date()))) await collectChart(db, collector, chart, signal)
    },
    'collect-apps': async ({ country }, signal) => {
      if (schedule.apps) await lookUpDueApps(db, collector, country, schedule.apps, signal)
    },
    'collect-pages': async ({ country }, signal) => {
      if (schedule.pages) await readDuePages(db, collector, country, schedule.pages, signal)
    },
    'collect-page': async ({ storeId, country }, signal) => {
      await collector.page(storeId, country, signal)
    },
    'collect-term': async (asked, signal) => {
      await collectTerm(collector, asked, signal)
    },
    intake: workTask(db, performers.intake),
    'emerging-discovery': workTask(db, performers['emerging-discovery']),
    'estimate-refresh': workTask(db, performers['estimate-refresh']),
    'aso-refresh': workTask(db, performers['aso-refresh']),
    'keyword-refresh': workTask(db, performers['keyword-refresh']),
    'ad-import': workTask(db, performers['ad-import']),
    'keep-media': workTask(db, performers['keep-media']),
    'ad-transcript': workTask(db, performers['ad-transcript']),
    'ad-analysis': workTask(db, performers['ad-analysis']),
  }
}
