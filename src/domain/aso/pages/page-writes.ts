import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../../storage/database.ts'
import type { Difficulty } from '../scores/difficulty.ts'
import { termIdsArray } from './rank-queries.ts'
import type { PageVerdict } from './short-pages.ts'

interface NewPage {
  termId: number
  capturedAt: Date
  /** Storefront date. */
  day: string
  depth: number
  requested: number | null
  storeIds: readonly (string | null)[]
  readingId: string
  /** In hex, equal for imported pages with the same content; null for others. */
  fingerprint: string | null
  verdict: PageVerdict
}

/** Day and places of a stored page. */
export interface StoredPlaces {
  capturedAt: Date
  day: string
  storeIds: (string | null)[]
}

export const storedPlaces = sql`captured_at as "capturedAt", day::text as day, to_json(store_ids::text[]) as "storeIds"`

/** Creates the missing state rows of terms. */
export async function createTermStates(db: Database, termIds: readonly number[]): Promise<void> {
  await sql`
    insert into term_states (term_id) select unnest(${termIdsArray(termIds)}) on conflict do nothing`.execute(
    db,
  )
}

/** The page captured at an instant, with its reading. */
export function resultPageAt(
  db: Database,
  termId: number,
  capturedAt: Date,
): Promise<(StoredPlaces & { readingId: string; fingerprint: string | null }) | undefined> {
  return firstRow(
    db,
    sql<StoredPlaces & { readingId: string; fingerprint: string | null }>`
      select ${storedPlaces}, reading_id as "readingId", encode(fingerprint, 'hex') as fingerprint
      from result_pages where term_id = ${termId} and captured_at = ${capturedAt}`,
  )
}

export async function removePage(db: Database, termId: number, capturedAt: Date): Promise<void> {
  await sql`delete from result_pages where term_id = ${termId} and captured_at = ${capturedAt}`.execute(db)
}

/** Writes a page; replaces the one captured at the same instant, if there is one. */
export async function writePage(db: Database, page: NewPage): Promise<void> {
  const { termId, capturedAt, day, depth, requested, storeIds, readingId, fingerprint, verdict } = page
  await sql`
    insert into result_pages (term_id, captured_at, day, depth, requested, store_ids, reading_id, fingerprint,
      known_depth, counts)
    values (${termId}, ${capturedAt}, ${day}::date, ${depth}, ${requested}, ${placesParameter(storeIds)}, ${readingId},
      decode(${fingerprint}::text, 'hex'), ${verdict.knownDepth}, ${verdict.counts})
    on conflict (term_id, captured_at) do update set day = excluded.day, depth = excluded.depth,
      requested = excluded.requested, store_ids = excluded.store_ids, reading_id = excluded.reading_id,
      fingerprint = excluded.fingerprint, known_depth = excluded.known_depth, counts = excluded.counts`.execute(
    db,
  )
}

/** An array of places as one SQL parameter. */
export const placesParameter = (storeIds: readonly (string | null)[]) =>
  sql`${`{${storeIds.map((id) => id ?? 'null').join(',')}}`}::bigint[]`

/** The pages of a day that count, newest first. */
export function pagesOfDay(db: Database, termId: number, day: string): Promise<StoredPlaces[]> {
  return rows(
    db,
    sql<StoredPlaces>`
      select ${storedPlaces}
      from result_pages p join term_states t using (term_id)
      where term_id = ${termId} and day = ${day}::date and ${isCountedPage(sql`p`, sql`t`)}
      order by captured_at desc`,
  )
}

/**
 * Whether a page counts: an empty one after results, or one that falls far short of those before it, is suspect, and no
 * evidence of absence.
 */
export const isCountedPage = (page: ReturnType<typeof sql>, term: ReturnType<typeof sql>) => sql`
  ${page}.counts and (${page}.depth > 0 or ${term}.first_results_at is null or ${page}.captured_at < ${term}.first_results_at)`

/** Records that a term had results at an instant. @returns days whose empty pages no longer count */
export async function recordResults(db: Database, termId: number, capturedAt: Date): Promise<string[]> {
  const earlier = await firstRow(
    db,
    sql`
      update term_states set first_results_at = ${capturedAt}
      where term_id = ${termId} and (first_results_at is null or first_results_at > ${capturedAt})
      returning term_id`,
  )
  if (!earlier) return []
  const found = await rows(
    db,
    sql<{ day: string }>`
      select distinct p.day::text as day from result_pages p
      join depth_months m on m.term_id = p.term_id and m.month = date_trunc('month', p.day)::date
      where p.term_id = ${termId} and p.depth = 0 and p.captured_at > ${capturedAt}
        and m.depths[extract(day from p.day)::int] = 0`,
  )
  return found.map(({ day }) => day)
}

/** When the newest page of a term was captured, with its month and that of the one before; null without a page. */
interface NewestPage {
  pageAt: Date | null
  before: string | null
  after: string | null
}

