import { type RawBuilder, sql } from 'kysely'
import { firstRow, rows } from '../../storage/database.ts'
import { type RetainedKind, type StoredMonth, startOf } from './kind.ts'

/** Copies that are stored, with the last time they were needed: when their post or ad was last seen, or they were made. */
const copies = sql`(
  select k.media_id, k.sha256, k.released_at, greatest(k.stored_at, p.last_observed_at, a.last_observed_at) as needed_at,
    k.owner in (
      select 'post ' || post_id from saved_posts union all select 'ad ' || platform || '/' || archive_id from saved_ads
    ) as is_saved
  from archived_media k
  left join posts p on k.creative_id is null and p.post_id = substr(k.owner, 6)
  left join ads a on k.creative_id is not null and a.platform = split_part(substr(k.owner, 4), '/', 1)
    and a.archive_id = split_part(k.owner, '/', 2)
  where k.status = 'stored')`

/** Contents of the store of media, each as its copies together need it; one that no copy names is as old as its file. */
const contents = (which: RawBuilder<unknown>) => sql`(
  select o.sha256, o.size_bytes, coalesce(bool_or(c.is_saved), false) as is_saved,
    to_char(coalesce(max(c.needed_at), o.stored_at) at time zone 'UTC', 'YYYY-MM') as month
  from media_objects o left join ${copies} c using (sha256)
  where ${which} group by o.sha256)`

/**
 * Pictures and videos of posts and ads, each content once, by the month in which the newest of its posts and ads was last seen or copied.
 * What anybody has saved stays. Files are removed afterwards (`removeFiles`), so that no row ever names one that is gone.
 */
export const keptMedia: RetainedKind = {
  unit: 'files',
  areas: ['posts', 'ads'],
  async newest(db) {
    const found = await firstRow(
      db,
      sql<{ at: Date | null }>`select max(needed_at)::timestamptz(3) as at from ${copies} c`,
    )
    return found?.at ?? undefined
  },
  months: (db, until) => {
    const goes = sql`month < ${until} and not is_saved`
    return rows(
      db,
      sql<StoredMonth>`
        select month, count(*)::float8 as stored, sum(size_bytes)::float8 as bytes,
          count(*) filter (where ${goes})::float8 as removable,
          coalesce(sum(size_bytes) filter (where ${goes}), 0)::float8 as "removableBytes"
        from ${contents(sql`true`)} o group by month order by month`,
    )
  },
  /**
   * What is let go is kept for those alone who have it saved. Whether somebody else has it saved must not show: to all others a copy that
   * stays for that reason is as one that went.
   */
  async letGo(db, until) {
    const changed = await rows(
      db,
      sql`
        update archived_media k set released_at = now() from ${copies} c
        where c.media_id = k.media_id and c.released_at is null and c.needed_at < ${startOf(until)} returning k.media_id`,
    )
    return changed.length > 0
  },
  async remove(db, month) {
    // No copy of an equal content is recorded meanwhile.
    await sql`lock table media_objects in share row exclusive mode`.execute(db)
    const found = await rows(
      db,
      sql<{ sha256: string }>`
        select sha256 from ${contents(sql`true`)} o where month = ${month} and not is_saved`,
    )
    const hashes = sql`(select json_array_elements_text(${JSON.stringify(found.map(({ sha256 }) => sha256))}::json))`
    // Who saves one now has its copies locked: the next statement sees that it is saved.
    await sql`
      select from archived_media where sha256 in ${hashes} and status = 'stored' order by media_id for update`.execute(
      db,
    )
    const [gone] = await rows(
      db,
      sql<{ files: number }>`
        with gone as (
          delete from media_objects where sha256 in (
            select sha256 from ${contents(sql`o.sha256 in ${hashes}`)} o where month = ${month} and not is_saved)
          returning sha256
        ), without as (
          update archived_media set status = 'not-kept', reason = null, released_at = coalesce(released_at, now())
          where status = 'stored' and sha256 in (select sha256 from gone)
        ), files as (
          insert into removed_contents (sha256) select sha256 from gone on conflict do nothing
        )
        select count(*)::int as files from gone`,
    )
    return gone?.files ?? 0
  },
}
