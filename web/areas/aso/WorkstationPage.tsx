import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useState } from 'react'
import { read } from '../../api/operations.ts'
import { useAllowed } from '../../api/session.ts'
import { count } from '../../evidence/format.ts'
import type { TableSort } from '../../ui/DataTable.tsx'
import { Select } from '../../ui/fields.tsx'
import { Empty, Loaded, Panel, Skeleton, Troubles } from '../../ui/parts.tsx'
import { AsoPage } from './AsoHeader.tsx'
import { KeywordFilters } from './KeywordFilters.tsx'
import { type KeywordRow, KeywordTable } from './KeywordTable.tsx'
import { type KeywordSearch, passes, windows } from './keyword-filters.ts'
import type { Workstation } from './shapes.ts'
import { type Tag, tagsOf, textsOf } from './tags.ts'
import { WorkstationFigures } from './WorkstationFigures.tsx'

/** The workstation of a tracked app: figures, its keywords, suggestions and rivals. */
export function WorkstationPage() {
  const { appId } = useParams({ from: '/aso/$appId' })
  const { window = 30 } = useSearch({ from: '/aso/$appId' })
  const navigate = useNavigate({ from: '/aso/$appId' })
  const workstation = useQuery(read('get_aso_workstation', { appId, windowDays: window }))
  return (
    <AsoPage
      appId={appId}
      actions={() => (
        <Select
          label="Days"
          labelHidden
          value={String(window)}
          options={windows.map((days) => ({ id: String(days), name: `${days} days` }))}
          onChange={(days) =>
            void navigate({
              search: (before) => ({ ...before, window: Number(days) as (typeof windows)[number] }),
            })
          }
        />
      )}
    >
      {() => (
        <Loaded query={workstation} skeleton={<Skeleton height={900} />}>
          {(reply) => (
            <>
              <Troubles trouble={reply.trouble} />
              <WorkstationFigures workstation={reply} />
              <Keywords workstation={reply} />
            </>
          )}
        </Loaded>
      )}
    </AsoPage>
  )
}

function Keywords({ workstation }: { workstation: Workstation }) {
  const search = useSearch({ from: '/aso/$appId' })
  const navigate = useNavigate({ from: '/aso/$appId' })
  const canWrite = useAllowed('content:write')
  const [selected, setSelected] = useState<Set<string>>(new Set())
  const rows = useRows(workstation)
  const filters = useDeferredValue(search)
  const shown = useMemo(
    () => rows.filter(({ keyword, tags }) => passes(keyword, tags, filters)),
    [rows, filters],
  )
  const counts = useMemo(() => countTags(rows), [rows])
  const apps = useMemo(() => new Map(workstation.apps.map((app) => [app.storeId, app])), [workstation.apps])
  const { tracked, window } = workstation
  return (
    <Panel
      title="Keywords"
      note={
        shown.length === rows.length
          ? `${count(rows.length)} keywords`
          : `${count(shown.length)} of ${count(rows.length)} keywords`
      }
      flush
    >
      {rows.length === 0 ? (
        <Empty title="No keywords yet">Add keywords to see where the app ranks for them.</Empty>
      ) : (
        <>
          <KeywordFilters
            search={search}
            counts={counts}
            onChange={(change) =>
              void navigate({ search: (before) => ({ ...before, ...change }) as KeywordSearch, replace: true })
            }
          />
          <KeywordTable
            rows={shown}
            country={tracked.country}
            apps={apps}
            days={window.days}
            name={`keywords-${tracked.app.storeId}-${tracked.country}`}
            sort={sortOf(search.sort)}
            onSort={(sort) =>
              void navigate({
                search: ({ sort: _, ...before }) => ({ ...before, ...(sort ? { sort: sortText(sort) } : {}) }),
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

function useRows({ keywords, tracked, rivals, apps }: Workstation): readonly KeywordRow[] {
  const { storeId, name } = tracked.app
  const record = useQuery(read('get_competitor', { platform: 'ios', storeId, country: tracked.country }))
  const subtitle = record.data?.subtitle
  const known = subtitle?.state === 'measured' ? subtitle.value : null
  return useMemo(() => {
    const rivalIds = new Set(rivals.map((rival) => rival.storeId))
    const names = apps.filter((app) => rivalIds.has(app.storeId)).map((app) => app.name)
    const texts = textsOf(name, known, names)
    return keywords.map((keyword) => ({ keyword, tags: tagsOf(keyword, texts) }))
  }, [keywords, rivals, apps, name, known])
}

function countTags(rows: readonly KeywordRow[]): ReadonlyMap<Tag, number> {
  const counts = new Map<Tag, number>()
  for (const { tags } of rows) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return counts
}

const sortOf = (text: string | undefined): TableSort | undefined =>
  text === undefined ? undefined : { column: text.replace(/^-/, ''), descending: text.startsWith('-') }

const sortText = ({ column, descending }: TableSort): string => `${descending ? '-' : ''}${column}`
