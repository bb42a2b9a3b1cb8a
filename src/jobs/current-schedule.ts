import { type KeptSchedule, keptSchedule } from '../domain/collecting/kept-schedule.ts'
import type { Database } from '../storage/database.ts'
import { Schedule } from './schedule.ts'

/** How long a process goes on with what it read; it reads its own changes at once. */
const rememberedMs = 10_000

/**
 * The schedule that is followed: the one that operators keep on the pages, where the configuration names any operators, otherwise
 * that of the configuration file.
 */
export class CurrentSchedule {
  readonly #db: Database
  readonly #file: Schedule
  readonly #isKept: boolean
  #read: { at: number; kept: Promise<KeptSchedule | undefined> } | undefined

  /** @param isKept whether operators may keep one; the store is not asked otherwise */
  constructor(db: Database, file: Schedule, isKept: boolean) {
    this.#db = db
    this.#file = file
    this.#isKept = isKept
  }

  /** That of the file where what is kept is of another version and cannot be read. */
  async schedule(): Promise<Schedule> {
    const kept = await this.kept()
    const read = kept && Schedule.safeParse(kept.schedule)
    return read?.success ? read.data : this.#file
  }

  /** What is kept, and by whom; undefined where that of the file holds. */
  kept(): Promise<KeptSchedule | undefined> {
    if (!this.#isKept) return Promise.resolve(undefined)
    if (!this.#read || performance.now() - this.#read.at > rememberedMs) {
      const read = { at: performance.now(), kept: keptSchedule(this.#db) }
      this.#read = read
      read.kept.catch(() => {
        if (this.#read === read) this.forget()
      })
    }
    return this.#read.kept
  }

  /** Reads anew at the next call: it was changed. */
  forget(): void {
    this.#read = undefined
  }
}
