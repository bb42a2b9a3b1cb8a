import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { Country, TrackedAppSummary } from '../evidence/shapes.ts'
import { readPages } from './operations.ts'

/** The apps of this account in a storefront by their store id. Empty until they are read, page after page. */
export function useTrackedApps(country: Country): ReadonlyMap<string, TrackedAppSummary> {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    readPages('list_aso_apps', { country, limit: 100 }),
  )
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return useMemo(
    () =>
      new Map(
        (data?.pages ?? []).flatMap(({ items }) => items).map((tracked) => [tracked.app.storeId, tracked]),
      ),
    [data],
  )
}
