import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { type EvidenceArea, evidenceAreas } from '../../vocabulary/evidence-areas.ts'

/**
 * Counts that shared evidence of some areas was stored; the last statement of the transaction that stores it. Only evidence
 * that every account can see is counted: what accounts follow, save and ask for is nobody else's business.
 */
export async function countChange(db: Database, areas: readonly EvidenceArea[]): Promise<void> {
  if (areas.length === 0) return
  await sql`
    with wanted as (
      select distinct area from unnest(${[...areas]}::text[]) as sent(area)
    ), free as (
      select one.* from wanted cross join lateral (
        select area, counter from evidence_changes c where c.area = wanted.area
        order by counter limit 1 for update skip locked) one
    ), counted as (
      update evidence_changes c set changes = c.changes + 1
      from free where c.area = free.area and c.counter = free.counter
    )
    insert into evidence_changes (area) select area from wanted where area not in (select area from free)`.execute(
    db,
  )
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
