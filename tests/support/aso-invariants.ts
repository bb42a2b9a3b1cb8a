import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { ratingScaleOf } from '../../src/domain/aso/pages/rating-scale-runs.ts'
import { difficultyOf } from '../../src/domain/aso/scores/difficulty.ts'
import { type Database, rows } from '../../src/storage/database.ts'

interface Page {
  termId: number
  /** RFC 3339, so that texts sort by time. */
  at: string
  day: string
  depth: number
  requested: number | null
  storeIds: (string | null)[]
  counts: boolean
}

interface Expected {
  terms: Map<number, object>
  depths: Map<string, number>
  ranks: Map<string, number>
  bests: Map<string, { best: number; bestDay: string }>
}

/**
 * Checks that everything stored about result pages is derivable from the pages alone: the newest page that counts, their
 * number, depth and ranks of each day's last page, the best rank of each month, the details of the newest page, and its
 * difficulty. Recomputed without the code under test, except for the formula.
 * @returns the number of pages
 */
export function assertPagesAgree(db: Database): Promise<number> {
  // One snapshot of a store that may be written to concurrently.
  return db.transaction().setIsolationLevel('repeatable read').execute(pagesAgree)
}

async function pagesAgree(db: Database): Promise<number> {
  const pages = await storedPages(db)
  const countries = new Map((await storedTerms(db)).map(({ termId, country }) => [termId, country]))
  for (const { at, depth, storeIds } of pages)
    assert.equal(depth, storeIds.length, `the depth of a page of ${at}`)
  const expected = whatFollowsFrom(pages, countries)
  const terms = await storedTerms(db)
  for (const { termId, term, country, ...stored } of terms)
    assert.deepEqual(stored, expected.terms.get(termId) ?? noPage, `"${term}" (${country})`)
  assert.deepEqual(await storedDepths(db), sorted(expected.depths), 'depths by day')
  const { ranks, bests } = await storedRanks(db)
  assert.deepEqual(ranks, sorted(expected.ranks), 'ranks by day')
  assert.deepEqual(bests, sorted(expected.bests), 'best ranks by month')
  await assertNewestShown(db)
  await assertMonthsCounted(db)
  await assertSparesHaveAPage(db)
  return pages.length
}

const noPage = { pageAt: null, pageDay: null, pageDepth: null, pages: 0, deepest: null, firstResultsAt: null }

function whatFollowsFrom(pages: readonly Page[], countries: ReadonlyMap<number, string>): Expected {
  const expected: Expected = { terms: new Map(), depths: new Map(), ranks: new Map(), bests: new Map() }
  for (const [termId, ofTerm] of Map.groupBy(pages, (page) => page.termId)) {
    const inOrder = ofTerm.toSorted((one, other) => (one.at < other.at ? -1 : 1))
    const firstResultsAt = inOrder.find(({ depth }) => depth > 0)?.at ?? null
    const inDoubt = pagesInDoubt(inOrder)
    for (const page of inOrder) assert.equal(page.counts, !inDoubt.has(page), `whether ${page.at} counts`)
    const counting = inOrder.filter((page) =>
      page.depth > 0 ? !inDoubt.has(page) : firstResultsAt === null || page.at < firstResultsAt,
    )
    const newest = counting.at(-1)
    expected.terms.set(termId, {
      pageAt: newest?.at ?? null,
      pageDay: newest?.day ?? null,
      pageDepth: newest?.depth ?? null,
      pages: counting.length,
      deepest: counting.length > 0 ? Math.max(...counting.map(({ depth }) => depth)) : null,
      firstResultsAt,
    })
    for (const [day, ofDay] of Map.groupBy(counting, (page) => page.day)) {
      const last = ofDay.at(-1)
      expected.depths.set(`${termId} ${day}`, last?.depth ?? 0)
      for (const [index, storeId] of (last?.storeIds ?? []).entries())
        if (storeId) expected.ranks.set(`${termId} ${countries.get(termId)} ${storeId} ${day}`, index + 1)
    }
    const byDay = counting.toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0))
    for (const { day, storeIds } of byDay)
      for (const [index, storeId] of storeIds.entries()) {
        const key = `${termId} ${countries.get(termId)} ${storeId} ${day.slice(0, 7)}`
        const known = expected.bests.get(key)
        if (storeId && (!known || index + 1 < known.best))
          expected.bests.set(key, { best: index + 1, bestDay: day })
      }
  }
  return expected
}

/** Pages that fall far short of those before them, and that no page of half a day later or earlier confirms. */
function pagesInDoubt(inOrder: readonly Page[]): Set<Page> {
  const found = new Set<Page>()
  const hoursOf = ({ at }: Page) => Date.parse(`${at}Z`) / 3_600_000
  let known = 0
  let doubted: Page[] = []
  for (const page of inOrder) {
    const { depth, requested } = page
    if (depth === 0) continue
    const isWhole = requested === null || depth < requested
    const near = doubted.filter((other) => Math.max(other.depth, depth) < 10 || ratio(other, page) <= 4)
    const isShort = isWhole && known >= 10 && depth < known / 4
    if (isShort && !near.some((other) => hoursOf(page) - hoursOf(other) >= 12)) {
      doubted.push(page)
      found.add(page)
      continue
    }
    if (isShort) for (const other of near) found.delete(other)
    known = isWhole ? depth : Math.max(known, depth)
    doubted = []
  }
  return found
}

