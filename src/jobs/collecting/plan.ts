import type { SourcesSettings, Upstream } from '../../sources/settings.ts'
import { isInV2 } from '../../suppliers/apple/clients.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'

/** The cost of a collection. */
export interface CollectionPlan {
  /** Calls to each upstream, in the order in which they are asked. */
  upstreams: UpstreamPlan[]
  /** How long it takes when the upstreams are asked concurrently; 0 without a pace. */
  minutes: number
}

export interface UpstreamPlan {
  /** The name of the rate limit; upstreams can share one. */
  pace: string
  requests: number
  /** 0 for no pace. */
  callsPerMinute: number
  minutes: number
}

/** Calculates the cost of calls to some upstreams under their rate limits. */
export function collectionPlan(
  requests: Partial<Record<Upstream, number>>,
  sources: SourcesSettings,
): CollectionPlan {
  const asked = new Map<string, UpstreamPlan>()
  for (const [name, count] of Object.entries(requests) as [Upstream, number][]) {
    const { pace, callsPerMinute } = sources[name]
    const before = asked.get(pace)?.requests ?? 0
    const all = before + count
    asked.set(pace, {
      pace,
      requests: all,
      callsPerMinute,
      minutes: callsPerMinute === 0 ? 0 : all / callsPerMinute,
    })
  }
  const upstreams = [...asked.values()].filter((plan) => plan.requests > 0)
  return { upstreams, minutes: Math.max(0, ...upstreams.map((plan) => plan.minutes)) }
}

const minutesADay = 24 * 60

/**
 * Network addresses needed to make these calls every day: as far as is known Apple counts calls by address, so an
 * installation behind one address cannot make more than its pace allows.
 */
export function addressesNeeded({ requests, callsPerMinute }: UpstreamPlan): number {
  return callsPerMinute === 0 ? 1 : Math.max(1, Math.ceil(requests / (callsPerMinute * minutesADay)))
}

/** The upstream that is asked for a chart. */
export function chartUpstream(chart: ChartIdentity, { chartFeed }: SourcesSettings): Upstream {
  return chartFeed === 'v2' && isInV2(chart) ? 'apple-rss' : 'apple-rss-legacy'
}
