import { createRoute, lazyRouteComponent, redirect, retainSearchParams } from '@tanstack/react-router'
import { read, readPages } from '../../api/operations.ts'
import { rootRoute } from '../../root-route.ts'
import {
  type AdPlatform,
  adArguments,
  adSearch,
  adsSearch,
  type ChosenSearch,
  compareSearch,
  postArguments,
  postSearch,
  postsSearch,
  savedSearch,
  timelineSearch,
} from './search.ts'

const keepChosen = { middlewares: [retainSearchParams<ChosenSearch>(['items'])] }

export const creativeRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/creatives',
    beforeLoad: () => {
      throw redirect({ to: '/creatives/ads', replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/creatives/ads',
    validateSearch: adsSearch,
    search: keepChosen,
    loaderDeps: ({ search }) => adArguments(search),
    loader: ({ context: { queries }, deps }) => {
      void queries.prefetchInfiniteQuery(readPages('search_paid_ads', deps))
    },
    component: lazyRouteComponent(() => import('./AdsPage.tsx'), 'AdsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/creatives/posts',
    validateSearch: postsSearch,
    search: keepChosen,
    loaderDeps: ({ search }) => postArguments(search),
    loader: ({ context: { queries }, deps }) => {
      void queries.prefetchInfiniteQuery(readPages('search_organic_content', deps))
    },
    component: lazyRouteComponent(() => import('./PostsPage.tsx'), 'PostsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/creatives/ads/$platform/$archiveId',
    validateSearch: adSearch,
    search: keepChosen,
    loader: ({ context: { queries }, params: { platform, archiveId } }) => {
      void queries.prefetchQuery(read('get_paid_ad', { platform: platform as AdPlatform, archiveId }))
    },
    component: lazyRouteComponent(() => import('./AdPage.tsx'), 'AdPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/creatives/posts/$postId',
    validateSearch: postSearch,
    search: keepChosen,
    loader: ({ context: { queries }, params }) => {
      void queries.prefetchQuery(read('get_organic_content', params))
    },
    component: lazyRouteComponent(() => import('./PostPage.tsx'), 'PostPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/creatives/saved',
    validateSearch: savedSearch,
    search: keepChosen,
    component: lazyRouteComponent(() => import('./SavedPage.tsx'), 'SavedPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/creatives/compare',
    validateSearch: compareSearch,
    search: keepChosen,
    component: lazyRouteComponent(() => import('./ComparePage.tsx'), 'ComparePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/creatives/timeline',
    validateSearch: timelineSearch,
    search: keepChosen,
    component: lazyRouteComponent(() => import('./TimelinePage.tsx'), 'TimelinePage'),
  }),
] as const
