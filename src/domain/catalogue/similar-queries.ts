import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { monthOfInstant } from '../../storage/months.ts'
import { mainSurface } from '../../vocabulary/search-surfaces.ts'
import type { LocalizationCode } from '../../vocabulary/storefronts.ts'
import { filterTerm, tiersForRatings } from './search-document.ts'
import { isLargeCatalogue, matchesOfTier, type TextScope, tsquery } from './tier-matches.ts'

/** Other apps of the same developer in a storefront, by its id where that is known, else by its name; most ratings first. */
export async function appsOfDeveloper(
  db: Database,
  storeId: string,
  country: string,
  developer: { id: string | null; name: string | null },
  limit: number,
): Promise<string[]> {
  if (developer.id === null && developer.name === null) return []
  const same =
    developer.id === null ? sql`developer = ${developer.name}` : sql`developer_id = ${developer.id}::bigint`
  const found = await rows(
    db,
    sql<{ storeId: string }>`
      select store_id::text as "storeId" from app_records
      where ${same} and country = ${country} and store_id <> ${storeId}::bigint
      order by rating_count desc nulls last, store_id limit ${limit}`,
  )
  return found.map((row) => row.storeId)
}

/** Captures of a chart that shows the app, oldest first, and where each of its apps stood in them. */
export interface ChartShowingApp {
  categoryId: number
  captures: number
  /** Place of the app asked about by capture, null where it was not in the chart. */
  own: (number | null)[]
  /** By store id. */
  others: ReadonlyMap<string, (number | null)[]>
}

/**
 * The newest captures of the charts of one category that showed the app, within 90 days; the overall charts put everything
 * together and tell nothing.
 */
export async function chartsShowingApp(
  db: Database,
  storeId: string,
  country: string,
  { charts, captures }: { charts: number; captures: number },
): Promise<ChartShowingApp[]> {
  const found = await rows(
    db,
    sql<ChartPlaces>`
      with newest as materialized (
        select max(newest_captured_at) as captured_at from charts where country = ${country}
      ), shown as materialized (
        select c.chart_id, c.category_id, count(*) as times
        from charts c
        join chart_ranks k on k.chart_id = c.chart_id and k.store_id = ${storeId}::bigint
          and k.captured_at >= (select captured_at from newest) - interval '90 days'
          and k.month >= ${monthOfInstant(sql`((select captured_at from newest) - interval '90 days')`)}
        where c.country = ${country} and c.category_id <> 36
        group by c.chart_id, c.category_id
        order by times desc, c.chart_id limit ${charts}
      ), numbered as materialized (
        select chart_id, shown.category_id, s.captured_at,
          row_number() over (partition by chart_id order by s.captured_at desc) as place
        from shown join chart_snapshots s using (chart_id)
        where s.captured_at >= (select captured_at from newest) - interval '90 days'
      ), looked as materialized (
        select n.chart_id, n.category_id, s.store_ids, row_number() over (partition by n.chart_id order by s.captured_at) as at,
          count(*) over (partition by n.chart_id) as captures
        from numbered n join chart_snapshots s on s.chart_id = n.chart_id and s.captured_at = n.captured_at
        where n.place <= ${captures}
      )
      select looked.chart_id as chart, looked.category_id as "categoryId", max(looked.captures)::int as captures, place.store_id::text as "storeId",
        array_agg((looked.at * 1000 + place.rank)::int) as places
      from looked cross join lateral unnest(looked.store_ids) with ordinality as place(store_id, rank)
      where place.store_id is not null
      group by looked.chart_id, looked.category_id, place.store_id`,
  )
  return [...Map.groupBy(found, ({ chart }) => chart).values()].map((chart) => togetherIn(chart, storeId))
}

interface ChartPlaces {
  chart: number
  categoryId: number
  captures: number
  storeId: string
  /** A thousand times the number of the capture, and the rank in it. */
  places: number[]
}

function togetherIn(places: readonly ChartPlaces[], storeId: string): ChartShowingApp {
  const { captures, categoryId } = places[0] ?? { captures: 0, categoryId: 0 }
  const series = new Map(places.map((app) => [app.storeId, ranksOf(app, captures)]))
  const own = series.get(storeId) ?? []
  series.delete(storeId)
  return { categoryId, captures, own, others: series }
}

