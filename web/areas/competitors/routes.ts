import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { read, readPages } from '../../api/operations.ts'
import { defaultCountry } from '../../evidence/country.ts'
import { rootRoute } from '../../root-route.ts'
import { compareSearch } from './compare-search.ts'
import { searchArgumentsOf, searchOfAddress } from './search.ts'

export const competitorRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/apps',
    validateSearch: searchOfAddress,
    loaderDeps: ({ search }) => search,
    loader: ({ context: { queries }, deps }) => {
      const country = deps.country ?? defaultCountry()
      void queries.prefetchInfiniteQuery(
        readPages('search_competitors', searchArgumentsOf(searchOfAddress({ ...deps }), country)),
      )
      void queries.prefetchQuery(read('list_competitor_categories', { country }))
    },
    component: lazyRouteComponent(() => import('./SearchPage.tsx'), 'SearchPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/apps/compare',
    validateSearch: compareSearch,
    component: lazyRouteComponent(() => import('./ComparePage.tsx'), 'ComparePage'),
  }),
] as const
