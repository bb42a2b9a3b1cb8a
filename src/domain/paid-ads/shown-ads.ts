import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import {
  creativesWithMarks,
  type DisplayQueries,
  type KnownCreative,
  knownCreativeColumns,
  requestedCreatives,
  type StoredCreative,
  type StoredObservation,
} from '../creatives/stored-creatives.ts'
import { namedReadingAt } from '../evidence/queries.ts'
import type { KeyedReading } from '../evidence/reading.ts'
import { withUnreadable } from '../facts/merge.ts'
import { type AdFacts, adKind, type SeenCreative } from './ad.ts'
import { canBeSameCreative } from './ad-comparison.ts'
import { type LinkAttributionRow, linkAttributions } from './ad-links.ts'
import { type AdObservationValues, observationSql } from './observed-values.ts'

/** An ad with its merged facts, and one account's note and tags. */
export interface AdRow extends KnownCreative<AdFacts> {
  platform: AdPlatform
  archiveId: string
  /** Outcome of the newest transcript; null where none was made. */
  transcriptOutcome: 'available' | 'no-speech' | 'unavailable' | null
  analysed: boolean
}

export type ObservationRow = StoredObservation & AdObservationValues

export type StoredAd = StoredCreative<AdRow, AdObservationValues, LinkAttributionRow>

export const adDisplayQueries: DisplayQueries<AdRow, AdObservationValues, LinkAttributionRow> = {
  ...adKind,
  observed: { table: 'ad_observations', columns: sql<AdObservationValues>`${observationSql.selected}` },
  itemsOf: adsByNumber,
  attributionsOf: linkAttributions,
}

function adsByNumber(db: Database, accountId: string, numbers: readonly string[]): Promise<AdRow[]> {
  return rows(
    db,
    sql<AdRow>`
      with ${requestedCreatives(adKind, numbers)},
      analysed as materialized (
        select platform, archive_id from ad_analyses
        where (platform, archive_id) in (select platform, archive_id from i)
      )
      select ${knownCreativeColumns(adKind)}, t.outcome as "transcriptOutcome",
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

interface CreativeToShow {
  creativeId: string
  position: number
  facts: SeenCreative
  /** User-provided, and not shown by any source. */
  brought?: boolean
  firstObservedAt: Date
  lastObservedAt: Date
}

/** With the time of the observation behind its facts. */
type ShownCreative<C> = C & { current: boolean; seenAt: Date }

/**
 * The creatives of an ad for display: those of its newest observation by position, then earlier ones, newest first.
 * User-provided creatives are handled separately, and are current only where no source showed any. Sources carry different
 * parts of a creative; an observation with fewer fields counts as another sighting of the fuller one.
 */
export function shownCreatives<C extends CreativeToShow>(creatives: readonly C[]): ShownCreative<C>[] {
  const ordered = creatives.toSorted(
    (one, other) =>
      carriedParts(other) - carriedParts(one) ||
      other.lastObservedAt.getTime() - one.lastObservedAt.getTime() ||
      (one.creativeId < other.creativeId ? -1 : 1),
  )
  const full: (C & { seenAt: Date })[] = []
  for (const creative of ordered) {
    const at = full.findIndex(
      (known) =>
        Boolean(known.brought) === Boolean(creative.brought) &&
        carriedParts(known) > carriedParts(creative) &&
        canBeSameCreative(known.facts, creative.facts),
    )
    const known = full[at]
    if (known) full[at] = withLaterSighting(known, creative)
    else full.push({ ...creative, seenAt: creative.lastObservedAt })
  }
  const shown = full.some(({ brought }) => !brought) ? full.filter(({ brought }) => !brought) : full
  // An answer in one language says nothing of variants in others.
  const newest = new Map<string | null, number>()
  for (const { facts, lastObservedAt } of shown) {
    const locale = facts.locale ?? null
    newest.set(locale, Math.max(newest.get(locale) ?? 0, lastObservedAt.getTime()))
  }
  const isNewest = ({ facts, lastObservedAt }: C) =>
    lastObservedAt.getTime() === newest.get(facts.locale ?? null)
  return full
    .map((creative) => ({ ...creative, current: shown.includes(creative) && isNewest(creative) }))
    .sort(
      (one, other) =>
        Number(other.current) - Number(one.current) ||
        Number(one.brought ?? false) - Number(other.brought ?? false) ||
        other.lastObservedAt.getTime() - one.lastObservedAt.getTime() ||
        one.position - other.position ||
        (one.creativeId < other.creativeId ? -1 : 1),
    )
}

const carriedParts = ({ facts: { unreadable: _, ...facts } }: CreativeToShow) => Object.keys(facts).length

function withLaterSighting<C extends CreativeToShow>(
  known: C,
  { facts, firstObservedAt, lastObservedAt }: CreativeToShow,
): C {
  return {
    ...known,
    facts: withUnreadable(known.facts, facts.unreadable),
    firstObservedAt: firstObservedAt < known.firstObservedAt ? firstObservedAt : known.firstObservedAt,
    lastObservedAt: lastObservedAt > known.lastObservedAt ? lastObservedAt : known.lastObservedAt,
  }
}
