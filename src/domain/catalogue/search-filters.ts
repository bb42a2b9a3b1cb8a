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

/** Whether a record `r` of the storefront passes. */
export function filtersOn(filters: Filters, country: string): RawBuilder<unknown> {
  const clauses = [sql`true`]
  const genres = filters.categoryId === undefined ? undefined : genresUnder(filters.categoryId)
  if (genres) clauses.push(sql`r.category_ids && ${`{${genres.join(',')}}`}::int[]`)
  if (filters.developerId !== undefined) clauses.push(sql`r.developer_id = ${bigintId(filters.developerId)}`)
  if (filters.price === 'free') clauses.push(sql`r.price = 0`)
  if (filters.price === 'paid') clauses.push(sql`r.price > 0`)
  if (filters.minRating !== undefined) clauses.push(sql`r.rating >= ${filters.minRating}`)
  if (filters.minRatingCount !== undefined)
    clauses.push(sql`coalesce(r.rating_count, -1) >= ${filters.minRatingCount}`)
  if (filters.releasedFrom !== undefined) clauses.push(sql`r.released_at >= ${filters.releasedFrom}::date`)
  if (filters.releasedTo !== undefined) clauses.push(sql`r.released_at < ${filters.releasedTo}::date + 1`)
  if (filters.updatedFrom !== undefined) clauses.push(sql`r.updated_at >= ${filters.updatedFrom}::date`)
  if (filters.charting !== undefined) {
    const charting = sql`r.store_id in (
      select unnest(s.store_ids) from charts c
      join chart_snapshots s on s.chart_id = c.chart_id and s.captured_at = c.newest_captured_at
      where c.country = ${country})`
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
