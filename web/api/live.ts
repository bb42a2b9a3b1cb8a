import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Tool } from './operations.ts'
import { listenToOtherTabs } from './other-tabs.ts'
import { checkSession, useSession } from './session.ts'

/** Texts that change when evidence of an area was stored (docs/web.md). */
type Markers = Partial<Record<Area, string>>
type Area = 'apps' | 'charts' | 'keywords' | 'posts' | 'ads' | 'estimates'

/** The reads whose replies may change when evidence of an area is stored. */
const readsOf: Record<Area, readonly Tool[]> = {
  apps: [
    'search_competitors',
    'get_competitor',
    'get_similar_competitors',
    'get_competitor_aso',
    'get_competitor_media',
    'list_competitor_categories',
    'list_competitor_data_requests',
    'list_emerging_ios_competitors',
  ],
  charts: ['get_apple_charts', 'get_apple_chart_history', 'list_emerging_ios_competitors', 'get_competitor'],
  keywords: [
    'list_aso_apps',
    'get_aso_workstation',
    'get_aso_keyword_gap',
    'explore_aso_keyword',
    'get_competitor_aso',
  ],
  posts: [
    'search_organic_content',
    'get_organic_content',
    'get_competitor_organic',
    'list_saved_organic_content',
  ],
  ads: ['search_paid_ads', 'get_paid_ad', 'admin_search_paid_ad_advertisers'],
  estimates: ['get_competitor_estimate_history', 'get_competitor'],
}

const everySeconds = 5

/**
 * Reads anew what a worker has stored meanwhile, and what other tabs have changed. One small request every few seconds, while
 * the page is looked at, tells which areas changed; it also tells when the session has ended, and when the service is away
 * and back.
 * @returns whether the service can be reached, and since when it cannot
 */
export function useLive(): { reachable: boolean; loadedAt: number } {
  const queries = useQueryClient()
  const { ended } = useSession()
  const seen = useRef<Markers>(undefined)
  const wasAway = useRef(false)
  const { data, failureReason, dataUpdatedAt } = useQuery({
    queryKey: ['changes'],
    queryFn: async ({ signal }): Promise<Markers> => {
      const response = await fetch('/changes', {
        signal,
        credentials: 'same-origin',
        cache: 'no-cache',
        headers: { 'x-rivalscope-page': '1' },
      })
      if (response.status === 401) {
        await checkSession()
        return seen.current ?? {}
      }
      if (!response.ok) throw new Error(`The service answered ${response.status}.`)
      return ((await response.json()) as { markers: Markers }).markers
    },
    refetchInterval: everySeconds * 1_000,
    retry: false,
    enabled: !ended,
  })
  const reachable = failureReason === null
  useEffect(() => {
    if (!data) return
    const before = seen.current
    seen.current = data
    if (before) void readChanged(queries, before, data)
  }, [data, queries])
  useEffect(() => {
    if (reachable && wasAway.current)
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'changes' })
    wasAway.current = !reachable
  }, [reachable, queries])
  useEffect(
    () =>
      listenToOtherTabs((news) => {
        if (news.kind === 'changed') void readTold(queries, news.tools)
      }),
    [queries],
  )
  return { reachable, loadedAt: dataUpdatedAt }
}

async function readChanged(queries: QueryClient, before: Markers, now: Markers): Promise<void> {
  const tools = new Set<Tool>()
  for (const [area, reads] of Object.entries(readsOf) as [Area, readonly Tool[]][])
    if (before[area] !== now[area]) for (const tool of reads) tools.add(tool)
  await queries.invalidateQueries({ predicate: ({ queryKey }) => tools.has(queryKey[0] as Tool) })
}

/** A hidden tab refetches once when it becomes visible, however much has changed. */
async function readTold(queries: QueryClient, tools: readonly Tool[]): Promise<void> {
  const refetchType = document.visibilityState === 'hidden' ? 'none' : 'active'
  await Promise.all(tools.map((tool) => queries.invalidateQueries({ queryKey: [tool], refetchType })))
}
