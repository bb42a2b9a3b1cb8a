import { sql } from 'kysely'
import type { RatedPlace } from '../../domain/aso/scores/difficulty.ts'
import { type Database, rows } from '../../storage/database.ts'
import { fold } from '../../text/search-terms.ts'
import { type StemmedMatch, stemmedMatchesOf } from '../../text/stemmed-match.ts'

/** Apps of the storefront that pages are made of, the most rated. */
const mostApps = 20_000
const places = 10
/** Letters of a word that a name is looked through for before it is split. */
const beginning = 4

interface StoredApp extends RatedPlace {
  categoryId: number | null
  folded: string
}

/** A page of a term, real or made up. */
export interface TermPage {
  isReal: boolean
  places: RatedPlace[]
}

/**
 * The first places of terms: of their newest stored page, or, where there is none, made of the stored apps of the
 * storefront: those whose names hold all its words, the closest and then the most rated first, and after them the most
 * rated ones of the first one's category. Such a page has real names and ratings, in an order that is ours.
 * @returns undefined for a term that no stored name holds
 */
export async function pagesOfTerms(
  db: Database,
  country: string,
  terms: readonly string[],
): Promise<(term: string) => TermPage | undefined> {
  const [real, apps] = await Promise.all([storedPages(db, country, terms), mostRated(db, country)])
  const byCategory = Map.groupBy(apps, ({ categoryId }) => categoryId)
  return (term) => {
    const shown = real.get(term)
    if (shown) return { isReal: true, places: shown }
    const holding = holdingOf(apps, term, country)
    const [first] = holding
    if (!first) return undefined
    const others = (byCategory.get(first.categoryId) ?? [])
      .filter((app) => !holding.includes(app))
      .slice(0, Math.max(0, places - holding.length))
    return { isReal: false, places: [...holding, ...others].slice(0, places) }
  }
}

const closeness: Record<StemmedMatch, number> = {
  name: 3,
  beginning: 2,
  together: 2,
  'all-words': 1,
  'some-words': 0,
  none: 0,
}

function holdingOf(apps: readonly StoredApp[], term: string, country: string): StoredApp[] {
  const parts = fold(term)
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.slice(0, beginning))
  const matchOf = stemmedMatchesOf(term, country)
  return apps
    .filter(({ folded }) => parts.every((part) => folded.includes(part)))
    .map((app) => ({ app, near: closeness[matchOf(app.name)] }))
    .filter(({ near }) => near > 0)
    .sort((one, other) => other.near - one.near)
    .map(({ app }) => app)
}

async function mostRated(db: Database, country: string): Promise<StoredApp[]> {
  const found = await rows(
    db,
    sql<Omit<StoredApp, 'folded'>>`
      select store_id::text as "storeId", name, rating_count::float8 as "ratingCount",
        primary_category_id as "categoryId"
      from app_records where country = ${country} and rating_count is not null
      order by coalesce(rating_count, -1) desc, store_id limit ${mostApps}`,
  )
  return found.map((app) => ({ ...app, folded: fold(app.name) }))
}

async function storedPages(db: Database, country: string, terms: readonly string[]) {
  const found = await rows(
    db,
    sql<{
      term: string
      storeIds: (string | null)[]
      shown: ({ name: string; ratingCount?: number | null } | null)[]
    }>`
      select t.term, to_json(p.store_ids[1:${sql.lit(places)}]::text[]) as "storeIds", n.shown
      from terms t join newest_pages n using (term_id)
      join result_pages p on p.term_id = t.term_id and p.captured_at = n.captured_at
      where t.country = ${country} and t.term in (select json_array_elements_text(${JSON.stringify(terms)}::json))
        and p.depth > 0`,
  )
  return new Map(
    found.map(({ term, storeIds, shown }) => [
      term,
      storeIds.flatMap((storeId, index) => {
        const place = shown[index]
        return storeId && place ? [{ storeId, ...place }] : []
      }),
    ]),
  )
}
