import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { trackedApps } from '../../evidence/tracked.ts'
import { rootRoute } from '../../root-route.ts'
import { compactSearch, flagParam, oneOfParam } from '../../ui/search-params.ts'
import { sinceDays } from './moves.ts'

export const homeRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/',
    validateSearch: ({ since, apps, all }: Record<string, unknown>) =>
      compactSearch({
        since: oneOfParam(since, sinceDays),
        apps: oneOfParam(apps, ['own', 'rivals']),
        all: flagParam(all),
      }),
    loader: ({ context: { queries } }) => void queries.prefetchQuery(trackedApps),
    component: lazyRouteComponent(() => import('./HomePage.tsx'), 'HomePage'),
  }),
] as const
