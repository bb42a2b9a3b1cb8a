import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import { writtenRows } from '../../storage/written-rows.ts'
import type { AppleListKind } from '../../vocabulary/app-relations.ts'
import { namedReadingColumns } from '../evidence/queries.ts'
import type { ObservedReading, Reading } from '../evidence/reading.ts'

/** Apps that Apple shows beside one app in a storefront. */
export interface AppleList {
  reading: Reading
  country: string
  storeId: string
  kind: AppleListKind
  /** In Apple's order. */
  storeIds: readonly string[]
}

/**
 * Keeps what Apple shows beside apps: a list replaces an older one as a whole, and one that arrives late is passed over.
 * Of two of one instant always the same one stays. A list without apps says nothing. Runs inside the caller's
 * transaction, after the sightings of the same readings: those let one writer in at a time.
 */
export async function storeAppleLists(db: Database, lists: readonly AppleList[]): Promise<void> {
  const newest = new Map<string, AppleList>()
  for (const list of lists) {
    const key = `${list.storeId} ${list.country} ${list.kind}`
    const known = newest.get(key)
    if (list.storeIds.length > 0 && (!known || isLater(list.reading, known.reading))) newest.set(key, list)
  }
  if (newest.size === 0) return
  const sent = [...newest].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, list]) => toSend(list))
  const from = sql`json_to_recordset(${JSON.stringify(sent)}::json) as sent("storeId" bigint, country text, kind text,
    "observedAt" timestamptz, "readingId" uuid, "readingKey" text, "storeIds" bigint[])`
  const same = sql`l.store_id = sent."storeId" and l.country = sent.country and l.kind = sent.kind`
  await sql`delete from apple_lists l using ${from} where ${same}
    and (l.observed_at, l.reading_key) < (sent."observedAt", sent."readingKey")`.execute(db)
  await sql`
    insert into apple_lists (store_id, country, kind, position, similar_id, observed_at, reading_id, reading_key)
    select sent."storeId", sent.country, sent.kind, place.position, place.similar_id, sent."observedAt", sent."readingId",
      sent."readingKey"
    from ${from}, unnest(sent."storeIds") with ordinality as place(similar_id, position)
    where (sent."storeId", sent.country, sent.kind) not in (
      select l.store_id, l.country, l.kind from apple_lists l join ${from} on ${same})`.execute(db)
  writtenRows(db).add(
    'apple_lists',
    sent.reduce((sum, { storeIds }) => sum + storeIds.length, 0),
  )
}

function toSend({ reading, country, storeId, kind, storeIds }: AppleList) {
  const { observedAt, readingId, key } = reading
  return { storeId, country, kind, observedAt, readingId, readingKey: key, storeIds }
}

const isLater = (one: Reading, other: Reading) =>
  one.observedAt.getTime() === other.observedAt.getTime()
    ? one.key > other.key
    : one.observedAt > other.observedAt

/** A place in a list of Apple's. */
export interface ListedPlace {
  /** The other app: the one listed, or the one whose list it is. */
  storeId: string
  kind: AppleListKind
  /** Whether the list is the app's own, and not one of another app that names it. */
  own: boolean
  /** Counted from 1. */
  position: number
  /** Places of the list. */
  places: number
  observedAt: Date
}

/** The app's own lists, and the places it has in lists of similar apps of others, best first, at most `limit` of these. */
export function placesInAppleLists(
  db: Database,
  storeId: string,
  country: string,
  limit: number,
): Promise<ListedPlace[]> {
  const id = bigintId(storeId)
  return rows(
    db,
    sql<ListedPlace>`
      with l as materialized (
        select * from apple_lists where similar_id = ${id} and country = ${country} and kind = 'similar'
        order by position, store_id limit ${limit}
      ), whole as materialized (
        select store_id, count(*)::int as places from apple_lists
        where store_id in (select store_id from l) and country = ${country} and kind = 'similar'
        group by store_id
      )
      select similar_id::text as "storeId", kind, true as own, position,
        (count(*) over (partition by kind))::int as places, observed_at as "observedAt"
      from apple_lists where store_id = ${id} and country = ${country}
      union all
      select l.store_id::text, l.kind, false, l.position, whole.places, l.observed_at
      from l join whole using (store_id)`,
  )
}

/** The reading behind the newest list of similar apps of an app in a storefront: one row, or none. */
export const similarListReading = (storeId: string, country: string) => sql<ObservedReading>`
  with l as materialized (
    select reading_id, observed_at from apple_lists
    where store_id = ${bigintId(storeId)} and country = ${country} and kind = 'similar'
    limit 1
  )
  select ${namedReadingColumns(sql`r`)}, l.observed_at as "observedAt" from l join readings r using (reading_id)`
