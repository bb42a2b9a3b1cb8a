/** What was read, with the surface's name as people know it. */
export const surfaces = {
  'itunes-search': 'iTunes Search API',
  'itunes-lookup': 'iTunes Lookup API',
  'apple-rss-v2': 'Apple RSS feed (marketing tools, v2)',
  'apple-rss-v1': 'Apple RSS feed (v1)',
  'apple-rss-legacy': 'Apple RSS feed with genre',
  'apple-search-hints': 'App Store search hints',
  'app-store-page': 'App Store page',
  'chart-file': 'chart file',
  'catalogue-file': 'catalogue file',
  'organic-file': 'organic post file',
  'meta-ad-library': 'Meta Ad Library API (ads_archive)',
  'tiktok-ad-library': 'TikTok Commercial Content API',
  'paid-ads-file': 'paid ad file',
  'own-sales': 'own sales report',
  derived: 'Estimate model',
} as const

export type SourceName = keyof typeof surfaces

/** Fetched by this installation, brought as a file, or made up by the demo. */
export const origins = ['collected', 'imported', 'sample'] as const

export type Origin = (typeof origins)[number]

/**
 * How a time is known, the strongest first: our clock at collection, the payload itself, the operator, the name of the file, or
 * only when the file was modified.
 */
export const timeBases = ['clock', 'payload', 'stated', 'file-name', 'file-modified'] as const

export type TimeBasis = (typeof timeBases)[number]

/** The ways in by which an account calls, and brings evidence of its own. */
export const doors = ['http', 'mcp'] as const

export type Door = (typeof doors)[number]
