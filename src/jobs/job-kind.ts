import type { Queue } from 'pg-boss'
import type { z } from 'zod'
import { readInput, type WorkKind } from '../domain/work/kind.ts'
import type { PerformWork } from '../domain/work/perform.ts'
import type { AdLibraries } from '../sources/ad-libraries.ts'
import type { Database } from '../storage/database.ts'
import type { AdAnalysers } from './ad-analysis/analysers.ts'
import type { Collector } from './collecting/collector.ts'
import type { MediaArchive } from './media/media-archive.ts'
import { type JobQueue, type QueuedKind, WorkJob } from './queue.ts'
import type { Schedule } from './schedule.ts'
import { workTask } from './work-tasks.ts'

/** What jobs are performed with. */
export interface JobParts {
  db: Database
  queue: JobQueue
  collector: Collector
  adLibraries: AdLibraries
  schedule: Schedule
  archive: MediaArchive
  analysers: AdAnalysers
}

/** What is true of every kind of job, whatever it takes. */
interface JobRules {
  /** Its queue: how patient it is, and how often it tries again. */
  queue: Omit<Queue, 'name'>
  /** Jobs of it that one process works on at a time. */
  atATime: number
  /** Adds what is due without being asked; null where somebody asks for each. */
  addDue: ((parts: JobParts, now: Date) => Promise<void>) | null
}

/** A row of the table of jobs. Nothing has a usual value: who adds one says each of them. */
interface JobRow<Input> extends QueuedKind<Input>, JobRules {
  /** What one does, in words for people who run the service. */
  does: string
  /** May run twice for the same job; throws to be tried again. */
  perform: (parts: JobParts) => (input: Input, signal: AbortSignal) => Promise<void>
}

/** As `JobRow`, of work that is reported to people: states, attempts, progress and errors are kept in one way for all. */
interface WorkRow<Input> extends JobRules {
  does: string
  work: WorkKind<Input>
  perform: (parts: JobParts) => PerformWork<Input>
}

/** A kind of job, as queue, worker, schedule and docs take it from the table. */
export interface JobKind<Input = unknown> extends QueuedKind<Input>, JobRules {
  does: string
  /** What its progress counts; null where it is not reported. */
  unit: string | null
  /** @returns what performs a job as the queue hands it out; throws UnreadableInput before anything is done */
  performer: (parts: JobParts) => (data: unknown, signal: AbortSignal) => Promise<void>
}

export function jobKind<Input>({ perform, ...row }: JobRow<Input>): JobKind<Input> {
  return {
    ...row,
    unit: null,
    performer: (parts) => {
      const performOne = perform(parts)
      return async (data, signal) => performOne(readInput(row, data), signal)
    },
  }
}

export function workJobKind<Input>({
  work,
  perform,
  ...row
}: WorkRow<Input>): JobKind<z.output<typeof WorkJob>> {
  const { name, unit } = work
  const performer = (parts: JobParts) => workTask(parts.db, work, perform(parts))
  return { ...jobKind({ ...row, name, input: WorkJob, perform: performer }), unit }
}

/**
 * One job of a key at a time, queued or running. A job may wait for its turn for as long as a throttling source can ask.
 * Heartbeats are sent for each that is worked on, and missed by our own check for lost jobs, long before the queue
 * misses them.
 */
const lasting = (seconds: number) =>
  ({
    policy: 'exclusive',
    heartbeatSeconds: seconds,
    expireInSeconds: seconds,
    deleteAfterSeconds: 86_400,
  }) as const satisfies JobRules['queue']
const once = lasting(7_200)

/** Failed attempts are repeated later and later. */
const patient = { ...once, retryLimit: 10, retryDelay: 15, retryBackoff: true, retryDelayMax: 900 }

/** Work that is reported to people counts its attempts itself, and says when they were enough. */
const work = { ...patient, retryLimit: 1_000 }

/** Two thousand keywords at one address's pace take hours, and a throttling ad library can want its rest. */
const long = { ...work, ...lasting(86_400) }

/** What the schedule asks for is not repeated by the queue: the schedule asks again. */
const scheduled = { ...once, retryLimit: 0 }

/** How patient queues are. */
export const queues = { scheduled, patient, work, long }
