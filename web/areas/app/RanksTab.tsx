import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { chartKinds } from '../../../src/vocabulary/chart-kinds.ts'
import { read } from '../../api/operations.ts'
import { LineChart } from '../../charts/LineChart.tsx'
import { MarkedApps, mostMarked } from '../../charts/MarkedApps.tsx'
import { daysBetween, daysUntil } from '../../evidence/days.ts'
import { count, countryName, countWithNoun, momentText } from '../../evidence/format.ts'
import type { Country } from '../../evidence/shapes.ts'
import { storefronts } from '../../evidence/storefronts.ts'
import { othersBeside, trackedApps } from '../../evidence/tracked.ts'
import { chartInWords, overallCategory, overallCategoryName } from '../../evidence/words.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox, Choice } from '../../ui/fields.tsx'
import { X } from '../../ui/icons.ts'
import { Empty, Filters, Panel, Problem, Skeleton, SourceIssues } from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { SelectSome } from '../../ui/SelectSome.tsx'
import { compactSearch, parseList } from '../../ui/search-params.ts'
import { listingMarks, useListingMarks } from '../aso/listing-marks.ts'
import { type AppRecord, useAppOfPage } from './app-of-page.ts'
import { DayWindow } from './DayWindow.tsx'
import { type ChartHistory, type RankedChart, rankedChartsOf, rankLineOf } from './rank-lines.ts'
import { ChartsInWindow } from './ranks/ChartsInWindow.tsx'
import { mostStorefronts, type ranksSearch } from './ranks-search.ts'
import { dayWindowOf, today } from './window.ts'
import { notCollectedText } from './words.ts'

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
  const countries = search.countries ? parseList(search.countries, codes) : [shown]
  const kinds = parseList(search.charts, chartKinds)
  const window = dayWindowOf(search, today())
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
  const charts = rankedChartsOf(histories, kinds, countryName)
  const drawnKey = charts.map(({ id, chart }) => `${id} ${chart.evidence.readingId}`).join() + from + to
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn anew only when other charts or days are shown
  const lines = useMemo(() => charts.slice(0, mostLines).map((chart) => rankLineOf(chart, days)), [drawnKey])
  const { data: tracked = [] } = useQuery(trackedApps)
  const others = othersBeside({ storeId, country: shown }, tracked).slice(0, mostMarked)
  const ofOthers = useListingMarks(search.rivalMarks ? others.map(({ app }) => ({ app, isOther: true })) : [], {
    country: shown,
    from,
    to,
  })
  const ownMarks = search.marks && record ? listingMarks(record.listingHistory, from, to) : []
  const format = useCallback((rank: number) => count(Math.round(rank)), [])
  const isLoading = queries.some(({ isPending }) => isPending)
  return (
    <>
      <Filters label="Chart options">
        <SelectSome
          label="Charts"
          options={chartKinds.map((id) => ({ id, name: chartInWords[id] }))}
          values={kinds}
          onChange={(chosen) => change({ charts: chosen.length > 0 ? chosen.join(',') : undefined })}
        />
        <Choice
          label="Category"
          options={[{ id: 'any', name: 'All categories' }, ...categoriesOf(record, histories)]}
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
      <SourceIssues trouble={histories.flatMap(({ trouble }) => trouble)} />
      <Panel
        title="Ranks over time"
        note={
          charts.length > mostLines
            ? `Best ${mostLines} of ${count(charts.length)} charts; use the filters to see others.`
            : 'Marks below the axis: not ranked that day. Gaps: chart not collected.'
        }
        actions={
          <>
            <Checkbox isSelected={search.log ?? false} onChange={(log) => change({ log: log || undefined })}>
              Log scale
            </Checkbox>
            <MarkedApps
              hasRivals={others.length > 0}
              marked={[
                ...(search.marks ? ['own' as const] : []),
                ...(search.rivalMarks ? ['rivals' as const] : []),
              ]}
              onChange={(marked) =>
                change({
                  marks: marked.includes('own') || undefined,
                  rivalMarks: marked.includes('rivals') || undefined,
                })
              }
            />
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
            marks={[...ownMarks, ...ofOthers]}
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

/** The storefronts that are compared, to be taken away and added. */
function ComparedStorefronts({
  countries,
  alsoIn,
  onChange,
}: {
  countries: readonly Country[]
  alsoIn: readonly Country[]
  onChange: (countries: Country[]) => void
}) {
  const suggested = alsoIn.filter((code) => !countries.includes(code)).slice(0, 4)
  const isFull = countries.length >= mostStorefronts
  return (
    <div className="row gap-3 rows-2" data-screen-only>
      <ul className="row" aria-label="Compared storefronts">
        {countries.map((code) => (
          <li key={code}>
            <Button
              small
              isDisabled={countries.length === 1}
              aria-label={`Remove ${countryName(code)}`}
              onPress={() => onChange(countries.filter((one) => one !== code))}
            >
              {countryName(code)}
              {countries.length > 1 && <X size={13} aria-hidden="true" />}
            </Button>
          </li>
        ))}
        {!isFull &&
          suggested.map((code) => (
            <li key={code}>
              <Button small look="bare" onPress={() => onChange([...countries, code])}>
                + {countryName(code)}
              </Button>
            </li>
          ))}
      </ul>
      {isFull ? (
        <span className="quiet">Up to {mostStorefronts} storefronts</span>
      ) : (
        <div style={{ width: 190 }}>
          <Choice
            key={countries.join()}
            label="Add storefront"
            labelHidden
            placeholder="Add storefront…"
            options={storefronts
              .filter(({ code }) => !countries.includes(code))
              .map(({ code, name }) => ({ id: code, name }))}
            value={null}
            onChange={(code) => onChange([...countries, code])}
          />
        </div>
      )}
    </div>
  )
}

/** Where the ranks of a day were read, and when. */
function DayProvenance({ charts, day }: { charts: readonly RankedChart[]; day: string }) {
  const points = charts.flatMap(({ chart, sources }) => {
    const point = chart.series.find(({ date }) => date === day)
    const source = sources[point?.source ?? -1]
    return point?.observedAt && source ? [{ at: point.observedAt, surface: source.surface }] : []
  })
  const times = points.map(({ at }) => at).sort()
  const [first, last] = [times[0], times.at(-1)]
  if (!first || !last) return notCollectedText
  const span = first === last ? momentText(first) : `${momentText(first)} – ${momentText(last)}`
  return `${[...new Set(points.map(({ surface }) => surface))].join(', ')}. Collected ${span}.`
}

/** Distinguishes "absent" from "not measured". */
function NothingDrawn({ histories, isNarrowed }: { histories: readonly ChartHistory[]; isNarrowed: boolean }) {
  return (
    <Empty title="Not ranked in any chart in this period">
      <ul>
        {histories.map(({ country, coverage: { chartsObserved } }) => (
          <li key={country}>
            {countryName(country)}:{' '}
            {chartsObserved === 0
              ? 'no charts collected in this period'
              : `${countWithNoun(chartsObserved, 'chart')} collected`}
          </li>
        ))}
      </ul>
      {isNarrowed && <p>Try other charts, categories or dates.</p>}
    </Empty>
  )
}

/** Categories the app can be in a chart of: its own, and those that showed it. */
function categoriesOf(record: AppRecord | undefined, histories: readonly ChartHistory[]) {
  const names = new Map<string, string>([[overallCategory, overallCategoryName]])
  for (const { categoryId, name } of record?.categories.state === 'measured' ? record.categories.value : [])
    names.set(categoryId, name)
  for (const { categoryId, categoryName } of [
    ...(record?.chartPositions ?? []),
    ...histories.flatMap(({ charts }) => charts),
  ])
    if (!names.has(categoryId)) names.set(categoryId, categoryName)
  return [...names].map(([id, name]) => ({ id, name }))
}
