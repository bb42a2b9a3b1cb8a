import { type RawBuilder, sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { type ChangedArea, type EvidenceArea, evidenceAreas } from '../../vocabulary/evidence-areas.ts'

/**
 * Counts that evidence of some areas was stored, or something else that replies rest on; the last statement of the transaction
 * that stores it. Pages are told of evidence alone, which every account can see: what accounts follow, save and ask for is
 * nobody else's business.
 */
export async function countChange(db: Database, areas: readonly ChangedArea[]): Promise<void> {
  if (areas.length === 0) return
  await sql`with ${counting(areas)} select`.execute(db)
}

/** A statement whose change is counted with it, once it returns any row. */
export const countedChange = <Row>(change: RawBuilder<Row>, area: ChangedArea = 'other'): RawBuilder<Row> =>
  sql<Row>`with change as (${change}), ${counting([area], sql`exists (select from change)`)} select * from change`

/** Counts in a row of each area that nobody else counts in at the moment; in a new one where there is none. */
const counting = (areas: readonly ChangedArea[], happened = sql`true`) => sql`
    wanted as (
      select distinct area from unnest(${[...areas]}::text[]) as sent(area) where ${happened}
    ), free as (
      select one.* from wanted cross join lateral (
        select area, counter from evidence_changes c where c.area = wanted.area
        order by counter limit 1 for update skip locked) one
    ), counted as (
      update evidence_changes c set changes = c.changes + 1, mark = default
      from free where c.area = free.area and c.counter = free.counter
    ), made as (
      insert into evidence_changes (area) select area from wanted where area not in (select area from free)
    )`

/**
 * A text that is another whenever anything has been stored that a reply can rest on, also after the database was set back to an
 * earlier state.
 */
export async function storeVersion(db: Database): Promise<string> {
  const found = await firstRow(
    db,
    sql<{ version: string }>`select concat_ws(' ', sum(changes), sum(mark)) as version from evidence_changes`,
  )
  if (!found) throw new Error('A sum answered no row.')
  return found.version
}

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
