import type { Queue } from 'pg-boss'

/** What a job of each task carries. */
export interface TaskData {
  'estimate-refresh': { workId: string }
  'emerging-discovery': { workId: string }
  intake: { workId: string }
}

export type TaskName = keyof TaskData

/** A worker that was killed is missed after this time, and its job is given to another. */
const heartbeatSeconds = 30

/** One job of a key at a time, queued or running. Failed attempts are repeated later and later. */
const patient = {
  policy: 'exclusive',
  heartbeatSeconds,
  expireInSeconds: 3_600,
  retryLimit: 10,
  retryDelay: 15,
  retryBackoff: true,
  retryDelayMax: 900,
  deleteAfterSeconds: 86_400,
} as const satisfies Omit<Queue, 'name'>

/** The queues and how patient each is. */
export const taskQueues: Record<TaskName, Omit<Queue, 'name'>> = {
  'estimate-refresh': patient,
  'emerging-discovery': patient,
  intake: patient,
}
