import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { compilePrepared } from '../../storage/prepared.ts'
import { type ChangeArea, type EvidenceArea, evidenceAreas } from '../../vocabulary/evidence-areas.ts'
import { type ChangedScopes, scopesText, union } from './change-scopes.ts'

/** An area in which something changed: all of it, or what is named. */
export type AreaChange = ChangeArea | { area: ChangeArea; scopes: ChangedScopes }

/**
 * Counts that evidence of some areas was stored, or other data that replies depend on; the last statement of the transaction
 * that stores it. Pages are notified only of evidence, which every account can see: what accounts follow, save and request
 * is private.
 */
export async function countChange(db: Database, changes: readonly AreaChange[]): Promise<void> {
  if (changes.length === 0) return
  await sql`with ${changeCountingQueries(changes)} select`.execute(db)
}

/** The states of copies of media, which posts and ads show and no app does. */
export const mediaChange: AreaChange = { area: 'other', scopes: ['media'] }

/** A statement with a change that is counted once it returns any row. */
export const withCountedChange = <Row>(
  change: RawBuilder<Row>,
  counted: AreaChange = 'other',
): RawBuilder<Row> =>
  sql<Row>`with change as (${change}), ${changeCountingQueries([counted], sql`exists (select 1 from change)`)} select * from change`

/** Latest changes of each counter whose scopes are kept: a process that asks more rarely takes them as about everything. */
const keptScopes = 256

/** The mark of a counter before its first change. */
export const unmarked = '0'

/**
 * The `with` queries of a statement that count a change of areas, if it happened: in an unlocked row of each area, or in a
 * new one where there is none.
 */
export const changeCountingQueries = (changes: readonly AreaChange[], happened = sql`true`) => {
  const byArea = new Map<ChangeArea, ChangedScopes>()
  for (const change of changes) {
    const { area, scopes } = typeof change === 'string' ? { area: change, scopes: 'all' as const } : change
    const before = byArea.get(area)
    byArea.set(area, before === undefined ? scopes : union([before, scopes]))
  }
  const scopes = [...byArea.values()].map(scopesText)
  return sql`
    wanted as (
      select area, scopes from unnest(${[...byArea.keys()]}::text[], ${scopes}::text[]) as sent(area, scopes) where ${happened}
    ), free as (
      select one.*, wanted.scopes, ${drawnMark} as mark from wanted cross join lateral (
        select area, counter, changes + 1 as changes, mark as mark_before from evidence_changes c where c.area = wanted.area
        order by counter limit 1 for update skip locked) one
    ), counted as (
      update evidence_changes c set changes = free.changes, mark = free.mark
      from free where c.area = free.area and c.counter = free.counter
    ), made as (
      insert into evidence_changes (area) select area from wanted where area not in (select area from free)
      returning area, counter, changes, mark
    ), told as (
      insert into evidence_change_scopes as known (area, counter, slot, changes, mark_before, mark, scopes)
      select area, counter, changes % ${sql.raw(String(keptScopes))}, changes, mark_before, mark, scopes from (
        select area, counter, changes, mark_before, mark, scopes from free
        union all
        select area, counter, changes, ${sql.raw(unmarked)}, mark, scopes from made join wanted using (area)) one
      where scopes is not null
      on conflict (area, counter, slot) do update set changes = excluded.changes, mark_before = excluded.mark_before,
        mark = excluded.mark, scopes = excluded.scopes
    )`
}

/** The default mark of a new row (migration 17); drawn where it is read, since Citus allows no random value in an update. */
const drawnMark = sql`(random() * 9007199254740991)::bigint`

/** The state of the store at a moment, as opaque texts. */
export interface StoreState {
  /** Changes whenever data were stored that a cached reply may depend on, also after the database was set back. */
  version: string
  /** Changes with the version, and when an account changed what it follows or saved. */
  counted: string
  /** Position in the write-ahead log that covers everything counted; null in a replica. */
  position: string | null
}

