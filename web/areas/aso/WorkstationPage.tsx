import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { mainSurface } from '../../../src/vocabulary/search-surfaces.ts'
import { invalidateReads, read, useWrite } from '../../api/operations.ts'
import { useHasScope } from '../../api/session.ts'
import { count, countWithNoun, momentText, timeAgo } from '../../evidence/format.ts'
import type { AppLabel, Country, TrackedAppSummary } from '../../evidence/shapes.ts'
import { isUnderWay } from '../../evidence/work.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/fields.tsx'
import { RefreshCw } from '../../ui/icons.ts'
import { Empty, Loaded, Panel, Skeleton, SourceIssues } from '../../ui/parts.tsx'
import { SurfaceNote } from '../../ui/SurfaceNote.tsx'
import { parseTableSort, tableSortText } from '../../ui/table-column.ts'
import { WorkProgress } from '../../ui/WorkProgress.tsx'
import { AddKeywords } from './AddKeywords.tsx'
import { AsoPage } from './AsoHeader.tsx'
import { KeywordFilters } from './KeywordFilters.tsx'
import { type KeywordRow, KeywordTable } from './KeywordTable.tsx'
import { keywordChanges } from './keyword-changes.ts'
import { type KeywordSearch, passesKeywordFilters, windows } from './keyword-filters.ts'
import { keywordsPerApp } from './pasted-terms.ts'
import { RivalsTable } from './RivalsTable.tsx'
import { SelectedKeywords } from './SelectedKeywords.tsx'
import { Suggestions } from './Suggestions.tsx'
import type { AsoRefresh, Workstation } from './shapes.ts'
import { keywordTagsOf, type Tag, textsOfListing } from './tags.ts'
import { VisibilityOverTime, WorkstationFigures } from './WorkstationFigures.tsx'

/** The workstation of a tracked app: figures, its keywords, suggestions and rivals. */
export function WorkstationPage() {
  const { appId } = useParams({ from: '/aso/$appId' })
  const { window = 30, surface } = useSearch({ from: '/aso/$appId' })
  const navigate = useNavigate({ from: '/aso/$appId' })
  const workstation = useQuery(
    read('get_aso_workstation', { appId, windowDays: window, ...(surface ? { surface } : {}) }),
  )
  return (
    <AsoPage
      appId={appId}
      actions={(tracked) => (
        <>
          <RefreshButton tracked={tracked} />
          <Select
            label="Period"
            labelHidden
            value={String(window)}
            options={windows.map((days) => ({ id: String(days), name: `${days} days` }))}
            onChange={(days) =>
              void navigate({
                search: (before) => ({ ...before, window: Number(days) as (typeof windows)[number] }),
              })
            }
          />
        </>
      )}
    >
      {(tracked) => (
        <>
          <RefreshState refresh={tracked.refresh} country={tracked.country} />
          <Loaded query={workstation} skeleton={<WorkstationSkeleton />}>
            {(reply) => <Content workstation={reply} />}
          </Loaded>
        </>
      )}
    </AsoPage>
  )
}

function Content({ workstation }: { workstation: Workstation }) {
  const apps = useMemo(() => new Map(workstation.apps.map((app) => [app.storeId, app])), [workstation.apps])
  const navigate = useNavigate({ from: '/aso/$appId' })
  const { surface, notListed, keywords } = workstation
  const hasOthers =
    surface.name !== mainSurface || keywords.some(({ otherSurfaces }) => otherSurfaces.length > 0)
  return (
    <>
      <SourceIssues trouble={workstation.trouble} />
      <SurfaceNote
        surface={surface}
        notListed={notListed}
        onChoose={
          hasOthers
            ? (chosen) => void navigate({ search: (before) => ({ ...before, surface: chosen }), replace: true })
            : undefined
        }
      />
      <WorkstationFigures workstation={workstation} />
      <Keywords workstation={workstation} apps={apps} />
      <VisibilityOverTime workstation={workstation} />
      <Suggestions workstation={workstation} />
      <RivalsTable workstation={workstation} apps={apps} />
    </>
  )
}

