import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readPages } from '../../api/operations.ts'
import { defaultCountry } from '../../evidence/country.ts'
import { trackedApps } from '../../evidence/tracked.ts'
import { rootRoute } from '../../root-route.ts'
import { emergingArguments, emergingSearch } from './emerging-search.ts'

export const emergingRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/emerging',
    validateSearch: emergingSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ context: { queries }, deps }) => {
      void queries.prefetchInfiniteQuery(
        readPages('list_emerging_ios_competitors', emergingArguments(deps, deps.country ?? defaultCountry())),
      )
      void queries.prefetchQuery(trackedApps)
    },
    component: lazyRouteComponent(() => import('./EmergingPage.tsx'), 'EmergingPage'),
  }),
] as const
