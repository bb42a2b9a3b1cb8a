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
  await sql`
    insert into ${sql.table(table)} as s (store_id, country, observed_at, stated, hinted)
    select "storeId", country, "observedAt", bit_or(stated), bit_or(hinted)
    from json_to_recordset(${JSON.stringify(sightings)}::json) as sent("storeId" bigint, country text,
      "observedAt" timestamptz, stated integer, hinted integer)
    group by "storeId", country, "observedAt"
    on conflict (store_id, country, observed_at) do update
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
      select (
        select json_agg((extract(epoch from at) * 1000)::bigint) from (
          select s.observed_at as at
          from (select * from listing_sightings union all select * from chart_sightings) s
          where s.store_id = asked."storeId" and s.country = asked.country
            and s.observed_at between asked."from" and asked."to" and ${shows(sql`s`)}
          union all
          select p.captured_at from charts c
          join chart_ranks k on k.chart_id = c.chart_id and k.store_id = asked."storeId"
            and k.captured_at between asked."from" and asked."to"
            and k.month between ${monthAt(sql`asked."from"`)} and ${monthAt(sql`asked."to"`)}
          join chart_snapshots p on p.chart_id = c.chart_id and p.captured_at = k.captured_at
          where c.country = asked.country and ${shows(sql`p`)} and k.store_id <> all(coalesce(p.apart, '{}'))
        ) seen) as instants
      from json_to_recordset(${JSON.stringify(asked)}::json) as asked(place integer, "storeId" bigint, country text,
        stated integer, hinted integer, "from" timestamptz, "to" timestamptz)
      order by asked.place`,
  )
  return found.map(({ instants }) => instants ?? [])
}