const sumOf = (areas = sql`true`) =>
  sql`concat_ws(' ', sum(changes) filter (where ${areas}), sum(mark) filter (where ${areas}))`
const countedText = sumOf()

/** A counter of changes. */
export interface Counter {
  area: ChangeArea
  counter: string
  /** A bigint, as is the mark. */
  changes: string
  mark: string
}

/** A counter, and of its changes since it was known the ones whose scopes are kept, oldest first. */
export interface ChangedCounter extends Counter {
  since: { changes: string; before: string; mark: string; scopes: string }[]
}

/** A state, and all counters where others were known. */
export interface ChangedState extends StoreState {
  counters: ChangedCounter[] | null
}

// The position is read after the snapshot of the counts. Visible changes are in the log, unless commits do not wait for it.
const stateQuery = (known: KnownCounters) =>
  sql<ChangedState>`
      with found as materialized (
        select area, counter, changes, mark from evidence_changes
      ), known as materialized (
        select area, counter, changes
        from json_to_recordset(${known.counters}::json) as sent(area text, counter uuid, changes bigint)
      ), told as materialized (
        select s.area, s.counter, json_agg(json_build_object('changes', s.changes::text, 'before', s.mark_before::text,
          'mark', s.mark::text, 'scopes', s.scopes) order by s.changes) as since
        from found c left join known k using (area, counter) join evidence_change_scopes s using (area, counter)
        where exists (select from known) and s.changes > coalesce(k.changes, 0)
        group by s.area, s.counter
      ), sums as materialized (
        select ${sumOf(sql`area <> 'accounts'`)} as version, ${countedText} as counted from found
      )
      select version, counted,
        case when pg_is_in_recovery() then null
          when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
          else pg_current_wal_flush_lsn() end::text as position,
        case when counted <> ${known.counted} then (
          select json_agg(json_build_object('area', c.area, 'counter', c.counter, 'changes', c.changes::text, 'mark', c.mark::text,
            'since', coalesce(told.since, '[]')))
          from found c left join told using (area, counter)
        ) end as counters
      from sums`

const noneKnown: KnownCounters = { counters: '[]', counted: '' }
const compiledStateQuery = compilePrepared(stateQuery(noneKnown))

/** The counters as they were found before, and their sums. */
export interface KnownCounters {
  /** A list of `Counter` as JSON. */
  counters: string
  counted: string
}

/** The state of a store, from its primary. */
export async function storeState(db: Database, known: KnownCounters = noneKnown): Promise<ChangedState> {
  const parameters = [known.counters, known.counted]
  const [found] = (await db.executeQuery<ChangedState>({ ...compiledStateQuery, parameters })).rows
  if (!found) throw new Error('A sum answered no row.')
  return found
}

/**
 * Whether a replica has everything of a state: it has replayed the log up to its position, and its counts are equal. The
 * counts detect another history of the same length, as after a failover.
 */
export const hasReplayedState = ({
  counted,
  position,
}: StoreState): RawBuilder<{ isReplica: boolean; hasReached: boolean }> => sql`
  select pg_is_in_recovery() as "isReplica",
    coalesce(pg_last_wal_replay_lsn() >= ${position}::pg_lsn, false) and ${countedText} = ${counted} as "hasReached"
  from evidence_changes`

/** How often evidence of each area was stored. */
export async function changeCounts(db: Database): Promise<Record<EvidenceArea, bigint>> {
  const found = await rows(
    db,
    sql<{ area: EvidenceArea; changes: string }>`
      select area, sum(changes)::text as changes from evidence_changes group by area`,
  )
  const counts = new Map(found.map(({ area, changes }) => [area, BigInt(changes)]))
  return Object.fromEntries(evidenceAreas.map((area) => [area, counts.get(area) ?? 0n])) as Record<
    EvidenceArea,
    bigint
  >
}
