import { hash } from 'node:crypto'
import { type AskedPlatform, askedLibraryRow } from '../../vocabulary/ad-platforms.ts'
import type { AskedRow } from '../../vocabulary/suppliers.ts'

type AdMediaType = 'image' | 'meme' | 'video' | 'none'

/** A query of an ad library; fields left out do not narrow it. */
export interface AdQuery {
  /** App Store ids of advertised apps. */
  apps?: string[]
  /** Single ads, which the library knows more of. */
  archiveIds?: string[]
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

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** The last day that a library has, which takes no dates; undefined for others. */
export function lastDayOf(platform: AskedPlatform, now: Date): string | undefined {
  const { lastDays } = askedLibraryRow(platform)
  return lastDays && dayOf(now.getTime() - lastDays.endsDaysAgo * dayMs)
}

/** The first of so many days that a library has. */
export function firstOfLast(platform: AskedPlatform, days: number | undefined, now: Date): string | undefined {
  const last = lastDayOf(platform, now)
  return days === undefined || last === undefined ? undefined : dayOf(Date.parse(last) - days * dayMs)
}

/**
 * The least number of days that a library offers and that reach back to a day, or to the day after: a query of yesterday is the same
 * search today. The most it has where none does.
 */
function daysBackTo(platform: AskedPlatform, day: string | null, now: Date): number | undefined {
  const choices = askedLibraryRow(platform).lastDays?.choices
  if (!choices || day === null) return choices?.[0]
  const after = dayOf(Date.parse(day) + dayMs)
  return choices.find((days) => (firstOfLast(platform, days, now) ?? '') <= after) ?? choices.at(-1)
}

/**
 * The query with defaults: a limit, and the dates where the library requires them. Lists are deduplicated and
 * sorted, so that equivalent queries are equal.
 */
export function withQueryDefaults(platform: AskedPlatform, given: Partial<AdQuery>, now: Date): AdQuery {
  const { firstDay, endsYesterday, lastDays } = askedLibraryRow(platform)
  const { apps, archiveIds, advertiserIds, terms, countries, active, mediaTypes, languages } = given
  const deliveredFrom =
    given.deliveredFrom ?? firstDay ?? (lastDays && firstOfLast(platform, lastDays.choices[0], now))
  const deliveredTo = given.deliveredTo ?? (endsYesterday ? yesterday(now) : undefined)
  return {
    ...(apps && { apps: single(apps) }),
    ...(archiveIds && { archiveIds: single(archiveIds) }),
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
  /** App Store id of the advertised app, for libraries that know it. */
  storeId?: string
  /** A single ad; nothing else narrows the search. */
  archiveId?: string
  /** For libraries that take a number of days in place of dates. */
  lastDays?: number
}

const allMediaTypes = 4
/** Number of advertisers in one request to a library that documents no limit. */
const usuallyTogether = 50

/**
 * The searches that a query needs, in order: each term with each batch of advertisers, one country at a time where the library
 * takes no more, and one kind of media at a time. Values that a library has no filter for are not part of its searches.
 */
export function searchPlan(platform: AskedPlatform, query: AdQuery, now = new Date()): AdSearch[] {
  const library = askedLibraryRow(platform)
  const { filters, countriesTogether } = library
  const { deliveredFrom = null, deliveredTo = null } = query
  const { countries = library.namesCountries ? [...(library.countries?.codes ?? [])] : [] } = query
  const together =
    countriesTogether !== undefined && countries.length > 0
      ? portionsOf(countries, countriesTogether)
      : [countries]
  const days = daysBackTo(platform, deliveredFrom, now)
  const searches = subjectsIn(library, query)
  const kinds = filters.includes('mediaTypes') ? query.mediaTypes : undefined
  const mediaTypes = kinds === undefined || kinds.length === allMediaTypes ? [null] : kinds
  const tags = filters.includes('languages') ? (query.languages ?? []) : []
  const languages = [...new Set(tags.map((tag) => tag.split('-')[0]?.toLowerCase() ?? ''))]
  const active = filters.includes('active') ? (query.active ?? null) : null
  return searches.flatMap((search) =>
    // A single ad is one question, whatever its countries.
    (search.archiveId === undefined ? together : [[]]).flatMap((countries) =>
      mediaTypes.map((mediaType) => ({
        ...search,
        countries,
        active,
        deliveredFrom,
        deliveredTo,
        mediaType,
        languages,
        ...(days === undefined ? {} : { lastDays: days }),
      })),
    ),
  )
}

/** What each search is for, in the order of the query. */
function subjectsIn(
  { advertisersTogether = usuallyTogether }: AskedRow,
  query: AdQuery,
): Pick<AdSearch, 'term' | 'advertiserIds' | 'storeId' | 'archiveId'>[] {
  const { apps = [], archiveIds = [], advertiserIds = [] } = query
  const terms: (string | null)[] = query.terms ?? [null]
  const portions = portionsOf(advertiserIds, advertisersTogether)
  const named = [
    ...apps.map((storeId) => ({ term: null, advertiserIds: [], storeId })),
    ...archiveIds.map((archiveId) => ({ term: null, advertiserIds: [], archiveId })),
  ]
  if (named.length > 0 && portions.length === 0 && terms[0] === null) return named
  return [
    ...named,
    ...terms.flatMap((term) =>
      (portions.length === 0 ? [[]] : portions).map((advertiserIds) => ({ term, advertiserIds })),
    ),
  ]
}

function portionsOf<One>(all: readonly One[], size: number): One[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
}

/** Fields of a query that the library cannot filter by: ads of all values are read. */
export function filtersNotSupported(platform: AskedPlatform, query: AdQuery): string[] {
  const { filters, lastDays } = askedLibraryRow(platform)
  const others = (['active', 'mediaTypes', 'languages'] as const).filter(
    (name) => query[name] !== undefined && !filters.includes(name),
  )
  return lastDays && query.deliveredTo !== undefined ? ['deliveredTo', ...others] : others
}

/**
 * A key of a search, so that its answers can be compared over time. A last date that only means "until yesterday" is left
 * out.
 */
export function searchKey(platform: AskedPlatform, search: AdSearch, askedOn: Date): string {
  const { term, advertiserIds, countries, active, deliveredFrom, deliveredTo, mediaType, languages } = search
  const { storeId, archiveId, lastDays } = search
  // "The last 90 days" is the same search on every day, although its dates change.
  if (lastDays !== undefined)
    return keyOf([platform, { storeId, archiveId, advertiserIds, countries, lastDays }])
  const dates = { deliveredFrom, deliveredTo: deliveredTo === yesterday(askedOn) ? null : deliveredTo }
  // The keys are stored, so the parts of a search keep the order in which they were first hashed.
  const asked =
    platform === 'tiktok'
      ? { term, advertiserIds, countries, ...dates, active, mediaType, languages }
      : { term, advertiserIds, countries, active, ...dates, mediaType, languages }
  return keyOf([platform, asked])
}

const keyOf = (asked: unknown) => hash('sha256', JSON.stringify(asked)).slice(0, 32)

/** The keys of all searches for the ads of an app, for each number of days that its library takes. */
export function appSearchKeys(platform: AskedPlatform, storeId: string, now: Date): string[][] {
  const { lastDays } = askedLibraryRow(platform)
  return (lastDays?.choices ?? []).map((days) => {
    const deliveredFrom = firstOfLast(platform, days, now)
    const query = { apps: [storeId], ...(deliveredFrom && { deliveredFrom }), limit: 1 }
    return searchPlan(platform, query, now).map((search) => searchKey(platform, search, now))
  })
}

/** The first page of a search. */
export interface SearchFirstPage {
  ads: number
  /** Whether the library has more. */
  more: boolean
}

export interface ForecastAmount {
  value: number
  relation: 'exact' | 'at-least'
}

/**
 * Estimates what an import will read and how many requests it needs, from the first pages of its searches, in order.
 * @param pages fewer than searches where not all were fetched
 */
export function forecastImport(
  searches: number,
  pages: readonly SearchFirstPage[],
  limit: number,
): { matching: ForecastAmount; requests: ForecastAmount } {
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

const both = (ads: number, requests: number, relation: ForecastAmount['relation']) => ({
  matching: { value: ads, relation },
  requests: { value: requests, relation },
})
