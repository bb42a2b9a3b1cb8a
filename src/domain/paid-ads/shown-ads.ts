import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import {
  askedCreatives,
  creativesWithMarks,
  type KnownCreative,
  knownCreative,
  type Observation,
  type ShownKind,
  type StoredCreative,
} from '../creatives/stored-creatives.ts'
import { namedReadingAt } from '../evidence/queries.ts'
import type { KeyedReading } from '../evidence/reading.ts'
import { type AdFacts, adKind, type SeenCreative } from './ad.ts'
import { type LinkGroundRow, linkGrounds } from './link-queries.ts'

/** An ad with its merged facts, and one account's note and tags. */
export interface AdRow extends KnownCreative<AdFacts> {
  platform: AdPlatform
  archiveId: string
  /** Outcome of the newest transcript; null where none was made. */
  transcriptOutcome: 'available' | 'no-speech' | 'unavailable' | null
  analysed: boolean
}

/**
 * Observed delivery; null is not carried; an `endedOn` of `infinity` and an empty `reachText` were looked for and are
 * absent.
 */
interface Delivery {
  active: boolean | null
  endedOn: string | null
  reachText: string | null
}
export type ObservationRow = Observation & Delivery

export type StoredAd = StoredCreative<AdRow, Delivery, LinkGroundRow>

export const shownAds: ShownKind<AdRow, Delivery, LinkGroundRow> = {
  ...adKind,
  observed: {
    table: 'ad_observations',
    columns: sql`o.active, o.ended_on::text as "endedOn", o.reach_text as "reachText"`,
  },
  itemsOf: adsByNumber,
  groundsOf: linkGrounds,
}

function adsByNumber(db: Database, accountId: string, numbers: readonly string[]): Promise<AdRow[]> {
  return rows(
    db,
    sql<AdRow>`
      with ${askedCreatives(adKind, numbers)},
      analysed as materialized (
        select platform, archive_id from ad_analyses
        where (platform, archive_id) in (select platform, archive_id from i)
      )
      select ${knownCreative(adKind)}, t.outcome as "transcriptOutcome",
        (i.platform, i.archive_id) in (select platform, archive_id from analysed) as analysed
      from ${creativesWithMarks(adKind, accountId)}
      left join ad_transcripts t on t.platform = i.platform and t.archive_id = i.archive_id`,
  )
}

export interface CreativeRow extends KeyedReading {
  adNumber: string
  creativeId: string
  position: number
  facts: SeenCreative
  /** User-provided, and not shown by any source. */
  brought: boolean
  firstObservedAt: Date
  lastObservedAt: Date
}

/** All creatives of ads, each ad's by position. */
export function creativesOfAds(db: Database, adNumbers: readonly string[]): Promise<CreativeRow[]> {
  return rows(
    db,
    sql<CreativeRow>`
      with c as materialized (select * from ad_creatives where ad_number = any(${adNumbers}::bigint[]))
      select c.ad_number::text as "adNumber", c.creative_id as "creativeId", c.position, c.facts, c.brought,
        c.first_observed_at as "firstObservedAt", c.last_observed_at as "lastObservedAt",
        ${namedReadingAt(sql`r`, sql`c.last_observed_at`)}
      from c join readings r using (reading_id)
      order by c.ad_number, c.position, c.creative_id`,
  )
}
