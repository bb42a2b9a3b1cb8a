import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import { genresUnder } from './genres.ts'
import { filterTerm, tiersWith } from './search-document.ts'
import type { ExactReference } from './search-plan.ts'

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

/** An app that matches, with what is needed to order it. */
export interface Candidate {
  storeId: string
  name: string
  sortName: string
  ratingCount: number | null
  rating: number | null
  releasedAt: Date | null
  updatedAt: Date | null
  inName: boolean
}

function filtersOn(filters: Filters, country: string): RawBuilder<unknown> {
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
    clauses.push(filters.charting === 'yes' ? charting : sql`(${charting}) is not true`)
  }
  return sql.join(clauses, sql` and `)
}

/** Terms that every app has which passes the filters in some storefront: they narrow the matches before records are read. */
function filterTerms({ categoryId, developerId, price }: Filters): string[] {
  const terms = []
  const genres = categoryId === undefined ? undefined : genresUnder(categoryId)
  if (genres) terms.push(`(${genres.map((id) => `'${filterTerm.category(id)}'`).join(' | ')})`)
  if (developerId !== undefined) terms.push(`'${filterTerm.developer(developerId)}'`)
  if (price !== undefined) terms.push(`'${filterTerm[price]}'`)
  return terms
}

const candidateColumns = sql`
  r.store_id::text as "storeId", r.name, r.sort_name as "sortName", r.rating_count::double precision as "ratingCount",
  r.rating, r.released_at as "releasedAt", r.updated_at as "updatedAt"`

/** The record that speaks for an app: that of the storefront, else that of the storefront with most ratings. */
const spokenFor = (country: string) => sql`
  select store_id, name, sort_name, rating_count, rating, released_at, updated_at, price, category_ids, developer_id
  from app_records own where own.store_id = found.store_id
  order by (own.country = ${country}) desc, own.rating_count desc nulls last, own.country limit 1`

/** Where a text is looked for: in names and developers, or in these and descriptions. */
export type Reach = 'name_terms' | 'all_terms'

export interface TextMatches {
  /** The most established tiers first, at most `limit`. */
  candidates: Candidate[]
  /** Whether there may be more than these. */
  cut: boolean
}

/** Matches looked at for each one wanted, where filters remain that only the record can answer. */
const lookedAt = 3
/** Where none of them passes the filters, so many times as many are looked at, until one does or all were seen. */
const furtherEach = 20

/**
 * Apps that match a text and the filters. Walks the tiers from the top until it has enough, and looks at no more than
 * three matches for each one wanted, so the work is bounded at any size of the catalogue. Only where none of these passes
 * the filters it goes on: that nothing was found must mean that there is nothing.
 */
export async function candidatesByText(
  db: Database,
  reach: Reach,
  terms: string,
  country: string,
  filters: Filters,
  limit: number,
): Promise<TextMatches> {
  const asked = [`(${terms})`, ...filterTerms(filters)].join(' & ')
  const tiers = tiersWith(filters.minRatingCount ?? 0).map(
    (tier) =>
      sql`select store_id from ${sql.table(`app_search_${tier}`)} where ${sql.ref(reach)} @@ ${asked}::tsquery`,
  )
  const walked = (most: number) =>
    sql`select store_id from (${sql.join(tiers, sql` union all `)}) tiers limit ${most}`
  const passing = sql`
    select ${candidateColumns}, ${reach === 'name_terms'}::boolean as "inName"
    from found cross join lateral (${spokenFor(country)}) r
    where ${filtersOn(filters, country)}
    limit ${limit}`
  if (!filtered(filters)) {
    const candidates = await rows(db, sql<Candidate>`with found as (${walked(limit)}) ${passing}`)
    return { candidates, cut: candidates.length >= limit }
  }
  for (let most = limit * lookedAt; ; most *= furtherEach) {
    const looked = await rows(
      db,
      sql<Candidate & { looked: number }>`
        with found as materialized (${walked(most)}), passing as (${passing})
        select passing.*, seen.looked
        from (select count(*)::int as looked from found) seen left join passing on true`,
    )
    const cut = (looked[0]?.looked ?? 0) >= most
    const candidates = looked.filter(({ storeId }) => storeId !== null)
    if (candidates.length > 0 || !cut) return { candidates, cut: cut || candidates.length >= limit }
  }
}

