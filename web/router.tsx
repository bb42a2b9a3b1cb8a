import type { QueryClient } from '@tanstack/react-query'
import { createRoute, createRouter } from '@tanstack/react-router'
import { adminRoutes } from './areas/admin/routes.ts'
import { appRoutes } from './areas/app/routes.ts'
import { asoRoutes } from './areas/aso/routes.ts'
import { chartRoutes } from './areas/charts/routes.ts'
import { competitorRoutes } from './areas/competitors/routes.ts'
import { creativeRoutes } from './areas/creatives/routes.ts'
import { emergingRoutes } from './areas/emerging/routes.ts'
import { homeRoutes } from './areas/home/routes.ts'
import { settingsRoutes } from './areas/settings/routes.ts'
import { rootRoute } from './root-route.ts'

/** Sends who is signed in already to Home (shell/Shell.tsx); everybody else sees the form. */
const signInRoute = createRoute({ getParentRoute: () => rootRoute, path: '/sign-in', component: () => null })

const routeTree = rootRoute.addChildren([
  signInRoute,
  ...homeRoutes,
  ...competitorRoutes,
  ...appRoutes,
  ...chartRoutes,
  ...emergingRoutes,
  ...creativeRoutes,
  ...asoRoutes,
  ...adminRoutes,
  ...settingsRoutes,
])

export const createPageRouter = (queries: QueryClient) =>
  createRouter({
    routeTree,
    context: { queries },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPageRouter>
  }
}
