import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { routes } from '../../src/client/routes.ts'
import type { Tool } from './operations.ts'
import { listenToOtherTabs } from './other-tabs.ts'
import { checkSession, useSession } from './session.ts'

/** A text for each area of evidence, which changes when some was stored (docs/web.md). */
type Markers = Readonly<Record<string, string>>

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
      if (!response.ok) throw new Error(`Unexpected answer from the server: ${response.status}.`)
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

/** Reads anew what rests on evidence of an area whose marker has changed. */
async function readChanged(queries: QueryClient, before: Markers, now: Markers): Promise<void> {
  const changed = (area: string) => before[area] !== now[area]
  await queries.invalidateQueries({
    predicate: ({ queryKey }) => routes[queryKey[0] as Tool]?.restsOn.some(changed) ?? false,
  })
}

/** A hidden tab refetches once when it becomes visible, however much has changed. */
async function readTold(queries: QueryClient, tools: readonly string[]): Promise<void> {
  const refetchType = document.visibilityState === 'hidden' ? 'none' : 'active'
  await Promise.all(tools.map((tool) => queries.invalidateQueries({ queryKey: [tool], refetchType })))
}
