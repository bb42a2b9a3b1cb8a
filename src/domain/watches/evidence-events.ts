import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import { type AdPlatform, adPlace } from '../../vocabulary/ad-platforms.ts'
import { listingFields, type TrackedField, trackedFields } from '../../vocabulary/listing-fields.ts'
import { noStorefront } from '../collecting/health.ts'
import { startedAround } from '../moves/move-queries.ts'
import { lateness } from '../paid-ads/coverage-queries.ts'
import { advertiserOf, type FoundEvent, type Watch, type WatchDefinition } from './watch.ts'

type Of<Kind extends WatchDefinition['kind']> = Watch & {
  definition: Extract<WatchDefinition, { kind: Kind }>
}

/** Maximum characters of a value in an event. */
const mostCharacters = 300

/**
 * Changes of listings, or new versions. Repetitions of the same change of a field are numbered from the start of the watch:
 * evidence that is stored late can move the time of a change, but must not make it a new one.
 */
export async function eventsInListings(
  db: Database,
  { since, definition: { kind, country } }: Of<'listing' | 'release'>,
  apps: ReadonlyMap<string, string>,
): Promise<FoundEvent[]> {
  const fields = trackedFields.filter((field) => (field === 'version') === (kind === 'release'))
  const found: FoundEvent[] = []
  for (const [storeId, name] of apps) {
    const changes = await rows(
      db,
      sql<ListingChange>`
        with versions as (
          select field, value, first_seen_at, lag(value) over fields as before, lag(last_seen_at) over fields as last_seen,
            row_number() over fields > 1 as changed
          from listing_versions
          where store_id = ${bigintId(storeId)} and country = ${country} and field = any(${fields}::text[])
          window fields as (partition by field order by first_seen_at)
        )
        select field, left(before, ${mostCharacters}) as before, left(value, ${mostCharacters}) as after,
          last_seen as "lastSeenAt", first_seen_at as "firstSeenAt",
          md5(concat(before, chr(31), value)) as change,
          row_number() over (partition by field, before, value order by first_seen_at)::int as "nth"
        from versions where changed and first_seen_at > ${since}
        order by first_seen_at, field`,
    )
    found.push(
      ...changes.map(({ change, nth, field, ...rest }) => ({
        key: `${storeId} ${country} ${field} ${change} ${nth}`,
        title:
          kind === 'release'
            ? `${name} released ${rest.after ?? 'a version without a number'}, after ${rest.before ?? 'one without'}`
            : `${name} changed its ${listingFields[field].history.replaceAll('-', ' ')} (${country})`,
        page: `/apps/${storeId}/listing?country=${country}`,
        evidence: { storeId, country, field: listingFields[field].history, ...rest },
        observedAt: rest.firstSeenAt,
      })),
    )
  }
  return found
}

interface ListingChange {
  field: TrackedField
  before: string | null
  after: string | null
  lastSeenAt: Date
  firstSeenAt: Date
  change: string
  nth: number
}

/** Ads of apps that a source showed for the first time, or showed ended after it had shown them running. */
export async function eventsInAds(
  db: Database,
  { since }: Of<'ads'>,
  apps: ReadonlyMap<string, string>,
): Promise<FoundEvent[]> {
  const found: FoundEvent[] = []
  for (const [storeId, name] of apps) {
    const ads = await adsChanged(
      db,
      since,
      sql`ad_links l join ads a using (ad_number)`,
      sql`l.store_id = ${bigintId(storeId)}`,
    )
    found.push(...ads.flatMap((ad) => adEvents(ad, { storeId, name: `${name}: an ad` })))
  }
  return found
}

/** The same of an advertiser, whichever apps its ads are for. */
export async function eventsOfAdvertiser(db: Database, since: Date, advertiser: string): Promise<FoundEvent[]> {
  const { platform, advertiserId } = advertiserOf(advertiser) ?? { platform: '', advertiserId: '' }
  const ads = await adsChanged(
    db,
    since,
    sql`ads a`,
    sql`a.platform = ${platform} and a.advertiser_id = ${advertiserId}`,
  )
  return ads.flatMap((ad) => adEvents(ad, { advertiserId, name: 'An ad' }))
}

/** Ads of which a source showed something new since a time. @param from of `ads a` @param whose a condition on it */
function adsChanged(
  db: Database,
  since: Date,
  from: RawBuilder<unknown>,
  whose: RawBuilder<unknown>,
): Promise<AdChange[]> {
  return rows(
    db,
    sql<AdChange>`
        with seen as (
          select a.ad_number, a.platform, a.archive_id, a.facts, a.first_observed_at, n.observed_at, n.reading_id, n.active,
            n.ended_on, ${since}::timestamptz - ${lateness(sql`a.platform`)} as since, exists (
              select 1 from ad_observations o where o.ad_number = a.ad_number and o.observed_at < n.observed_at and not o.brought
                and coalesce(o.active, coalesce(o.ended_on, 'infinity') > o.observed_at::date)) as ran
          from ${from} cross join lateral (
            select * from ad_observations o where o.ad_number = a.ad_number and not o.brought
            order by o.observed_at desc limit 1) n
          where ${whose} and a.last_observed_at > ${since}::timestamptz - ${lateness(sql`a.platform`)}
        )
        select platform, archive_id as "archiveId", facts ->> 'advertiserName' as advertiser, facts ->> 'startedOn' as "startedOn",
          case when isfinite(ended_on) then ended_on::text end as "endedOn", reading_id as "readingId",
          first_observed_at as "firstObservedAt", observed_at as "observedAt",
          first_observed_at > since and ${startedAround(sql`facts`, sql`since`)} as started,
          ran and observed_at > since and (active is false or ended_on <= observed_at::date) as stopped
        from seen order by observed_at, archive_id`,
  )
}

