import { sql } from 'kysely'
import { adAnalysersOn } from '../../src/jobs/ad-analysis/analysers.ts'
import type { JobParts } from '../../src/jobs/job-kind.ts'
import { jobKinds } from '../../src/jobs/job-kinds.ts'
import { addDueJobs } from '../../src/jobs/kinds/schedule.ts'
import { rows } from '../../src/storage/database.ts'
import type { ChartIdentity } from '../../src/vocabulary/chart-identity.ts'
import { type PlayedApple, playedSources, startApple } from './apple.ts'
import { operate } from './operator.ts'
import { until } from './until.ts'
import { openWorld, type World, type WorldOptions } from './world.ts'

export interface Collected extends AsyncDisposable {
  apple: PlayedApple
  world: World
}

/**
 * An installation with a worker and a fake upstream; calls are not retried, so that failures show at once.
 * @param more settings of every source
 * @param prepare how the upstream behaves from the first call on: a worker with a schedule calls at once
 */
export async function openCollecting(
  options: WorldOptions = {},
  more: Record<string, unknown> = {},
  prepare: (apple: PlayedApple) => void = () => {},
): Promise<Collected> {
  await using parts = new AsyncDisposableStack()
  const apple = parts.use(await startApple())
  prepare(apple)
  const sources = playedSources(apple, { attempts: 1, ...more })
  const world = parts.use(await openWorld({ works: true, sources, ...options }))
  const opened = parts.move()
  return { apple, world, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Never aborts. */
export const patient = new AbortController().signal

/** For work that ends by itself: it is left after as long as `until` waits, so that its state tells where it hangs. */
export const untilItHangs = () => AbortSignal.timeout(240_000)

export const overall: ChartIdentity = { country: 'us', kind: 'top-free', categoryId: 36, device: 'iphone' }

/** Runs the schedule, as a worker does every minute. */
export const lookAtSchedule = (world: World, now = new Date()) => addDueJobs(jobKinds, jobPartsOf(world), now)

/** The dependencies of an installation's jobs, without speech and language models. */
export const jobPartsOf = ({
  store,
  queue,
  archive,
  collecting,
  notifications,
  retention,
  importFile,
}: World): JobParts => ({
  db: store.db,
  queue,
  archive,
  ...collecting,
  notifications,
  retention,
  importFile,
  analysers: adAnalysersOn({}, {}),
})

/** The last attempt to collect a chart. */
export interface Attempt {
  /** Country and kind. */
  name: string
  outcome: string
  failures: number
}

/** Sorted by name. */
export const attempts = ({ store }: World) =>
  rows(
    store.db,
    sql<Attempt>`
      select concat_ws(' ', country, kind) as name, outcome, failures from chart_attempts order by country, kind`,
  )

/** Waits until this many charts were attempted. */
export const attempted = (world: World, charts: number) =>
  until(
    () => attempts(world),
    (made) => made.length === charts,
  )

/** Moves the last attempts back by this time. */
export const triedEarlier = ({ store }: World, minutes: number) =>
  sql`update chart_attempts set last_at = last_at - ${minutes} * interval '1 minute'`.execute(store.db)

/** Requested paths with this prefix. */
export const asked = (apple: PlayedApple, begins: string) =>
  apple.requests.filter(({ path }) => path.startsWith(begins)).map(({ path }) => path)

/** The output of `rivalscope sources`. */
export const sourcesTold = async (world: World) =>
  (await operate(world, { command: 'sources', options: {} })).out

/** Jobs of a queue, oldest first. */
export const jobsOf = ({ store }: World, name: string) =>
  rows(
    store.db,
    sql<{ state: string }>`
      select state::text as state from pgboss.job where name = ${name} order by created_on`,
  )

/** Waits until no job of a queue is left to do. */
export const jobsEnd = (world: World, name: string) =>
  until(
    () => jobsOf(world, name),
    (jobs) => jobs.every(({ state }) => state === 'completed' || state === 'failed'),
  )
