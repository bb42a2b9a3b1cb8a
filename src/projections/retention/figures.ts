import { sql } from 'kysely'
import { postAgeIndex } from '../../domain/organic/post-writes.ts'
import { firstRow, rows } from '../../storage/database.ts'
import { countedByMonth, endOfMonth, type RetainedKind, startOfMonth } from './kind.ts'

/** Whether an app has a later observation in the same month: the last one of each month stays, and thus the newest of all. */
const hasLater = sql`exists (
  select 1 from rating_observations later where later.store_id = o.store_id and later.country = o.country
    and later.day > o.day and later.day < date_trunc('month', o.day) + interval '1 month')`

/** Numbers of ratings of apps, by day: in removed months one observation of each app and storefront stays. */
export const ratingRetention: RetainedKind = {
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

/**
 * Whether a later observation of the post makes this one redundant: one of the same age, with views where this one has any. Thus
 * the usual figures of an author at each age, and the newest figures of a post, stay the same. Saved posts keep all observations.
 */
const isSaidLater = sql`
  p.post_id not in (select post_id from saved_posts)
  and exists (
    select 1 from post_metrics later where later.post_number = m.post_number and later.observed_at > m.observed_at
      and (later.views is null) = (m.views is null)
      and ${postAgeIndex(sql`later`)} is not distinct from ${postAgeIndex(sql`m`)})`

const observed = sql`post_metrics m join posts p using (post_number)`
const month = sql`to_char(m.observed_at at time zone 'UTC', 'YYYY-MM')`

/** Views, likes and other counts of posts by observation: in removed months the last one of each age of a post stays. */
export const postFigureRetention: RetainedKind = {
  unit: 'observations',
  areas: ['posts'],
  async newest(db) {
    const found = await firstRow(db, sql<{ at: Date | null }>`select max(last_observed_at) as at from posts`)
    return found?.at ?? undefined
  },
  months: (db, until) =>
    countedByMonth(db, 'post_metrics', { from: observed, month, goes: sql`(${isSaidLater})` }, until),
  async remove(db, of) {
    const gone = await rows(
      db,
      sql`
        delete from post_metrics m using posts p
        where p.post_number = m.post_number and m.observed_at >= ${startOfMonth(of)} and m.observed_at < ${endOfMonth(of)}
          and ${isSaidLater}
        returning m.post_number`,
    )
    return gone.length
  },
}
