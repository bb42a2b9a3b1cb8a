import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { chartKinds } from '../../../src/vocabulary/chart-kinds.ts'
import { read } from '../../api/operations.ts'
import { LineChart } from '../../charts/LineChart.tsx'
import { daysBetween, daysUntil } from '../../evidence/days.ts'
import { count, countryName } from '../../evidence/format.ts'
import { storefronts } from '../../evidence/storefronts.ts'
import { chartInWords } from '../../evidence/words.ts'
import { Checkbox, Choice } from '../../ui/fields.tsx'
import { Filters, Panel, Problem, Skeleton, Troubles } from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { SelectSome } from '../../ui/SelectSome.tsx'
import { compactSearch, listOf } from '../../ui/search-params.ts'
import { useAppOfPage } from './app-of-page.ts'
import { DayWindow } from './DayWindow.tsx'
import { listingMarks } from './listing-marks.ts'
import { chartsOf, lineOf } from './rank-lines.ts'
import { ChartsInWindow } from './ranks/ChartsInWindow.tsx'
import { ComparedStorefronts } from './ranks/ComparedStorefronts.tsx'
import { categoriesOf } from './ranks/categories.ts'
import { DayProvenance } from './ranks/DayProvenance.tsx'
import { NothingDrawn } from './ranks/NothingDrawn.tsx'
import type { ranksSearch } from './ranks-search.ts'
import { today, windowOf } from './window.ts'

type RanksSearch = ReturnType<typeof ranksSearch>

/** Lines that can still be told apart in one drawing. */
const mostLines = 20

const codes = storefronts.map(({ code }) => code)

/** The ranks of the app over time, in several charts and storefronts beside each other. */
export function RanksTab() {
  const { storeId, country: shown } = useAppOfPage()
  const search = useSearch({ from: '/apps/$storeId/ranks' })
  const navigate = useNavigate({ from: '/apps/$storeId/ranks' })
  const change = (changed: { [Name in keyof RanksSearch]?: RanksSearch[Name] | undefined }) =>
    void navigate({ search: (before) => compactSearch({ ...before, ...changed }), replace: true })
  const record = useQuery(read('get_competitor', { storeId, country: shown })).data
  const countries = search.countries ? listOf(search.countries, codes) : [shown]
  const kinds = listOf(search.charts, chartKinds)
  const window = windowOf(search, today())
  const { from, to } = window
  const device = search.device ?? 'iphone'
  const queries = useQueries({
    queries: countries.map((country) =>
      read('get_apple_chart_history', {
        storeId,
        country,
        from,
        to,
        ...(search.categoryId ? { categoryId: search.categoryId } : {}),
        ...(device === 'both' ? {} : { device }),
      }),
    ),
  })
  const histories = queries.flatMap(({ data }) => data ?? [])
  const days = useMemo(() => daysUntil(to, daysBetween(from, to) + 1), [from, to])
  const charts = chartsOf(histories, kinds, countryName)
  const drawnKey = charts.map(({ id, chart }) => `${id} ${chart.evidence.readingId}`).join() + from + to
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn anew only when other charts or days are shown
  const lines = useMemo(() => charts.slice(0, mostLines).map((chart) => lineOf(chart, days)), [drawnKey])
  const marks = useMemo(
    () => (search.marks && record ? listingMarks(record.listingHistory, from, to) : []),
    [search.marks, record, from, to],
  )
  const format = useCallback((rank: number) => count(Math.round(rank)), [])
  const isLoading = queries.some(({ isPending }) => isPending)
  return (
    <>
      <Filters label="What is drawn">
        <SelectSome
          label="Charts"
          options={chartKinds.map((id) => ({ id, name: chartInWords[id] }))}
          values={kinds}
          onChange={(chosen) => change({ charts: chosen.length > 0 ? chosen.join(',') : undefined })}
        />
        <Choice
          label="Category"
          options={[{ id: 'any', name: 'Any category' }, ...categoriesOf(record, histories)]}
          value={search.categoryId ?? 'any'}
          onChange={(id) => change({ categoryId: id === 'any' ? undefined : id })}
        />
        <Segments
          label="Device"
          segments={[
            { id: 'iphone', name: 'iPhone' },
            { id: 'ipad', name: 'iPad' },
            { id: 'both', name: 'Both' },
          ]}
          value={device}
          onChange={(id) => change({ device: id === 'iphone' ? undefined : id })}
        />
        <DayWindow window={window} onChange={change} />
      </Filters>
      <ComparedStorefronts
        countries={countries}
        alsoIn={record?.alsoIn ?? []}
        onChange={(chosen) => change({ countries: chosen.length > 0 ? chosen.join(',') : undefined })}
      />
      {queries.map(({ error, refetch }, index) =>
        error ? <Problem key={countries[index]} error={error} retry={() => void refetch()} /> : null,
      )}
      <Troubles trouble={histories.flatMap(({ trouble }) => trouble)} />
      <Panel
        title="Ranks over time"
        note={
          charts.length > mostLines
            ? `The ${mostLines} best of ${count(charts.length)} charts are drawn; narrow the charts to see others.`
            : 'Place 1 is on top. Marks at the foot: looked for and outside the chart. A gap: no snapshot that day.'
        }
        actions={
          <>
            <Checkbox isSelected={search.log ?? false} onChange={(log) => change({ log: log || undefined })}>
              Logarithmic
            </Checkbox>
            <Checkbox isSelected={search.marks ?? false} onChange={(on) => change({ marks: on || undefined })}>
              Listing changes
            </Checkbox>
          </>
        }
      >
        {lines.length > 0 ? (
          <LineChart
            label={`Ranks of ${record?.name ?? storeId}`}
            days={days}
            lines={lines}
            format={format}
            ranks
            logarithmic={search.log ?? false}
            marks={marks}
            height={320}
            provenance={(index) => (
              <DayProvenance charts={charts.slice(0, mostLines)} day={days[index] ?? ''} />
            )}
          />
        ) : isLoading ? (
          <Skeleton height={352} />
        ) : (
          <NothingDrawn
            histories={histories}
            isNarrowed={kinds.length > 0 || search.categoryId !== undefined}
          />
        )}
      </Panel>
      {charts.length > 0 && <ChartsInWindow charts={charts} histories={histories} storeId={storeId} />}
    </>
  )
}
