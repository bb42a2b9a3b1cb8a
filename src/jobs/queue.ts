import type { PgBoss } from 'pg-boss'
import { z } from 'zod'
import type { Enqueue } from '../domain/work/ask-for-work.ts'
import { readInput } from '../domain/work/work.ts'
import type { Database } from '../storage/database.ts'
import { queueWithin } from '../storage/queue.ts'
import { isStoreUnavailable } from '../storage/store.ts'

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

/** Called when the store becomes unreachable and when it is back. */
export interface OutageListener {
  away(error: unknown): void
  back(afterSeconds: number): void
}

/** An outage has ended when nothing has failed for this long: a restarting store refuses some requests. */
const calmMs = 2_000

/**
 * Reports once that the store is unreachable, and once that it is back. Every queue polls each second and every running job
 * sends heartbeats, so each outage would otherwise be reported dozens of times a second.
 */
export class Outage {
  readonly #listener: OutageListener
  #since: number | undefined
  #lastFailure = 0

  constructor(listener: OutageListener) {
    this.#listener = listener
  }

  /** Whether the last request to the store failed to reach it. */
  get lasts(): boolean {
    return this.#since !== undefined
  }

  /** Records the failure of a request. @returns whether the error is an outage, which needs no further report */
  failed(error: unknown): boolean {
    if (!isStoreUnavailable(error)) return false
    this.#lastFailure = performance.now()
    if (this.#since === undefined) {
      this.#since = this.#lastFailure
      this.#listener.away(error)
    }
    return true
  }

  answered(): void {
    const now = performance.now()
    if (this.#since === undefined || now - this.#lastFailure < calmMs) return
    this.#listener.back((now - this.#since) / 1_000)
    this.#since = undefined
  }

  /** Passes on the result or error of a request. */
  async observe<T>(question: Promise<T>): Promise<T> {
    try {
      const answer = await question
      this.answered()
      return answer
    } catch (error) {
      this.failed(error)
      throw error
    }
  }
}
