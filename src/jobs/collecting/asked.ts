import { z } from 'zod'
import { SourceFailure } from '../../sources/polite/failure.ts'
import type { SourcesSettings, Upstream } from '../../sources/settings.ts'
import type { Database } from '../../storage/database.ts'
import { lookupBatch } from '../../suppliers/apple/clients.ts'
import { chartName } from '../../vocabulary/chart-identity.ts'
import { chartKinds } from '../../vocabulary/chart-kinds.ts'
import { devices } from '../../vocabulary/devices.ts'
import { collectChart } from '../kinds/collect-chart.ts'
import type { Collector } from './collector.ts'
import { withControls } from './confirm-missed.ts'
import { isSuspectOutcome, type Outcome, suspectReasonText } from './outcome.ts'
import { type CollectionPlan, chartUpstream, collectionPlan } from './plan.ts'

const country = z.string()

/** One request to an upstream that somebody asks for by hand, by a command or on the pages. */
export const Asked = z.discriminatedUnion('what', [
  z.strictObject({
    what: z.literal('chart'),
    country,
    kind: z.enum(chartKinds),
    categoryId: z.int(),
    device: z.enum(devices),
  }),
  /** At most `lookupBatch`. */
  z.strictObject({ what: z.literal('apps'), country, storeIds: z.array(z.string()) }),
  z.strictObject({ what: z.literal('page'), country, storeId: z.string() }),
  z.strictObject({ what: z.enum(['search', 'hints', 'searchPage']), country, term: z.string() }),
])

export type Asked = z.output<typeof Asked>

/** The outcome of one, and why nothing was stored; null where something was. */
export interface AskedOutcome {
  outcome: Outcome | 'failed'
  message: string | null
}

/** App ids as Lookup takes them. */
export const batchesOf = (storeIds: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(storeIds.length / lookupBatch) }, (_, index) =>
    storeIds.slice(index * lookupBatch, (index + 1) * lookupBatch),
  )

/** What is asked for, in words. */
export function askedName(asked: Asked): string {
  if (asked.what === 'chart') return chartName(asked)
  if (asked.what === 'page') return `page of ${asked.storeId} (${asked.country})`
  if (asked.what !== 'apps') return `"${asked.term}" (${asked.country})`
  const { storeIds, country } = asked
  return storeIds.length === 1 ? `${storeIds[0]} (${country})` : `${storeIds.length} apps (${country})`
}

/** The same for the same request: one that waits is not asked for twice. */
export const askedKey = (asked: Asked): string =>
  `${asked.what} ${askedName(asked)}${asked.what === 'apps' ? ` ${asked.storeIds.join()}` : ''}`

const upstreamOf = {
  apps: 'itunes',
  page: 'app-store-page',
  search: 'itunes',
  hints: 'apple-search-hints',
  searchPage: 'app-store-search',
} as const

export const askedUpstream = (asked: Asked, sources: SourcesSettings): Upstream =>
  asked.what === 'chart' ? chartUpstream(asked, sources) : upstreamOf[asked.what]

/** What some requests cost. */
export function askedPlan(all: readonly Asked[], sources: SourcesSettings): CollectionPlan {
  const counts: Partial<Record<Upstream, number>> = {}
  for (const asked of all) {
    const upstream = askedUpstream(asked, sources)
    counts[upstream] = (counts[upstream] ?? 0) + 1
  }
  return collectionPlan(counts, sources)
}

/** Asks once, and stores what is answered. A failure of the source is an outcome; any other error is thrown. */
export async function performAsked(
  db: Database,
  collector: Collector,
  asked: Asked,
  signal: AbortSignal,
): Promise<AskedOutcome> {
  try {
    if (asked.what === 'apps') return await lookUp(db, collector, asked, signal)
    if (asked.what === 'page') {
      const outcome = await collector.page(asked.storeId, asked.country, signal)
      return { outcome, message: outcome === 'empty' ? 'the storefront has no such page' : null }
    }
    if (asked.what === 'chart') {
      const { what: _, ...chart } = asked
      return await collectChart(db, collector, chart, signal)
    }
    const outcome = await collector[asked.what](asked.term, asked.country, signal)
    if (!isSuspectOutcome(outcome)) return { outcome, message: null }
    return { outcome, message: `${suspectReasonText(outcome)}; it is asked again later` }
  } catch (error) {
    if (error instanceof SourceFailure) return { outcome: 'failed', message: error.message }
    throw error
  }
}

async function lookUp(
  db: Database,
  collector: Collector,
  { storeIds, country }: Extract<Asked, { what: 'apps' }>,
  signal: AbortSignal,
): Promise<AskedOutcome> {
  const answer = await collector.lookup(await withControls(db, country, storeIds), country, signal)
  const seen = new Set(answer.value.sightings.map(({ sighting }) => sighting.storeId))
  const missing = storeIds.filter((storeId) => !seen.has(storeId))
  return {
    outcome: missing.length < new Set(storeIds).size ? 'stored' : 'empty',
    message: missing.length > 0 ? `not in the storefront: ${missing.join(', ')}` : null,
  }
}
