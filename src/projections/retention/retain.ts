import { sql } from 'kysely'
import { countChange } from '../../domain/evidence/changes.ts'
import { lockReadings } from '../../domain/evidence/queries.ts'
import { recordRemovedMonth } from '../../domain/evidence/removed-months.ts'
import { removeFiles } from '../../domain/media/contents.ts'
import { type Database, firstRow, inTransaction } from '../../storage/database.ts'
import type { MediaStore } from '../../storage/media-store.ts'
import { type RetainedKindName, retainedKinds } from '../../vocabulary/retention.ts'
import {
  lockForSwap,
  maxLockWaitMs,
  maxWriterWaitMs,
  retryUntilUnlocked,
  setLockTimeout,
} from '../swap-tables.ts'
import { chartRankRetention } from './chart-ranks.ts'
import { postFigureRetention, ratingRetention } from './figures.ts'
import { mediaRetention } from './kept-media.ts'
import type { RetainedKind, StoredMonth } from './kind.ts'
import { payloadRetention, resultPageRetention } from './payloads.ts'
import { keepDaysOf, type Retention } from './policies.ts'

/** All kinds, in the order in which they are shown and removed. */
const retained: Readonly<Record<RetainedKindName, RetainedKind>> = {
  'chart-ranks': chartRankRetention,
  'result-pages': resultPageRetention,
  ratings: ratingRetention,
  'post-figures': postFigureRetention,
  media: mediaRetention,
  payloads: payloadRetention,
}

/** A replay, another retention run or the packing of a month is under way. */
export class RetentionUnderWayError extends Error {
  override name = 'RetentionUnderWayError'
}

/** A range of months of a kind, with its contents. */
export interface RetainedSpan {
  /** The first and the last month, `YYYY-MM`. */
  from: string
  to: string
  months: number
  /** In the unit of the kind. */
  count: number
  bytes: number
}

/** A kind of evidence and the effect of its policy. */
export interface PolicyEffect {
  kind: RetainedKindName
  unit: string
  /** Null where everything is kept. */
  keepDays: number | null
  /** Null where nothing is stored. */
  stored: RetainedSpan | null
  /**
   * Whether nothing is removed because only one month would be left: that happens after a clock was years ahead, and when
   * collection resumes after a long pause. With the second month the policy applies again.
   */
  standsAlone: boolean
  /** The evidence that the policy removes now; null for none. */
  removes: RetainedSpan | null
}

/** The stored evidence of each kind, and the part that its policy removes now. Changes nothing. */
export async function policyEffects(db: Database, retention: Retention, now: Date): Promise<PolicyEffect[]> {
  const shown: PolicyEffect[] = []
  for (const kind of retainedKinds) shown.push((await lookAt(db, retention, kind, now)).shown)
  return shown
}

/**
 * Applies the policies, a month of a kind at a time, each in a transaction of its own: the next run continues an interrupted
 * one. Reads continue; writers wait for each month. Files of media go last.
 * @returns the removed evidence of each kind
 * @throws RetentionUnderWayError, and TablesInUseError where a month could not be removed for ten minutes
 */
export async function removeOld(
  { db, media }: { db: Database; media: MediaStore },
  retention: Retention,
  now: Date,
  onProgress: (done: number, total: number, kind: RetainedKindName) => void | Promise<void>,
  signal: AbortSignal,
): Promise<PolicyEffect[]> {
  return inTransaction(db, async (held) => {
    // The lock is held by a transaction, as that of a replay, so that it ends with this process.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(held)
    if (!(await lockForSwap(held)))
      throw new RetentionUnderWayError(
        'A replay is under way, or other evidence is being removed or written anew, and one at a time is possible: try again once it has ended. Nothing was removed.',
      )
    const looked = []
    for (const kind of retainedKinds) looked.push({ kind, ...(await lookAt(db, retention, kind, now)) })
    const total = looked.reduce((sum, { due }) => sum + due.length, 0)
    let done = 0
    const removed: PolicyEffect[] = []
    for (const { kind, shown, due, letsGo } of looked) {
      let count = 0
      if (letsGo) await retryUntilUnlocked(() => letGo(db, kind, letsGo), signal)
      for (const { month } of due) {
        await onProgress(done++, total, kind)
        count += await retryUntilUnlocked(() => removeMonth(db, kind, month), signal)
        await onProgress(done, total, kind)
      }
      removed.push(shown.removes ? { ...shown, removes: { ...shown.removes, count } } : shown)
    }
    while (await retryUntilUnlocked(() => removeSomeFiles(db, media), signal));
    return removed
  })
}

