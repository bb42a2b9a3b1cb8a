import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'

export const appRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/apps/$storeId',
    component: lazyRouteComponent(() => import('./AppPage.tsx'), 'AppPage'),
  }),
] as const
