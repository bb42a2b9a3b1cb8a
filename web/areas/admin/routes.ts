import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { adPlatforms } from '../../../src/vocabulary/ad-platforms.ts'
import { rootRoute } from '../../root-route.ts'
import { compactSearch, oneOfParam, textParam } from '../../ui/search-params.ts'
import { importSearch } from './import-query.ts'

const adminRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin',
  component: lazyRouteComponent(() => import('./AdminPage.tsx'), 'AdminPage'),
})

const tabs = [
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/',
    validateSearch: ({ q, platform }: Record<string, unknown>) =>
      compactSearch({ q: textParam(q), platform: oneOfParam(platform, adPlatforms) }),
    component: lazyRouteComponent(() => import('./AdvertisersTab.tsx'), 'AdvertisersTab'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/import',
    validateSearch: importSearch,
    component: lazyRouteComponent(() => import('./ImportTab.tsx'), 'ImportTab'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/imports',
    component: lazyRouteComponent(() => import('./RunsTab.tsx'), 'RunsTab'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/imports/$runId',
    component: lazyRouteComponent(() => import('./RunTab.tsx'), 'RunTab'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/files',
    component: lazyRouteComponent(() => import('./FilesTab.tsx'), 'FilesTab'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/links',
    validateSearch: ({ platform, advertiser, ads, app }: Record<string, unknown>) =>
      compactSearch({
        platform: oneOfParam(platform, adPlatforms),
        advertiser: textParam(advertiser, 100),
        ads: textParam(ads, 3_000),
        app: textParam(app, 20),
      }),
    component: lazyRouteComponent(() => import('./LinksTab.tsx'), 'LinksTab'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/requests',
    component: lazyRouteComponent(() => import('./RequestsTab.tsx'), 'RequestsTab'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/collecting',
    component: lazyRouteComponent(() => import('./CollectingTab.tsx'), 'CollectingTab'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: '/sources',
    component: lazyRouteComponent(() => import('./SourcesTab.tsx'), 'SourcesTab'),
  }),
] as const

export const adminRoutes = [adminRoute.addChildren(tabs)] as const
