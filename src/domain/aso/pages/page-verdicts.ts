import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../../storage/database.ts'
import { mainSurface } from '../../../vocabulary/search-surfaces.ts'
import { type StoredPlaces, storedPlaces } from './page-writes.ts'
import { isShortPage, judgePages, type PageDepth, type PageVerdict, shortPageDivisor } from './short-pages.ts'
import type { TermName } from './term-queries.ts'

/** A page whose verdict differs from the stored one. */
interface ChangedVerdict extends PageVerdict {
  capturedAt: Date
  /** Whether it now begins or ceases to count. */
  turned: boolean
}

/** The consequences of a page that is stored or removed: its own verdict, if stored, and changed verdicts of other pages. */
export interface PageJudgement {
  own: PageVerdict | undefined
  changed: ChangedVerdict[]
}

/** Pages read at once: most verdicts depend on a page or two. */
const pagesRead = 64

/**
 * Judges a page that is about to be stored, and those after it. The stored page of that instant, if there is one, is
 * ignored.
 * @param page null for a page that is removed, or one without results
 */
export async function judgePageAndLaterOnes(
  db: Database,
  termId: number,
  capturedAt: Date,
  page: PageDepth | null,
  limit = pagesRead,
): Promise<PageJudgement> {
  const around = await pagesAround(db, termId, capturedAt, limit)
  const [first] = around
  const start = first && first.capturedAt < capturedAt ? first : undefined
  const stored = start ? around.slice(1) : around
  const later = stored.findIndex((other) => other.capturedAt > capturedAt)
  const at = later === -1 ? stored.length : later
  const pages: (PageDepth & Partial<PageVerdict>)[] = [...stored]
  if (page) pages.splice(at, 0, page)
  const verdicts = judgePages(pages, start?.knownDepth ?? null)
  const changed: ChangedVerdict[] = []
  for (const [index, { capturedAt: instant, knownDepth, counts, ...other }] of pages.entries()) {
    const verdict = verdicts[index]
    if (!verdict || knownDepth === undefined) continue
    const isSame = verdict.knownDepth === knownDepth && verdict.counts === counts
    if (!isSame) changed.push({ ...verdict, capturedAt: instant, turned: verdict.counts !== counts })
    // The pages after one that was not in doubt, and still is not, depend on that one alone.
    else if (instant > capturedAt && !isShortPage(other, knownDepth))
      return { own: page ? verdicts[at] : undefined, changed }
  }
  return around.length < limit
    ? { own: page ? verdicts[at] : undefined, changed }
    : judgePageAndLaterOnes(db, termId, capturedAt, page, 8 * limit)
}

/** Pages with results from the last one before an instant that was not in doubt, without the page of that instant. */
function pagesAround(
  db: Database,
  termId: number,
  capturedAt: Date,
  limit: number,
): Promise<(PageDepth & PageVerdict)[]> {
  return rows(
    db,
    sql<PageDepth & PageVerdict>`
      select captured_at as "capturedAt", depth, requested, known_depth as "knownDepth", counts
      from result_pages
      where term_id = ${termId} and depth > 0 and captured_at <> ${capturedAt}
        and captured_at >= coalesce((
          select captured_at from result_pages
          where term_id = ${termId} and captured_at < ${capturedAt} and depth > 0
            and depth * ${sql.lit(shortPageDivisor)} >= known_depth
          order by captured_at desc limit 1), '-infinity')
      order by captured_at limit ${limit}`,
  )
}

/** Stores changed verdicts. @returns the pages that now begin or cease to count, with their places */
export async function storePageVerdicts(
  db: Database,
  termId: number,
  changed: readonly ChangedVerdict[],
): Promise<(StoredPlaces & { counts: boolean })[]> {
  if (changed.length === 0) return []
  const written = await rows(
    db,
    sql<StoredPlaces & { counts: boolean }>`
      update result_pages p set known_depth = v."knownDepth", counts = v.counts
      from json_to_recordset(${JSON.stringify(changed)}::json)
        as v("capturedAt" timestamptz, "knownDepth" smallint, counts boolean)
      where p.term_id = ${termId} and p.captured_at = v."capturedAt"
      returning ${storedPlaces}, p.counts`,
  )
  const turned = new Set(changed.flatMap((one) => (one.turned ? one.capturedAt.getTime() : [])))
  return written.filter((page) => turned.has(page.capturedAt.getTime()))
}

/** Whether the page of a term captured at an instant falls so far short of what was known that it does not count. */
export async function isPageInDoubt(
  db: Database,
  { country, term, surface = mainSurface }: TermName,
  capturedAt: Date,
): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`
      select 1 from result_pages p join term_names t using (term_id)
      where t.country = ${country} and t.term = ${term} and t.surface = ${surface}
        and p.captured_at = ${capturedAt} and not p.counts`,
  )
  return found !== undefined
}
