import { type RawBuilder, sql } from 'kysely'
import { bytesOnDisk } from '../../storage/alike.ts'
import { type Database, rows } from '../../storage/database.ts'
import type { ChangedArea } from '../../vocabulary/evidence-areas.ts'

/** What is stored of one month. */
export interface StoredMonth {
  /** `YYYY-MM`. */
  month: string
  /** In the unit of its kind. */
  stored: number
  /** On disk, with indexes. */
  bytes: number
  /** Those of them that may go; the newest state of everything and what accounts rest on stay. */
  removable: number
  /** The part of `bytes` that is theirs. */
  removableBytes: number
}

/** A kind of evidence that can be kept for a time only: how its months are counted, and how one of them is removed. */
export interface RetainedKind {
  /** What is counted, in the plural. */
  unit: string
  /** The areas whose replies are others afterwards. */
  areas: readonly ChangedArea[]
  /** The time of the newest evidence; undefined without any. */
  newest(db: Database): Promise<Date | undefined>
  /** What is stored by month, oldest first. What may go is counted in months before `until` alone. @param until `YYYY-MM` */
  months(db: Database, until: string): Promise<StoredMonth[]>
  /**
   * What the policy means for what stays, where it means anything: done before months are removed, in the caller's transaction.
   * @param until `YYYY-MM`, the first month that the policy keeps
   * @returns whether anything changed
   */
  letGo?(db: Database, until: string): Promise<boolean>
  /** Removes what may go of a month, in the caller's transaction. @returns how many, in its unit */
  remove(db: Database, month: string): Promise<number>
}

/** The first instant of a month, in UTC, and of the one after it. */
export const startOf = (month: string) => sql`${`${month}-01`}::date::timestamp at time zone 'UTC'`
export const endOf = (month: string) => sql`(${`${month}-01`}::date + interval '1 month') at time zone 'UTC'`

/**
 * Counts a table by month, with its share of the bytes of the table.
 * @param from the table, and what it is joined with
 * @param month of a row, as `YYYY-MM`
 * @param goes whether a row may go
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

/** Months with the bytes of what else belongs to them, of which as large a part goes as of what is counted. */
export const withParts = (
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
