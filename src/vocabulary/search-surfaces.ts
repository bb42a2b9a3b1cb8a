import { type SourceName, surfaces } from './provenance.ts'

/** A surface on which Apple lists results of a search; its name is that of its source. */
interface SearchSurfaceRow {
  /** The upstream that is asked for its pages. */
  upstream: string
  /** Places that it is asked for; null where it lists as many as it does. */
  depth: number | null
  /** What its ranks are, and what it cannot show. */
  shows: string
}

/** True of every surface that can be read. */
const withoutAds =
  'Ads are not included: since iOS 26.2 (March 2026) several can appear among the results on an iPhone, so the position seen there differs and is not measured.'

/**
 * The surfaces of search results. Ranks of one are never mixed with those of another: each keeps pages, ranks and histories of its own.
 * To add one: a row here, its source in `surfaces`, a format and client that read it, and a migration of `search_surface`.
 */
const rows = {
  'itunes-search': {
    upstream: 'itunes',
    depth: 200,
    shows: `Organic ranks in the top 200 of Apple's Search API, whose order can differ from an iPhone's. ${withoutAds}`,
  },
  'app-store-search': {
    upstream: 'app-store-search',
    depth: null,
    shows: `Organic ranks on the App Store's web search page for iPhone: about 12 full entries, the rest as IDs. ${withoutAds}`,
  },
} as const satisfies Partial<Record<SourceName, SearchSurfaceRow>>

export type SearchSurface = keyof typeof rows

export const searchSurfaces = Object.keys(rows) as [SearchSurface, ...SearchSurface[]]

/** The surface that scores, visibility of lists, gaps, watches and moves rest on, and a workstation unless its account chose another. */
export const mainSurface: SearchSurface = 'itunes-search'

export const isSearchSurface = (source: string): source is SearchSurface => Object.hasOwn(rows, source)

/** A surface with the name shown to users. */
export const searchSurfaceRow = (name: SearchSurface): SearchSurfaceRow & { label: string } => ({
  ...rows[name],
  label: surfaces[name],
})

/**
 * Two pages further apart than this are not compared. Both collectors of one night end within it, and at a usual volatility, two of the
 * first ten places in a week, a page changes by less than a tenth of a place meanwhile; over a day the change of the store and the
 * difference of the surfaces could not be told apart.
 */
export const comparedWithinHours = 6