function Keywords({ workstation, apps }: { workstation: Workstation; apps: ReadonlyMap<string, AppLabel> }) {
  const search = useSearch({ from: '/aso/$appId' })
  const navigate = useNavigate({ from: '/aso/$appId' })
  const canWrite = useHasScope('content:write')
  const [selected, setSelected] = useState<Set<string>>(new Set())
  const rows = useRows(workstation)
  const filters = useDeferredValue(search)
  const shown = useMemo(
    () => rows.filter(({ keyword, tags }) => passesKeywordFilters(keyword, tags, filters)),
    [rows, filters],
  )
  const counts = useMemo(() => countTags(rows), [rows])
  const chosen = useMemo(
    () => rows.filter(({ keyword }) => selected.has(keyword.keywordId)).map(({ keyword }) => keyword),
    [rows, selected],
  )
  const ownTags = useMemo(() => ownTagsOf(rows), [rows])
  const { tracked, window } = workstation
  return (
    <Panel
      title="Keywords"
      note={
        <p>
          {shown.length === rows.length
            ? countWithNoun(rows.length, 'keyword')
            : `${count(shown.length)} of ${countWithNoun(rows.length, 'keyword')}`}
          , room for {count(Math.max(0, keywordsPerApp - rows.length))} more.{' '}
          <a href="/docs/search-volume">Why there is no search volume</a>
        </p>
      }
      flush
      actions={canWrite && <AddKeywords workstation={workstation} />}
    >
      {rows.length === 0 ? (
        <Empty title="No keywords yet">
          Add keywords or pick from the suggestions below, then refresh to see where the app ranks.
        </Empty>
      ) : (
        <>
          <KeywordFilters
            search={search}
            counts={counts}
            ownTags={ownTags}
            onChange={(change) =>
              void navigate({ search: (before) => ({ ...before, ...change }) as KeywordSearch, replace: true })
            }
          />
          <SelectedKeywords
            workstation={workstation}
            keywords={chosen}
            hidden={chosen.length - shown.filter(({ keyword }) => selected.has(keyword.keywordId)).length}
            ownTags={ownTags}
            onSelect={setSelected}
          />
          <KeywordTable
            rows={shown}
            country={tracked.country}
            apps={apps}
            days={window.days}
            name={`keywords-${tracked.app.storeId}-${tracked.country}`}
            sort={parseTableSort(search.sort) ?? worthDoing}
            onSort={(sort) =>
              void navigate({
                search: ({ sort: _, ...before }) => ({
                  ...before,
                  ...(sort ? { sort: tableSortText(sort) } : {}),
                }),
                replace: true,
              })
            }
            onOpen={({ keyword: { term } }) =>
              void navigate({
                to: '/aso/keywords/$term',
                params: { term },
                search: { country: tracked.country },
              })
            }
            selected={selected}
            onSelect={canWrite ? setSelected : undefined}
          />
        </>
      )}
    </Panel>
  )
}

/** The order of keywords where none is chosen. */
const worthDoing = { column: 'opportunity', descending: true }

function useRows({ keywords, tracked, rivals, apps }: Workstation): readonly KeywordRow[] {
  const { storeId, name } = tracked.app
  const record = useQuery(read('get_competitor', { platform: 'ios', storeId, country: tracked.country }))
  const subtitle = record.data?.subtitle
  const known = subtitle?.state === 'measured' ? subtitle.value : null
  return useMemo(() => {
    const rivalIds = new Set(rivals.map((rival) => rival.storeId))
    const names = apps.filter((app) => rivalIds.has(app.storeId)).map((app) => app.name)
    const texts = textsOfListing(name, known, names)
    return keywords.map((keyword) => ({ keyword, tags: keywordTagsOf(keyword, texts) }))
  }, [keywords, rivals, apps, name, known])
}

function countTags(rows: readonly KeywordRow[]): ReadonlyMap<Tag, number> {
  const counts = new Map<Tag, number>()
  for (const { tags } of rows) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return counts
}

/** Tags that the account gave its keywords, those used most first. */
function ownTagsOf(rows: readonly KeywordRow[]): string[] {
  const counts = new Map<string, number>()
  for (const { keyword } of rows) for (const tag of keyword.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts].sort(([a, m], [b, n]) => n - m || a.localeCompare(b)).map(([tag]) => tag)
}

/** Stands in for the page while it loads: its figures, filters and rows in their places and heights. */
const WorkstationSkeleton = () => (
  <div className="stack">
    <Skeleton height={48} />
    <Skeleton height={36} width="60%" />
    <Skeleton height={64} />
    <div className="stack">
      {Array.from({ length: 12 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows that are all the same
        <Skeleton key={row} height={24} />
      ))}
    </div>
  </div>
)

/** Fetches new result pages for all keywords of an app. */
function RefreshButton({ tracked: { appId, refresh } }: { tracked: TrackedAppSummary }) {
  const start = useWrite('refresh_aso_app', { changes: ['list_aso_apps'] })
  if (!useHasScope('content:write')) return null
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
function RefreshState({ refresh, country }: { refresh: AsoRefresh | null; country: Country }) {
  const queries = useQueryClient()
  const going = isUnderWay(refresh)
  const wasGoing = useRef(going)
  useEffect(() => {
    if (wasGoing.current && !going) void invalidateReads(queries, keywordChanges)
    wasGoing.current = going
  }, [going, queries])
  if (!refresh) return null
  const { searches, skipped, searchesPerMinute, expectedSeconds, failures, finishedAt, attempts } = refresh
  const lines = [
    `${countWithNoun(searches, 'search', 'searches')}${searchesPerMinute > 0 ? ` at ${count(searchesPerMinute)} per minute` : ''}`,
    ...(skipped > 0 ? [`${count(skipped)} skipped (less than an hour old)`] : []),
    ...(expectedSeconds === null ? [] : [`about ${duration(expectedSeconds)} left`]),
    ...(attempts > 1 ? [`attempt ${count(attempts)}`] : []),
    ...(finishedAt ? [`finished ${timeAgo(finishedAt)}`] : []),
  ]
  return (
    <section className="stack gap-2 box pad" aria-label="Last refresh">
      <WorkProgress work={refresh} name="Refresh" />
      <p className="quiet">{lines.join(', ')}.</p>
      {failures.length > 0 && (
        <details open={!going}>
          <summary>{failures.length === 20 ? 'Latest 20' : count(failures.length)} failed searches</summary>
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
  if (seconds < 90) return countWithNoun(seconds, 'second')
  return seconds < 5_400
    ? countWithNoun(Math.round(seconds / 60), 'minute')
    : countWithNoun(Math.round(seconds / 3_600), 'hour')
}