function ranksOf({ places }: ChartPlaces, captures: number): (number | null)[] {
  const ranks: (number | null)[] = Array.from({ length: captures }, () => null)
  for (const place of places) ranks[Math.floor(place / 1_000) - 1] = place % 1_000
  return ranks
}

/** The listing of an app in a storefront, as far as it is compared. */
export interface ListingRow {
  storeId: string
  name: string
  subtitle: string | null
  developer: string | null
  developerId: string | null
  /** The beginning. */
  description: string | null
  primaryCategoryId: number | null
  categoryIds: number[] | null
  price: number | null
  ratingCount: number | null
}

const listingColumns = (letters: number) => sql`
  r.store_id::text as "storeId", r.name, r.subtitle, r.developer, r.developer_id::text as "developerId",
  left(r.description, ${letters}) as description, r.primary_category_id as "primaryCategoryId",
  r.category_ids as "categoryIds", r.price::double precision as price,
  r.rating_count::double precision as "ratingCount"`

const tiers = tiersForRatings(0)
/** A term that nothing holds. */
const nothing = "'#'"

const anyOf = (asked: readonly string[]) => (asked.length === 0 ? nothing : asked.join(' | '))

/**
 * A query for at least two of some words: two of one half, two of the other, or one of each. The index is read once for
 * each word in the query, however often it is there: a third of the words that all pairs would name.
 */
function twoOf(asked: readonly string[]): string {
  if (asked.length < 2) return nothing
  const half = Math.ceil(asked.length / 2)
  const [first, second] = [asked.slice(0, half), asked.slice(half)]
  const within = [first, second].filter(({ length }) => length > 1).map(twoOf)
  return [...within, `((${anyOf(first)}) & (${anyOf(second)}))`].join(' | ')
}

/**
 * Apps of a storefront that could resemble a text: those that hold one of the words that tell most in their names, those
 * that hold two of them anywhere, and those that are thought of anyway; of all these the ones to be kept and the ones that
 * hold most.
 */
export async function appsResemblingText(
  db: Database,
  storeId: string,
  country: string,
  words: { strong: readonly string[]; wide: readonly string[] },
  thoughtOf: { all: readonly string[]; kept: readonly string[] },
  { read, limit, letters }: { read: number; limit: number; letters: number },
): Promise<ListingRow[]> {
  /** An app is in the tier of its storefront with most ratings; here it can be in any below that. */
  const here = (from: number) =>
    tiers
      .filter((tier) => tier >= from)
      .map((tier) => `'${filterTerm.storefront(country, tier)}'`)
      .join(' | ')
  const strong = anyOf(words.strong)
  const wide = anyOf(words.wide)
  const large = await isLargeCatalogue(db)
  const shown = sql`store_id, name_terms, all_terms`
  const scan = (reach: TextScope, asked: string) => sql`
    (select * from (${sql.join(
      tiers.flatMap((tier) =>
        matchesOfTier(tier, {
          reach,
          asked: tsquery(`(${asked}) & (${here(tier)})`),
          most: read,
          large,
          columns: shown,
        }),
      ),
      sql` union all `,
    )}) walked limit ${read})`
  return rows(
    db,
    sql<ListingRow>`
      select ${listingColumns(letters)}
      from (
        select store_id, store_id = any(${thoughtOf.kept}::bigint[]) as kept, 3 * ts_rank(name_terms, ${strong}::tsquery) + ts_rank(all_terms, ${wide}::tsquery) as held
        from (
          select distinct on (store_id) * from (
            ${scan('name_terms', strong)} union all
            ${scan('all_terms', twoOf(words.strong))} union all
            (select store_id, name_terms, all_terms from app_search
            where store_id = any(${thoughtOf.all}::bigint[]))
          ) found
          where store_id <> ${storeId}::bigint
          order by store_id
        ) one
        order by kept desc, held desc, store_id limit ${limit}
      ) best
      join app_records r on r.store_id = best.store_id and r.country = ${country}
      order by best.held desc, r.store_id`,
  )
}

/**
 * Apps that could resemble a text in another language of a storefront, as `appsResemblingText` finds them, among those that have been
 * read in it; their texts are the storefront's own.
 */
