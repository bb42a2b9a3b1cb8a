import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { EmergingKind } from '../../vocabulary/emerging.ts'
import type { Origin, SourceName, TimeBasis } from '../../vocabulary/provenance.ts'
import { readingsByIds } from '../evidence/queries.ts'
import { emergingFormula, type ScoredSignals } from './score.ts'

/** A reading, with the instant of its observation. */
export interface ReadingAtInstant {
  readingId: string
  /** RFC 3339. */
  observedAt: string
}

/** An emerging app, as a run found it. */
export interface EmergingCandidate extends ScoredSignals {
  storeId: string
  kind: EmergingKind | null
  firstSeenAt: Date
  /** Newest first. */
  evidence: ReadingAtInstant[]
}

/** The scope of runs: a storefront, and a category or all of them. */
export interface DiscoveryScope {
  country: string
  categoryId: number | null
}

/** The stored category of runs over all categories. */
const everyCategory = 0

/** Days without being found after which an app counts as newly discovered. */
const vanishedAfterDays = 90

/** Stores the candidates of a run: keeps the newest score of each app and window, and the time of its first discovery. */
export async function writeCandidates(
  db: Database,
  { country, categoryId, windowDays }: DiscoveryScope & { windowDays: number },
  run: { runId: string; at: Date },
  candidates: readonly EmergingCandidate[],
): Promise<void> {
  if (candidates.length === 0) return
  const scope = sql`country = ${country} and category_id = ${categoryId ?? everyCategory}`
  const earlier = await rows(
    db,
    sql<{ storeId: string; discoveredAt: Date }>`
      select store_id::text as "storeId", min(discovered_at) as "discoveredAt" from emerging_apps
      where ${scope} and found_at >= ${run.at}::timestamptz - make_interval(days => ${vanishedAfterDays})
        and store_id in (select value::bigint from json_array_elements_text(${JSON.stringify(candidates.map(({ storeId }) => storeId))}::json))
      group by store_id`,
  )
  const discovered = new Map(earlier.map(({ storeId, discoveredAt }) => [storeId, discoveredAt]))
  const sent = candidates.map((one) => ({ ...one, discoveredAt: discovered.get(one.storeId) ?? run.at }))
  await sql`
    insert into emerging_apps as known (country, category_id, store_id, window_days, run_id, kind, formula, score, reasons,
      evidence, first_seen_at, discovered_at, found_at)
    select ${country}, ${categoryId ?? everyCategory}, "storeId", ${windowDays}, ${run.runId}::uuid, kind,
      ${emergingFormula}, score, reasons, evidence, "firstSeenAt", "discoveredAt", ${run.at}
    from json_to_recordset(${JSON.stringify(sent)}::json) as sent("storeId" bigint, kind text, score double precision,
      reasons jsonb, evidence jsonb, "firstSeenAt" timestamptz, "discoveredAt" timestamptz)
    order by "storeId"
    on conflict (country, category_id, store_id, window_days) do update
      set run_id = excluded.run_id, kind = excluded.kind, formula = excluded.formula, score = excluded.score, reasons = excluded.reasons, evidence = excluded.evidence,
        first_seen_at = least(known.first_seen_at, excluded.first_seen_at), found_at = excluded.found_at,
        discovered_at = excluded.discovered_at`.execute(db)
}

export interface StoredCandidate extends Omit<EmergingCandidate, 'evidence'> {
  discoveredAt: Date
  /** The run that found it with this score. */
  runId: string
  windowDays: number
  foundAt: Date
  /** The formula of the score, with its version. */
  formula: string
  /** From the storefront's record; null when no source stated it. */
  releasedAt: Date | null
  evidence: (ReadingAtInstant & { source: SourceName; origin: Origin; timeBasis: TimeBasis })[]
}

/** The requested candidates of a scope. */
export interface CandidateFilters {
  /** Runs over so many days; without it those of all windows, each app with its newest score. */
  windowDays?: number | undefined
  /** A UTC date. */
  since?: string | undefined
  /** Only these apps. */
  storeIds?: readonly string[] | undefined
}

/** A page of candidates: those with a kind first, then strongest first, then by id. */
export async function emergingCandidatesOf(
  db: Database,
  { country, categoryId }: DiscoveryScope,
  { windowDays, since, storeIds }: CandidateFilters,
  after: { isNamed: boolean; score: number; storeId: string } | undefined,
  limit: number,
): Promise<StoredCandidate[]> {
  const ofScope = sql`country = ${country} and category_id = ${categoryId ?? everyCategory}`
  const found =
    windowDays === undefined
      ? sql`select distinct on (store_id) * from emerging_apps where ${ofScope} order by store_id, found_at desc, window_days`
      : sql`select * from emerging_apps where ${ofScope} and window_days = ${windowDays}`
  const wanted = storeIds
    ? sql`c.store_id in (select value::bigint from json_array_elements_text(${JSON.stringify(storeIds)}::json))`
    : sql`true`
  const further = after
    ? sql`((c.kind is null)::int, -c.score, c.store_id)
        > (${after.isNamed ? 0 : 1}::int, ${-after.score}::double precision, ${after.storeId}::bigint)`
    : sql`true`
  const candidates = await rows(
    db,
    sql<Omit<StoredCandidate, 'evidence'> & { evidence: ReadingAtInstant[] }>`
      select c.store_id::text as "storeId", c.kind, c.formula, c.score, c.reasons, c.first_seen_at as "firstSeenAt",
        c.discovered_at as "discoveredAt", c.run_id as "runId", c.window_days as "windowDays", c.found_at as "foundAt", (
          select a.released_at from app_records a where a.store_id = c.store_id and a.country = c.country
        ) as "releasedAt", c.evidence
      from (${found}) c
      where ${further} and ${wanted}
        and (${since ?? null}::date is null or c.discovered_at >= ${since ?? null}::date at time zone 'UTC')
      order by (c.kind is null)::int, -c.score, c.store_id
      limit ${limit}`,
  )
  const shown = candidates.flatMap(({ evidence }) => evidence.map(({ readingId }) => readingId))
  const named = await readingsByIds(db, [...new Set(shown)])
  return candidates.map((candidate) => ({
    ...candidate,
    evidence: candidate.evidence.flatMap((entry) => {
      const reading = named.get(entry.readingId)
      return reading ? [{ ...entry, ...reading }] : []
    }),
  }))
}
