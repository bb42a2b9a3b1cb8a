import { queryOptions } from '@tanstack/react-query'
import { call, type ReplyOf } from '../../api/operations.ts'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'

const perCall = 100

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
