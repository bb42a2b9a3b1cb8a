import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { read } from '../../api/operations.ts'
import { defaultCountry } from '../../evidence/country.ts'
import { rootRoute } from '../../root-route.ts'
import { compactSearch, dayParam, oneOfParam, sortParam, textParam } from '../../ui/search-params.ts'
import { chartRanks, newestOfMonth } from './chart-ranks.ts'
import { chartOfSearch, chartParams } from './chart-search.ts'
import {
  chartColumns,
  compareColumns,
  compareDepths,
  compareFilters,
  entryFilters,
  heatmapDepths,
} from './views.ts'

export const chartRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/charts',
    validateSearch: (search: Record<string, unknown>) =>
      compactSearch({
        ...chartParams(search),
        date: dayParam(search.date),
        show: oneOfParam(search.show, entryFilters),
        sort: sortParam(search.sort, chartColumns),
      }),
    loaderDeps: ({ search: { country, chart, category, device, date } }) =>
      compactSearch({ country, chart, category, device, date }),
    loader: ({ context: { queries }, deps: { date, country = defaultCountry(), ...search } }) =>
      void queries.prefetchQuery(
        read('get_apple_charts', { ...chartOfSearch(search, country), ...(date && { date }) }),
      ),
    component: lazyRouteComponent(() => import('./ChartPage.tsx'), 'ChartPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/charts/compare',
    validateSearch: (search: Record<string, unknown>) =>
      compactSearch({
        ...chartParams(search),
        from: dayParam(search.from),
        to: dayParam(search.to),
        show: oneOfParam(search.show, compareFilters),
        top: oneOfParam(textParam(search.top), compareDepths),
        view: oneOfParam(search.view, ['table']),
        sort: sortParam(search.sort, compareColumns),
      }),
    component: lazyRouteComponent(() => import('./ComparePage.tsx'), 'ComparePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/charts/heatmap',
    validateSearch: (search: Record<string, unknown>) =>
      compactSearch({
        ...chartParams(search),
        to: dayParam(search.to),
        top: oneOfParam(textParam(search.top), heatmapDepths),
      }),
    loaderDeps: ({ search: { country, chart, category, device, to } }) =>
      compactSearch({ country, chart, category, device, to }),
    loader: ({ context: { queries }, deps: { to, country = defaultCountry(), ...search } }) => {
      const chart = chartOfSearch(search, country)
      void queries.prefetchQuery(newestOfMonth(chart, to))
      void queries.prefetchQuery(chartRanks(chart, to))
    },
    component: lazyRouteComponent(() => import('./HeatmapPage.tsx'), 'HeatmapPage'),
  }),
] as const
