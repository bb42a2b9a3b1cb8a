import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { Origin, SourceName, TimeBasis } from '../evidence/reading.ts'
import type { Scored } from './score.ts'

/** A reading, and the instant it speaks about. */
export interface Shown {
  readingId: string
  /** RFC 3339. */
  observedAt: string
}

/** An app on the rise, as a run found it. */
export interface Candidate extends Scored {
  storeId: string
  firstSeenAt: Date
  /** Newest first. */
  evidence: Shown[]
}

/** Category 0 stands for the runs over all categories. */
export interface Scope {
  country: string
  categoryId: number
}

/** Days after which an app that no run found any more counts as discovered anew. */
const vanishedAfterDays = 90

/** Stores what a run found: the newest score of each app stays, with its first discovery. */
export async function writeCandidates(
  db: Database,
  { country, categoryId }: Scope,
  run: { runId: string; at: Date },
  candidates: readonly Candidate[],
): Promise<void> {
  if (candidates.length === 0) return
  await sql`
    insert into emerging_apps as known (country, category_id, store_id, run_id, score, reasons, evidence, first_seen_at,
      discovered_at, found_at)
    select ${country}, ${categoryId}, "storeId", ${run.runId}::uuid, score, reasons, evidence, "firstSeenAt", ${run.at},
      ${run.at}
    from json_to_recordset(${JSON.stringify(candidates)}::json) as sent("storeId" bigint, score double precision,
      reasons jsonb, evidence jsonb, "firstSeenAt" timestamptz)
    order by "storeId"
    on conflict (country, category_id, store_id) do update
      set run_id = excluded.run_id, score = excluded.score, reasons = excluded.reasons, evidence = excluded.evidence,
        first_seen_at = least(known.first_seen_at, excluded.first_seen_at), found_at = excluded.found_at,
        discovered_at = case
          when known.found_at < excluded.found_at - make_interval(days => ${vanishedAfterDays})
          then excluded.discovered_at else known.discovered_at end`.execute(db)
}

export interface StoredCandidate extends Omit<Candidate, 'evidence'> {
  discoveredAt: Date
  evidence: (Shown & { source: SourceName; origin: Origin; timeBasis: TimeBasis })[]
}

/** A page of candidates, strongest first, then by id. @param since a UTC date */
export function candidatesOf(
  db: Database,
  { country, categoryId }: Scope,
  since: string | undefined,
  after: { score: number; storeId: string } | undefined,
  limit: number,
): Promise<StoredCandidate[]> {
  const further = after
    ? sql`(c.score < ${after.score} or (c.score = ${after.score} and c.store_id > ${after.storeId}::bigint))`
    : sql`true`
  return rows(
    db,
    sql<StoredCandidate>`
      select c.store_id::text as "storeId", c.score, c.reasons, c.first_seen_at as "firstSeenAt",
        c.discovered_at as "discoveredAt", (
          select coalesce(jsonb_agg(shown.entry || jsonb_build_object('source', r.source, 'origin', r.origin,
            'timeBasis', r.time_basis) order by shown.place), '[]')
          from jsonb_array_elements(c.evidence) with ordinality as shown(entry, place)
          join readings r on r.reading_id = (shown.entry ->> 'readingId')::uuid) as evidence
      from emerging_apps c
      where c.country = ${country} and c.category_id = ${categoryId} and ${further}
        and (${since ?? null}::date is null or c.discovered_at >= ${since ?? null}::date at time zone 'UTC')
      order by c.score desc, c.store_id
      limit ${limit}`,
  )
}
