import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call, type ReplyOf } from '../api/operations.ts'
import type { Country, TrackedAppSummary } from './shapes.ts'
import { isUnderWay } from './work.ts'

const perCall = 100

const isGoing = ({ refresh, intake }: TrackedAppSummary): boolean => isUnderWay(refresh) || isUnderWay(intake)

/** Every app that the account tracks, in every storefront: own ones first, then rivals, then watched ones. */
export const trackedApps = queryOptions({
  queryKey: ['list_aso_apps', { limit: perCall }, 'all'] as const,
  queryFn: async ({ signal }): Promise<readonly TrackedAppSummary[]> => {
    const apps: TrackedAppSummary[] = []
    let cursor: string | null = null
    do {
      const page: ReplyOf<'list_aso_apps'> = await call(
        'list_aso_apps',
        { limit: perCall, ...(cursor ? { cursor } : {}) },
        signal,
      )
      apps.push(...page.items)
      cursor = page.nextCursor
    } while (cursor !== null)
    return apps
  },
  // Refreshes and added apps finish by themselves; this read is small, and tells how far they are.
  refetchInterval: ({ state: { data } }) => (data?.some(isGoing) ? 1_500 : false),
})

/** The rivals that a tracked app is compared with: its own, and those of every own app of the storefront. */
export const comparedRivalsOf = (
  tracked: TrackedAppSummary,
  apps: readonly TrackedAppSummary[],
): readonly TrackedAppSummary[] =>
  apps.filter(
    ({ role, country, app, rivalOf }) =>
      role === 'rival' &&
      country === tracked.country &&
      app.storeId !== tracked.app.storeId &&
      (rivalOf === null || rivalOf === tracked.appId || rivalOf === tracked.rivalOf),
  )

/**
 * The own apps and rivals that an app of a storefront is looked at with, own ones first: its rivals, and where it is no own app itself,
 * the own apps that it is compared with. Of an app that is not tracked: all of the storefront.
 */
export function othersBeside(
  { storeId, country }: { storeId: string; country: Country },
  apps: readonly TrackedAppSummary[],
): readonly TrackedAppSummary[] {
  const there = apps.filter((one) => one.country === country && one.role !== 'watched')
  const tracked = there.find(({ app }) => app.storeId === storeId)
  if (!tracked) return there
  const own = there.filter(
    ({ appId, role }) =>
      role === 'own' && tracked.role !== 'own' && (tracked.rivalOf === null || tracked.rivalOf === appId),
  )
  return [...own, ...comparedRivalsOf(tracked, apps)]
}

/** The apps of this account in a storefront by their store id. Empty until they are read. */
export function useTrackedApps(country: Country): ReadonlyMap<string, TrackedAppSummary> {
  const { data } = useQuery(trackedApps)
  return useMemo(
    () =>
      new Map(
        (data ?? [])
          .filter((tracked) => tracked.country === country)
          .map((tracked) => [tracked.app.storeId, tracked]),
      ),
    [data, country],
  )
}
