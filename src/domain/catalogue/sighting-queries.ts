import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { monthAt } from '../../storage/months.ts'
import { fieldBits } from './listing.ts'
import type { SplitVersion } from './listing-history.ts'

/** That a listing was seen at an instant, and which tracked fields it showed, as bits. */
export interface SightingRow {
  storeId: string
  country: string
  observedAt: Date
  /** The update date that was shown, RFC 3339 (old-copies.ts). */
  updateDate?: string | undefined
  stated: number
  hinted: number
}

/** Notes sightings; several of one instant count together. What charts do not tell of their entries stands apart. */
export async function recordSightings(
  db: Database,
  table: 'listing_sightings' | 'chart_sightings',
  sightings: readonly SightingRow[],
): Promise<void> {
  if (sightings.length === 0) return
  const isDated = table === 'listing_sightings'
  const key = sql.raw(`store_id, country, observed_at${isDated ? ', updated_at' : ''}`)
  const seen = sql.raw(
    `"storeId", country, "observedAt"${isDated ? `, coalesce("updateDate", 'infinity')` : ''}`,
  )
  await sql`
    insert into ${sql.table(table)} as s (${key}, stated, hinted)
    select ${seen}, bit_or(stated), bit_or(hinted)
    from json_to_recordset(${JSON.stringify(sightings)}::json) as sent("storeId" bigint, country text,
      "observedAt" timestamptz, "updateDate" timestamptz(3), stated integer, hinted integer)
    group by ${seen}
    on conflict (${key}) do update
      set stated = s.stated | excluded.stated, hinted = s.hinted | excluded.hinted
      where (s.stated | excluded.stated, s.hinted | excluded.hinted) <> (s.stated, s.hinted)`.execute(db)
}

/** A version of an app whose sightings are asked for. */
export type SoughtVersion = SplitVersion & { storeId: string; country: string }

/** For each version, in order, the instants in milliseconds at which its field was seen while it held. */
export async function instantsWithin(db: Database, sought: readonly SoughtVersion[]): Promise<number[][]> {
  if (sought.length === 0) return []
  const asked = sought.map(({ storeId, country, field, hinted, version }, place) => ({
    place,
    storeId,
    country,
    stated: hinted ? 0 : fieldBits[field],
    hinted: hinted ? fieldBits[field] : 0,
    from: new Date(version.firstSeenAt),
    to: new Date(version.lastSeenAt),
  }))
  const shows = (row: ReturnType<typeof sql>) =>
    sql`((${row}.stated & asked.stated) | (${row}.hinted & asked.hinted)) <> 0`
  const found = await rows(
    db,
    sql<{ instants: number[] | null }>`
      with asked as materialized (
        select * from json_to_recordset(${JSON.stringify(asked)}::json) as asked(place integer, "storeId" bigint, country text,
          stated integer, hinted integer, "from" timestamptz, "to" timestamptz)
      ), listed as materialized (
        select asked.place, s.observed_at as at
        from asked join listing_sightings s on s.store_id = asked."storeId" and s.country = asked.country
          and s.observed_at between asked."from" and asked."to" and ${shows(sql`s`)}
      ), stated as materialized (
        select asked.place, s.observed_at as at
        from asked join chart_sightings s on s.store_id = asked."storeId" and s.country = asked.country
          and s.observed_at between asked."from" and asked."to" and ${shows(sql`s`)}
      ), ranked as materialized (
        select asked.*, k.chart_id, k.captured_at
        from asked
        join chart_ranks k on k.store_id = asked."storeId" and k.captured_at between asked."from" and asked."to"
          and k.month between ${monthAt(sql`asked."from"`)} and ${monthAt(sql`asked."to"`)}
        join charts c on c.chart_id = k.chart_id and c.country = asked.country
      ), charted as materialized (
        select asked.place, p.captured_at as at
        from ranked asked
        join chart_snapshots p on p.chart_id = asked.chart_id and p.captured_at = asked.captured_at
        where ${shows(sql`p`)} and asked."storeId" <> all(coalesce(p.apart, '{}'))
      ), seen as materialized (
        select place, json_agg((extract(epoch from at) * 1000)::bigint) as instants
        from (select * from listed union all select * from stated union all select * from charted) each
        group by place
      )
      select instants from asked left join seen using (place)
      order by place`,
  )
  return found.map(({ instants }) => instants ?? [])
}