const ratio = (one: Page, other: Page) => Math.max(one.depth, other.depth) / Math.min(one.depth, other.depth)

const instant = (column: ReturnType<typeof sql>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`

const storedPages = (db: Database) =>
  rows(
    db,
    sql<Page>`
      select term_id as "termId", ${instant(sql`captured_at`)} as at, day::text as day, depth, requested, counts,
        to_json(store_ids::text[]) as "storeIds"
      from result_pages`,
  )

const storedTerms = (db: Database) =>
  rows(
    db,
    sql<{ termId: number; term: string; country: string }>`
      select term_id as "termId", term, country, ${instant(sql`page_at`)} as "pageAt", page_day::text as "pageDay",
        page_depth as "pageDepth", pages, deepest, ${instant(sql`first_results_at`)} as "firstResultsAt"
      from terms`,
  )

async function storedDepths(db: Database): Promise<[string, number][]> {
  const found = await rows(
    db,
    sql<{ key: string; depth: number }>`
      select term_id || ' ' || (month + (slot - 1)::int) as key, depth
      from depth_months, unnest(depths) with ordinality as each(depth, slot) where depth is not null`,
  )
  return sorted(new Map(found.map(({ key, depth }) => [key, depth])))
}

async function storedRanks(db: Database) {
  const ranks = await rows(
    db,
    sql<{ key: string; rank: number }>`
      select concat_ws(' ', term_id, country, store_id, month + (slot - 1)::int) as key, rank
      from rank_months, unnest(ranks) with ordinality as each(rank, slot) where rank is not null`,
  )
  const bests = await rows(
    db,
    sql<{ key: string; best: number; bestDay: string }>`
      select concat_ws(' ', term_id, country, store_id, left(month::text, 7)) as key, best, best_day::text as "bestDay"
      from rank_months`,
  )
  return {
    ranks: sorted(new Map(ranks.map(({ key, rank }) => [key, rank]))),
    bests: sorted(new Map(bests.map(({ key, ...best }) => [key, best]))),
  }
}

const sorted = <Value>(entries: ReadonlyMap<string, Value>): [string, Value][] =>
  [...entries].toSorted(([one], [other]) => (one < other ? -1 : 1))

/** The details belong to the newest page of the term, and its difficulty follows from both. */
async function assertNewestShown(db: Database): Promise<void> {
  const found = await rows(
    db,
    sql<{
      term: string
      isNewest: boolean
      storeIds: (string | null)[]
      shown: ({ name: string; ratingCount?: number | null } | null)[]
      top: string[]
      difficulty: number | null
      country: string
      requested: number | null
      stated: number | null
    }>`
      select t.term, t.country, p.requested, n.stated::float8 as stated, n.captured_at is not distinct from t.page_at as "isNewest", n.shown, t.difficulty,
        coalesce(to_json(p.store_ids::text[]), '[]') as "storeIds", to_json(n.top::text[]) as top
      from terms t left join newest_pages n using (term_id)
      left join result_pages p on p.term_id = t.term_id and p.captured_at = t.page_at
      where t.page_at is not null or n.term_id is not null`,
  )
  for (const { term, isNewest, storeIds, shown, top, difficulty, ...page } of found) {
    assert.ok(isNewest, `what is shown of "${term}" is of its newest page`)
    assert.deepEqual(
      shown.map((place) => place !== null),
      storeIds.map((storeId) => storeId !== null),
      `what is shown of "${term}"`,
    )
    assert.deepEqual(
      top,
      storeIds.slice(0, 10).filter((storeId) => storeId !== null),
      `the top of "${term}"`,
    )
    const places = shown.map((place, index) => place && { storeId: storeIds[index] ?? '', ...place })
    assert.equal(
      difficulty,
      difficultyOf({ term, places, ...page }, await ratingScaleOf(db, page.country))?.value ?? null,
      `the difficulty of "${term}"`,
    )
  }
}

/** The newest pages are counted by storefront and month. */
async function assertMonthsCounted(db: Database): Promise<void> {
  const counted = await rows(
    db,
    sql`select country, month::text as month, terms from page_months order by country, month`,
  )
  const expected = await rows(
    db,
    sql`
      select country, left(page_day::text, 7) || '-01' as month, count(*)::int as terms
      from terms where page_day is not null group by 1, 2 order by 1, 2`,
  )
  assert.deepEqual(counted, expected, 'newest pages by month')
}

/** A duplicate waits for the page of its instant to turn out to be of another. */
async function assertSparesHaveAPage(db: Database): Promise<void> {
  const orphans = await rows(
    db,
    sql`
      select s.term_id, s.captured_at from duplicate_pages s
      where not exists (
        select from result_pages p where p.term_id = s.term_id and p.captured_at = s.captured_at and p.reading_id <> s.reading_id)`,
  )
  assert.deepEqual(orphans, [], 'spares without a page of their instant')
}
