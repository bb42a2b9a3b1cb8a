import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import { filterTerm, tiersForRatings } from './search-document.ts'
import {
  type CatalogueFilters,
  filterCondition,
  genreCondition,
  hasFilters,
  newestChartApps,
  rangeConditions,
} from './search-plan.ts'

export type CatalogueSort = 'rating-count' | 'rating' | 'released' | 'updated' | 'name'

/** Sort keys of the storefront scan; each has an index that ends with the id. */
const keys: Record<
  CatalogueSort,
  { key: RawBuilder<unknown>; type: RawBuilder<unknown>; direction: 'asc' | 'desc' }
> = {
  'rating-count': { key: sql`coalesce(r.rating_count, -1)`, type: sql`bigint`, direction: 'desc' },
  rating: { key: sql`coalesce(r.rating, -1)`, type: sql`double precision`, direction: 'desc' },
  released: { key: sql`coalesce(r.released_at, '-infinity')`, type: sql`timestamptz`, direction: 'desc' },
  updated: { key: sql`coalesce(r.updated_at, '-infinity')`, type: sql`timestamptz`, direction: 'desc' },
  name: { key: sql`r.sort_name collate "C"`, type: sql`text`, direction: 'asc' },
}

/** The last row of a page of a scan. */
export interface ScanPosition {
  key: string
  storeId: string
}

/** A page of the apps of a storefront. */
interface Scan {
  country: string
  filters: CatalogueFilters
  /** A `tsquery` over names, developers and descriptions that the apps have to match. */
  text?: string
  /** Apps that are left out of those that match. */
  without?: readonly string[]
  sort: CatalogueSort
  after: ScanPosition | undefined
  limit: number
}

/** A part of a storefront's records that an index gives in some order, and that no app outside of can be asked for. */
interface Scope {
  condition: RawBuilder<unknown>
  /** Its `order by`; empty where it has none. */
  order: RawBuilder<unknown>
}

/** Records that the first look goes through, and how many times as many each further one does. */
const firstLook = 2_000
const furtherEach = 8

/**
 * Apps of a storefront in an order, after a place; `key` of each is where the next page begins. Most filters let enough apps
 * pass near the beginning of the order. Where they do not, the page is looked for further down, and in what one filter alone lets
 * pass, with the same bound for each, which rises until one of them has an answer: the work follows the shortest of these ways, not
 * the size of the storefront.
 */
export async function scanStorefront(db: Database, scan: Scan): Promise<ScanPosition[]> {
  const { filters, limit, text } = scan
  const asAsked = scopeAsAsked(scan)
  if (!hasFilters(filters) && text === undefined) return firstOf(db, scan, asAsked, limit)
  const others = scopesOfFilters(scan)
  const ofGenres = genreCondition(filters)
  // Of several indexes the planner joins what lets few pass; which of them that is only it knows.
  if (text === undefined && others.length + (ofGenres ? 1 : 0) > 1) {
    const all = sql`${asAsked.condition} and ${passing(scan)}`
    return firstOf(db, scan, { ...asAsked, condition: all }, limit)
  }
  const first = await firstOf(db, scan, asAsked, firstLook)
  if (first.length === limit) return first
  const sizes = await sizesOf(db, scan)
  // How many records hold the page, as far as those that were looked at tell.
  let expected = (firstLook * limit) / first.length
  for (let budget = firstLook; ; budget *= furtherEach) {
    const further = budget > firstLook
    const walk = async () => {
      const found = await firstOf(db, scan, asAsked, budget)
      expected = (budget * limit) / found.length
      return found.length === limit ? found : undefined
    }
    const near = further && expected <= budget
    const early = near ? await walk() : undefined
    if (early) return early
    const scopes = [
      ...others,
      ...(text === undefined ? [] : [scopeOfText(scan, text, budget)]),
      ...(ofGenres && sizes.ofGenres < budget ? [{ condition: ofGenres, order: sql`` }] : []),
      ...(sizes.stored < budget ? [asAsked] : []),
    ]
    for (const scope of scopes) {
      const { looked, places } = await lookedThrough(db, scan, scope, budget)
      if (looked < budget) return places
    }
    const late = further && !near ? await walk() : undefined
    if (late) return late
  }
}

