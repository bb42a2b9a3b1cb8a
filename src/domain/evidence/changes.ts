import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { compilePrepared } from '../../storage/prepared.ts'
import { type ChangeArea, type EvidenceArea, evidenceAreas } from '../../vocabulary/evidence-areas.ts'

/**
 * Counts that evidence of some areas was stored, or other data that replies depend on; the last statement of the transaction
 * that stores it. Pages are notified only of evidence, which every account can see: what accounts follow, save and request
 * is private.
 */
export async function countChange(db: Database, areas: readonly ChangeArea[]): Promise<void> {
  if (areas.length === 0) return
  await sql`with ${changeCountingQueries(areas)} select`.execute(db)
}

/** A statement with a change that is counted once it returns any row. */
export const withCountedChange = <Row>(change: RawBuilder<Row>, area: ChangeArea = 'other'): RawBuilder<Row> =>
  sql<Row>`with change as (${change}), ${changeCountingQueries([area], sql`exists (select 1 from change)`)} select * from change`

/**
 * The `with` queries of a statement that count a change of areas, if it happened: in an unlocked row of each area, or in a
 * new one where there is none.
 */
export const changeCountingQueries = (areas: readonly ChangeArea[], happened = sql`true`) => sql`
    wanted as (
      select distinct area from unnest(${[...areas]}::text[]) as sent(area) where ${happened}
    ), free as (
      select one.*, ${drawnMark} as mark from wanted cross join lateral (
        select area, counter from evidence_changes c where c.area = wanted.area
        order by counter limit 1 for update skip locked) one
    ), counted as (
      update evidence_changes c set changes = c.changes + 1, mark = free.mark
      from free where c.area = free.area and c.counter = free.counter
    ), made as (
      insert into evidence_changes (area) select area from wanted where area not in (select area from free)
    )`

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

// The position is read after the snapshot of the counts. Visible changes are in the log, unless commits do not wait for it.
const stateQuery = compilePrepared(
  sql<StoreState>`
      select ${sumOf(sql`area <> 'accounts'`)} as version, ${countedText} as counted,
        case when pg_is_in_recovery() then null
          when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
          else pg_current_wal_flush_lsn() end::text as position
      from evidence_changes`,
)

/** The state of a store, from its primary. */
export async function storeState(db: Database): Promise<StoreState> {
  const [found] = (await db.executeQuery(stateQuery)).rows
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
