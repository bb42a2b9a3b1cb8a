import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'

export const competitorRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/apps',
    component: lazyRouteComponent(() => import('./SearchPage.tsx'), 'SearchPage'),
  }),
] as const
