import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { channelsQuery, historyQuery, reportLinksQuery, watchesQuery } from '../../api/watches.ts'
import { isCountry } from '../../evidence/storefronts.ts'
import { rootRoute } from '../../root-route.ts'
import { compactSearch, textParam } from '../../ui/search-params.ts'
import { isWeek } from './weeks.ts'

const alertsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/alerts',
  component: lazyRouteComponent(() => import('./AlertsPage.tsx'), 'AlertsPage'),
})

const tabs = [
  createRoute({
    getParentRoute: () => alertsRoute,
    path: '/',
    loader: ({ context: { queries } }) => void queries.prefetchQuery(watchesQuery),
    component: lazyRouteComponent(() => import('./WatchesTab.tsx'), 'WatchesTab'),
  }),
  createRoute({
    getParentRoute: () => alertsRoute,
    path: '/channels',
    loader: ({ context: { queries } }) => void queries.prefetchQuery(channelsQuery),
    component: lazyRouteComponent(() => import('./ChannelsTab.tsx'), 'ChannelsTab'),
  }),
  createRoute({
    getParentRoute: () => alertsRoute,
    path: '/history',
    validateSearch: ({ watch }: Record<string, unknown>) => compactSearch({ watch: textParam(watch, 36) }),
    loaderDeps: ({ search: { watch } }) => ({ watch }),
    loader: ({ context: { queries }, deps: { watch } }) =>
      void queries.prefetchInfiniteQuery(historyQuery(watch)),
    component: lazyRouteComponent(() => import('./HistoryTab.tsx'), 'HistoryTab'),
  }),
  createRoute({
    getParentRoute: () => alertsRoute,
    path: '/report',
    validateSearch: ({ week, only }: Record<string, unknown>) =>
      compactSearch({ week: isWeek(week) ? week : undefined, only: isCountry(only) ? only : undefined }),
    loader: ({ context: { queries } }) => {
      void queries.prefetchQuery(channelsQuery)
      void queries.prefetchQuery(reportLinksQuery)
    },
    component: lazyRouteComponent(() => import('./ReportTab.tsx'), 'ReportTab'),
  }),
] as const

export const alertRoutes = [alertsRoute.addChildren(tabs)] as const
