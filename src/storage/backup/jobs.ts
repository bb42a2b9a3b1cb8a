import { sql } from 'kysely'
import { type Database, rows } from '../database.ts'
import { queueWithin, withIdleQueue } from '../queue.ts'
import type { Store } from '../store.ts'

/**
 * Selects the unfinished jobs, including those being worked on. A backup holds their kind and content and not the rows of
 * the queue: its tables belong to pg-boss and differ from one version to the next.
 */
export const unfinishedJobs = `
  select name, singleton_key, data, start_after from pgboss.job
  where state < 'completed' and name not like '\\_\\_pgboss%' order by created_on, id`

export const jobColumns = ['name', 'singleton_key', 'data', 'start_after']

/** Creates a temporary table for jobs in the form of `unfinishedJobs`, in the caller's transaction. */
export async function makeTableOfJobs(db: Database): Promise<string> {
  await sql`
    create temporary table carried_jobs (
      number bigint generated always as identity, name text, singleton_key text, data jsonb, start_after timestamptz
    ) on commit drop`.execute(db)
  return 'carried_jobs'
}

interface CarriedJob {
  number: string
  name: string
  singletonKey: string | null
  data: object | null
  startAfter: Date
}

const jobsAtOnce = 1_000

/**
 * Adds the jobs of that table to the queue of a store as waiting jobs, in the caller's transaction. Leaves out kinds for
 * which this version has no queue.
 */
export async function addCarriedJobs(store: Store, db: Database): Promise<void> {
  await withIdleQueue(store, async (queue) => {
    const known = new Set((await queue.getQueues()).map(({ name }) => name))
    for (let last = '0'; ; ) {
      const jobs = await rows(
        db,
        sql<CarriedJob>`
          select number::text, name, singleton_key as "singletonKey", data, start_after as "startAfter"
          from carried_jobs where number > ${last}::bigint order by number limit ${jobsAtOnce}`,
      )
      for (const [name, some] of Map.groupBy(jobs, (job) => job.name)) {
        if (!known.has(name)) continue
        await queue.insert(
          name,
          some.map(({ singletonKey, data, startAfter }) => ({
            ...(singletonKey === null ? {} : { singletonKey }),
            data: data ?? {},
            startAfter,
          })),
          { db: queueWithin(db) },
        )
      }
      const end = jobs.at(-1)
      if (!end) return
      last = end.number
    }
  })
}
