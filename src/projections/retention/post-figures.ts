import { sql } from 'kysely'
import { postAge } from '../../domain/organic/post-writes.ts'
import { firstRow, rows } from '../../storage/database.ts'
import { countedByMonth, endOf, type RetainedKind, startOf } from './kind.ts'

/**
 * Whether a later observation of the post makes this one redundant: one of the same age, with views where this one has any. Thus
 * the usual figures of an author at each age, and the newest figures of a post, stay the same. Saved posts keep all observations.
 */
const isSaidLater = sql`
  p.post_id not in (select post_id from saved_posts)
  and exists (
    select 1 from post_metrics later where later.post_number = m.post_number and later.observed_at > m.observed_at
      and (later.views is null) = (m.views is null)
      and ${postAge(sql`later`)} is not distinct from ${postAge(sql`m`)})`

const observed = sql`post_metrics m join posts p using (post_number)`
const month = sql`to_char(m.observed_at at time zone 'UTC', 'YYYY-MM')`

/** Views, likes and other counts of posts by observation: in removed months the last one of each age of a post stays. */
export const postFigures: RetainedKind = {
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
        where p.post_number = m.post_number and m.observed_at >= ${startOf(of)} and m.observed_at < ${endOf(of)}
          and ${isSaidLater}
        returning m.post_number`,
    )
    return gone.length
  },
}
