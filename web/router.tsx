import type { QueryClient } from '@tanstack/react-query'
import { createRoute, createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import { adminRoutes } from './areas/admin/routes.ts'
import { alertRoutes } from './areas/alerts/routes.ts'
import { appRoutes } from './areas/app/routes.ts'
import { asoRoutes } from './areas/aso/routes.ts'
import { chartRoutes } from './areas/charts/routes.ts'
import { competitorRoutes } from './areas/competitors/routes.ts'
import { creativeRoutes } from './areas/creatives/routes.ts'
import { emergingRoutes } from './areas/emerging/routes.ts'
import { homeRoutes } from './areas/home/routes.ts'
import { settingsRoutes } from './areas/settings/routes.ts'
import { startRoutes } from './areas/start/routes.ts'
import { rootRoute } from './root-route.ts'

/** Sends who is signed in already to Home (shell/Shell.tsx); everybody else sees the form. */
const signInRoute = createRoute({ getParentRoute: () => rootRoute, path: '/sign-in', component: () => null })

const routeTree = rootRoute.addChildren([
  signInRoute,
  ...homeRoutes,
  ...startRoutes,
  ...competitorRoutes,
  ...appRoutes,
  ...chartRoutes,
  ...emergingRoutes,
  ...creativeRoutes,
  ...asoRoutes,
  ...alertRoutes,
  ...adminRoutes,
  ...settingsRoutes,
])

/** Ids and flags stand in addresses as they are, `?category=6014`, and not as JSON texts, `?category=%226014%22`. */
const parseJson = (text: string): unknown => {
  if (!/^[[{"]/.test(text)) throw new SyntaxError('A plain text.')
  return JSON.parse(text)
}

export const createPageRouter = (queries: QueryClient) =>
  createRouter({
    routeTree,
    context: { queries },
    parseSearch: parseSearchWith(parseJson),
    stringifySearch: stringifySearchWith(JSON.stringify, parseJson),
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPageRouter>
  }
}
