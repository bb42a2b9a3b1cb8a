import { type RawBuilder, sql } from 'kysely'
import { firstRow, rows } from '../../storage/database.ts'
import { type RetainedKind, type StoredMonth, startOfMonth } from './kind.ts'

/**
 * The list `copies` of stored copies with the time they were last needed: when their post or ad was last seen, or they were
 * made. Copies, posts, ads and saved items have different distribution columns, so each is a list of its own.
 * @param which a condition on their `sha256`
 */
const copies = (which: RawBuilder<unknown>) => sql`
  k as materialized (
    select media_id, sha256, released_at, stored_at, owner, creative_id from archived_media where status = 'stored' and ${which}
  ), p as materialized (
    select post_id, last_observed_at from posts where post_id in (select substr(owner, 6) from k where creative_id is null)
  ), a as materialized (
    select platform, archive_id, last_observed_at from ads
    where archive_id in (select split_part(owner, '/', 2) from k where creative_id is not null)
  ), saved as materialized (
    select 'post ' || post_id as owner from saved_posts union all select 'ad ' || platform || '/' || archive_id from saved_ads
  ), copies as materialized (
    select k.media_id, k.sha256, k.released_at, greatest(k.stored_at, p.last_observed_at, a.last_observed_at) as needed_at,
      k.owner in (select owner from saved) as is_saved
    from k
    left join p on k.creative_id is null and p.post_id = substr(k.owner, 6)
    left join a on k.creative_id is not null and a.platform = split_part(substr(k.owner, 4), '/', 1)
      and a.archive_id = split_part(k.owner, '/', 2)
  )`

/**
 * The list `contents` of the media store, each with the newest time of its copies; without copies it is as old as its file.
 * @param which a condition on their `sha256`
 */
const contents = (which: RawBuilder<unknown>) => sql`
  ${copies(which)}, contents as materialized (
    select sha256, o.size_bytes, coalesce(bool_or(c.is_saved), false) as is_saved,
      to_char(coalesce(max(c.needed_at), o.stored_at) at time zone 'UTC', 'YYYY-MM') as month
    from media_objects o left join copies c using (sha256)
    where ${which} group by sha256, o.size_bytes, o.stored_at
  )`

const all = sql`true`

/**
 * Pictures and videos of posts and ads, each content once, by the month in which the newest of its posts and ads was last
 * seen or copied. Contents that any account has saved stay. Files are removed afterwards (`removeFiles`), so that no row
 * ever names a missing one.
 */
export const mediaRetention: RetainedKind = {
  unit: 'files',
  areas: ['posts', 'ads'],
  async newest(db) {
    const found = await firstRow(
      db,
      sql<{ at: Date | null }>`with ${copies(all)} select max(needed_at)::timestamptz(3) as at from copies`,
    )
    return found?.at ?? undefined
  },
  months: (db, until) => {
    const goes = sql`month < ${until} and not is_saved`
    return rows(
      db,
      sql<StoredMonth>`
        with ${contents(all)}
        select month, count(*)::float8 as stored, sum(size_bytes)::float8 as bytes,
          count(*) filter (where ${goes})::float8 as removable,
          coalesce(sum(size_bytes) filter (where ${goes}), 0)::float8 as "removableBytes"
        from contents group by month order by month`,
    )
  },
  /**
   * Released copies stay visible only to accounts that have them saved. That another account has saved one must not show: to
   * all others such a copy looks removed.
   */
  async letGo(db, until) {
    const changed = await rows(
      db,
      sql`
        with ${copies(all)}
        update archived_media t set released_at = now() from copies c
        where c.media_id = t.media_id and t.released_at is null and c.needed_at < ${startOfMonth(until)} returning t.media_id`,
    )
    return changed.length > 0
  },
  async remove(db, month) {
    // No copy of an equal content can be recorded meanwhile.
    await sql`lock table media_objects in share row exclusive mode`.execute(db)
    const goes = sql`select sha256 from contents where month = ${month} and not is_saved`
    const found = await rows(db, sql<{ sha256: string }>`with ${contents(all)} ${goes}`)
    // An account that saves one right now has its copies locked: the next statement then sees that it is saved. An update,
    // since a cluster does not lock rows of several nodes that are only read.
    await sql`
      update archived_media set status = status where sha256 in ${hashesOf(found)} and status = 'stored'`.execute(
      db,
    )
    const gone = await rows(
      db,
      sql<{ sha256: string }>`
        with ${contents(sql`sha256 in ${hashesOf(found)}`)}
        delete from media_objects where sha256 in (${goes}) returning sha256`,
    )
    await sql`
      update archived_media set status = 'not-kept', reason = null, released_at = least(released_at, now())
      where status = 'stored' and sha256 in ${hashesOf(gone)}`.execute(db)
    await sql`
      insert into removed_contents (sha256) select value from json_array_elements_text(${textOf(gone)}::json)
      on conflict do nothing`.execute(db)
    return gone.length
  },
}

const textOf = (contents: readonly { sha256: string }[]) => JSON.stringify(contents.map(({ sha256 }) => sha256))

const hashesOf = (contents: readonly { sha256: string }[]) =>
  sql`(select json_array_elements_text(${textOf(contents)}::json))`