/** The columns of a record that filters and sort orders use. */
const askedColumns = sql`
  r.store_id, r.sort_name, r.rating_count, r.rating, r.released_at, r.updated_at, r.price, r.category_ids, r.developer_id`

const byOrder = (sort: CatalogueSort) => sql`order by ${inOrder(sort)}`

function inOrder(sort: CatalogueSort): RawBuilder<unknown> {
  const { key, direction } = keys[sort]
  return sql`${key} ${sql.raw(direction)}, r.store_id ${sql.raw(direction)}`
}

function beyond({ sort, after }: Scan): RawBuilder<unknown> {
  const { key, type, direction } = keys[sort]
  const side = sql.raw(direction === 'desc' ? '<' : '>')
  return after ? sql`(${key}, r.store_id) ${side} (${after.key}::${type}, ${after.storeId}::bigint)` : sql`true`
}

/** The order asked for, as far as the filter on the same number lets it pass. */
function scopeAsAsked(scan: Scan): Scope {
  const ranges: Partial<Record<CatalogueSort, RawBuilder<unknown>>> = rangeConditions(scan.filters)
  const own = ranges[scan.sort] ?? sql`true`
  return { condition: sql`${own} and ${beyond(scan)}`, order: byOrder(scan.sort) }
}

/** The matches of each filter that has an index. */
function scopesOfFilters(scan: Scan): Scope[] {
  const { developerId, charting } = scan.filters
  const ranges = Object.entries(rangeConditions(scan.filters)) as [CatalogueSort, RawBuilder<unknown>][]
  const unordered = [
    ...(developerId === undefined ? [] : [sql`r.developer_id = ${bigintId(developerId)}`]),
    ...(charting === 'yes' ? [sql`r.store_id = any(array(${newestChartApps(scan.country)}))`] : []),
  ]
  return [
    ...ranges
      .filter(([sort]) => sort !== scan.sort)
      .map(([sort, condition]) => ({ condition, order: byOrder(sort) })),
    ...unordered.map((condition) => ({ condition, order: sql`` })),
  ]
}

/** The matches of a text, up to a limit. */
const scopeOfText = ({ country }: Scan, text: string, budget: number): Scope => ({
  condition: sql`r.store_id = any(array(
    select store_id from app_search where all_terms @@ ${inStorefront(text, country)}::tsquery limit ${sql.lit(budget + 1)}))`,
  order: sql``,
})

/** A text among the apps of a storefront. */
const inStorefront = (text: string, country: string) =>
  `(${text}) & (${tiersForRatings(0)
    .map((tier) => `'${filterTerm.storefront(country, tier)}'`)
    .join(' | ')})`

/** Whether a record `r` passes the filters and matches the text. */
function passing({ filters, country, text, without = [] }: Scan): RawBuilder<unknown> {
  const own = filterCondition(filters, country)
  if (text === undefined) return own
  // Not `exists`: Citus has no correlated subquery beside what it has gathered.
  return sql`${own} and r.store_id <> all(${without}::bigint[]) and r.store_id in (
    select store_id from app_search where all_terms @@ ${inStorefront(text, country)}::tsquery)`
}

/** How many records a storefront has, and how many of them list the genres asked for. Counted beside them: no more than a hint. */
interface Sizes {
  stored: number
  ofGenres: number
}

async function sizesOf(db: Database, { country, filters }: Scan): Promise<Sizes> {
  const [sizes] = await rows(
    db,
    sql<Sizes>`
      select coalesce(sum(apps), 0)::int as stored,
        coalesce(sum(apps) filter (where ${genreCondition(filters) ?? sql`true`}), 0)::int as "ofGenres"
      from genre_counts r where country = ${country}`,
  )
  return sizes ?? { stored: 0, ofGenres: 0 }
}

