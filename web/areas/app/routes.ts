import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { adPlatforms } from '../../../src/vocabulary/ad-platforms.ts'
import { networks } from '../../../src/vocabulary/networks.ts'
import { localizationCodes } from '../../../src/vocabulary/storefronts.ts'
import { read } from '../../api/operations.ts'
import { defaultCountry } from '../../evidence/country.ts'
import { trackedApps } from '../../evidence/tracked.ts'
import { adFormats, dataKinds, postMedia } from '../../evidence/words.ts'
import { type RootSearch, rootRoute } from '../../root-route.ts'
import { compactSearch, dayParam, flagParam, oneOfParam, sortParam, textParam } from '../../ui/search-params.ts'
import {
  appAdSorts,
  appPostSorts,
  keywordStandings,
  mediaDevices,
  mediaKinds,
  requestStatuses,
} from './choices.ts'
import { ranksSearch } from './ranks-search.ts'
import {
  adsQueryOf,
  listingQueryOf,
  mediaQueryOf,
  postsQueryOf,
  requestsQueryOf,
  similarAppsQueryOf,
} from './tab-reads.ts'
import { windows } from './window.ts'

const storefrontOf = ({ search }: { search: RootSearch }) => ({ country: search.country ?? defaultCountry() })

/** The page of one app: what stands on every tab, and the tabs below it. */
const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/apps/$storeId',
  loaderDeps: storefrontOf,
  loader: ({ context: { queries }, params: { storeId }, deps: { country } }) => {
    void queries.prefetchQuery(read('get_competitor', { storeId, country }))
    void queries.prefetchQuery(trackedApps)
  },
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
    validateSearch: ranksSearch,
    component: lazyRouteComponent(() => import('./RanksTab.tsx'), 'RanksTab'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/keywords',
    validateSearch: ({ q, standing, sort }: Record<string, unknown>) =>
      compactSearch({
        q: textParam(q),
        standing: oneOfParam(standing, keywordStandings),
        sort: sortParam(sort, ['term', 'rank', 'change', 'best', 'difficulty']),
      }),
    component: lazyRouteComponent(() => import('./KeywordsTab.tsx'), 'KeywordsTab'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/estimates',
    validateSearch: ({ last, from, to, period, log }: Record<string, unknown>) =>
      compactSearch({
        last: oneOfParam(last, windows),
        from: dayParam(from),
        to: dayParam(to),
        period: oneOfParam(period, ['month'] as const),
        log: flagParam(log),
      }),
    component: lazyRouteComponent(() => import('./EstimatesTab.tsx'), 'EstimatesTab'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/similar',
    loaderDeps: storefrontOf,
    loader: ({ context: { queries }, params: { storeId }, deps: { country } }) =>
      void queries.prefetchQuery(similarAppsQueryOf(storeId, country)),
    component: lazyRouteComponent(() => import('./SimilarTab.tsx'), 'SimilarTab'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/media',
    validateSearch: ({ kind, device, shown }: Record<string, unknown>) =>
      compactSearch({
        kind: oneOfParam(kind, mediaKinds),
        device: oneOfParam(device, mediaDevices),
        shown: textParam(shown, 2_000),
      }),
    loaderDeps: storefrontOf,
    loader: ({ context: { queries }, params: { storeId }, deps: { country } }) =>
      void queries.prefetchQuery(mediaQueryOf(storeId, country)),
    component: lazyRouteComponent(() => import('./MediaTab.tsx'), 'MediaTab'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/listing',
    validateSearch: ({ field, until }: Record<string, unknown>) =>
      compactSearch({ field: textParam(field), until: dayParam(until) }),
    loaderDeps: storefrontOf,
    loader: ({ context: { queries }, params: { storeId }, deps: { country } }) =>
      void queries.prefetchQuery(listingQueryOf(storeId, country)),
    component: lazyRouteComponent(() => import('./ListingTab.tsx'), 'ListingTab'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/languages',
    validateSearch: ({ language, beside }: Record<string, unknown>) =>
      compactSearch({ language: oneOfParam(language, localizationCodes), beside: textParam(beside) }),
    component: lazyRouteComponent(() => import('./LanguagesTab.tsx'), 'LanguagesTab'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/organic',
    validateSearch: ({ network, media, sort }: Record<string, unknown>) =>
      compactSearch({
        network: oneOfParam(network, networks),
        media: oneOfParam(media, postMedia),
        sort: oneOfParam(sort, appPostSorts),
      }),
    loaderDeps: ({ search: { network, media, sort } }) => ({ network, media, sort }),
    loader: ({ context: { queries }, params: { storeId }, deps }) =>
      void queries.prefetchInfiniteQuery(postsQueryOf(storeId, deps)),
    component: lazyRouteComponent(() => import('./OrganicTab.tsx'), 'OrganicTab'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/ads',
    validateSearch: ({ platform, format, active, sort }: Record<string, unknown>) =>
      compactSearch({
        platform: oneOfParam(platform, adPlatforms),
        format: oneOfParam(format, adFormats),
        active: oneOfParam(active, ['yes', 'no']),
        sort: oneOfParam(sort, appAdSorts),
      }),
    loaderDeps: ({ search: { platform, format, active, sort } }) => ({ platform, format, active, sort }),
    loader: ({ context: { queries }, params: { storeId }, deps }) =>
      void queries.prefetchInfiniteQuery(adsQueryOf(storeId, deps)),
    component: lazyRouteComponent(() => import('./AdsTab.tsx'), 'AdsTab'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/requests',
    validateSearch: ({ status, kind }: Record<string, unknown>) =>
      compactSearch({ status: oneOfParam(status, requestStatuses), kind: oneOfParam(kind, dataKinds) }),
    loaderDeps: ({ search: { status, kind } }) => ({ status, kind }),
    loader: ({ context: { queries }, params: { storeId }, deps }) =>
      void queries.prefetchInfiniteQuery(requestsQueryOf(storeId, deps)),
    component: lazyRouteComponent(() => import('./RequestsTab.tsx'), 'RequestsTab'),
  }),
] as const

export const appRoutes = [appRoute.addChildren(tabs)] as const
