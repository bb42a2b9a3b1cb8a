import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { type Database, rows } from '../../src/storage/database.ts'

/** Readings are told by what makes them one: their ids are drawn anew in every store. */
const reading = (id: string) =>
  `(select encode(identity, 'hex') from readings where reading_id = ${id}) as reading`

/** What is derived from readings, a query each; numbers that a store gives out by itself are left out. */
const queries = {
  records: `
    select to_jsonb(r) - 'evidence' as record, (
      select jsonb_agg(jsonb_build_object('fields', e->'fields', 'observedAt', e->'observedAt', 'source', e->'source',
        'reading', (select encode(identity, 'hex') from readings where reading_id = (e->>'readingId')::uuid)))
      from jsonb_array_elements(r.evidence) as e) as evidence
    from app_records r`,
  versions: 'select * from listing_versions',
  search: 'select * from app_search',
  charts: 'select country, kind, category_id, device, newest_captured_at from charts',
  snapshots: `
    select c.country, c.kind, c.category_id, c.device, s.captured_at, s.day, s.returned, s.requested, s.store_ids,
      ${reading('s.reading_id')}
    from chart_snapshots s join charts c using (chart_id)`,
  ranks: `
    select c.country, c.kind, c.category_id, c.device, k.captured_at, k.store_id, k.rank
    from chart_ranks k join charts c using (chart_id)`,
}

export type Derived = Record<keyof typeof queries, string[]>

/** Everything derived from readings, a JSON text a row, in an order of its own. */
export async function derivedFrom(db: Database): Promise<Derived> {
  const derived: Partial<Derived> = {}
  for (const [name, query] of Object.entries(queries)) {
    const found = await rows(
      db,
      sql<{ row: string }>`select row_to_json(derived)::text as row from (${sql.raw(query)}) derived`,
    )
    derived[name as keyof Derived] = found.map(({ row }) => row).sort()
  }
  return derived as Derived
}

/** Rows and their digest by kind: to compare more than a person wants to read. */
export function digestOf(derived: Derived): Record<string, { rows: number; digest: string }> {
  return Object.fromEntries(
    Object.entries(derived).map(([name, found]) => [
      name,
      { rows: found.length, digest: hash('sha256', found.join('\n')) },
    ]),
  )
}
