import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import { asPrepared } from '../../storage/prepared.ts'
import { localizedMatches } from './localized-search.ts'
import { brandSeparators } from './relevance.ts'
import { filterTerm, tiersDownTo, tiersForRatings } from './search-document.ts'
import {
  type CatalogueFilters,
  type ExactReference,
  filterCondition,
  filterTerms,
  hasFilters,
  unplannedFilterCondition,
} from './search-plan.ts'
import type { CatalogueSort } from './search-queries.ts'
import { matchesOfTier, type TextScope, unplannedQuery } from './tier-matches.ts'

/** A matching app, with the values that order it, all from the requested storefront. */
export interface SearchCandidate {
  storeId: string
  sortName: string
  ratingCount: number | null
  rating: number | null
  releasedAt: Date | null
  updatedAt: Date | null
  inName: boolean
  /** Whether the storefront has no record of it: then the name is from another storefront, and every number is null. */
  elsewhere: boolean
}

export const candidateColumns = (sort: SortedBy) => sql`
  r.store_id::text as "storeId", r.sort_name as "sortName", r.rating_count::double precision as "ratingCount", r.rating,
  ${onlyFor(sort, 'released', sql`r.released_at`)} as "releasedAt", ${onlyFor(sort, 'updated', sql`r.updated_at`)} as "updatedAt",
  false as elsewhere`

type SortedBy = CatalogueSort | 'relevance'

/** What is asked of the records of matches. */
export interface Wanting {
  country: string
  filters: CatalogueFilters
  sort: SortedBy
}

/** A time that one order alone needs: reading hundreds of them takes longer than all else of a match. */
const onlyFor = (sort: SortedBy, needing: SortedBy, time: RawBuilder<unknown>) =>
  sql`case when ${sort === needing}::boolean then ${time} end`

/** The ids of `found`, a materialized list, as an array: each is looked up, however many the planner expects. */
const ids = sql`array(select store_id from found)`

/** A storefront, out of sight of the planner, as `unplannedQuery`. */
const unplanned = (country: string) => sql`(select ${country}::text)`

/** Whether a record `r` passes, in a text that can be prepared. */
export const conditionOf = (filters: CatalogueFilters, country: string) =>
  hasFilters(filters) ? unplannedFilterCondition(filters, country) : sql`true`

/** The storefront's records of the apps in `found`. */
export const ownRecords = (country: string) => sql`
  (select store_id, sort_name, rating_count, rating, released_at, updated_at, price, category_ids, developer_id
    from app_records where store_id = any(${ids}) and country = ${unplanned(country)})`

/** For apps in `found` without a record in the storefront: a record of another storefront, used for the name alone. */
export const namesElsewhere = (country: string) => sql`
  (select distinct on (store_id) store_id, sort_name from app_records
    where store_id = any(${ids})
      and store_id not in (select store_id from app_records where store_id = any(${ids}) and country = ${unplanned(country)})
    order by store_id, rating_count desc nulls last, country)`

export const elsewhereColumns = sql`
  r.store_id::text as "storeId", r.sort_name as "sortName", null::double precision as "ratingCount",
  null::double precision as rating, null::timestamptz as "releasedAt", null::timestamptz as "updatedAt", true as elsewhere`

/** The searched words, and the size of the catalogue. */
export interface SearchedWords {
  /** A `tsquery`. */
  terms: string
  large: boolean
}

export interface TextMatches {
  /** At most `limit` matches, from the tiers with most ratings down. */
  candidates: SearchCandidate[]
  /** Whether there may be more than these. */
  cut: boolean
}

/**
 * Matches whose record is looked at for each one wanted: filters ask it, and a tier can hold more matches by name than are wanted,
 * of which those with most ratings are. Of matches by description alone none is meant more than another.
 */
const lookedAt = 3
/** Factor by which more matches are examined while none passes the filters, until one does or all were examined. */
const furtherEach = 20
/** A `tsquery` that no app matches. */
const noTerm = "'#'"

/**
 * Apps of a storefront that match a text and the filters. Scans their tiers in the storefront from the top until it has
 * enough, and looks at no more than three matches for each one wanted, so the work is bounded at any size of the
 * catalogue. Only where none of these passes the filters it goes on: that nothing was found must mean that there is
 * nothing. Apps are kept in the part of their highest tier anywhere: those of one tier here are in that part or above.
 */
export async function candidatesByText(
  db: Database,
  { terms, large }: SearchedWords,
  reach: TextScope,
  { country, filters, sort }: Wanting,
  limit: number,
): Promise<TextMatches> {
  const asked = [`(${terms})`, ...filterTerms(filters)].join(' & ')
  const able = tiersForRatings(filters.minRatingCount ?? 0)
  const tiers = tiersForRatings(0).flatMap((tier) => {
    const here = able.includes(tier) ? `${asked} & '${filterTerm.storefront(country, tier)}'` : noTerm
    return tiersDownTo(tier).map((part) => ({ part, here: unplannedQuery(here) }))
  })
  const scanned = (most: number) =>
    sql`select store_id from (${sql.join(
      [
        ...tiers.flatMap(({ part, here }) => matchesOfTier(part, { reach, asked: here, most, large })),
        localizedMatches(country, { terms, reach, most }),
      ],
      sql` union all `,
    )}) tiers limit ${sql.lit(most)}`
  const passing = sql`
    select ${candidateColumns(sort)}, ${reach === 'name_terms'}::boolean as "inName"
    from ${ownRecords(country)} r
    where ${conditionOf(filters, country)}
    order by r.rating_count desc nulls last, r.store_id
    limit ${sql.lit(limit)}`
  if (!hasFilters(filters)) {
    const most = reach === 'name_terms' ? limit * lookedAt : limit
    const candidates = await rows(
      db,
      asPrepared(sql<SearchCandidate>`with found as materialized (${scanned(most)}) ${passing}`),
    )
    return { candidates, cut: candidates.length >= limit }
  }
  for (let most = limit * lookedAt; ; most *= furtherEach) {
    const statement = sql<SearchCandidate & { looked: number }>`
      with found as materialized (${scanned(most)}), passing as (${passing})
      select passing.*, seen.looked
      from (select count(*)::int as looked from found) seen left join passing on true`
    const often = filters.charting === undefined && most === limit * lookedAt
    const looked = await rows(db, often ? asPrepared(statement) : statement)
    const cut = (looked[0]?.looked ?? 0) >= most
    const candidates = looked.filter(({ storeId }) => storeId !== null)
    if (candidates.length > 0 || !cut) return { candidates, cut: cut || candidates.length >= limit }
  }
}

