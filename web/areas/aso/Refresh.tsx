import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { readAnew, useWrite } from '../../api/operations.ts'
import { useAllowed } from '../../api/session.ts'
import { ago, count, counted, momentText } from '../../evidence/format.ts'
import type { Country, TrackedAppSummary } from '../../evidence/shapes.ts'
import { isUnderWay } from '../../evidence/work.ts'
import { Button } from '../../ui/Button.tsx'
import { RefreshCw } from '../../ui/icons.ts'
import { WorkProgress } from '../../ui/WorkProgress.tsx'
import { keywordChanges } from './keyword-changes.ts'
import type { AsoRefresh } from './shapes.ts'

/** Fetches new result pages for all keywords of an app. */
export function RefreshButton({ tracked: { appId, refresh } }: { tracked: TrackedAppSummary }) {
  const start = useWrite('refresh_aso_app', { changes: ['list_aso_apps'] })
  if (!useAllowed('content:write')) return null
  return (
    <Button
      icon={<RefreshCw size={14} aria-hidden="true" />}
      isPending={start.isPending}
      isDisabled={isUnderWay(refresh)}
      onPress={() => start.mutate({ appId })}
    >
      {isUnderWay(refresh) ? 'Refreshing' : 'Refresh'}
    </Button>
  )
}

/** How far the last refresh of an app is, or how it ended. Reads the keywords anew once it has. */
export function RefreshState({ refresh, country }: { refresh: AsoRefresh | null; country: Country }) {
  const queries = useQueryClient()
  const going = isUnderWay(refresh)
  const wasGoing = useRef(going)
  useEffect(() => {
    if (wasGoing.current && !going) void readAnew(queries, keywordChanges)
    wasGoing.current = going
  }, [going, queries])
  if (!refresh) return null
  const { searches, skipped, searchesPerMinute, expectedSeconds, failures, finishedAt, attempts } = refresh
  const lines = [
    `${counted(searches, 'search', 'searches')}${searchesPerMinute > 0 ? ` at ${count(searchesPerMinute)} a minute` : ''}`,
    ...(skipped > 0 ? [`${count(skipped)} skipped, younger than an hour`] : []),
    ...(expectedSeconds === null ? [] : [`likely done in ${duration(expectedSeconds)}`]),
    ...(attempts > 1 ? [`attempt ${count(attempts)}`] : []),
    ...(finishedAt ? [`ended ${ago(finishedAt)}`] : []),
  ]
  return (
    <section className="stack gap-2 box pad" aria-label="Last refresh">
      <WorkProgress work={refresh} name="Refresh" />
      <p className="quiet">{lines.join(', ')}.</p>
      {failures.length > 0 && (
        <details open={!going}>
          <summary>{failures.length === 20 ? 'The newest 20' : count(failures.length)} failed searches</summary>
          <ul className="small scrolls" style={{ maxHeight: 180, paddingBlockStart: 'var(--space-2)' }}>
            {failures.map(({ term, message, at }) => (
              <li key={term}>
                <Link to="/aso/keywords/$term" params={{ term }} search={{ country }} preload={false}>
                  <bdi>{term}</bdi>
                </Link>{' '}
                <span className="quiet">
                  {message} <time dateTime={at}>{momentText(at)}</time>
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function duration(seconds: number): string {
  if (seconds < 90) return counted(seconds, 'second')
  return seconds < 5_400
    ? counted(Math.round(seconds / 60), 'minute')
    : counted(Math.round(seconds / 3_600), 'hour')
}
