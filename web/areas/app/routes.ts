import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { read } from '../../api/operations.ts'
import { usualCountry } from '../../country.ts'
import { rootRoute } from '../../root-route.ts'

/** The page of one app: what stands on every tab, and the tabs below it. */
const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/apps/$storeId',
  loaderDeps: ({ search }) => ({ country: search.country ?? usualCountry() }),
  loader: ({ context: { queries }, params: { storeId }, deps: { country } }) =>
    void queries.prefetchQuery(read('get_competitor', { storeId, country })),
  component: lazyRouteComponent(() => import('./AppPage.tsx'), 'AppPage'),
})

const tabs = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./OverviewTab.tsx'), 'OverviewTab'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/ranks',
    component: lazyRouteComponent(() => import('./RanksTab.tsx'), 'RanksTab'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/keywords',
    component: lazyRouteComponent(() => import('./KeywordsTab.tsx'), 'KeywordsTab'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/estimates',
    component: lazyRouteComponent(() => import('./EstimatesTab.tsx'), 'EstimatesTab'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/similar',
    component: lazyRouteComponent(() => import('./SimilarTab.tsx'), 'SimilarTab'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/media',
    component: lazyRouteComponent(() => import('./MediaTab.tsx'), 'MediaTab'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/listing',
    component: lazyRouteComponent(() => import('./ListingTab.tsx'), 'ListingTab'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/organic',
    component: lazyRouteComponent(() => import('./OrganicTab.tsx'), 'OrganicTab'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/ads',
    component: lazyRouteComponent(() => import('./AdsTab.tsx'), 'AdsTab'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/requests',
    component: lazyRouteComponent(() => import('./RequestsTab.tsx'), 'RequestsTab'),
  }),
] as const

export const appRoutes = [appRoute.addChildren(tabs)] as const
