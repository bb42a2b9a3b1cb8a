import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'

export const chartRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/charts',
    component: lazyRouteComponent(() => import('./ChartPage.tsx'), 'ChartPage'),
  }),
] as const
