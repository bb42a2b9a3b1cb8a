import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../storage/database.ts'
import { bigintOf } from '../../storage/ids.ts'
import { type AvailabilityState, fewestStorefronts } from '../../vocabulary/availability.ts'
import type { NamedReading, Reading } from '../evidence/reading.ts'

/**
 * Whether storefronts list an app, by when they were asked for it and did not list it, and when it was seen. Nothing is concluded when it is
 * stored, so the order of arrival does not matter.
 */

const appId = bigintOf(sql`"storeId"`)

/** Stores when apps were missed. A second reading of the same instant and source changes nothing but the reading that is named. */
export async function storeMisses(
  db: Database,
  parts: readonly { reading: Reading; country: string; storeIds: readonly string[] }[],
): Promise<void> {
  const sent = parts.flatMap(({ reading, country, storeIds }) =>
    storeIds.map((storeId) => ({
      storeId,
      country,
      observedAt: reading.observedAt.toISOString(),
      source: reading.source,
      origin: reading.origin,
      timeBasis: reading.timeBasis,
      key: reading.key,
      readingId: reading.readingId,
    })),
  )
  if (sent.length === 0) return
  await sql`
    insert into missed_apps as m (store_id, country, observed_at, source, origin, time_basis, reading_key, reading_id)
    select distinct on (${appId}, country, "observedAt", source)
      ${appId}, country, "observedAt", source, origin, "timeBasis", key, "readingId"
    from json_to_recordset(${JSON.stringify(sent)}::json) as sent("storeId" text, country text, "observedAt" timestamptz,
      source text, origin text, "timeBasis" text, key text, "readingId" uuid)
    order by ${appId}, country, "observedAt", source, key collate "C"
    on conflict (store_id, country, observed_at, source) do update
      set reading_key = excluded.reading_key, reading_id = excluded.reading_id, origin = excluded.origin,
        time_basis = excluded.time_basis
      where excluded.reading_key < m.reading_key`.execute(db)
}

/** Between two misses that confirm each other: two answers of one cache within minutes are one. */
const confirmingMs = 3_600_000

/** Misses of an app in a storefront with no sighting between them. Times are milliseconds since 1970. */
export interface Gap {
  storeId: string
  country: string
  /** The newest sighting before; null where there is none. */
  lastSeenAt: number | null
  /** The first sighting after; null while there is none. */
  backAt: number | null
  firstAt: number
  lastAt: number
  misses: number
  firstLookupAt: number | null
  firstPageAt: number | null
  /** The first miss at least an hour after the first one. */
  firstLateAt: number | null
  first: NamedReading
  last: NamedReading
}

const ms = (moment: RawBuilder<unknown>) => sql`(extract(epoch from ${moment}) * 1000)::double precision`

/**
 * The gaps of apps as JSON rows, in no order. A sighting that an old copy told (docs/decisions/0074-old-copies.md) does not count, and neither
 * do those in charts, which are made beforehand.
 * @param which a condition on `m`, which names the apps
 */
export const gapRows = (which: RawBuilder<unknown>) => sql`
  select json_build_object('storeId', g.store_id::text, 'country', g.country, 'backAt', ${ms(sql`g.back_at`)},
    'firstAt', ${ms(sql`g.first_at`)}, 'lastAt', ${ms(sql`g.last_at`)}, 'misses', g.misses,
    'firstLookupAt', ${ms(sql`g.first_lookup_at`)}, 'firstPageAt', ${ms(sql`g.first_page_at`)},
    'firstLateAt', ${ms(sql`g.first_late_at`)}, 'first', g.first, 'last', g.last,
    'lastSeenAt', ${ms(sql`(
      select max(s.observed_at) from listing_sightings s
      where s.store_id = g.store_id and s.country = g.country and s.observed_at < g.first_at and (s.stated | s.hinted) <> 0)`)}) as gap
  from (
    select store_id, country, back_at, first_at, max(observed_at) as last_at, count(*)::int as misses,
      min(observed_at) filter (where source = 'itunes-lookup') as first_lookup_at,
      min(observed_at) filter (where source = 'app-store-page') as first_page_at,
      min(observed_at) filter (where observed_at >= first_at + ${confirmingMs} * interval '1 millisecond') as first_late_at,
      (array_agg(reading order by observed_at, source))[1] as first,
      (array_agg(reading order by observed_at desc, source))[1] as last
    from (
      select *, min(observed_at) over (partition by store_id, country, back_at) as first_at from (
        select m.store_id, m.country, m.observed_at, m.source,
          json_build_object('readingId', m.reading_id, 'source', m.source, 'origin', m.origin, 'timeBasis', m.time_basis) as reading,
          (select min(s.observed_at) from listing_sightings s
            where s.store_id = m.store_id and s.country = m.country and s.observed_at >= m.observed_at
              and (s.stated | s.hinted) <> 0) as back_at
        from missed_apps m where ${which}
      ) one
    ) grouped
    group by store_id, country, back_at, first_at
  ) g`

/**
 * A select of `app_id` and `since` of the tracked apps whose storefront does not list them, confirmed as `confirmedAt` says.
 * @param tracked a relation with `app_id`, `store_id` and `country`
 */
export const notFoundAmong = (tracked: RawBuilder<unknown>) => sql`
  select t.app_id, min(m.observed_at) as since
  from ${tracked} t join missed_apps m on m.store_id = t.store_id and m.country = t.country
  where not exists (
    select from listing_sightings s
    where s.store_id = m.store_id and s.country = m.country and s.observed_at >= m.observed_at and (s.stated | s.hinted) <> 0)
  group by t.app_id
  having bool_or(m.source = 'itunes-lookup') and (bool_or(m.source = 'app-store-page')
    or max(m.observed_at) >= min(m.observed_at) + ${confirmingMs} * interval '1 millisecond')`

