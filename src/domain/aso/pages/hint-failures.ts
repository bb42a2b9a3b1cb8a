import { sql } from 'kysely'
import { type Database, rows } from '../../../storage/database.ts'
import type { TermFailure, TermName } from './term-queries.ts'

/** Records why suggestions for a prefix could not be collected. */
export async function recordHintFailure(
  db: Database,
  { country, term }: TermName,
  { at, code, message }: TermFailure,
): Promise<void> {
  await sql`
    insert into hint_failures (country, typed, failed_at, code, message)
    values (${country}, ${term}, ${at}, ${code}, ${message})
    on conflict (country, typed) do update
      set failed_at = excluded.failed_at, code = excluded.code, message = excluded.message`.execute(db)
}

/** Clears the failure: Apple has answered. */
export async function clearHintFailure(db: Database, { country, term }: TermName): Promise<void> {
  await sql`delete from hint_failures where country = ${country} and typed = ${term}`.execute(db)
}

/** The prefixes among these without an answer whose last request failed. */
export async function failedBeginnings(
  db: Database,
  country: string,
  typed: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await rows(
    db,
    sql<{ typed: string }>`
      select typed from hint_failures f
      where country = ${country} and typed in (select json_array_elements_text(${JSON.stringify(typed)}::json))
        and not exists (select 1 from hint_answers h where h.typed = f.typed and h.country = f.country)`,
  )
  return new Set(found.map((failure) => failure.typed))
}
