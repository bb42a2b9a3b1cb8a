import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { SeenCreative } from './ad.ts'
import type { KnownAd } from './ad-comparison.ts'
import type { NamedAd } from './ad-kind.ts'

/** A map key for an ad. */
export const adKey = ({ platform, archiveId }: NamedAd) => `${platform}/${archiveId}`

/** Stored ads with their newest creatives, by `adKey`. Those not stored are left out. */
export async function knownAds(db: Database, ads: readonly NamedAd[]): Promise<Map<string, KnownAd>> {
  const asked = [
    ...new Map(
      ads.map(({ platform, archiveId }) => [`${platform}/${archiveId}`, { platform, archiveId }]),
    ).values(),
  ]
  const found = await rows(
    db,
    sql<NamedAd & KnownAd & { creatives: SeenCreative[] }>`
      with a as materialized (
        select a.*
        from json_to_recordset(${JSON.stringify(asked)}::json) as asked(platform text, "archiveId" text)
        join ads a on a.platform = asked.platform and a.archive_id = asked."archiveId"
      ), c as materialized (
        select ad_number, json_agg(facts order by position) as creatives
        from (
          select ad_number, facts, position,
            rank() over (partition by ad_number order by brought, last_observed_at desc) as newest
          from ad_creatives where ad_number in (select ad_number from a)
        ) ranked
        where newest = 1
        group by ad_number
      )
      select a.platform, a.archive_id as "archiveId", a.facts, a.evidence, a.unreadable, coalesce(c.creatives, '[]') as creatives
      from a left join c using (ad_number)`,
  )
  return new Map(found.map((row) => [adKey(row), row]))
}