/** The first day of a month, `YYYY-MM-DD`. Citus returns nothing that depends on settings of the session, as a date in text does. */
const firstOfMonth = (day: ReturnType<typeof sql>) => sql`
  lpad(extract(year from ${day})::int::text, 4, '0') || '-' || lpad(extract(month from ${day})::int::text, 2, '0') || '-01'`

/** Updates the term's reference to its newest page that counts, and the number of those. */
export async function updateNewestPage(db: Database, termId: number): Promise<NewestPage> {
  const found = await firstRow(
    db,
    sql<NewestPage>`
      update term_states t set page_at = newest.captured_at, page_day = newest.day, page_depth = newest.depth,
        pages = counted.pages, deepest = counted.deepest
      from (
        select count(*)::int as pages, max(p.depth) as deepest, max(p.captured_at) as captured_at,
          (select page_day from term_states where term_id = ${termId}) as day_before
        from result_pages p join term_states t2 on t2.term_id = p.term_id
        where p.term_id = ${termId} and ${isCountedPage(sql`p`, sql`t2`)}
      ) counted
      left join result_pages newest on newest.term_id = ${termId} and newest.captured_at = counted.captured_at
      where t.term_id = ${termId}
      returning t.page_at as "pageAt", ${firstOfMonth(sql`counted.day_before`)} as before,
        ${firstOfMonth(sql`t.page_day`)} as after`,
  )
  return found ?? { pageAt: null, before: null, after: null }
}

/** The page whose details are stored as those of the newest one. */
export async function pageWithStoredDetails(db: Database, termId: number): Promise<Date | undefined> {
  const found = await firstRow(
    db,
    sql<{ capturedAt: Date }>`
      select captured_at as "capturedAt" from newest_pages where term_id = ${termId}`,
  )
  return found?.capturedAt
}

/** Other details of the newest page, one entry for each place; null where the entry could not be read. */
export interface NewestPageDetails {
  name: string
  rating?: number | null | undefined
  ratingCount?: number | null | undefined
}

/** Number of top places used for the similarity of pages. */
export const topPlaceCount = 10

/** Stores the details of the newest page, which is stored already. */
export async function storeNewestPageDetails(
  db: Database,
  termId: number,
  {
    capturedAt,
    shown,
    stated,
  }: { capturedAt: Date; shown: readonly (NewestPageDetails | null)[]; stated: number | null },
  difficulty: Difficulty | undefined,
): Promise<void> {
  await sql`
    with page as (
      insert into newest_pages (term_id, country, captured_at, shown, stated, top)
      select term_id, country, captured_at, ${JSON.stringify(shown)}::json, ${stated}::bigint, array_remove(store_ids[1:${sql.lit(topPlaceCount)}], null)
      from result_pages join term_names using (term_id) where term_id = ${termId} and captured_at = ${capturedAt}
      on conflict (term_id) do update set captured_at = excluded.captured_at, shown = excluded.shown,
        stated = excluded.stated, top = excluded.top
    )
    update term_states set difficulty = ${difficulty?.value ?? null},
      difficulty_formula = ${difficulty?.formula ?? null}
    where term_id = ${termId}`.execute(db)
}

/** The earliest page of the same capture, and whether it is only stored as a duplicate. */
interface DuplicatePage extends StoredPlaces {
  isDuplicate: boolean
}

export function duplicateOf(
  db: Database,
  termId: number,
  fingerprint: string,
): Promise<DuplicatePage | undefined> {
  return firstRow(
    db,
    sql<DuplicatePage>`
      select ${storedPlaces}, false as "isDuplicate" from result_pages
      where term_id = ${termId} and fingerprint = decode(${fingerprint}, 'hex')
      union all
      select captured_at, '', '[]'::json, true from duplicate_pages
      where term_id = ${termId} and fingerprint = decode(${fingerprint}, 'hex')
      order by 1 limit 1`,
  )
}

export async function storeDuplicate(
  db: Database,
  page: { termId: number; capturedAt: Date; readingId: string; fingerprint: string | null },
): Promise<void> {
  await sql`
    insert into duplicate_pages (term_id, captured_at, reading_id, fingerprint)
    values (${page.termId}, ${page.capturedAt}, ${page.readingId}, decode(${page.fingerprint}::text, 'hex'))
    on conflict do nothing`.execute(db)
}

/** Deletes the duplicate of this capture. */
export async function deleteDuplicate(db: Database, termId: number, fingerprint: string): Promise<void> {
  await sql`
    delete from duplicate_pages
    where term_id = ${termId} and fingerprint = decode(${fingerprint}, 'hex')`.execute(db)
}

/** Deletes all duplicates of an instant. @returns their readings */
export async function deleteAllDuplicates(db: Database, termId: number, capturedAt: Date): Promise<string[]> {
  const taken = await rows(
    db,
    sql<{ readingId: string }>`
      delete from duplicate_pages where term_id = ${termId} and captured_at = ${capturedAt}
      returning reading_id as "readingId"`,
  )
  return taken.map(({ readingId }) => readingId)
}
