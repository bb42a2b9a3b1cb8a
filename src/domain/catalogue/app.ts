import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import { monthOfInstant } from '../../storage/months.ts'
import type { ChartKind } from '../../vocabulary/chart-kinds.ts'
import type { CheckKind } from '../../vocabulary/collecting.ts'
import type { Device } from '../../vocabulary/devices.ts'
import { allListingFields, type TrackedField } from '../../vocabulary/listing-fields.ts'
import type { Origin, SourceName, TimeBasis } from '../../vocabulary/provenance.ts'
import { type Availability, availabilityOf, type Gap, gapRows, type Seen } from './availability.ts'
import { genreAndAncestors, rootGenre } from './genres.ts'
import type { FieldVersion } from './listing-versions.ts'
import { type NewestLocalized, newestLocalizedJson } from './localizations.ts'
import type { AppRecord, RecordState } from './record.ts'
import { type RecordRow, recordColumns, toRecord } from './record-queries.ts'

/** An app as one storefront shows it. Missing data are not filled in from other storefronts. */
export interface StorefrontApp {
  storeId: string
  country: string
  /** The record with the history of its fields; undefined when nothing of the app is stored for the storefront. */
  state: RecordState | undefined
  /** Other storefronts with a record, alphabetically. */
  alsoIn: string[]
  /** Checks of the app here whose last attempt failed. */
  failedChecks: ReadonlySet<CheckKind>
  /** The newest answers in other languages; null where there are none. */
  localized: readonly NewestLocalized[] | null
  /** Whether any storefront missed it. */
  isMissed: boolean
  availability: Availability
}

/** An app in a storefront; undefined when no storefront has a record of it. */
export async function appInStorefront(
  db: Database,
  storeId: string,
  country: string,
): Promise<StorefrontApp | undefined> {
  const { record, versions, alsoIn, failedChecks, localized, isMissed } = await storedInStorefront(
    db,
    storeId,
    country,
  )
  if (!record && alsoIn.length === 0) return undefined
  const state: RecordState | undefined = record && { record, versions: new Map() }
  for (const { field, ...version } of versions)
    state?.versions.set(field, [...(state.versions.get(field) ?? []), version])
  // Without any miss, when it was seen in other storefronts is not read.
  const last = record ? [{ country, at: Date.parse(record.lastObservedAt) }] : []
  const { gaps, seen } = isMissed ? await missesOf(db, storeId) : { gaps: [], seen: last }
  const availability = availabilityOf(country, gaps, seen)
  return {
    storeId,
    country,
    state,
    alsoIn,
    failedChecks: new Set(failedChecks),
    localized,
    isMissed,
    availability,
  }
}

/** The stored data of an app in a storefront, and the other storefronts that know it. */
interface StoredInStorefront {
  record: AppRecord | undefined
  /** Each field's oldest first; of this storefront alone. */
  versions: (FieldVersion & { field: TrackedField })[]
  /** Other storefronts with a record, alphabetically. */
  alsoIn: string[]
  /** Checks of the app here whose last attempt failed. */
  failedChecks: CheckKind[]
  localized: NewestLocalized[] | null
  /** Whether any storefront missed it. */
  isMissed: boolean
}

/**
 * The gaps of an app in all storefronts, and its storefronts with when it was last seen in each. A statement of its own: it costs as much to
 * plan as that of the record, and few apps need it.
 */
async function missesOf(db: Database, storeId: string): Promise<{ gaps: Gap[]; seen: Seen[] }> {
  const id = bigintId(storeId)
  const found = await firstRow(
    db,
    sql<{ gaps: Gap[] | null; seen: Seen[] | null }>`
      select (select json_agg(gap) from (${gapRows(sql`m.store_id = ${id}`)}) gaps) as gaps,
        (
          select json_agg(json_build_object('country', one.country, 'at', (extract(epoch from coalesce(
            (select max(s.observed_at) from listing_sightings s
              where s.store_id = one.store_id and s.country = one.country and (s.stated | s.hinted) <> 0),
            one.first_observed_at)) * 1000)::double precision))
          from app_records one where one.store_id = ${id}
        ) as seen`,
  )
  return { gaps: found?.gaps ?? [], seen: found?.seen ?? [] }
}

/** One statement in all cases, since unknown apps are requested, too. */
async function storedInStorefront(db: Database, storeId: string, country: string): Promise<StoredInStorefront> {
  const found = await firstRow(
    db,
    sql<RecordRow & Omit<StoredInStorefront, 'record'>>`
      select ${recordColumns(allListingFields)},
        to_json(array(
          select other.country from app_records other
          where other.store_id = asked.store_id and other.country <> asked.country order by other.country
        )) as "alsoIn",
        (
          select coalesce(json_agg(json_build_object('field', v.field, 'value', v.value,
            'firstSeenAt', (extract(epoch from v.first_seen_at) * 1000)::double precision,
            'lastSeenAt', (extract(epoch from v.last_seen_at) * 1000)::double precision)
            order by v.field, v.first_seen_at), '[]')
          from listing_versions v where v.store_id = asked.store_id and v.country = asked.country
        ) as versions,
        to_json(array(
          select f.kind from check_failures f where f.store_id = asked.store_id and f.country = asked.country
        )) as "failedChecks",
        ${newestLocalizedJson(storeId, country)} as localized,
        exists (select 1 from missed_apps m where m.store_id = asked.store_id) as "isMissed"
      from (select ${bigintId(storeId)} as store_id, ${country}::text as country) asked
      left join app_records r on r.store_id = asked.store_id and r.country = asked.country`,
  )
  if (!found) throw new Error('A statement about one app answered no row.')
  const { alsoIn, versions, failedChecks, localized, isMissed } = found
  return {
    record: found.storeId ? toRecord(found, allListingFields) : undefined,
    alsoIn,
    versions,
    failedChecks,
    localized,
    isMissed,
  }
}

