import { estimateRefresh } from './domain/estimates/refresh.ts'
import { performIntake } from './jobs/intake.ts'
import type { Performers, TaskParts } from './jobs/tasks.ts'

/** What each kind of work does. */
export function performersOn({
  db,
  collector,
  queue,
}: Pick<TaskParts, 'db' | 'collector' | 'queue'>): Performers {
  return {
    intake: performIntake(db, collector, queue),
    'emerging-discovery': () => Promise.reject(new Error('not built')),
    'estimate-refresh': estimateRefresh(db),
  }
}