/** What is new of an ad. @param whose its app, or its advertiser, with the words that begin the title */
function adEvents(
  { started, stopped, ...ad }: AdChange,
  { name, ...whose }: { name: string } & ({ storeId: string } | { advertiserId: string }),
): FoundEvent[] {
  const by = ad.advertiser ? ` by ${ad.advertiser}` : ''
  const event = (what: string, words: string, observedAt: Date) => ({
    key: `${what} ${ad.platform} ${ad.archiveId} ${Object.values(whose)[0]}`,
    title: `${name}${by} ${adPlace(ad.platform)} ${words}`,
    page: `/creatives/ads/${ad.platform}/${ad.archiveId}`,
    evidence: { ...whose, ...ad },
    observedAt,
  })
  const { startedOn, endedOn } = ad
  return [
    ...(started
      ? [event('started', startedOn ? `started on ${startedOn}` : 'is new', ad.firstObservedAt)]
      : []),
    ...(stopped
      ? [event(`stopped ${endedOn ?? ''}`, endedOn ? `stopped on ${endedOn}` : 'stopped', ad.observedAt)]
      : []),
  ]
}

interface AdChange {
  platform: AdPlatform
  archiveId: string
  advertiser: string | null
  startedOn: string | null
  endedOn: string | null
  readingId: string
  firstObservedAt: Date
  observedAt: Date
  started: boolean | null
  stopped: boolean | null
}

/** Apps that a discovery run found for the first time, with the strongest reason; of all categories where none is given. */
export async function eventsInEmerging(
  db: Database,
  { since, definition: { country, category } }: Of<'emerging'>,
  namesOf: (storeIds: string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<FoundEvent[]> {
  const found = await rows(
    db,
    sql<{
      storeId: string
      score: number
      windowDays: number
      evidence: unknown
      discoveredAt: Date
      reason: string | null
    }>`
      select store_id::text as "storeId", max(score) as score, min(window_days) as "windowDays",
        (array_agg(reasons -> 0 ->> 'detail' order by score desc))[1] as reason,
        (array_agg(evidence order by score desc))[1] as evidence, min(discovered_at) as "discoveredAt"
      from emerging_apps
      where country = ${country} and (${category ?? null}::int is null or category_id = ${category ?? null})
      group by store_id
      having min(discovered_at) > ${since}
      order by min(discovered_at), store_id`,
  )
  const names = await namesOf(found.map(({ storeId }) => storeId))
  return found.map(({ storeId, discoveredAt, reason, ...rest }) => ({
    key: `${country} ${category ?? 'any'} ${storeId}`,
    title: `${names.get(storeId) ?? storeId}: ${reason ?? 'found by a discovery run'} (${country})`,
    page: `/apps/${storeId}?country=${country}`,
    evidence: { storeId, country, ...rest },
    observedAt: discoveredAt,
  }))
}

/** Sources that have failed without a success for the given time, measured between failures and not by a clock. */
export async function eventsInSources(
  db: Database,
  { definition: { country, hours } }: Of<'source'>,
): Promise<FoundEvent[]> {
  const found = await rows(
    db,
    sql<{ source: string; country: string; since: Date; lastFailureAt: Date; reason: string | null }>`
      select source, country, failing_since as since, last_failure_at as "lastFailureAt", failure_message as reason
      from source_health
      where last_failure_at >= failing_since + make_interval(hours => ${hours})
        and (${country ?? null}::text is null or country in (${country ?? null}, ${noStorefront}))
      order by failing_since, source, country`,
  )
  return found.map((one) => ({
    key: `${one.source} ${one.country} ${one.since.toISOString()}`,
    title: `${one.source} has failed ${one.country === noStorefront ? '' : `in ${one.country} `}since ${one.since.toISOString().slice(0, 16)}Z: ${one.reason ?? 'no reason given'}`,
    page: '/admin/sources',
    evidence: one,
    observedAt: one.lastFailureAt,
  }))
}

/** Imports of ads of the account that ended; a continued import has one event for each end. */
export async function eventsInImports(db: Database, { accountId, since }: Of<'import'>): Promise<FoundEvent[]> {
  const found = await rows(
    db,
    sql<{
      runId: string
      platform: string
      status: string
      finishedAt: Date
      read: number
      stored: number
      rejected: number
      error: string | null
    }>`
      select i.run_id as "runId", i.platform, w.status, w.finished_at as "finishedAt", i.read, i.stored, i.rejected,
        case when w.status <> 'succeeded' then w.last_error_message end as error
      from ad_imports i join work w on w.work_id = i.run_id
      where i.account_id = ${accountId}::uuid and w.finished_at > ${since}
      order by w.finished_at`,
  )
  return found.map((one) => ({
    key: `${one.runId} ${one.finishedAt.toISOString()}`,
    title: `Import of ${one.platform} ads ${one.status}: ${one.read} read, ${one.stored} stored, ${one.rejected} rejected`,
    page: `/admin/imports/${one.runId}`,
    evidence: one,
    observedAt: one.finishedAt,
  }))
}
