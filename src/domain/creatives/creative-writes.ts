import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { type CreativeKind, each, named } from './kind.ts'

/** The columns written for a creative besides its name. */
interface CreativeToWrite {
  facts: object
  evidence: readonly object[]
  unreadable?: readonly string[] | null
  firstObservedAt: Date
  lastObservedAt: Date
  observationCount: number
}

/** Inserts or updates creatives, each once. @returns their numbers, in the same order */
export async function writeCreatives<Name extends object, Found extends object>(
  db: Database,
  kind: CreativeKind<Name, Found>,
  creatives: readonly (Name & Found & CreativeToWrite)[],
): Promise<string[]> {
  if (creatives.length === 0) return []
  const columns = { ...kind.name, ...kind.foundBy }
  const sent = creatives.map((creative, place) => ({
    ...creative,
    ...Object.fromEntries(
      Object.entries<string>(columns).map(([field, column]) => [column, creative[field as keyof Name]]),
    ),
    place,
  }))
  const found = each(Object.values<string>(kind.foundBy))
  const texts = each(Object.values<string>(columns), (column) => sql`${column} text`)
  const written = await rows(
    db,
    sql<{ number: string }>`
      with sent as materialized (
        select * from json_to_recordset(${JSON.stringify(sent)}::json) as sent(${texts}, facts jsonb, evidence jsonb, unreadable text[],
          "firstObservedAt" timestamptz, "lastObservedAt" timestamptz, "observationCount" integer, place integer)
      ), written as (
        insert into ${sql.table(kind.items)} (${sql.ref(kind.number)}, ${named(kind)}, ${found}, facts, evidence, unreadable,
          first_observed_at, last_observed_at, observation_count)
        select number_of_name(concat_ws(' ', ${named(kind)})), ${named(kind)}, ${found}, facts, evidence, unreadable,
          "firstObservedAt", "lastObservedAt", "observationCount"
        from sent
        on conflict (${named(kind)}, ${sql.ref(kind.number)}) do update
          set ${each(Object.values<string>(kind.foundBy), (column) => sql`${column} = excluded.${column}`)},
            facts = excluded.facts, evidence = excluded.evidence, unreadable = excluded.unreadable,
            first_observed_at = excluded.first_observed_at, last_observed_at = excluded.last_observed_at, observation_count = excluded.observation_count
        returning ${sql.ref(kind.number)} as number, ${named(kind)}
      )
      select number::text as number from sent join written using (${named(kind)}) order by place`,
  )
  return written.map(({ number }) => number)
}
