import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import type { SourceName } from '../../vocabulary/provenance.ts'

/**
 * When a platform's ads were last observed by a library or a file of the operator; what accounts brought says nothing of how fresh
 * a platform is. Null where there is no such ad.
 */
export async function newestOfPlatform(db: Database, platform: AdPlatform): Promise<Date | null> {
  const found = await firstRow(
    db,
    // The first ad whose newest observation counts bounds the others: only those observed later can hold a later one that does.
    sql<{ at: Date | null }>`
      with bound as (
        select a.last_observed_at as at from ads a join ad_observations o on o.ad_number = a.ad_number and o.observed_at = a.last_observed_at
        where a.platform = ${platform} and not o.brought
        order by a.last_observed_at desc limit 1
      )
      select max(at) as at from (
        select at from bound
        union all
        select o.observed_at from ads a join ad_observations o on o.ad_number = a.ad_number
        where a.platform = ${platform} and not o.brought
          and a.last_observed_at > (select coalesce(max(at), '-infinity') from bound)
      ) observed`,
  )
  return found?.at ?? null
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