/** The label of an app in lists of other things. */
export interface LabelRow {
  storeId: string
  name: string
  developer: string | null
  iconUrl: string | null
  /** The storefront whose record gives name, developer and icon. */
  namedIn: string
}

/**
 * Names of apps, from the storefront where it has them, or else from the one with most ratings, which the label names.
 * Unknown apps are left out, and ids sent twice answered twice.
 */
export function labelsOfApps(db: Database, storeIds: readonly string[], country: string): Promise<LabelRow[]> {
  return rows(
    db,
    sql<LabelRow>`
      with asked as materialized (
        select least(value::numeric, 9223372036854775807)::bigint as store_id
        from json_array_elements_text(${JSON.stringify(storeIds)}::json)
      ), own as materialized (
        select store_id, name, developer, icon_url, country from app_records
        where store_id in (select store_id from asked) and country = ${country}
      ), nameless as materialized (
        select store_id from asked except select store_id from own
      ), other as materialized (
        select distinct on (store_id) store_id, name, developer, icon_url, country from app_records
        where store_id in (select store_id from nameless)
        order by store_id, rating_count desc nulls last, country
      )
      select store_id::text as "storeId", name, developer, icon_url as "iconUrl", country as "namedIn"
      from asked join (select * from own union all select * from other) known using (store_id)`,
  )
}

/** Labels as they were at a moment, as far as it is known that name, developer or icon were others then. */
export async function labelsOfAppsAt(
  db: Database,
  storeIds: readonly string[],
  country: string,
  at: Date,
): Promise<LabelRow[]> {
  const [labels, versions] = await Promise.all([
    labelsOfApps(db, storeIds, country),
    rows(
      db,
      sql<{ storeId: string; field: 'name' | 'developer' | 'iconUrl'; value: string | null }>`
        select distinct on (store_id, field) store_id::text as "storeId", field, value
        from listing_versions
        where store_id in (select value::bigint from json_array_elements_text(${JSON.stringify(storeIds)}::json))
          and country = ${country} and field in ('name', 'developer', 'iconUrl')
        order by store_id, field, (first_seen_at <= ${at}) desc, abs(extract(epoch from first_seen_at - ${at}))`,
    ),
  ])
  const then = Map.groupBy(versions, ({ storeId }) => storeId)
  return labels.map((label) => {
    if (label.namedIn !== country) return label
    const known = (then.get(label.storeId) ?? []).filter(
      ({ field, value }) => field !== 'name' || value !== null,
    )
    return { ...label, ...Object.fromEntries(known.map(({ field, value }) => [field, value])) }
  })
}

/** Storefronts with a record of the app, alphabetically; empty when the app is not catalogued. */
export async function storefrontsOfApp(db: Database, storeId: string): Promise<string[]> {
  const found = await firstRow(
    db,
    sql<{ countries: string[] | null }>`
      select json_agg(country order by country) as countries from app_records where store_id = ${bigintId(storeId)}`,
  )
  return found?.countries ?? []
}

export interface ChartPositionRow {
  kind: ChartKind
  categoryId: number
  device: Device
  capturedAt: Date
  returned: number
  /** Null when the newest snapshot does not show the app. */
  rank: number | null
  readingId: string
  source: SourceName
  origin: Origin
  timeBasis: TimeBasis
}

/** Days back from a chart's newest snapshot in which a sighting makes the chart one of the app's. */
const recentDays = 90

/**
 * The app's place in the newest snapshot of every chart of a storefront that showed it recently, best first, those
 * that no longer show it last. Each chart is a probe of the months it looks at.
 */
export function positionsOfApp(db: Database, storeId: string, country: string): Promise<ChartPositionRow[]> {
  return rows(
    db,
    sql<ChartPositionRow>`
      with k as materialized (
        select distinct on (k.chart_id) k.chart_id, k.rank, k.captured_at
        from charts c join chart_ranks k using (chart_id)
        where c.country = ${country} and k.store_id = ${storeId}::bigint
          and k.captured_at >= c.newest_captured_at - make_interval(days => ${recentDays})
          and k.month >= ${monthOfInstant(sql`(c.newest_captured_at - make_interval(days => ${recentDays}))`)}
        order by k.chart_id, k.captured_at desc
      ), s as materialized (
        select c.*, s.captured_at, s.returned, s.reading_id
        from charts c join chart_snapshots s on s.chart_id = c.chart_id and s.captured_at = c.newest_captured_at
        where c.chart_id in (select chart_id from k)
      )
      select s.kind, s.category_id as "categoryId", s.device, s.captured_at as "capturedAt", s.returned,
        case when k.captured_at = s.captured_at then k.rank end as rank,
        s.reading_id as "readingId", e.source, e.origin, e.time_basis as "timeBasis"
      from k
      join s using (chart_id)
      join readings e using (reading_id)
      order by rank nulls last, s.category_id, s.kind, s.device`,
  )
}

/** How many stored apps of a storefront list the same genres. */
function appsByGenres(db: Database, country: string): Promise<{ genres: number[]; apps: number }[]> {
  return rows(
    db,
    sql<{ genres: number[]; apps: number }>`
      select to_json(category_ids) as genres, apps from genre_counts where country = ${country}`,
  )
}

/** Number of stored apps under each genre of a storefront, itself and those below it; genres without apps are left out. */
export async function appCountsByGenre(db: Database, country: string): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  for (const { genres, apps } of await appsByGenres(db, country))
    for (const genre of new Set([rootGenre, ...genres.flatMap(genreAndAncestors)]))
      counts.set(genre, (counts.get(genre) ?? 0) + apps)
  return counts
}
