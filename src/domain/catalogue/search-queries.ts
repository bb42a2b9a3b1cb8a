import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { type Filters, filtered, filtersOn } from './search-filters.ts'

export type Sort = 'rating-count' | 'rating' | 'released' | 'updated' | 'name'

/** Sort keys of the storefront scan; each has an index that ends with the id. */
const keys: Record<Sort, { key: RawBuilder<unknown>; type: RawBuilder<unknown>; direction: 'asc' | 'desc' }> = {
  'rating-count': { key: sql`coalesce(r.rating_count, -1)`, type: sql`bigint`, direction: 'desc' },
  rating: { key: sql`coalesce(r.rating, -1)`, type: sql`double precision`, direction: 'desc' },
  released: { key: sql`coalesce(r.released_at, '-infinity')`, type: sql`timestamptz`, direction: 'desc' },
  updated: { key: sql`coalesce(r.updated_at, '-infinity')`, type: sql`timestamptz`, direction: 'desc' },
  name: { key: sql`r.sort_name collate "C"`, type: sql`text`, direction: 'asc' },
}

/** Where a page of the scan ended. */
export interface Place {
  key: string
  storeId: string
}

/** Apps of a storefront in an order, after a place; `key` of each is where the next page begins. */
export function storefrontScan(
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
