import { queryOptions } from '@tanstack/react-query'
import { readOfPages } from '../../api/session.ts'

export const filtersAddress = '/keyword-filters'

/** A filter that the account keeps, as `GET /keyword-filters` tells it (docs/http.md). */
export interface SavedFilter {
  name: string
  /** The query of the address that shows it. */
  query: string
}

/** The filters that the account keeps, by name. */
export const savedFilters = queryOptions({
  queryKey: ['keyword-filters'],
  queryFn: async ({ signal }) =>
    (await readOfPages<{ items: readonly SavedFilter[] }>(filtersAddress, signal)).items,
})
