import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { type AdPlatform, librarySources } from '../../vocabulary/ad-platforms.ts'
import type { SourceName } from '../../vocabulary/provenance.ts'

export interface CoverageRow {
  platform: AdPlatform
  /** Null when no ad of the platform was shown by a library or a file. */
  newestObservationAt: Date | null
}

/**
 * The time of the newest observation of ads by a library or a file of the operator, by platform in the given order.
 * User-provided ads do not make a platform fresh.
 */
export async function newestOfPlatforms(
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
export const librariesFail = sql<boolean>`
  exists (select 1 from source_health
    where source = any(${librarySources}::text[]) and failing_since is not null)`

export interface FailingSource {
  source: SourceName
  throttled: boolean
  since: Date
  message: string
}

/** The sources among these that currently fail, in any country. */
export function failingSources(db: Database, sources: readonly SourceName[]): Promise<FailingSource[]> {
  return rows(
    db,
    sql<FailingSource>`
      select distinct on (source) source, coalesce(failure_kind = 'throttled', false) as throttled,
        failing_since as since, coalesce(failure_message, '') as message
      from source_health
      where source = any(${[...sources]}::text[]) and failing_since is not null
      order by source, failing_since`,
  )
}
