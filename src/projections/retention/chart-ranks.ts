import { sql } from 'kysely'
import { firstRow, rows } from '../../storage/database.ts'
import { bytesOfMonths, leaveOfMonth } from '../../storage/months.ts'
import { countedByMonth, endOf, type RetainedKind, startOf, withParts } from './kind.ts'

/** Charts with the capture before their newest one; those before that may go. */
const chartsWithLast = sql`charts c cross join lateral (
  select coalesce(max(b.captured_at), '-infinity') as before_newest from chart_snapshots b
  where b.chart_id = c.chart_id and b.captured_at < c.newest_captured_at) last`

/**
 * Snapshots and ranks of charts, by the month of their capture. The newest capture of each chart and the one it is compared with stay,
 * however old they are.
 */
export const chartRanks: RetainedKind = {
  unit: 'captures',
  areas: ['charts'],
  async newest(db) {
    const found = await firstRow(db, sql<{ at: Date | null }>`select max(newest_captured_at) as at from charts`)
    return found?.at ?? undefined
  },
  async months(db, until) {
    const snapshots = await countedByMonth(
      db,
      'chart_snapshots',
      {
        from: sql`${chartsWithLast} join chart_snapshots s on s.chart_id = c.chart_id`,
        month: sql`to_char(s.captured_at at time zone 'UTC', 'YYYY-MM')`,
        goes: sql`s.captured_at < last.before_newest`,
      },
      until,
    )
    return withParts(snapshots, await bytesOfMonths(db, 'chart_months'))
  },
  async remove(db, month) {
    const within = sql`s.captured_at >= ${startOf(month)} and s.captured_at < ${endOf(month)}`
    const gone = await rows(
      db,
      sql`
        delete from chart_snapshots s using ${chartsWithLast}
        where s.chart_id = c.chart_id and ${within} and s.captured_at < last.before_newest
        returning s.chart_id`,
    )
    await leaveOfMonth(
      db,
      'chart_months',
      month,
      sql`
        select k.store_id, k.month, k.chart_id, array_agg(s.captured_at order by s.captured_at),
          array_agg(k.rank order by s.captured_at)
        from chart_ranks k join chart_snapshots s on s.chart_id = k.chart_id and s.captured_at = k.captured_at
        where k.month = ${`${month}-01`}::date
          and k.chart_id = any(array(select distinct s.chart_id from chart_snapshots s where ${within}))
        group by k.store_id, k.month, k.chart_id order by k.store_id, k.chart_id`,
    )
    return gone.length
  },
}
