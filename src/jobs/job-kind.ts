import type { Queue } from 'pg-boss'
import { z } from 'zod'
import type { FileImportInput } from '../domain/work/file-imports.ts'
import { type PerformWork, readInput, type WorkKind } from '../domain/work/work.ts'
import type { Retention } from '../projections/retention/policies.ts'
import type { Database } from '../storage/database.ts'
import type { AdLibraries } from '../suppliers/ad-libraries.ts'
import type { AdAnalysers } from './ad-analysis/analysers.ts'
import type { Collector } from './collecting/collector.ts'
import type { CurrentSchedule } from './current-schedule.ts'
import type { MediaArchive } from './media/media-archive.ts'
import type { Notifications } from './notifications/settings.ts'
import { type JobQueue, type QueuedKind, WorkJob } from './queue.ts'
import type { Schedule } from './schedule.ts'
import { type JobReport, workTask } from './work-tasks.ts'

/** The parts of the service that jobs use. */
export interface JobParts {
  db: Database
  queue: JobQueue
  collector: Collector
  adLibraries: AdLibraries
  /** That of the configuration file; of `addDue`, the one that is followed. */
  schedule: Schedule
  /** The schedule that is followed. */
  current: CurrentSchedule
  archive: MediaArchive
  analysers: AdAnalysers
  notifications: Notifications
  retention: Retention
  importFile: ImportFile
}

/** What the import of a file of one kind did, as its command sums it up. */
export interface ImportedFile {
  kind: string
  read: number
  stored: number
  /** Was stored before. */
  unchanged: number
  rejected: number
  /** The first rejected records, with why. */
  rejections: { position: string; reason: string }[]
  notes: string[]
}

/**
 * Imports a file as the commands of imports do, into a store. Given to jobs by who puts the service together: they know no imports.
 * @returns a summary for each kind that it holds; `failure` says why one of them took nothing, and what was stored before stays
 */
export type ImportFile = (order: {
  /** An empty folder, where the file is written. */
  folder: string
  /** Name of the account. */
  account: string
  input: FileImportInput
  /** When it was asked for. */
  createdAt: Date
  content: AsyncIterable<Uint8Array>
  progress: (done: number, total: number) => void
  signal: AbortSignal
}) => Promise<{ summaries: ImportedFile[]; failure: string | undefined }>

/** Undefined where there was nothing to do. */
type Performed = Promise<JobReport | undefined>

/** Properties of every kind of job, whatever its input. */
interface JobRules {
  /** Timeouts and retries of its queue. */
  queue: Omit<Queue, 'name'>
  /** Jobs of this kind that one process works on at a time. */
  atATime: number
  /** Adds the jobs that are due by schedule; null where every job is requested. */
  addDue: ((parts: JobParts, now: Date) => Promise<void>) | null
}

/** A row of the table of jobs. There are no defaults: a new row states every field. */
interface JobRow<Input> extends QueuedKind<Input>, JobRules {
  /** Describes a job of this kind for people who run the service. */
  does: string
  /** May run twice for the same job; throws to be retried. */
  perform: (parts: JobParts) => (input: Input, signal: AbortSignal) => Performed
}

/** Like `JobRow`, for work that is reported to people: states, attempts, progress and errors are recorded the same way for all. */
interface WorkRow<Input> extends JobRules {
  does: string
  work: WorkKind<Input>
  perform: (parts: JobParts) => PerformWork<Input>
}

/** A kind of job, as the queue, workers, the schedule and the docs read it from the table. */
export interface JobKind<Input = unknown> extends QueuedKind<Input>, JobRules {
  does: string
  /** The unit of its progress; null where progress is not reported. */
  unit: string | null
  /** @returns the performer of a job from the queue; throws UnreadableInput before it does anything */
  performer: (parts: JobParts) => (data: unknown, signal: AbortSignal) => Performed
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

interface StorefrontRow<Rules> {
  name: string
  does: string
  /** The section of the schedule; undefined where it is left out, and nothing is asked. */
  rulesOf: (schedule: Schedule) => Rules | undefined
  /** Storefronts with something due; several times the same is once. */
  dueIn: (db: Database, rules: Rules, now: Date) => Promise<readonly string[]>
  /** Asks for what is due in a storefront; how many apps, and what the log says beside it. */
  ask: (
    parts: JobParts,
    country: string,
    rules: Rules,
    signal: AbortSignal,
  ) => Promise<{ apps: number } & Record<string, number>>
}

/** A job by schedule that asks about the apps of a storefront: one at a time for each storefront with something due. */
export function storefrontJob<Rules>({
  name,
  does,
  rulesOf,
  dueIn,
  ask,
}: StorefrontRow<Rules>): JobKind<{ country: string }> {
  const job: JobKind<{ country: string }> = jobKind({
    name,
    does,
    input: z.strictObject({ country: z.string() }),
    queue: queues.scheduled,
    atATime: 1,
    addDue: async ({ db, queue, schedule }, now) => {
      const rules = rulesOf(schedule)
      if (!rules) return
      const countries = [...new Set(await dueIn(db, rules, now))]
      await queue.add(
        db,
        job,
        countries.map((country) => ({ key: country, data: { country } })),
      )
    },
    perform:
      (parts) =>
      async ({ country }, signal) => {
        const rules = rulesOf(await parts.current.schedule())
        if (!rules) return undefined
        const asked = await ask(parts, country, rules, signal)
        return asked.apps === 0 ? undefined : { country, ...asked, outcome: 'done' }
      },
  })
  return job
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
 * One job per key at a time, queued or running. A job may wait for the rate limiter for as long as a throttling source can
 * demand. Every running job sends heartbeats; our own check for lost jobs notices missing ones long before the queue does.
 */
const lasting = (seconds: number) =>
  ({
    policy: 'exclusive',
    heartbeatSeconds: seconds,
    expireInSeconds: seconds,
    deleteAfterSeconds: 86_400,
    notify: true,
  }) as const satisfies JobRules['queue']
const once = lasting(7_200)

/** Retries with growing delays. */
const patient = { ...once, retryLimit: 10, retryDelay: 15, retryBackoff: true, retryDelayMax: 900 }

/** Work that is reported to people counts its own attempts, and decides when to give up. */
const work = { ...patient, retryLimit: 1_000 }

/** Two thousand keywords at the pace of one address take hours, and an ad library can impose a long hold. */
const long = { ...work, ...lasting(86_400) }

/** The queue does not retry scheduled jobs: the schedule adds them again. */
const scheduled = { ...once, retryLimit: 0 }

/** Timeouts and retries of queues. */
export const queues = { scheduled, patient, work, long }
