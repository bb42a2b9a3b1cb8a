import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import { namedReadingAt } from '../evidence/queries.ts'
import type { KeyedReading } from '../evidence/reading.ts'
import type { Known, Stated } from '../facts/merge.ts'
import type { AdFacts, CreativeFields } from './ad.ts'

/** An ad as it is known, and what one account wrote when saving it. */
export interface AdRow extends Known<AdFacts> {
  adNumber: string
  platform: AdPlatform
  archiveId: string
  firstObservedAt: Date
  lastObservedAt: Date
  observationCount: number
  /** How the newest transcript ended; null where none was made. */
  transcriptOutcome: 'available' | 'no-speech' | 'unavailable' | null
  analysed: boolean
  savedAt: Date | null
  note: string | null
  tags: string[] | null
}

/** Stored ads, in no order. */
export function adsByNumber(db: Database, accountId: string, adNumbers: readonly string[]): Promise<AdRow[]> {
  return rows(
    db,
    sql<AdRow>`
      select a.ad_number::text as "adNumber", a.platform, a.archive_id as "archiveId", a.facts, a.evidence,
        a.first_observed_at as "firstObservedAt", a.last_observed_at as "lastObservedAt",
        a.observation_count as "observationCount", t.outcome as "transcriptOutcome",
        exists (
          select from ad_analyses n where n.platform = a.platform and n.archive_id = a.archive_id
        ) as analysed,
        s.saved_at as "savedAt", s.note, s.tags
      from ads a
      left join ad_transcripts t on t.platform = a.platform and t.archive_id = a.archive_id
      left join saved_ads s
        on s.account_id = ${accountId}::uuid and s.platform = a.platform and s.archive_id = a.archive_id
      where a.ad_number = any(${adNumbers}::bigint[])`,
  )
}

/** An observation; null is not carried, an `endedOn` of `infinity` and an empty `reachText` were looked for and not there. */
export interface ObservationRow extends KeyedReading {
  adNumber: string
  observedAt: Date
  active: boolean | null
  endedOn: string | null
  reachText: string | null
}

/** The newest observations of ads, at most `most` of each, newest first. */
export function newestObservations(
  db: Database,
  adNumbers: readonly string[],
  most: number,
): Promise<ObservationRow[]> {
  return rows(
    db,
    sql<ObservationRow>`
      select asked.ad_number::text as "adNumber", o.observed_at as "observedAt", o.active, o.ended_on::text as "endedOn",
        o.reach_text as "reachText", ${namedReadingAt(sql`r`, sql`o.observed_at`)}
      from (select unnest(${adNumbers}::bigint[]) as ad_number) asked
      cross join lateral (
        select * from ad_observations
        where ad_number = asked.ad_number order by observed_at desc limit ${most}
      ) o
      join readings r using (reading_id)
      order by asked.ad_number, o.observed_at desc`,
  )
}

export interface CreativeRow extends KeyedReading {
  adNumber: string
  creativeId: string
  position: number
  facts: Stated<CreativeFields>
  /** By an account, and shown by no source. */
  brought: boolean
  firstObservedAt: Date
  lastObservedAt: Date
}

/** All creatives of ads, in no order. */
export function creativesOfAds(db: Database, adNumbers: readonly string[]): Promise<CreativeRow[]> {
  return rows(
    db,
    sql<CreativeRow>`
      select c.ad_number::text as "adNumber", c.creative_id as "creativeId", c.position, c.facts, c.brought,
        c.first_observed_at as "firstObservedAt", c.last_observed_at as "lastObservedAt",
        ${namedReadingAt(sql`r`, sql`c.last_observed_at`)}
      from ad_creatives c join readings r using (reading_id)
      where c.ad_number = any(${adNumbers}::bigint[])`,
  )
}