/** The first of a way that pass; as many records are read as it takes, up to a bound. */
function firstOf(db: Database, scan: Scan, scope: Scope, budget: number): Promise<ScanPosition[]> {
  const { country, sort, limit } = scan
  const direction = sql.raw(keys[sort].direction)
  return rows(
    db,
    sql<ScanPosition>`
      select r.store_id::text as "storeId", r.key::text as key
      from (
        select ${askedColumns}, ${keys[sort].key} as key from app_records r
        where r.country = ${country} and ${scope.condition}
        ${scope.order} limit ${sql.lit(budget)}
      ) r
      where ${passing(scan)}
      order by r.key ${direction}, r.store_id ${direction} limit ${sql.lit(limit)}`,
  )
}

/** The page among so many records of a way, and how many of these there were. */
async function lookedThrough(
  db: Database,
  scan: Scan,
  scope: Scope,
  budget: number,
): Promise<{ looked: number; places: ScanPosition[] }> {
  const { country, sort, limit } = scan
  const [found] = await rows(
    db,
    sql<{ looked: number; places: ScanPosition[] | null }>`
      with looked as materialized (
        select ${askedColumns} from app_records r where r.country = ${country} and ${scope.condition}
        ${scope.order} limit ${sql.lit(budget)}
      )
      select (select count(*)::int from looked) as looked, (
        select json_agg(json_build_object('storeId', r.store_id::text, 'key', (${keys[sort].key})::text)
          order by ${inOrder(sort)})
        from (
          select * from looked r where ${passing(scan)} and ${beyond(scan)}
          order by ${inOrder(sort)} limit ${sql.lit(limit)}
        ) r
      ) as places`,
  )
  return { looked: found?.looked ?? 0, places: found?.places ?? [] }
}

/** Records read at most to count those that pass a filter. */
const countedRecords = 10_000

/** How many apps of a storefront pass the filters: all of them, or as many as were counted before a bound. */
export async function countInStorefront(
  db: Database,
  country: string,
  filters: CatalogueFilters,
  budget: number,
): Promise<{ value: number; relation: 'exact' | 'at-least' }> {
  const [found] = await rows(
    db,
    sql<{ read: number; passing: number }>`
      select count(*)::int as read, count(*) filter (where passes)::int as passing
      from (
        select (${filterCondition(filters, country)}) as passes
        from app_records r where r.country = ${country}
        order by r.store_id limit ${hasFilters(filters) ? countedRecords : budget + 1}
      ) counted`,
  )
  const { read = 0, passing = 0 } = found ?? {}
  const counted = read < (hasFilters(filters) ? countedRecords : budget + 1) && passing <= budget
  return counted
    ? { value: passing, relation: 'exact' }
    : { value: Math.min(passing, budget), relation: 'at-least' }
}

/** How many apps of a storefront match a text and pass the filters, as far as `countInStorefront` counts. */
export async function countTextMatches(
  db: Database,
  { country, filters }: Pick<Scan, 'country' | 'filters'>,
  text: string,
  budget: number,
): Promise<{ value: number; relation: 'exact' | 'at-least' }> {
  const most = hasFilters(filters) ? countedRecords : budget + 1
  const [found] = await rows(
    db,
    sql<{ read: number; passing: number }>`
      with matching as materialized (
        select store_id from app_search where all_terms @@ ${inStorefront(text, country)}::tsquery limit ${most}
      ), passing as (
        select count(*)::int as passing from app_records r
        where r.country = ${country} and r.store_id = any(array(select store_id from matching)) and ${filterCondition(filters, country)}
      )
      select read, passing from (select count(*)::int as read from matching) seen cross join passing`,
  )
  const { read = 0, passing: matches = 0 } = found ?? {}
  return read < most && matches <= budget
    ? { value: matches, relation: 'exact' }
    : { value: Math.min(matches, budget), relation: 'at-least' }
}
