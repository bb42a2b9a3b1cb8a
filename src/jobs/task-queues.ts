import type { Queue } from 'pg-boss'
import type { ScheduledChart } from './schedule.ts'

/** What a job of each task carries. */
export interface TaskData {
  /** Looks at the schedule and adds what is due. */
  schedule: Record<string, never>
  'collect-chart': ScheduledChart
  'collect-apps': { country: string }
  'collect-pages': { country: string }
  'collect-page': { storeId: string; country: string }
  'collect-term': { term: string; country: string; surface: 'search' | 'hints' }
  intake: { workId: string }
  'emerging-discovery': { workId: string }
  'estimate-refresh': { workId: string }
  'aso-refresh': { workId: string }
  'keyword-refresh': { workId: string }
  'ad-import': { workId: string }
  'keep-media': { workId: string }
  'ad-transcript': { workId: string }
  'ad-analysis': { workId: string }
}

export type TaskName = keyof TaskData

/** Tasks that perform work people are told of; the kind of a work is the name of its task. */
export type WorkKind = Extract<
  TaskName,
  | 'intake'
  | 'emerging-discovery'
  | 'estimate-refresh'
  | 'aso-refresh'
  | 'keyword-refresh'
  | 'ad-import'
  | 'keep-media'
  | 'ad-transcript'
  | 'ad-analysis'
>

/**
 * One job of a key at a time, queued or running. A job may wait for its turn for as long as a throttling source can ask.
 * Signs of life are given for each that is worked on, and missed by our own look for lost jobs, long before the queue
 * misses them.
 */
const lasting = (seconds: number) =>
  ({
    policy: 'exclusive',
    heartbeatSeconds: seconds,
    expireInSeconds: seconds,
    deleteAfterSeconds: 86_400,
  }) as const satisfies Omit<Queue, 'name'>
const once = lasting(7_200)

/** Failed attempts are repeated later and later. */
const patient = { ...once, retryLimit: 10, retryDelay: 15, retryBackoff: true, retryDelayMax: 900 }

/** What people are told of counts its attempts itself, and says when they were enough. */
const told = { ...patient, retryLimit: 1_000 }

/** Two thousand keywords at one address's pace take hours, and a throttling ad library can want its rest. */
const long = { ...told, ...lasting(86_400) }

/** What the schedule asks for is not repeated by the queue: the schedule asks again. */
const scheduled = { ...once, retryLimit: 0 }

/** The queues and how patient each is. */
export const taskQueues: Record<TaskName, Omit<Queue, 'name'>> = {
  schedule: scheduled,
  'collect-chart': scheduled,
  'collect-apps': scheduled,
  'collect-pages': scheduled,
  'collect-page': patient,
  'collect-term': patient,
  intake: told,
  'emerging-discovery': told,
  'estimate-refresh': told,
  'aso-refresh': long,
  'keyword-refresh': told,
  'ad-import': long,
  'keep-media': told,
  'ad-transcript': told,
  'ad-analysis': told,
}