function removeMonth(db: Database, kind: RetainedKindName, month: string): Promise<number> {
  return inTransaction(db, async (transaction) => {
    await setLockTimeout(transaction, maxWriterWaitMs)
    // A concurrent writer of this month would look for a partition that is being dropped.
    await lockReadings(transaction)
    await setLockTimeout(transaction, maxLockWaitMs)
    const removed = await retained[kind].remove(transaction, month)
    await recordRemovedMonth(transaction, kind, month, removed)
    await countChange(transaction, retained[kind].areas)
    return removed
  })
}

function letGo(db: Database, kind: RetainedKindName, until: string): Promise<void> {
  return inTransaction(db, async (transaction) => {
    await setLockTimeout(transaction, maxLockWaitMs)
    if (await retained[kind].letGo?.(transaction, until)) await countChange(transaction, retained[kind].areas)
  })
}

const filesAtATime = 100

function removeSomeFiles(db: Database, media: MediaStore): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    await setLockTimeout(transaction, maxLockWaitMs)
    return removeFiles(transaction, media, filesAtATime)
  })
}

async function lookAt(
  db: Database,
  retention: Retention,
  kind: RetainedKindName,
  now: Date,
): Promise<{ shown: PolicyEffect; due: StoredMonth[]; letsGo: string | undefined }> {
  const { unit, newest, months } = retained[kind]
  const keepDays = keepDaysOf(retention, kind)
  const until = keepDays === null ? '' : await firstKeptMonth(db, keepDays, now, await newest(db))
  const stored = await months(db, until)
  const due = stored.filter(({ month, removable }) => month < until && removable > 0)
  const leavesOne = stored.filter(({ month }) => month >= until).length < 2
  const standsAlone = due.length > 0 && leavesOne
  const going = standsAlone ? [] : due
  const removes = going.map(({ month, removable, removableBytes }) => ({
    month,
    stored: removable,
    bytes: removableBytes,
  }))
  return {
    shown: { kind, unit, keepDays, stored: spanOf(stored), standsAlone, removes: spanOf(removes) },
    due: going,
    letsGo: keepDays === null || leavesOne ? undefined : until,
  }
}

const dayMs = 86_400_000

/**
 * The first month that a policy keeps, `YYYY-MM`: earlier months ended longer ago than the policy allows. Age is counted
 * from the earliest of the newest evidence and the clocks of this process and of the store: evidence that is no longer
 * collected is not used up, and a clock that jumps ahead removes nothing.
 */
async function firstKeptMonth(
  db: Database,
  keepDays: number,
  now: Date,
  newest: Date | undefined,
): Promise<string> {
  const clock = await firstRow(db, sql<{ now: Date }>`select now() as now`)
  const from = Math.min(...[now, clock?.now, newest].flatMap((time) => (time ? [time.getTime()] : [])))
  return new Date(from - keepDays * dayMs).toISOString().slice(0, 7)
}

function spanOf(months: readonly Pick<StoredMonth, 'month' | 'stored' | 'bytes'>[]): RetainedSpan | null {
  const [first, last] = [months[0], months.at(-1)]
  if (!first || !last) return null
  return {
    from: first.month,
    to: last.month,
    months: months.length,
    count: months.reduce((sum, { stored }) => sum + stored, 0),
    bytes: months.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}
