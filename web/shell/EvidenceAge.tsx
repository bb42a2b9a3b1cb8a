import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { dayText, momentText, timeAgo } from '../evidence/format.ts'
import { oldestLate } from '../evidence/freshness.ts'

/** Under a page whose evidence the schedule has late: until when it goes, and since when it is late. Nothing is read for it. */
export function EvidenceAge() {
  const queries = useQueryClient()
  const cache = queries.getQueryCache()
  const subscribe = useCallback((changed: () => void) => cache.subscribe(changed), [cache])
  const late = useSyncExternalStore(subscribe, () =>
    oldestLate(
      cache
        .findAll({ type: 'active' })
        .map(({ queryKey: [, given], state: { data } }) => ({ given, reply: data })),
    ),
  )
  if (!late?.newestEvidenceAt || !late.since) return null
  return (
    <p className="quiet small pad" role="note">
      Newest data on this page:{' '}
      <time dateTime={late.newestEvidenceAt}>{momentText(late.newestEvidenceAt)}</time> (
      {timeAgo(late.newestEvidenceAt)}). Scheduled collection overdue since{' '}
      <time dateTime={late.since}>{dayText(late.since)}</time>.
    </p>
  )
}
