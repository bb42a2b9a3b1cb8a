import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'

export const asoRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/aso',
    component: lazyRouteComponent(() => import('./TrackedAppsPage.tsx'), 'TrackedAppsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/aso/keywords/$term',
    component: lazyRouteComponent(() => import('./KeywordPage.tsx'), 'KeywordPage'),
  }),
] as const
