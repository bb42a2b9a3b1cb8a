import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, firstRow } from '../../storage/database.ts'
import type { CallOutcome } from '../../vocabulary/failure-kinds.ts'

/**
 * Rate limiter for upstreams, kept in the store: all processes share it, and it survives restarts. Each call reserves the
 * next free slot, so calls are spaced evenly instead of in bursts.
 */
export class StoredRateLimiter {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Resolves at the caller's turn. @throws the signal's reason when it aborts first */
  async turn(upstream: string, callsPerMinute: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      if (callsPerMinute > 0) await wait(await this.#reserve(upstream, 60_000 / callsPerMinute), signal)
      signal.throwIfAborted()
      const held = await heldForMs(this.#db, upstream)
      if (held === 0) return
      // The reserved time fell within the hold. Waiting callers reserve again; otherwise all would start together when it
      // ends.
      await wait(held, signal)
    }
  }

  /** Blocks an upstream for this long from now. Never shortens a hold in force. */
  async hold(upstream: string, forMs: number): Promise<void> {
    await sql`
      insert into upstream_rate_limits (upstream, next_at, held_until)
      values (${upstream}, clock_timestamp(), clock_timestamp() + ${forMs} * interval '1 millisecond')
      on conflict (upstream) do update set held_until = greatest(upstream_rate_limits.held_until, excluded.held_until)`.execute(
      this.#db,
    )
  }

  /** Counts a call that has ended. */
  async count(upstream: string, outcome: CallOutcome): Promise<void> {
    await sql`
      insert into upstream_calls as c (upstream, outcome, calls) values (${upstream}, ${outcome}, 1)
      on conflict (upstream, outcome) do update set calls = c.calls + 1`.execute(this.#db)
  }

  /** @returns milliseconds until the reserved moment */
  async #reserve(upstream: string, spaceMs: number): Promise<number> {
    const turn = await firstRow(
      this.#db,
      sql<{ waitMs: number }>`
        insert into upstream_rate_limits as p (upstream, next_at)
        values (${upstream}, clock_timestamp() + ${spaceMs} * interval '1 millisecond')
        on conflict (upstream) do update
          set next_at = greatest(p.next_at, clock_timestamp()) + ${spaceMs} * interval '1 millisecond'
        returning (extract(epoch from p.next_at - clock_timestamp()) * 1000 - ${spaceMs})::double precision as "waitMs"`,
    )
    return turn?.waitMs ?? 0
  }
}

/** Until when an upstream is on hold; undefined when it may be called. */
export async function heldUntil(db: Database, upstream: string): Promise<Date | undefined> {
  const row = await firstRow(
    db,
    sql<{ until: Date }>`
      select held_until as until from upstream_rate_limits where upstream = ${upstream} and held_until > clock_timestamp()`,
  )
  return row?.until
}

/** When the next call of an upstream can go out, apart from holds; undefined where that is now. */
export async function nextTurn(db: Database, upstream: string): Promise<Date | undefined> {
  const row = await firstRow(
    db,
    sql<{ at: Date }>`
      select next_at as at from upstream_rate_limits where upstream = ${upstream} and next_at > clock_timestamp()`,
  )
  return row?.at
}

/** Milliseconds until the hold on an upstream ends; 0 when it may be called. */
export async function heldForMs(db: Database, upstream: string): Promise<number> {
  const row = await firstRow(
    db,
    sql<{ heldForMs: number }>`
      select (extract(epoch from held_until - clock_timestamp()) * 1000)::double precision as "heldForMs"
      from upstream_rate_limits where upstream = ${upstream}`,
  )
  return Math.max(0, row?.heldForMs ?? 0)
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await setTimeout(Math.ceil(ms), undefined, { signal }).catch(() => signal.throwIfAborted())
}
