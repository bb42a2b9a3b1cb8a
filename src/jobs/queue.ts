import type { PgBoss } from 'pg-boss'
import { z } from 'zod'
import type { Enqueue } from '../domain/work/ask-for-work.ts'
import { readInput } from '../domain/work/work.ts'
import type { Database } from '../storage/database.ts'
import { queueWithin } from '../storage/queue.ts'
import type { Outage } from './outage.ts'

/** The name of a kind of job and the schema of its payload. */
export interface QueuedKind<Input> {
  name: string
  input: z.ZodType<Input>
}

/** Accepts jobs. A job whose key is queued or running already is not added twice. */
export class JobQueue implements AsyncDisposable {
  readonly boss: PgBoss
  /** Whether the store is unreachable, as the queue sees it. */
  readonly outage: Outage

  constructor(boss: PgBoss, outage: Outage) {
    this.boss = boss
    this.outage = outage
  }

  /** Adds jobs in the caller's transaction. @returns how many are new */
  async add<Input>(
    transaction: Database,
    kind: QueuedKind<Input>,
    jobs: readonly { key: string; data: NoInfer<Input> }[],
    { afterSeconds }: { afterSeconds?: number } = {},
  ): Promise<number> {
    if (jobs.length === 0) return 0
    const taken = await this.boss.insert(
      kind.name,
      jobs.map(({ key, data }) => ({
        singletonKey: key,
        data: readInput(kind, data) as object,
        ...(afterSeconds === undefined ? {} : { startAfter: afterSeconds }),
      })),
      { db: queueWithin(transaction), returnId: true },
    )
    return taken?.length ?? 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.boss.stop({ graceful: true })
  }
}

/** The payload of a job of work; everything else is in the row of the work. */
export const WorkJob = z.strictObject({ workId: z.uuid() })

/** Adds the job of a piece of work. */
export function enqueueOn(queue: JobQueue): Enqueue {
  return async (transaction, kind, data) => {
    await queue.add(transaction, { name: kind.name, input: WorkJob }, [{ key: data.workId, data }])
  }
}