/**
 * Apps that match a text and of which nothing is stored for the storefront, from the most established tiers down: so many
 * by name, and as many by description too; an app can stand twice.
 */
export async function candidatesInOtherStorefronts(
  db: Database,
  { terms, large }: SearchedWords,
  country: string,
  limit: number,
): Promise<TextMatches> {
  const here = tiersForRatings(0).map((tier) => `'${filterTerm.storefront(country, tier)}'`)
  const asked = unplannedQuery(`(${terms}) & !(${here.join(' | ')})`)
  const scanned = (reach: TextScope) => {
    const tiers = tiersForRatings(0).flatMap((tier) =>
      matchesOfTier(tier, { reach, asked, most: limit, large }),
    )
    return sql`
      (select store_id, ${reach === 'name_terms'}::boolean as "inName"
      from (${sql.join(tiers, sql` union all `)}) tiers limit ${sql.lit(limit)})`
  }
  const found = await rows(
    db,
    asPrepared(sql<SearchCandidate>`
      with found as materialized (${scanned('name_terms')} union all ${scanned('all_terms')}),
      names as materialized ${namesElsewhere(country)}
      select ${elsewhereColumns}, found."inName" from found join names r using (store_id)`),
  )
  const byName = found.filter(({ inName }) => inName)
  const byAll = found.filter(({ inName }) => !inName)
  return { candidates: [...byName, ...byAll], cut: Math.max(byName.length, byAll.length) >= limit }
}

/** The app of the storefront that a reference names, if it passes the filters. */
export function candidatesByReference(
  db: Database,
  reference: ExactReference,
  { country, filters, sort }: Wanting,
): Promise<SearchCandidate[]> {
  return rows(
    db,
    sql<SearchCandidate>`
      with found as materialized (${named(reference)})
      select ${candidateColumns(sort)}, true as "inName"
      from ${ownRecords(country)} r
      where ${filterCondition(filters, country)}`,
  )
}

/** The app that a reference names, if nothing of it is stored for the storefront. */
export function referencedInOtherStorefronts(
  db: Database,
  reference: ExactReference,
  country: string,
): Promise<SearchCandidate[]> {
  return rows(
    db,
    sql<SearchCandidate>`
      with found as materialized (${named(reference)})
      select ${elsewhereColumns}, true as "inName" from ${namesElsewhere(country)} r`,
  )
}

function named(reference: ExactReference): RawBuilder<unknown> {
  const which =
    'storeId' in reference
      ? sql`store_id = ${bigintId(reference.storeId)}`
      : sql`lower(bundle_id) = ${reference.bundleId.toLowerCase()}`
  return sql`select distinct store_id from app_records where ${which} limit 10`
}

/** Maximum names examined for each separator that can follow a brand. */
const namesOfBrand = 1_000

/**
 * Apps of the storefront that are called exactly so, or have that for the brand of their name, whatever else there is that
 * matches: at most so many, those with most ratings.
 */
export function candidatesByName(
  db: Database,
  sortName: string,
  { country, filters, sort }: Wanting,
  limit: number,
): Promise<SearchCandidate[]> {
  const name = sql`r.sort_name collate "C"`
  const here = sql`r.country = ${unplanned(country)} and ${conditionOf(filters, country)}`
  const beginnings = brandSeparators.flatMap((end) => [
    sortName + end,
    ...(/^\s/.test(end) ? [] : [`${sortName} ${end}`]),
  ])
  const some = sql`select store_id, sort_name, rating_count, rating, released_at, updated_at from app_records r`
  const most = sql.lit(namesOfBrand)
  const beginningWith = (beginning: string) => sql`
    (${some}
      where ${name} >= (select ${beginning}::text) and ${name} < (select ${beginning + lastLetter}::text) and ${here} limit ${most})`
  const statement = sql<SearchCandidate>`
    select ${candidateColumns(sort)}, true as "inName"
    from (
      (${some} where ${name} = (select ${sortName}::text) and ${here} limit ${most})
      union all
      ${sql.join(beginnings.map(beginningWith), sql` union all `)}
    ) r
    order by r.rating_count desc nulls last, r.store_id limit ${sql.lit(limit)}`
  return rows(db, filters.charting === undefined ? asPrepared(statement) : statement)
}

/** Sorts after every other character: a text followed by it is the upper end of the range of texts with that prefix. */
export const lastLetter = '\u{10ffff}'
