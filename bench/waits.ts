/**
 * What a read waited for, as Linux and PostgreSQL tell it: how long the processes on its way ran and how long they were ready to run
 * while no core was free, and what the sessions of the service were doing meanwhile.
 */
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, rows } from '../src/storage/database.ts'

/** One time that an event loop was late. */
export interface Delay {
  /** Milliseconds since 1970. */
  at: number
  lateMs: number
  /** Of that, processor time of its thread. */
  ownMs: number
}

/** Milliseconds that something took, and what of them is known. What remains is a lock, the disk, or a message on its way. */
export interface Timed {
  what: string
  ms: number
  /** Who asks, the service, and its sessions in PostgreSQL together: processor time, and time without a core. */
  client: Share
  service: Share
  database: Share
  /** What sessions of the service were seen at once it took long, with how often. */
  seen: ReadonlyMap<string, number>
}

interface Share {
  ran: number
  unscheduled: number
}

/** From when on sessions are looked at, and how often. */
const watchAfterMs = 40
const lookEveryMs = 15
/** Sessions come and go; new ones are found so often. */
const sessionsKnownMs = 1_000

/** Watches reads of one service, one at a time. */
export class Waits {
  readonly #db: Database
  readonly #servicePid: number
  #sessions: number[] = []
  #foundAt = Number.NEGATIVE_INFINITY

  /** @param db the store of the service, on this machine, by connections of its own */
  constructor(db: Database, servicePid: number) {
    this.#db = db
    this.#servicePid = servicePid
  }

  async time(what: string, perform: () => Promise<unknown>): Promise<Timed> {
    if (performance.now() - this.#foundAt > sessionsKnownMs) await this.#findSessions()
    const shares = () => ({
      client: shareOf([process.pid]),
      service: shareOf([this.#servicePid]),
      database: shareOf(this.#sessions),
    })
    const before = shares()
    const ended = new AbortController()
    const seen = this.#look(ended.signal)
    const started = performance.now()
    await perform()
    const ms = performance.now() - started
    ended.abort()
    // A session that was opened for the read has run for nothing else.
    if (ms > watchAfterMs) await this.#findSessions()
    const after = shares()
    return {
      what,
      ms,
      client: since(before.client, after.client),
      service: since(before.service, after.service),
      database: since(before.database, after.database),
      seen: await seen,
    }
  }

  async #findSessions(): Promise<void> {
    const found = await rows(
      this.#db,
      sql<{ pid: number }>`
        select pid from pg_stat_activity
        where datname = current_database() and application_name = 'rivalscope serve'`,
    )
    this.#sessions = found.map(({ pid }) => pid)
    this.#foundAt = performance.now()
  }

  /** What sessions do, again and again until it is over. */
  async #look(signal: AbortSignal): Promise<Map<string, number>> {
    const seen = new Map<string, number>()
    let pause = watchAfterMs
    for (;;) {
      await setTimeout(pause, undefined, { signal }).catch(() => {})
      if (signal.aborted) return seen
      for (const { doing } of await this.#doing()) seen.set(doing, (seen.get(doing) ?? 0) + 1)
      pause = lookEveryMs
    }
  }

  #doing(): Promise<{ doing: string }[]> {
    return rows(
      this.#db,
      sql<{ doing: string }>`
        select concat_ws(' ', coalesce(wait_event_type || ' ' || wait_event, 'runs'),
          ${shortly('a')}, (
            select 'behind ' || string_agg(${shortly('b')}, ', ')
            from pg_stat_activity b where a.wait_event_type = 'Lock' and b.pid = any(pg_blocking_pids(a.pid)))) as doing
        from pg_stat_activity a
        where datname = current_database() and application_name = 'rivalscope serve' and state = 'active'`,
    )
  }
}

/** Milliseconds without what waiting for a core took. */
export const ownMs = ({ ms, client, service, database }: Timed): number =>
  Math.max(0, ms - client.unscheduled - service.unscheduled - database.unscheduled)

/** Milliseconds of processor time. */
export const ranMs = ({ client, service, database }: Timed): number => client.ran + service.ran + database.ran

/** The beginning of the statement of a session. */
const shortly = (session: 'a' | 'b') =>
  sql`left(trim(regexp_replace(${sql.ref(`${session}.query`)}, '[[:space:]]+', ' ', 'g')), 80)`

const since = (before: Share, after: Share): Share => ({
  ran: Math.max(0, after.ran - before.ran),
  unscheduled: Math.max(0, after.unscheduled - before.unscheduled),
})

/** The main threads of processes, since they began; ended ones count nothing. */
function shareOf(pids: readonly number[]): Share {
  const all = { ran: 0, unscheduled: 0 }
  for (const pid of pids) {
    let schedule: string
    try {
      schedule = readFileSync(`/proc/${pid}/schedstat`, 'utf8')
    } catch {
      continue
    }
    const [ran = 0, unscheduled = 0] = schedule.split(' ').map(Number)
    all.ran += ran / 1e6
    all.unscheduled += unscheduled / 1e6
  }
  return all
}
