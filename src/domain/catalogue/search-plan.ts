import { type RawBuilder, sql } from 'kysely'
import { bigintId } from '../../storage/ids.ts'
import { joinTokens, letterPairs, type Token, tokens } from '../../text/search-terms.ts'
import { bundleIdForm } from '../../vocabulary/ids.ts'
import { genreAndDescendants } from './genres.ts'
import { filterTerm } from './search-document.ts'

/** A text as the index is asked for it. */
interface TextQuery {
  /** PostgreSQL `tsquery` text over our own terms. */
  terms: string
  /** The words and runs of unspaced script asked for, in order. */
  tokens: Token[]
}

/** Words to accept in place of one that was probably misspelt. */
export type TypoCorrections = ReadonlyMap<string, readonly string[]>

/**
 * All tokens must occur, or in their place what two or three words are as one; the last word may be a prefix. Undefined
 * when the text holds no letter and no digit.
 */
export function textQuery(text: string, corrections: TypoCorrections = new Map()): TextQuery | undefined {
  const asked = tokens(text)
  if (asked.length === 0) return undefined
  const apart = asked.map((token, index) => termOf(token, index === asked.length - 1, corrections)).join(' & ')
  const together = joinTokens(asked)
  return { terms: together ? `(${apart} | ${lexeme(together)}:*)` : apart, tokens: asked }
}

function termOf(token: Token, last: boolean, corrections: TypoCorrections): string {
  if (token.kind === 'run') {
    const found = letterPairs(token.text)
    return found.length === 0 ? `${lexeme(token.text)}:*` : found.map(lexeme).join(' & ')
  }
  const own = last ? `${lexeme(token.text)}:*` : lexeme(token.text)
  const others = (corrections.get(token.text) ?? []).map(lexeme)
  return others.length === 0 ? own : `(${[own, ...others].join(' | ')})`
}

/** A term quoted for a `tsquery`; terms hold letters and digits only, so there is nothing to escape. */
function lexeme(term: string): string {
  return `'${term}'`
}

/** An app named outright: by id, bundle id or App Store address. */
export type ExactReference = { storeId: string } | { bundleId: string }

/** Only App Store addresses, and not others that contain one. */
const address = /^(?:https?:\/\/)?(?:apps|itunes)\.apple\.com\/(?:[^?#]*\/)?id([1-9]\d{0,18})(?:[/?#]|$)/i

/** The app that a text identifies; undefined for a text of words. */
export function exactReference(text: string): ExactReference | undefined {
  const asked = text.trim()
  const storeId = address.exec(asked)?.[1] ?? /^(?:id)?([1-9]\d{0,18})$/.exec(asked)?.[1]
  // The last few numbers of 19 digits are ids of nothing, and nothing holds them.
  if (storeId) return BigInt(storeId) < 2n ** 63n ? { storeId } : undefined
  if (bundleIdForm.test(asked)) return { bundleId: asked }
  return undefined
}

/** Filters of search and browsing. A filter leaves out apps whose value is not measured. */
export interface CatalogueFilters {
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

/** Range conditions on numbers and dates of a record `r`, written as in the indexes of the sort orders. */
export function rangeConditions(
  filters: CatalogueFilters,
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
export function genreCondition({ categoryId }: CatalogueFilters): RawBuilder<unknown> | undefined {
  const genres = categoryId === undefined ? undefined : genreAndDescendants(categoryId)
  return genres && sql`r.category_ids && ${`{${genres.join(',')}}`}::int[]`
}

/** The apps in the newest snapshot of any chart of a storefront. */
export const newestChartApps = (country: string) => sql`
  select unnest(s.store_ids) from charts c
  join chart_snapshots s on s.chart_id = c.chart_id and s.captured_at = c.newest_captured_at
  where c.country = ${country}`

/** Whether a record `r` of the storefront passes. */
export function filterCondition(filters: CatalogueFilters, country: string): RawBuilder<unknown> {
  const genres = genreCondition(filters)
  const clauses = [sql`true`, ...(genres ? [genres] : []), ...Object.values(rangeConditions(filters))]
  if (filters.developerId !== undefined) clauses.push(sql`r.developer_id = ${bigintId(filters.developerId)}`)
  if (filters.price === 'free') clauses.push(sql`r.price = 0`)
  if (filters.price === 'paid') clauses.push(sql`r.price > 0`)
  if (filters.charting !== undefined) {
    const charting = sql`r.store_id in (${newestChartApps(country)})`
    // Asked as a truth, the charts are gathered once and looked up: as a condition they are joined, for each app anew.
    clauses.push(filters.charting === 'yes' ? sql`(${charting}) is true` : sql`(${charting}) is not true`)
  }
  return sql.join(clauses, sql` and `)
}

/**
 * The same, of records that are looked up by their ids: one text for whatever is asked but of charts, so that a statement with it can be
 * prepared.
 */
export function unplannedFilterCondition(filters: CatalogueFilters, country: string): RawBuilder<unknown> {
  const { categoryId, developerId, price, minRating, minRatingCount } = filters
  const { releasedFrom, releasedTo, updatedFrom, charting } = filters
  if (charting !== undefined) return filterCondition(filters, country)
  const genres = categoryId === undefined ? undefined : genreAndDescendants(categoryId)
  const given = <Value>(value: Value | undefined, type: string) => sql`${value ?? null}::${sql.raw(type)}`
  const unless = (value: RawBuilder<unknown>, condition: RawBuilder<unknown>) =>
    sql`(${value} is null or ${condition})`
  const category = given(genres && `{${genres.join(',')}}`, 'int[]')
  const developer = given(developerId, 'numeric')
  const paid = given(price && price === 'paid', 'boolean')
  const rating = given(minRating, 'double precision')
  const count = given(minRatingCount, 'bigint')
  const from = given(releasedFrom, 'date')
  const to = given(releasedTo, 'date')
  const updated = given(updatedFrom, 'date')
  return sql.join(
    [
      unless(category, sql`r.category_ids && ${category}`),
      unless(developer, sql`r.developer_id = ${developer}`),
      unless(paid, sql`case when ${paid} then r.price > 0 else r.price = 0 end`),
      unless(rating, sql`r.rating >= ${rating}`),
      unless(count, sql`r.rating_count >= ${count}`),
      unless(from, sql`r.released_at >= ${from}`),
      unless(to, sql`r.released_at < ${to} + 1`),
      unless(updated, sql`r.updated_at >= ${updated}`),
    ],
    sql` and `,
  )
}

/** Terms that every app has which passes the filters in some storefront: they narrow the matches before records are read. */
export function filterTerms({ categoryId, developerId, price }: CatalogueFilters): string[] {
  const terms = []
  const genres = categoryId === undefined ? undefined : genreAndDescendants(categoryId)
  if (genres) terms.push(`(${genres.map((id) => `'${filterTerm.category(id)}'`).join(' | ')})`)
  if (developerId !== undefined) terms.push(`'${filterTerm.developer(developerId)}'`)
  if (price !== undefined) terms.push(`'${filterTerm[price]}'`)
  return terms
}

export function hasFilters(filters: CatalogueFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}
