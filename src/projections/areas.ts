import type { FormatName } from '../ingest/formats.ts'
import type { EvidenceArea } from '../vocabulary/evidence-areas.ts'

/**
 * The areas that a payload of each format is evidence for. A chart does not count as evidence of its apps: with every chart
 * on a schedule, all open pages of apps would keep reloading.
 */
const areas: Record<FormatName, readonly EvidenceArea[]> = {
  'itunes-search': ['apps', 'keywords'],
  'itunes-lookup': ['apps'],
  'search-hints': ['keywords'],
  'app-page': ['apps'],
  'chart-feed': ['charts'],
  'asc-sales': [],
  'app-rows': ['apps'],
  'chart-rows': ['charts'],
  'sales-rows': [],
  'paid-ads': ['ads'],
  'meta-ads-archive': ['ads'],
  'tiktok-ad-query': ['ads'],
  'organic-posts': ['posts'],
}

export function areasOf(formats: Iterable<string>): EvidenceArea[] {
  return [...new Set([...formats].flatMap((format) => areas[format as FormatName]))]
}
