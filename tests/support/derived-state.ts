import { sql } from 'kysely'
import { projectionNames } from '../../src/projections/names.ts'
import { projections } from '../../src/projections/projections.ts'
import { rebuildSchema, replacedSchema } from '../../src/projections/rebuild-tables.ts'
import { type Database, rows } from '../../src/storage/database.ts'

type Row = Record<string, unknown>

/** Ids of readings differ in every run, and their keys with the files that the same was read from. */
const namesOfReadings = new Set(['reading_id', 'reading_ids', 'reading_key', 'evidence'])

/** Columns that distribute sightings over snapshots in the order of arrival; together they are equivalent. */
const shares: Readonly<Record<string, readonly string[]>> = {
  chart_snapshots: ['stated', 'hinted', 'apart', 'in_parts', 'beaten'],
}

/**
 * Everything derived from readings, by table: sorted rows, with names for charts and terms, without the ids that differ in
 * every run.
 */
export async function derivedState(db: Database): Promise<Record<string, Row[]>> {
  const charts = await namesOf(
    db,
    sql`select chart_id as id, concat_ws(' ', country, kind, category_id, device) as name from charts`,
  )
  const terms = await namesOf(db, sql`select term_id as id, country || ' ' || term as name from term_names`)
  const state: Record<string, Row[]> = {}
  for (const table of projectionNames.flatMap((name) => projections[name].tables)) {
    const found = await rows(db, sql<{ row: Row }>`select to_jsonb(t) as row from ${sql.table(table)} t`)
    const reported = found.map(({ row }) => {
      const named: Row = {
        ...row,
        ...('chart_id' in row ? { chart_id: charts.get(row.chart_id) } : {}),
        ...('term_id' in row ? { term_id: terms.get(row.term_id) } : {}),
        ...('evidence' in row ? { backing: backingOf(row.evidence as Evidence) } : {}),
      }
      return Object.fromEntries(
        Object.entries(named).filter(
          ([column]) => !namesOfReadings.has(column) && !shares[table]?.includes(column),
        ),
      )
    })
    const ordered = reported.map((row) => [JSON.stringify(row), row] as const)
    state[table] = ordered.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
  }
  return state
}

type Evidence = readonly { observedAt: string; source: string; fields: readonly string[] }[]

/** The time and kind of source of each field's last statement. */
const backingOf = (evidence: Evidence) =>
  Object.fromEntries(
    evidence
      .flatMap(({ fields, observedAt, source }) => fields.map((field) => [field, observedAt, source] as const))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([field, ...reported]) => [field, reported]),
  )

async function namesOf(db: Database, query: ReturnType<typeof sql>): Promise<ReadonlyMap<unknown, string>> {
  const found = await rows(db, query)
  return new Map((found as { id: unknown; name: string }[]).map(({ id, name }) => [id, name]))
}

/** Deletes everything derived from readings. */
export async function forgetDerived(db: Database): Promise<void> {
  for (const table of projectionNames.flatMap((name) => projections[name].tables.toReversed()))
    await sql`delete from ${sql.table(table)}`.execute(db)
}

/** Number of stored readings and payloads. */
export async function keptEvidence(db: Database): Promise<{ readings: number; payloads: number }> {
  const [found] = await rows(
    db,
    sql<{ readings: number; payloads: number }>`
      select (select count(*)::int from readings) as readings, (select count(*)::int from payloads) as payloads`,
  )
  return found ?? { readings: 0, payloads: 0 }
}

/** The schemas that a replay has left behind. */
export async function leftovers(db: Database): Promise<string[]> {
  const found = await rows(
    db,
    sql<{
      name: string
    }>`select nspname as name from pg_namespace where nspname in (${rebuildSchema}, ${replacedSchema})`,
  )
  return found.map(({ name }) => name)
}
