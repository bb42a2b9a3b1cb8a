import { type RawBuilder, sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import {
  type AdPlatform,
  askedLibraryRow,
  askedPlatforms,
  librarySources,
} from '../../vocabulary/ad-platforms.ts'
import type { SourceName } from '../../vocabulary/provenance.ts'

/** By how much the observations of a platform are older than the answers that brought them. */
export const lateness = (platform: RawBuilder<unknown>) => sql`
  make_interval(days => case ${platform} ${sql.join(
    askedPlatforms.map((one) => sql`when ${one} then ${askedLibraryRow(one).lastDays?.endsDaysAgo ?? 0}::int`),
    sql` `,
  )} else 0 end)`

export interface CoverageRow {
  platform: AdPlatform
  /** Null when no ad of the platform was shown by a library or a file. */
  newestObservationAt: Date | null
}

/**
 * The time of the newest observation of ads by a library or a file of the operator, by platform in the given order.
 * User-provided ads do not make a platform fresh.
 */
export async function newestObservationOfPlatforms(
  db: Database,
  platforms: readonly AdPlatform[],
): Promise<CoverageRow[]> {
  const found = await rows(
    db,
    sql<{ platform: AdPlatform; newestAt: Date | null; shownAt: Date | null }>`${sql.join(
      platforms.map(
        (platform) => sql`
          select ${platform}::text as platform, newest.at as "newestAt", shown.at as "shownAt"
          from (select max(last_observed_at) as at from ads where platform = ${platform}) newest left join (
            select a.last_observed_at as at from ads a cross join lateral (
              select o.brought from ad_observations o
              where o.ad_number = a.ad_number and o.observed_at = a.last_observed_at limit 1
            ) last
            where a.platform = ${platform} and not last.brought
            order by a.last_observed_at desc limit 1
          ) shown on true`,
      ),
      sql` union all `,
    )}`,
  )
  return Promise.all(
    platforms.map(async (platform) => {
      const { newestAt = null, shownAt = null } = found.find((one) => one.platform === platform) ?? {}
      const isWhole = newestAt === null || (shownAt !== null && shownAt >= newestAt)
      const newestObservationAt = isWhole ? shownAt : ((await shownAfter(db, platform, shownAt)) ?? shownAt)
      return { platform, newestObservationAt }
    }),
  )
}

/** The newest observation of an ad by a library or a file after a moment; null where there is none. */
async function shownAfter(db: Database, platform: AdPlatform, moment: Date | null): Promise<Date | null> {
  const found = await firstRow(
    db,
    sql<{ at: Date | null }>`
      select max(o.observed_at) as at from ads a join ad_observations o on o.ad_number = a.ad_number
      where a.platform = ${platform} and a.last_observed_at > ${moment ?? '-infinity'} and not o.brought`,
  )
  return found?.at && (moment === null || found.at > moment) ? found.at : null
}

/** Whether any ad library currently fails, in any country. */
export const anyLibraryFails = sql<boolean>`
  exists (select 1 from source_health
    where source = any(${librarySources}::text[]) and failing_since is not null)`

/** How a source does in all the countries it is asked about. */
export interface SourceHealth {
  source: SourceName
  /** Since when it has failed, where it has failed longest; null where it fails nowhere. */
  failingSince: Date | null
  throttled: boolean | null
  message: string | null
  /** Since when its answers differ from the form known here; null where they do not. */
  differsSince: Date | null
  differences: string | null
}

/** How these sources do; those that were never asked are left out. */
export function healthOfSources(db: Database, sources: readonly SourceName[]): Promise<SourceHealth[]> {
  const failing = sql`filter (where failing_since is not null)`
  return rows(
    db,
    sql<SourceHealth>`
      select source, min(failing_since) as "failingSince",
        (array_agg(coalesce(failure_kind = 'throttled', false) order by failing_since) ${failing})[1] as throttled,
        (array_agg(coalesce(failure_message, '') order by failing_since) ${failing})[1] as message,
        min(differs_since) filter (where differences is not null) as "differsSince",
        string_agg(distinct differences, '; ') as differences
      from source_health where source = any(${[...sources]}::text[]) group by source`,
  )
}

/** What the newest whole answers about an app were: all its searches of one number of days. */
export interface AskedApp {
  storeId: string
  /** The oldest of these answers. */
  askedAt: Date
  ads: number
}

/**
 * For each app whose ads a library was asked for in all its countries, the newest such answers.
 * @param keys of the searches for each app, for each number of days that the library takes
 */
export async function askedApps(
  db: Database,
  keys: ReadonlyMap<string, readonly (readonly string[])[]>,
): Promise<AskedApp[]> {
  const all = [...keys.values()].flat(2)
  if (all.length === 0) return []
  const found = await rows(
    db,
    sql<{ key: string; at: Date; ads: number }>`
      select distinct on (key) key, at, ads
      from (
        select context ->> 'adSearch' as key, observed_at as at, (records - rejected)::int as ads from readings
        where context ->> 'adSearch' = any(${all}::text[]) and withdrawn_at is null
      ) r
      order by key, at desc`,
  )
  const newest = new Map(found.map((one) => [one.key, one]))
  return [...keys].flatMap(([storeId, choices]) => {
    const whole = choices.flatMap((searches) => {
      const answers = searches.flatMap((key) => newest.get(key) ?? [])
      if (answers.length < searches.length) return []
      const askedAt = new Date(Math.min(...answers.map(({ at }) => at.getTime())))
      return [{ storeId, askedAt, ads: answers.reduce((sum, { ads }) => sum + ads, 0) }]
    })
    return whole.toSorted((one, other) => other.askedAt.getTime() - one.askedAt.getTime()).slice(0, 1)
  })
}
