import { sql } from 'kysely'
import { firstRow, rows } from '../../storage/database.ts'
import { countedByMonth, type RetainedKind } from './kind.ts'

/** Whether an app has a later observation in the same month: the last one of each month stays, and thus the newest of all. */
const hasLater = sql`exists (
  select 1 from rating_observations later where later.store_id = o.store_id and later.country = o.country
    and later.day > o.day and later.day < date_trunc('month', o.day) + interval '1 month')`

/** Numbers of ratings of apps, by day: in removed months one observation of each app and storefront stays. */
export const ratings: RetainedKind = {
  unit: 'ratings',
  areas: ['apps'],
  async newest(db) {
    const found = await firstRow(
      db,
      sql<{ at: Date | null }>`select max(observed_at) as at from rating_observations`,
    )
    return found?.at ?? undefined
  },
  months: (db, until) =>
    countedByMonth(
      db,
      'rating_observations',
      {
        from: sql`rating_observations o`,
        month: sql`to_char(o.day, 'YYYY-MM')`,
        goes: hasLater,
      },
      until,
    ),
  async remove(db, month) {
    const first = sql`${`${month}-01`}::date`
    const gone = await rows(
      db,
      sql`
        delete from rating_observations o
        where o.day >= ${first} and o.day < ${first} + interval '1 month' and ${hasLater} returning o.store_id`,
    )
    return gone.length
  },
}
