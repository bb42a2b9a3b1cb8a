import type { FormatName } from '../ingest/formats.ts'
import type { EvidenceArea } from '../vocabulary/evidence-areas.ts'

/**
 * The areas that a payload of each format is evidence for. What a chart says of its apps in passing is not counted as evidence
 * of apps: with every chart on a schedule, the pages of all apps would load anew.
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
