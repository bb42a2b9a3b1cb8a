import { sql } from 'kysely'
import { firstRow, rows } from '../../storage/database.ts'
import { bytesOfMonths, reduceMonthTo } from '../../storage/months.ts'
import {
  countedByMonth,
  endOfMonth,
  type RetainedKind,
  type StoredMonth,
  startOfMonth,
  withBytesOfRelatedTables,
} from './kind.ts'

/** Whether a snapshot `s` of a chart `c` has a later one that is not the newest: the newest and its predecessor stay. */
const hasLater = sql`exists (
  select 1 from chart_snapshots b
  where b.chart_id = s.chart_id and b.captured_at > s.captured_at and b.captured_at < c.newest_captured_at)`

/**
 * Snapshots and ranks of charts, by the month of their capture. The newest capture of each chart and the one it is compared
 * with stay, however old they are. Ranks from lists with gaps go with the month; each counts as one.
 */
export const chartRankRetention: RetainedKind = {
  unit: 'captures',
  areas: ['charts'],
  async newest(db) {
    const found = await firstRow(
      db,
      sql<{ at: Date | null }>`
        select max(at) as at from (
          select max(newest_captured_at) as at from charts union all select max(captured_at) from told_ranks) newest`,
    )
    return found?.at ?? undefined
  },
  async months(db, until) {
    const snapshots = await countedByMonth(
      db,
      'chart_snapshots',
      {
        from: sql`chart_snapshots s join charts c on c.chart_id = s.chart_id`,
        month: sql`to_char(s.captured_at at time zone 'UTC', 'YYYY-MM')`,
        goes: hasLater,
      },
      until,
    )
    const told = await countedByMonth(
      db,
      'told_ranks',
      {
        from: sql`told_ranks`,
        month: sql`to_char(captured_at at time zone 'UTC', 'YYYY-MM')`,
        goes: sql`true`,
      },
      until,
    )
    return together(withBytesOfRelatedTables(snapshots, await bytesOfMonths(db, 'chart_months')), told)
  },
  async remove(db, month) {
    const within = sql`s.captured_at >= ${startOfMonth(month)} and s.captured_at < ${endOfMonth(month)}`
    const gone = await rows(
      db,
      sql`
        delete from chart_snapshots s using charts c
        where c.chart_id = s.chart_id and ${within} and ${hasLater} returning s.chart_id`,
    )
    await reduceMonthTo(
      db,
      'chart_months',
      month,
      sql`
        with stay as materialized (select s.chart_id, s.captured_at from chart_snapshots s where ${within})
        select k.store_id, k.month, k.chart_id, array_agg(stay.captured_at order by stay.captured_at),
          array_agg(k.rank order by stay.captured_at)
        from chart_ranks k join stay on stay.chart_id = k.chart_id and stay.captured_at = k.captured_at
        where k.month = ${`${month}-01`}::date and k.chart_id = any(array(select distinct chart_id from stay))
        group by k.store_id, k.month, k.chart_id order by k.store_id, k.chart_id`,
    )
    const told = await rows(
      db,
      sql`
        delete from told_ranks
        where captured_at >= ${startOfMonth(month)} and captured_at < ${endOfMonth(month)} returning store_id`,
    )
    return gone.length + told.length
  },
}

function together(one: readonly StoredMonth[], other: readonly StoredMonth[]): StoredMonth[] {
  const months = new Map<string, StoredMonth>()
  for (const { month, ...more } of [...one, ...other]) {
    const known = months.get(month)
    months.set(month, {
      month,
      stored: more.stored + (known?.stored ?? 0),
      bytes: more.bytes + (known?.bytes ?? 0),
      removable: more.removable + (known?.removable ?? 0),
      removableBytes: more.removableBytes + (known?.removableBytes ?? 0),
    })
  }
  return [...months.values()].sort((a, b) => (a.month < b.month ? -1 : 1))
}
