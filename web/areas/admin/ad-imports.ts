import { queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '../../api/operations.ts'
import { readOfPages } from '../../api/session.ts'
import { countWithNoun } from '../../evidence/format.ts'
import { adPlatformInWords } from '../../evidence/words.ts'
import { isUnderWay } from '../../evidence/work.ts'

type AdImportRun = ReplyOf<'admin_get_paid_ad_import'>

/** An import of the account, as the list of them tells it (docs/http.md). */
export type ListedRun = Pick<AdImportRun, 'runId' | 'platform' | 'query' | 'status' | 'createdAt'> &
  Pick<AdImportRun['counts'], 'read' | 'stored' | 'rejected'>

/** The newest imports of the account, newest first. Read anew while one is under way. */
export const adImports = queryOptions({
  queryKey: ['admin_get_paid_ad_import', 'all'] as const,
  queryFn: async ({ signal }) =>
    (await readOfPages<{ items: readonly ListedRun[] }>('/ad-imports', signal)).items,
  refetchInterval: ({ state: { data } }) =>
    data?.some(({ status }) => isUnderWay({ status })) ? 1_500 : false,
})

/** What an import asks for: `Meta: budget planner`, `Meta: 3 pasted records`. */
export function subjectOf({ platform, query, read }: Pick<ListedRun, 'platform' | 'query' | 'read'>): string {
  if (!query) return `${adPlatformInWords[platform]}: ${countWithNoun(read, 'pasted record')}`
  const { terms = [], advertiserIds = [], apps = [], archiveIds = [], countries = [] } = query
  const named = [...terms, ...advertiserIds, ...apps, ...archiveIds]
  return `${adPlatformInWords[platform]}: ${(named.length > 0 ? named : countries).join(', ')}`
}
