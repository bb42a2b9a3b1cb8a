import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'

export const creativeRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/creatives/ads',
    component: lazyRouteComponent(() => import('./AdsPage.tsx'), 'AdsPage'),
  }),
] as const
