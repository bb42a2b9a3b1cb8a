import { askedLibraryRow, askedPlatforms, type LibrarySource, librarySource } from './ad-platforms.ts'

const librarySurfaces = Object.fromEntries(
  askedPlatforms.map((platform) => [librarySource(platform), askedLibraryRow(platform).surface]),
) as Record<LibrarySource, string>

/** Surfaces of upstreams, with the names shown to users. */
export const surfaces = {
  'itunes-search': 'iTunes Search API',
  'itunes-lookup': 'iTunes Lookup API',
  'apple-rss-v2': 'Apple RSS feed (marketing tools, v2)',
  'apple-rss-v1': 'Apple RSS feed (v1)',
  'apple-rss-legacy': 'Apple RSS feed with genre',
  'apple-search-hints': 'App Store search hints',
  'app-store-page': 'App Store page',
  'app-store-search': 'App Store web search',
  'chart-file': 'chart file',
  'catalogue-file': 'catalogue file',
  'organic-file': 'organic post file',
  'keyword-rank-file': 'keyword rank file of another tool',
  ...librarySurfaces,
  'paid-ads-file': 'paid ad file',
  'own-sales': 'own sales report',
  derived: 'Estimate model',
} as const

export type SourceName = keyof typeof surfaces

/** Collected by this installation, imported from a file, or synthetic data of the demo. */
export const origins = ['collected', 'imported', 'sample'] as const

export type Origin = (typeof origins)[number]

/**
 * The basis of a time, strongest first: our clock at collection, the payload itself, the operator, the file name, or only
 * the file's modification time.
 */
export const timeBases = ['clock', 'payload', 'stated', 'file-name', 'file-modified'] as const

export type TimeBasis = (typeof timeBases)[number]

/** The interfaces through which an account calls, and imports evidence of its own. */
export const doors = ['http', 'mcp'] as const

export type Door = (typeof doors)[number]