/** When a gap was confirmed: by two misses an hour apart, or by Lookup and the page; never by pages alone. Undefined while it is not. */
export function confirmedAt({ firstLookupAt, firstPageAt, firstLateAt }: Gap): number | undefined {
  if (firstLookupAt === null) return undefined
  const byBoth = firstPageAt === null ? Number.POSITIVE_INFINITY : Math.max(firstLookupAt, firstPageAt)
  const at = Math.max(firstLookupAt, Math.min(firstLateAt ?? Number.POSITIVE_INFINITY, byBoth))
  return Number.isFinite(at) ? at : undefined
}

/** A storefront that has a record of the app, and when the app was last seen there. */
export interface Seen {
  country: string
  at: number
}

/** Where an app was missed, with what that means there. */
export interface StorefrontAvailability {
  country: string
  state: Extract<AvailabilityState, 'listed' | 'missed' | 'not-found'>
  lastSeenAt: number | null
  /** Of the misses since then; null where it is listed. */
  gap: Gap | null
}

export interface Availability {
  state: AvailabilityState
  lastSeenAt: number | null
  /** The misses since then; null where there are none. */
  gap: Gap | null
  /** When all that the state rests on was there; undefined for states that rest on no miss. */
  since: number | undefined
  /** Storefronts asked since the app was last seen anywhere, none of which lists it, alphabetically. */
  askedSince: string[]
  /** All gaps in the storefront asked for, newest first. */
  gaps: Gap[]
  /** The storefront asked for, then all others in which it was missed or is seen, alphabetically. */
  storefronts: StorefrontAvailability[]
}

/**
 * @param gaps of the app in all storefronts, in any order
 * @param seen every storefront with a record of the app
 */
export function availabilityOf(country: string, gaps: readonly Gap[], seen: readonly Seen[]): Availability {
  const seenIn = new Map(seen.map((one) => [one.country, one.at]))
  const open = new Map(gaps.filter(({ backAt }) => backAt === null).map((gap) => [gap.country, gap]))
  const storefronts = [...new Set([...seenIn.keys(), ...gaps.map((gap) => gap.country)])]
    .sort((one, other) => Number(other === country) - Number(one === country) || (one < other ? -1 : 1))
    .map((one): StorefrontAvailability => {
      const gap = open.get(one) ?? null
      const lastSeenAt = gap?.lastSeenAt ?? seenIn.get(one) ?? null
      // What only charts have shown has no sightings of its own.
      if (!gap || (lastSeenAt ?? 0) > gap.lastAt)
        return { country: one, state: 'listed', lastSeenAt, gap: null }
      return { country: one, state: confirmedAt(gap) === undefined ? 'missed' : 'not-found', lastSeenAt, gap }
    })
  const lastAnywhere = Math.max(...storefronts.map(({ lastSeenAt }) => lastSeenAt ?? Number.NEGATIVE_INFINITY))
  const asked = storefronts.flatMap(({ gap }) => (gap && gap.lastAt > lastAnywhere ? [gap] : []))
  const here = storefronts.find((one) => one.country === country)
  const confirmed = here?.gap && confirmedAt(here.gap)
  const isGone =
    confirmed !== undefined &&
    asked.some((gap) => gap.country === country) &&
    asked.length >= fewestStorefronts &&
    Number.isFinite(lastAnywhere)
  const askedAt = asked
    .map(({ firstAt, lastAt }) => (firstAt > lastAnywhere ? firstAt : lastAt))
    .sort(ascending)
  const since = confirmed ?? here?.gap?.firstAt
  return {
    state: isGone ? 'probably-removed' : (here?.state ?? 'unknown'),
    lastSeenAt: here?.lastSeenAt ?? null,
    gap: here?.gap ?? null,
    since: isGone && since !== undefined ? Math.max(since, askedAt[fewestStorefronts - 1] ?? since) : since,
    askedSince: asked.map((gap) => gap.country).sort(),
    gaps: gaps.filter((gap) => gap.country === country).sort((one, other) => other.firstAt - one.firstAt),
    storefronts,
  }
}

const ascending = (one: number, other: number) => one - other

const day = (at: number) => new Date(at).toISOString().slice(0, 10)

/** The same in a sentence or two. */
export function availabilityInWords(country: string, availability: Availability): string {
  const { state, lastSeenAt, gap, askedSince, gaps } = availability
  const back = gaps.find((one) => confirmedAt(one) !== undefined)
  const seen = lastSeenAt === null ? 'never seen there' : `last seen there on ${day(lastSeenAt)}`
  switch (state) {
    case 'unknown':
      return `Not collected in the storefront ${country} yet: whether it is listed there is unknown.`
    case 'listed':
      return !back?.backAt
        ? 'Listed in the latest data of the storefront.'
        : `Back in the storefront ${country} since ${day(back.backAt)}, not found from ${day(back.firstAt)} to ${day(back.lastAt)}.`
    case 'missed':
      return `Not listed in the storefront ${country} on ${day(gap?.firstAt ?? 0)} (${seen}). Not confirmed by a second check yet.`
    case 'not-found':
      return `Not found in the storefront ${country} since ${day(gap?.firstAt ?? 0)} (${seen}). It may be available in others.`
    case 'probably-removed': {
      const last = Math.max(...availability.storefronts.map((one) => one.lastSeenAt ?? 0))
      return `Not found in any of the ${askedSince.length} storefronts checked (${askedSince.join(', ')}) since it was last seen, on ${day(last)}: probably removed from the App Store.`
    }
  }
}
