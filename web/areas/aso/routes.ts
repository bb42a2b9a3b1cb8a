import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { type SearchSurface, searchSurfaces } from '../../../src/vocabulary/search-surfaces.ts'
import { read, readPages } from '../../api/operations.ts'
import { trackedApps } from '../../evidence/tracked.ts'
import { rootRoute } from '../../root-route.ts'
import {
  compactSearch,
  flagParam,
  numberParam,
  oneOfParam,
  storeIdParam,
  textParam,
} from '../../ui/search-params.ts'
import { gapArguments, gapSorts, gapStandings } from './gap/gap.ts'
import { keywordSearch } from './keyword-filters.ts'
import { savedFilters } from './saved-filters.ts'

export const asoRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/aso',
    validateSearch: ({ everywhere }: Record<string, unknown>): { everywhere?: true } =>
      compactSearch({ everywhere: flagParam(everywhere) }),
    loader: ({ context: { queries } }) => void queries.prefetchQuery(trackedApps),
    component: lazyRouteComponent(() => import('./TrackedAppsPage.tsx'), 'TrackedAppsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/aso/keywords',
    component: lazyRouteComponent(() => import('./KeywordPage.tsx'), 'KeywordStart'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/aso/keywords/$term',
    validateSearch: ({
      all,
      app,
      surface,
    }: Record<string, unknown>): { all?: true; app?: string; surface?: SearchSurface } =>
      compactSearch({
        all: flagParam(all),
        app: storeIdParam(app),
        surface: oneOfParam(surface, searchSurfaces),
      }),
    component: lazyRouteComponent(() => import('./KeywordPage.tsx'), 'KeywordPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/aso/$appId',
    validateSearch: keywordSearch,
    loaderDeps: ({ search: { window = 30, surface } }) => ({
      windowDays: window,
      ...(surface ? { surface } : {}),
    }),
    loader: ({ context: { queries }, params: { appId }, deps }) => {
      void queries.prefetchQuery(trackedApps)
      void queries.prefetchQuery(savedFilters)
      void queries.prefetchQuery(read('get_aso_workstation', { appId, ...deps }))
    },
    component: lazyRouteComponent(() => import('./WorkstationPage.tsx'), 'WorkstationPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/aso/$appId/gap/$rivalStoreId',
    validateSearch: ({ standing, ahead, maxDifficulty, sort }: Record<string, unknown>) =>
      compactSearch({
        standing: oneOfParam(standing, gapStandings),
        ahead: oneOfParam(ahead, ['own', 'rival'] as const),
        maxDifficulty: numberParam(maxDifficulty, 0, 100),
        sort: oneOfParam(sort, gapSorts),
      }),
    loaderDeps: ({ search }) => search,
    loader: ({ context: { queries }, params, deps }) => {
      void queries.prefetchQuery(trackedApps)
      void queries.prefetchInfiniteQuery(readPages('get_aso_keyword_gap', gapArguments(params, deps)))
    },
    component: lazyRouteComponent(() => import('./GapPage.tsx'), 'GapPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/aso/$appId/plan',
    validateSearch: ({
      draft,
      against,
      language,
    }: Record<string, unknown>): { draft?: string; against?: string; language?: string } =>
      compactSearch({
        draft: textParam(draft, 36),
        against: textParam(against, 36),
        language: textParam(language, 10),
      }),
    loader: ({ context: { queries } }) => void queries.prefetchQuery(trackedApps),
    component: lazyRouteComponent(() => import('./PlanPage.tsx'), 'PlanPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/aso/$appId/audit',
    beforeLoad: ({ params }) => {
      throw redirect({ to: '/aso/$appId/plan', params, search: true, replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/aso/$appId/coverage',
    validateSearch: ({ uncovered }: Record<string, unknown>): { uncovered?: true } =>
      compactSearch({ uncovered: flagParam(uncovered) }),
    loader: ({ context: { queries } }) => void queries.prefetchQuery(trackedApps),
    component: lazyRouteComponent(() => import('./CoveragePage.tsx'), 'CoveragePage'),
  }),
] as const