export function appsResemblingInLanguage(
  db: Database,
  storeId: string,
  { country, language }: { country: string; language: LocalizationCode },
  words: { strong: readonly string[]; wide: readonly string[] },
  { limit, letters }: { limit: number; letters: number },
): Promise<ListingRow[]> {
  const [strong, wide] = [anyOf(words.strong), anyOf(words.wide)]
  return rows(
    db,
    sql<ListingRow>`
      select ${listingColumns(letters)}
      from (
        select store_id, 3 * ts_rank(name_terms, ${strong}::tsquery) + ts_rank(all_terms, ${wide}::tsquery) as held
        from localized_search
        where country = ${country} and language = ${language} and store_id <> ${storeId}::bigint
          and (name_terms @@ ${strong}::tsquery or all_terms @@ ${twoOf(words.strong)}::tsquery)
        order by held desc, store_id limit ${limit}
      ) best
      join app_records r on r.store_id = best.store_id and r.country = ${country}
      order by best.held desc, r.store_id`,
  )
}

export interface ResultPageNeighbour {
  storeId: string
  /** Its places on the result pages with both apps among the first places. */
  ranks: number[]
  /** Result pages looked at: those with the app asked about among the first places. */
  looked: number
  /** Newest pages of the storefront that have it among the first places, counted to some bound. */
  holding: number
  /** Terms of the storefront with a page, counted to some bound: which others somebody tracks is nobody else's business. */
  terms: number
  /** A term of such a page. */
  term: string
}

/** Counting pages and terms stops here. */
const countedPages = 500
const countedTerms = 10_000

/**
 * Apps that stand among the first places of the newest result pages that have this app there, most often first. The
 * newest `pages` such pages of the app's last two months of ranks are looked at.
 */
export async function resultPageNeighbours(
  db: Database,
  storeId: string,
  country: string,
  { places, pages, limit }: { places: number; pages: number; limit: number },
): Promise<ResultPageNeighbour[]> {
  const beside = await rows(
    db,
    sql<Omit<ResultPageNeighbour, 'holding' | 'terms'>>`
      with own as materialized (
        select t.term_id, t.term, t.page_at
        from rank_months m
        join terms t on t.term_id = m.term_id and date_trunc('month', t.page_day::timestamp)::date = m.month
        where m.store_id = ${storeId}::bigint and m.country = ${country} and m.best <= ${places}
          and m.month >= (
            select last.month - interval '1 month' from rank_months last join term_names n using (term_id)
            where last.store_id = ${storeId}::bigint and last.country = ${country} and n.surface = ${mainSurface}
            order by last.month desc limit 1)
          and m.ranks[extract(day from t.page_day)::int] <= ${places}
        order by t.page_at desc, t.term
        limit ${pages}
      ), beside as materialized (
        select place.store_id, array_agg(place.rank::int order by place.rank) as ranks, min(own.term) as term
        from own
        join result_pages p on p.term_id = own.term_id and p.captured_at = own.page_at
        cross join lateral unnest(p.store_ids[1:${sql.lit(places)}]) with ordinality as place(store_id, rank)
        where place.store_id is not null and place.store_id <> ${storeId}::bigint
        group by place.store_id
        order by count(*) desc, place.store_id
        limit ${limit}
      )
      select beside.store_id::text as "storeId", beside.ranks, beside.term, (select count(*)::int from own) as looked
      from beside
      order by cardinality(beside.ranks) desc, beside.store_id`,
  )
  if (beside.length === 0) return []
  const ids = beside.map((one) => one.storeId)
  const [holding, terms] = await Promise.all([
    rows(
      db,
      sql<{ storeId: string; pages: number }>`
        select store_id::text as "storeId", newest_pages_showing(store_id, ${country}, ${countedPages}) as pages
        from unnest(${ids}::bigint[]) as asked(store_id)`,
    ),
    firstRow(
      db,
      sql<{ count: number }>`
        select count(*)::int as count from (
          select 1 from newest_pages n join term_names t using (term_id) where t.country = ${country} limit ${countedTerms}
        ) counted`,
    ),
  ])
  const pagesOf = new Map(holding.map((one) => [one.storeId, one.pages]))
  return beside.map((one) => ({
    ...one,
    holding: pagesOf.get(one.storeId) ?? 0,
    terms: terms?.count ?? 0,
  }))
}
