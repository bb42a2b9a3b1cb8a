import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { trackedApps } from '../../evidence/tracked.ts'
import { rootRoute } from '../../root-route.ts'
import { compactSearch, textParam } from '../../ui/search-params.ts'

export const startRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/start',
    validateSearch: ({ app }: Record<string, unknown>) => compactSearch({ app: textParam(app) }),
    loader: ({ context: { queries } }) => void queries.prefetchQuery(trackedApps),
    component: lazyRouteComponent(() => import('./StartPage.tsx'), 'StartPage'),
  }),
] as const
