import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, retainSearchParams } from '@tanstack/react-router'
import type { Country } from './evidence/shapes.ts'
import { isCountry } from './evidence/storefronts.ts'
import { NotFound, PageFailed } from './shell/failed-pages.tsx'
import { Shell } from './shell/Shell.tsx'

/** The storefront that every page is about stands in every address. */
export interface RootSearch {
  country?: Country
}

export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({
  validateSearch: ({ country }: Record<string, unknown>): RootSearch => (isCountry(country) ? { country } : {}),
  search: { middlewares: [retainSearchParams(['country'])] },
  component: Shell,
  errorComponent: PageFailed,
  notFoundComponent: NotFound,
})
