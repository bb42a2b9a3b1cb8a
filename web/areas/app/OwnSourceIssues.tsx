import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/operations.ts'
import type { SourceIssue } from '../../evidence/shapes.ts'
import { SourceIssues } from '../../ui/parts.tsx'
import { useAppOfPage } from './app-of-page.ts'

/** The source issues of a tab's reply that are not already shown above the tabs. */
export function OwnSourceIssues({ trouble }: { trouble: readonly SourceIssue[] }) {
  const { storeId, country } = useAppOfPage()
  const shown = useQuery(read('get_competitor', { storeId, country })).data?.trouble ?? []
  const keyOf = ({ source, surface, country: of, kind }: SourceIssue) => `${source} ${surface} ${of} ${kind}`
  const known = new Set(shown.map(keyOf))
  return <SourceIssues trouble={trouble.filter((one) => !known.has(keyOf(one)))} />
}
