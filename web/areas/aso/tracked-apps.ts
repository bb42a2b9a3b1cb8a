import { queryOptions } from '@tanstack/react-query'
import { call, type ReplyOf } from '../../api/operations.ts'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'

const perCall = 100

const isGoing = ({ refresh, intake }: TrackedAppSummary): boolean =>
  [refresh, intake].some((work) => work?.status === 'queued' || work?.status === 'running')

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
  // A refresh and a taking in go on by themselves; this read is small, and tells how far they are.
  refetchInterval: ({ state: { data } }) => (data?.some(isGoing) ? 1_500 : false),
})

/** The apps with the role `rival` that a tracked app is compared with. */
export const rivalsOf = (
  tracked: TrackedAppSummary,
  apps: readonly TrackedAppSummary[],
): readonly TrackedAppSummary[] =>
  apps.filter(
    ({ role, country, app }) =>
      role === 'rival' && country === tracked.country && app.storeId !== tracked.app.storeId,
  )
