import { queryOptions } from '@tanstack/react-query'
import { readOfPages } from '../api/session.ts'
import type { AppSummary, Country } from './shapes.ts'

/** `GET /app-summaries` (docs/http.md), in no order. Its key begins with an operation that rests on the same evidence. */
export const appSummaries = (country: Country, storeIds: readonly string[]) =>
  queryOptions({
    queryKey: ['search_competitors', 'summaries', country, storeIds] as const,
    queryFn: ({ signal }) =>
      readOfPages<{ items: readonly AppSummary[] }>(
        `/app-summaries?${new URLSearchParams([['country', country], ...storeIds.map((one): [string, string] => ['app', one])])}`,
        signal,
      ),
    enabled: storeIds.length > 0,
  })
