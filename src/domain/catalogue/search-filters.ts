import { type RawBuilder, sql } from 'kysely'
import { bigintId } from '../../storage/ids.ts'
import { genresUnder } from './genres.ts'
import { filterTerm } from './search-document.ts'

/** What search and browse can filter by. A filter leaves out apps whose value is not measured. */
export interface Filters {
  /** Apps of this genre or of any under it. */
  categoryId?: number
  developerId?: string
  price?: 'free' | 'paid'
  minRating?: number
  minRatingCount?: number
  /** `YYYY-MM-DD`, included. */
  releasedFrom?: string
  /** `YYYY-MM-DD`, included. */
  releasedTo?: string
  updatedFrom?: string
  charting?: 'yes' | 'no'
}

/** What a record `r` must have in a number or a date, said as the indexes of the orders by them have it. */
export function rangesOf(
  filters: Filters,
): Partial<Record<'rating' | 'rating-count' | 'released' | 'updated', RawBuilder<unknown>>> {
  const { minRating, minRatingCount, releasedFrom, releasedTo, updatedFrom } = filters
  const released = sql`coalesce(r.released_at, '-infinity')`
  return {
    ...(minRating === undefined ? {} : { rating: sql`coalesce(r.rating, -1) >= ${minRating}` }),
    ...(minRatingCount === undefined
      ? {}
      : { 'rating-count': sql`coalesce(r.rating_count, -1) >= ${minRatingCount}` }),
    ...(releasedFrom === undefined && releasedTo === undefined
      ? {}
      : {
          released: sql.join(
            [
              releasedFrom === undefined
                ? sql`${released} > '-infinity'`
                : sql`${released} >= ${releasedFrom}::date`,
              ...(releasedTo === undefined ? [] : [sql`${released} < ${releasedTo}::date + 1`]),
            ],
            sql` and `,
          ),
        }),
    ...(updatedFrom === undefined
      ? {}
      : { updated: sql`coalesce(r.updated_at, '-infinity') >= ${updatedFrom}::date` }),
  }
}

/** Whether a record `r` has one of the genres asked for; undefined where all genres are. */
export function inGenres({ categoryId }: Filters): RawBuilder<unknown> | undefined {
  const genres = categoryId === undefined ? undefined : genresUnder(categoryId)
  return genres && sql`r.category_ids && ${`{${genres.join(',')}}`}::int[]`
}

/** The apps in the newest snapshot of any chart of a storefront. */
export const chartedIn = (country: string) => sql`
  select unnest(s.store_ids) from charts c
  join chart_snapshots s on s.chart_id = c.chart_id and s.captured_at = c.newest_captured_at
  where c.country = ${country}`

/** Whether a record `r` of the storefront passes. */
export function filtersOn(filters: Filters, country: string): RawBuilder<unknown> {
  const genres = inGenres(filters)
  const clauses = [sql`true`, ...(genres ? [genres] : []), ...Object.values(rangesOf(filters))]
  if (filters.developerId !== undefined) clauses.push(sql`r.developer_id = ${bigintId(filters.developerId)}`)
  if (filters.price === 'free') clauses.push(sql`r.price = 0`)
  if (filters.price === 'paid') clauses.push(sql`r.price > 0`)
  if (filters.charting !== undefined) {
    const charting = sql`r.store_id in (${chartedIn(country)})`
    // Asked as a truth, the charts are gathered once and looked up: as a condition they are joined, for each app anew.
    clauses.push(filters.charting === 'yes' ? sql`(${charting}) is true` : sql`(${charting}) is not true`)
  }
  return sql.join(clauses, sql` and `)
}

/** Terms that every app has which passes the filters in some storefront: they narrow the matches before records are read. */
export function filterTerms({ categoryId, developerId, price }: Filters): string[] {
  const terms = []
  const genres = categoryId === undefined ? undefined : genresUnder(categoryId)
  if (genres) terms.push(`(${genres.map((id) => `'${filterTerm.category(id)}'`).join(' | ')})`)
  if (developerId !== undefined) terms.push(`'${filterTerm.developer(developerId)}'`)
  if (price !== undefined) terms.push(`'${filterTerm[price]}'`)
  return terms
}

export function filtered(filters: Filters): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}
