import { sql } from 'kysely'
import { type Database, rows } from '../../../storage/database.ts'
import { mainSurface, type SearchSurface } from '../../../vocabulary/search-surfaces.ts'
import { lockTerms, type TermFailure, type TermName, termsOn } from './term-queries.ts'

/** Records why the last search for a term failed. */
export async function recordSearchFailure(
  db: Database,
  { country, term, surface = mainSurface }: TermName,
  { at, code, message }: TermFailure,
): Promise<void> {
  await lockTerms(db, [{ country, term, surface }])
  await sql`
    insert into search_failures (term_id, failed_at, code, message)
    select term_id, ${at}, ${code}, ${message} from term_names
    where country = ${country} and term = ${term} and surface = ${surface}
    on conflict (term_id) do update
      set failed_at = excluded.failed_at, code = excluded.code, message = excluded.message`.execute(db)
}

/** Clears the failure of a term: a search has succeeded. */
export async function clearSearchFailure(
  db: Database,
  { country, term, surface = mainSurface }: TermName,
): Promise<void> {
  await sql`
    delete from search_failures f using term_names t
    where t.term_id = f.term_id and t.country = ${country} and t.term = ${term} and t.surface = ${surface}`.execute(
    db,
  )
}

/** The terms among these without a page whose last search failed. */
export async function failedTerms(
  db: Database,
  country: string,
  terms: readonly string[],
  surface: SearchSurface = mainSurface,
): Promise<ReadonlySet<string>> {
  const found = await rows(
    db,
    sql<{ term: string }>`
      with t as materialized (
        select * from ${termsOn(surface)}
        where country = ${country} and page_at is null
          and term in (select json_array_elements_text(${JSON.stringify(terms)}::json))
      )
      select term from t where term_id in (
        select term_id from search_failures where term_id in (select term_id from t))`,
  )
  return new Set(found.map(({ term }) => term))
}

/** Failures shown of one app. */
const failuresShown = 20

interface AppSearchFailure extends TermFailure {
  appId: string
  term: string
}

/** Keywords of tracked apps whose last search failed within a range of time for each app, newest first. */
export function searchFailuresOf(
  db: Database,
  apps: readonly { appId: string; from: Date; to: Date | null }[],
): Promise<AppSearchFailure[]> {
  return rows(
    db,
    sql<AppSearchFailure>`
      with asked as materialized (
        select a.*, k.term_id
        from json_to_recordset(${JSON.stringify(apps)}::json) as a("appId" uuid, "from" timestamptz, "to" timestamptz)
        join tracked_keywords k on k.app_id = a."appId"
      ), f as materialized (
        select f.*, s.page_at from search_failures f left join term_states s using (term_id)
        where f.term_id in (select term_id from asked)
      ), failed as materialized (
        select a."appId", t.term, f.failed_at as at, f.code, f.message,
          row_number() over (partition by a."appId" order by f.failed_at desc, t.term) as place
        from asked a join f using (term_id) join term_names t using (term_id)
        where f.failed_at >= a."from" and f.failed_at <= coalesce(a."to", 'infinity')
          and coalesce(f.page_at < f.failed_at, true)
      )
      select "appId", term, at, code, message from failed where place <= ${failuresShown}
      order by "appId", at desc, term`,
  )
}

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
export async function failedPrefixes(
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
