import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'

export const emergingRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/emerging',
    component: lazyRouteComponent(() => import('./EmergingPage.tsx'), 'EmergingPage'),
  }),
] as const