function filtered(filters: Filters): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}

/** The app that a reference names, if it passes the filters. */
export function candidatesByReference(
  db: Database,
  reference: ExactReference,
  country: string,
  filters: Filters,
): Promise<Candidate[]> {
  const which =
    'storeId' in reference
      ? sql`store_id = ${bigintId(reference.storeId)}`
      : sql`lower(bundle_id) = ${reference.bundleId.toLowerCase()}`
  return rows(
    db,
    sql<Candidate>`
      select ${candidateColumns}, true as "inName"
      from (select distinct store_id from app_records where ${which} limit 10) found
      cross join lateral (${spokenFor(country)}) r
      where ${filtersOn(filters, country)}`,
  )
}

/** Words of the catalogue that share a slip with one of these, each with the word it was asked for. */
export function neighbouringWords(
  db: Database,
  asked: readonly { word: string; slips: string[] }[],
): Promise<{ asked: string; word: string }[]> {
  return rows(
    db,
    sql<{ asked: string; word: string }>`
      select sent.word as asked, near.word
      from json_to_recordset(${JSON.stringify(asked)}::json) as sent(word text, slips text[])
      cross join lateral (
        select w.word from search_words w where w.slips && sent.slips limit 200
      ) near`,
  )
}

export type Sort = 'rating-count' | 'rating' | 'released' | 'updated' | 'name'

/** Sort keys of the storefront walk; each has an index that ends with the id. */
const keys: Record<Sort, { key: RawBuilder<unknown>; type: RawBuilder<unknown>; direction: 'asc' | 'desc' }> = {
  'rating-count': { key: sql`coalesce(r.rating_count, -1)`, type: sql`bigint`, direction: 'desc' },
  rating: { key: sql`coalesce(r.rating, -1)`, type: sql`double precision`, direction: 'desc' },
  released: { key: sql`coalesce(r.released_at, '-infinity')`, type: sql`timestamptz`, direction: 'desc' },
  updated: { key: sql`coalesce(r.updated_at, '-infinity')`, type: sql`timestamptz`, direction: 'desc' },
  name: { key: sql`r.sort_name collate "C"`, type: sql`text`, direction: 'asc' },
}

/** Where a page of the walk ended. */
export interface Place {
  key: string
  storeId: string
}

/** Apps of a storefront in an order, after a place; `key` of each is where the next page begins. */
export function storefrontWalk(
  db: Database,
  country: string,
  filters: Filters,
  sort: Sort,
  after: Place | undefined,
  limit: number,
): Promise<Place[]> {
  const { key, type, direction } = keys[sort]
  const order = sql.raw(direction)
  const beyond = sql.raw(direction === 'desc' ? '<' : '>')
  const from = after
    ? sql`(${key}, r.store_id) ${beyond} (${after.key}::${type}, ${after.storeId}::bigint)`
    : sql`true`
  return rows(
    db,
    sql<Place>`
      select r.store_id::text as "storeId", (${key})::text as key
      from app_records r
      where r.country = ${country} and ${filtersOn(filters, country)} and ${from}
      order by ${key} ${order}, r.store_id ${order}
      limit ${limit}`,
  )
}

/** Records read at most to count those that pass a filter. */
const countedRecords = 10_000

/** How many apps of a storefront pass the filters: all of them, or as many as were counted before a bound. */
export async function storefrontCount(
  db: Database,
  country: string,
  filters: Filters,
  bound: number,
): Promise<{ value: number; relation: 'exact' | 'at-least' }> {
  const [found] = await rows(
    db,
    sql<{ read: number; passing: number }>`
      select count(*)::int as read, count(*) filter (where passes)::int as passing
      from (
        select (${filtersOn(filters, country)}) as passes
        from app_records r where r.country = ${country}
        limit ${filtered(filters) ? countedRecords : bound + 1}
      ) counted`,
  )
  const { read = 0, passing = 0 } = found ?? {}
  const counted = read < (filtered(filters) ? countedRecords : bound + 1) && passing <= bound
  return counted
    ? { value: passing, relation: 'exact' }
    : { value: Math.min(passing, bound), relation: 'at-least' }
}
