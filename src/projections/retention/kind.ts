import { type RawBuilder, sql } from 'kysely'
import { bytesOnDisk } from '../../storage/colocation.ts'
import { type Database, rows } from '../../storage/database.ts'
import type { ChangeArea } from '../../vocabulary/evidence-areas.ts'

/** The stored evidence of one month. */
export interface StoredMonth {
  /** `YYYY-MM`. */
  month: string
  /** Number in the unit of its kind. */
  stored: number
  /** Size on disk, with indexes. */
  bytes: number
  /** The removable number of them; the newest state of everything and evidence that accounts depend on stay. */
  removable: number
  /** Their part of `bytes`. */
  removableBytes: number
}

/** A kind of evidence with a retention policy: how its months are counted, and how one of them is removed. */
export interface RetainedKind {
  /** The unit of its counts, in the plural. */
  unit: string
  /** The areas whose replies change after a removal. */
  areas: readonly ChangeArea[]
  /** The time of the newest evidence; undefined without any. */
  newest(db: Database): Promise<Date | undefined>
  /** The stored evidence by month, oldest first. Only months before `until` have removable evidence. @param until `YYYY-MM` */
  months(db: Database, until: string): Promise<StoredMonth[]>
  /**
   * Applies the policy to evidence that stays, where that is needed: before months are removed, in the caller's transaction.
   * @param until `YYYY-MM`, the first month that the policy keeps
   * @returns whether anything changed
   */
  letGo?(db: Database, until: string): Promise<boolean>
  /** Removes the removable evidence of a month, in the caller's transaction. @returns the number removed, in its unit */
  remove(db: Database, month: string): Promise<number>
}

/** The first instant of a month, in UTC, and of the one after it. */
export const startOfMonth = (month: string) => sql`${`${month}-01`}::date::timestamp at time zone 'UTC'`
export const endOfMonth = (month: string) =>
  sql`(${`${month}-01`}::date + interval '1 month') at time zone 'UTC'`

/**
 * Counts a table by month, with the share of the bytes of the table.
 * @param from the table and its joins
 * @param month of a row, as `YYYY-MM`
 * @param goes whether a row may be removed
 */
export async function countedByMonth(
  db: Database,
  table: string,
  { from, month, goes }: Record<'from' | 'month' | 'goes', RawBuilder<unknown>>,
  until: string,
): Promise<StoredMonth[]> {
  const counted = await rows(
    db,
    sql<{ month: string; going: boolean; count: number }>`
      select month, going, count(*)::float8 as count
      from (select ${month} as month, ${month} < ${until} and ${goes} as going from ${from}) one
      group by month, going order by month`,
  )
  const bytes = (await bytesOnDisk(db, [table])).get(table) ?? 0
  const each = bytes / Math.max(1, sum(counted.map(({ count }) => count)))
  return [...Map.groupBy(counted, (one) => one.month)].map(([of, parts]) => {
    const stored = sum(parts.map(({ count }) => count))
    const removable = sum(parts.filter(({ going }) => going).map(({ count }) => count))
    return {
      month: of,
      stored,
      bytes: Math.round(stored * each),
      removable,
      removableBytes: Math.round(removable * each),
    }
  })
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

/** Adds the bytes of related tables to months; the removable share is the same as that of the counted rows. */
export const withBytesOfRelatedTables = (
  months: readonly StoredMonth[],
  bytesOf: ReadonlyMap<string, number>,
): StoredMonth[] =>
  months.map((one) => {
    const part = bytesOf.get(one.month) ?? 0
    return {
      ...one,
      bytes: one.bytes + part,
      removableBytes: one.removableBytes + Math.round((part * one.removable) / one.stored),
    }
  })
