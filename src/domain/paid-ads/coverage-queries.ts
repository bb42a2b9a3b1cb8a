import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import type { SourceName } from '../../vocabulary/provenance.ts'

export interface CoverageRow {
  platform: AdPlatform
  /** Null when no ad of the platform is stored. */
  newestObservationAt: Date | null
}

export function newestOfPlatforms(db: Database, platforms: readonly AdPlatform[]): Promise<CoverageRow[]> {
  return rows(
    db,
    sql<CoverageRow>`${sql.join(
      platforms.map(
        (platform) => sql`
          select ${platform}::text as platform,
            (select max(last_observed_at) from ads where platform = ${platform}) as "newestObservationAt"`,
      ),
      sql` union all `,
    )}`,
  )
}

/** The sources of ads by platform. */
export const librarySources = {
  meta: 'meta-ad-library',
  tiktok: 'tiktok-ad-library',
} as const satisfies Record<AdPlatform, SourceName>

/** Whether any ad library currently fails, in any country. */
export const librariesFail = sql<boolean>`
  exists (select 1 from source_health
    where source = any(${Object.values(librarySources)}::text[]) and failing_since is not null)`

export interface FailingSource {
  source: SourceName
  throttled: boolean
  since: Date
  message: string
}

/** Those of the sources that currently fail, in any country. */
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
