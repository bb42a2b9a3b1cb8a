import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'
import { searchOfAddress } from './search.ts'

export const competitorRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/apps',
    validateSearch: searchOfAddress,
    component: lazyRouteComponent(() => import('./SearchPage.tsx'), 'SearchPage'),
  }),
] as const
