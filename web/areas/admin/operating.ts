import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ChartKind } from '../../../src/vocabulary/chart-kinds.ts'
import { read } from '../../api/operations.ts'
import { readOfPages } from '../../api/session.ts'
import { useCountry } from '../../evidence/country.ts'
import type { Country, DataRequest, Device } from '../../evidence/shapes.ts'
import { overallCategory, overallCategoryName } from '../../evidence/words.ts'

/** What `/sources`, `/requests` and `/collecting` answer (docs/web.md). */

/** A source in a storefront. */
export interface SourceHealth {
  source: string
  /** Two strokes for sources without storefronts. */
  country: string
  lastSuccessAt: string | null
  failingSince: string | null
  failures: number
  failureMessage: string | null
  differences: string | null
  differsSince: string | null
  suspects: number
  suspectSince: string | null
  shorts: number
  shortSince: string | null
}

export interface FailingChart {
  country: Country
  kind: ChartKind
  categoryId: number
  device: Device
  failures: number
  lastAt: string
  message: string | null
}

export const sourceHealth = queryOptions({
  queryKey: ['sources'],
  queryFn: ({ signal }) =>
    readOfPages<{ sources: readonly SourceHealth[]; charts: readonly FailingChart[] }>('/sources', signal),
})

/** An open request of an account, with what all accounts that are listed ask for together. */
export interface RequestListed
  extends Pick<
    DataRequest,
    'requestId' | 'storeId' | 'country' | 'kind' | 'demand' | 'lastRequestedAt' | 'note'
  > {
  account: string
  wanted: number
  name: string | null
  iconUrl: string | null
}

/** Open requests, the most wanted first. @param ofAll those of all accounts, for operators */
export const openRequests = (ofAll: boolean) =>
  queryOptions({
    queryKey: ['requests', ofAll],
    queryFn: async ({ signal }) =>
      (await readOfPages<{ items: readonly RequestListed[] }>(ofAll ? '/requests/all' : '/requests', signal))
        .items,
  })

interface ChartsRule {
  countries: readonly Country[]
  charts: readonly ChartKind[]
  categories: readonly number[]
  devices: readonly Device[]
  everyHours: number
}
interface ChecksRule {
  countries: readonly Country[]
  everyDays: number
  trackedEveryHours: number
}
interface Hours {
  everyHours: number
}

/** What is collected by itself; a part that is left out is not. */
export interface Schedule {
  charts: readonly ChartsRule[]
  apps?: ChecksRule
  pages?: ChecksRule
  localizations?: { everyDays: number; languages: 'supported' | readonly string[]; lookups: boolean }
  estimates?: Hours
  keywords?: Hours
  searchPages?: Hours
  appStoreAds?: { everyDays: number }
}

/** A request to a source that was asked for by hand. */
export interface AskedByHand {
  asked: {
    what: string
    country: Country
    term?: string
    storeId?: string
    storeIds?: readonly string[]
    kind?: ChartKind
    categoryId?: number
  }
  state: 'waiting' | 'running' | 'done' | 'failed'
  outcome: string | null
  reason: string | null
  askedAt: string
}

export interface Collecting {
  schedule: Schedule
  changedAt: string | null
  changedBy: string | null
  byHand: readonly AskedByHand[]
}

/** The schedule that is followed, and what was asked for by hand; read anew while some of that is under way. */
export const collecting = queryOptions({
  queryKey: ['collecting'],
  queryFn: ({ signal }) => readOfPages<Collecting>('/collecting', signal),
  refetchInterval: ({ state: { data } }) =>
    data?.byHand.some(({ state }) => state === 'waiting' || state === 'running') ? 1_500 : false,
})

/** Names of Apple's categories by their ids. */
export function useCategoryName(): (id: number) => string {
  const { data } = useQuery(read('list_competitor_categories', { country: useCountry() }))
  const names = new Map(data?.items.map(({ categoryId, name }) => [categoryId, name]))
  return (id) =>
    String(id) === overallCategory ? overallCategoryName : (names.get(String(id)) ?? `Category ${id}`)
}
