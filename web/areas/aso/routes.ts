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
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/aso/$appId',
    component: lazyRouteComponent(() => import('./WorkstationPage.tsx'), 'WorkstationPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/aso/$appId/gap/$rivalStoreId',
    component: lazyRouteComponent(() => import('./GapPage.tsx'), 'GapPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/aso/$appId/audit',
    component: lazyRouteComponent(() => import('./AuditPage.tsx'), 'AuditPage'),
  }),
] as const
