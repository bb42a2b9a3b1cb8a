import { hash } from 'node:crypto'
import { type AskedPlatform, askedLibraryRow } from '../../vocabulary/ad-platforms.ts'

type AdMediaType = 'image' | 'meme' | 'video' | 'none'

/** A query of an ad library; fields left out do not narrow it. */
export interface AdQuery {
  advertiserIds?: string[]
  terms?: string[]
  /** Lower case. */
  countries?: string[]
  active?: boolean
  /** `YYYY-MM-DD`, both included. */
  deliveredFrom?: string
  deliveredTo?: string
  mediaTypes?: AdMediaType[]
  languages?: string[]
  limit: number
}

/** Default limit of ads to read. */
const defaultLimit = 500

const dayMs = 86_400_000

/** The date before today, in UTC. */
export const yesterday = (now: Date) => new Date(now.getTime() - dayMs).toISOString().slice(0, 10)

/**
 * The query with defaults: a limit, and the dates where the library requires them. Lists are deduplicated and
 * sorted, so that equivalent queries are equal.
 */
export function completeQuery(platform: AskedPlatform, given: Partial<AdQuery>, now: Date): AdQuery {
  const { firstDay, endsYesterday } = askedLibraryRow(platform)
  const { advertiserIds, terms, countries, active, mediaTypes, languages } = given
  const deliveredFrom = given.deliveredFrom ?? firstDay
  const deliveredTo = given.deliveredTo ?? (endsYesterday ? yesterday(now) : undefined)
  return {
    ...(advertiserIds && { advertiserIds: single(advertiserIds) }),
    ...(terms && { terms: single(terms) }),
    ...(countries && { countries: single(countries) }),
    ...(active !== undefined && { active }),
    ...(deliveredFrom && { deliveredFrom }),
    ...(deliveredTo && { deliveredTo }),
    ...(mediaTypes && { mediaTypes: single(mediaTypes) }),
    ...(languages && { languages: single(languages) }),
    limit: given.limit ?? defaultLimit,
  }
}

const single = <One>(list: readonly One[]): One[] => [...new Set(list)]

/** One search of an ad library, performed by one sequence of requests. */
export interface AdSearch {
  term: string | null
  /** Any of these; empty for all. */
  advertiserIds: string[]
  /** Lower case; empty for every country of the library. */
  countries: string[]
  active: boolean | null
  deliveredFrom: string | null
  deliveredTo: string | null
  mediaType: AdMediaType | null
  /** Language codes such as ISO 639-1, without regions. */
  languages: string[]
}

const allMediaTypes = 4
/** Number of advertisers in one request to a library that documents no limit. */
const usuallyTogether = 50

/**
 * The searches that a query needs, in order: each term with each batch of advertisers, one country at a time where the library
 * takes no more, and one kind of media at a time. Values that a library has no filter for are not part of its searches.
 */
export function searchPlan(platform: AskedPlatform, query: AdQuery): AdSearch[] {
  const { advertisersTogether = usuallyTogether, oneCountry, filters } = askedLibraryRow(platform)
  const { deliveredFrom = null, deliveredTo = null } = query
  const portions = portionsOf(query.advertiserIds ?? [], advertisersTogether)
  const searches = (query.terms ?? [null]).flatMap((term) =>
    (portions.length === 0 ? [[]] : portions).map((advertiserIds) => ({ term, advertiserIds })),
  )
  const { countries = [] } = query
  const together = oneCountry && countries.length > 0 ? countries.map((country) => [country]) : [countries]
  const kinds = filters.includes('mediaTypes') ? query.mediaTypes : undefined
  const mediaTypes = kinds === undefined || kinds.length === allMediaTypes ? [null] : kinds
  const tags = filters.includes('languages') ? (query.languages ?? []) : []
  const languages = [...new Set(tags.map((tag) => tag.split('-')[0]?.toLowerCase() ?? ''))]
  const active = filters.includes('active') ? (query.active ?? null) : null
  return searches.flatMap((search) =>
    together.flatMap((countries) =>
      mediaTypes.map((mediaType) => ({
        ...search,
        countries,
        active,
        deliveredFrom,
        deliveredTo,
        mediaType,
        languages,
      })),
    ),
  )
}

function portionsOf<One>(all: readonly One[], size: number): One[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
}

/** Fields of a query that the library cannot filter by: ads of all values are read. */
export function filtersNotSupported(platform: AskedPlatform, query: AdQuery): string[] {
  const { filters } = askedLibraryRow(platform)
  return (['active', 'mediaTypes', 'languages'] as const).filter(
    (name) => query[name] !== undefined && !filters.includes(name),
  )
}

/**
 * A key of a search, so that its answers can be compared over time. A last date that only means "until yesterday" is left
 * out.
 */
export function searchKey(platform: AskedPlatform, search: AdSearch, askedOn: Date): string {
  const { term, advertiserIds, countries, active, deliveredFrom, deliveredTo, mediaType, languages } = search
  const dates = { deliveredFrom, deliveredTo: deliveredTo === yesterday(askedOn) ? null : deliveredTo }
  // The keys are stored, so the parts of a search keep the order in which they were first hashed.
  const asked =
    platform === 'tiktok'
      ? { term, advertiserIds, countries, ...dates, active, mediaType, languages }
      : { term, advertiserIds, countries, active, ...dates, mediaType, languages }
  return hash('sha256', JSON.stringify([platform, asked])).slice(0, 32)
}

/** The first page of a search. */
export interface FirstPage {
  ads: number
  /** Whether the library has more. */
  more: boolean
}

export interface Amount {
  value: number
  relation: 'exact' | 'at-least'
}

/**
 * Estimates what an import will read and how many requests it needs, from the first pages of its searches, in order.
 * @param pages fewer than searches where not all were fetched
 */
export function forecast(
  searches: number,
  pages: readonly FirstPage[],
  limit: number,
): { matching: Amount; requests: Amount } {
  let ads = 0
  for (const [at, page] of pages.entries()) {
    ads += page.ads
    if (ads >= limit) return both(ads, at + 1, 'exact')
    // The next page may reach the limit, so later searches may not be needed.
    if (page.more) {
      const all = pages.reduce((sum, one) => sum + one.ads, 0)
      return both(Math.min(limit, all), at + 2, 'at-least')
    }
  }
  const missing = searches > pages.length
  return both(ads, pages.length + (missing ? 1 : 0), missing ? 'at-least' : 'exact')
}

const both = (ads: number, requests: number, relation: Amount['relation']) => ({
  matching: { value: ads, relation },
  requests: { value: requests, relation },
})
