import { Link, linkOptions, Navigate, useNavigate, useSearch } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import { chartKinds } from '../../../src/vocabulary/chart-kinds.ts'
import { isNotFound, problemInWords, storedChartsOf } from '../../api/problems.ts'
import { useOperates } from '../../api/session.ts'
import { count, countryName, dayText, momentText } from '../../evidence/format.ts'
import { EvidenceLines, useProvenance } from '../../evidence/provenance.tsx'
import type { AppLabel } from '../../evidence/shapes.ts'
import { chartInWords, deviceInWords, devices } from '../../evidence/words.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { CategoryChoice } from '../../ui/CategoryChoice.tsx'
import { Select } from '../../ui/fields.tsx'
import { Empty, Loaded } from '../../ui/parts.tsx'
import { TabLinks } from '../../ui/TabLinks.tsx'
import type { Chart, ChartSearch, Snapshot, StoredChart } from './chart-search.ts'

/** The three pages about one chart. The chart stays the same from one to the other. */
export function ChartNavigation({ search: { chart, category, device } }: { search: ChartSearch }) {
  const same = { ...(chart && { chart }), ...(category && { category }), ...(device && { device }) }
  return (
    <TabLinks
      label="Charts"
      tabs={[
        { name: 'Daily chart', link: linkOptions({ to: '/charts', search: same }) },
        { name: 'Compare days', link: linkOptions({ to: '/charts/compare', search: same }) },
        { name: 'Heat map', link: linkOptions({ to: '/charts/heatmap', search: same }) },
      ]}
    />
  )
}

/** Which chart: its kind, category and device. The storefront is the page's. */
export function ChartChoice({ chart, categoryId, device }: Chart) {
  const navigate = useNavigate()
  const choose = (change: ChartSearch) =>
    void navigate({ to: '.', search: (search) => ({ ...search, ...change }), resetScroll: false })
  return (
    <>
      <Select
        label="Chart"
        options={chartKinds.map((id) => ({ id, name: chartInWords[id] }))}
        value={chart}
        onChange={(value) => choose({ chart: value })}
      />
      <CategoryChoice value={categoryId} onChange={(value) => choose({ category: value })} />
      <Select
        label="Device"
        options={devices.map((id) => ({ id, name: deviceInWords[id] }))}
        value={device}
        onChange={(value) => choose({ device: value })}
      />
    </>
  )
}

/** `Top Free · Games · iPhone · Germany` */
export function chartName(
  { chart, device, country }: Omit<Chart, 'categoryId'>,
  snapshot?: { categoryName: string },
): string {
  return [
    chartInWords[chart],
    ...(snapshot ? [snapshot.categoryName] : []),
    deviceInWords[device],
    countryName(country),
  ].join(' · ')
}

/** A read of a chart, with words for a chart or a day that nobody captured. */
export function ChartLoaded<Reply>({
  query,
  skeleton,
  chart,
  newest,
  children,
}: {
  query: { data: Reply | undefined; error: unknown; isPending: boolean; refetch: () => unknown }
  skeleton: ReactNode
  chart: Chart
  /** Leads from a day without a snapshot to the newest one. */
  newest?: ReactNode
  children: (reply: Reply) => ReactNode
}) {
  const named = useSearch({ strict: false })
  const instead = query.data === undefined ? storedChartsOf(query.error) : undefined
  const isChosen = [named.chart, named.category, named.device].some((word) => word !== undefined)
  const [first] = instead ?? []
  // Nobody chose the usual chart: where another of this storefront is stored, that is shown.
  if (first && !isChosen && first.country === chart.country)
    return (
      <Navigate
        to="."
        search={(search) => ({
          ...search,
          chart: first.chart,
          category: first.categoryId,
          device: first.device,
        })}
        replace
      />
    )
  if (instead) return <NeverStored chart={chart} instead={instead} />
  if (query.data === undefined && isNotFound(query.error))
    return (
      <Empty title={problemInWords(query.error).text} action={newest}>
        Past charts cannot be collected later.
      </Empty>
    )
  return (
    <Loaded query={query} skeleton={skeleton}>
      {children}
    </Loaded>
  )
}

/** When a snapshot was captured, what it is compared with, and how much Apple returned. */
export function SnapshotFacts({ snapshot }: { snapshot: Snapshot }) {
  const { capturedAt, previousCapturedAt, evidence, previousEvidence, requested, returned, bound } = snapshot
  return (
    <dl className="named row stretch gap-5 rows-1 small">
      <div>
        <dt>Collected</dt>
        <dd>
          <Captured at={capturedAt} evidence={evidence} />
        </dd>
        <dd className="quiet">{dayText(snapshot.date)} in the storefront’s time zone</dd>
      </div>
      <div>
        <dt>Compared with</dt>
        <dd>
          {previousCapturedAt ? (
            <Captured at={previousCapturedAt} evidence={previousEvidence} />
          ) : (
            'no earlier chart'
          )}
        </dd>
      </div>
      <div>
        <dt>Apple returned</dt>
        <dd>
          {count(returned)} {requested === null ? 'ranks' : `of ${count(requested)} ranks requested`}
        </dd>
        <dd className="quiet">at most {count(bound)} per chart</dd>
      </div>
      <div>
        <dt>Source</dt>
        <dd>{evidence.surface}</dd>
      </div>
    </dl>
  )
}

/** When a snapshot was captured, with its evidence on hover and focus. */
function Captured({ at, evidence }: { at: string; evidence: Snapshot['evidence'] | null }) {
  const provenance = useProvenance(() => <EvidenceLines evidence={evidence ?? undefined} observedAt={at} />)
  return (
    <time dateTime={at} {...provenance}>
      {momentText(at)}
    </time>
  )
}

/**
 * An app of a chart. Clicking it shows its line beside the chart, and the address holds that. Long charts are drawn anew more
 * often than their apps change.
 */
export const ChartApp = memo(function ChartApp({ app, size = 24 }: { app: AppLabel; size?: number }) {
  return (
    <Link
      to="."
      search={(search) => ({ ...search, app: app.storeId })}
      resetScroll={false}
      className="line ink fits medium shrinks"
    >
      <AppIcon url={app.iconUrl} name={app.name} size={size} />
      <bdi className="cut">{app.name ?? `App ${app.storeId}`}</bdi>
    </Link>
  )
})

/** A chart that nobody captured: the way to those that are stored, and how it can be collected. */
function NeverStored({ chart, instead }: { chart: Chart; instead: readonly StoredChart[] }) {
  const collect = `rivalscope collect charts --country ${chart.country} --chart ${chart.chart} --category ${chart.categoryId}`
  const operates = useOperates()
  const isHere = instead.some(({ country }) => country === chart.country)
  return (
    <Empty title={`This chart is not collected in ${countryName(chart.country)} yet`}>
      {instead.length > 0 && (
        <nav aria-label="Collected charts">
          <p>
            {isHere
              ? 'Collected charts, most similar first:'
              : `No charts collected in ${countryName(chart.country)} yet. Charts of other storefronts:`}
          </p>
          <ul
            className="row stretch middle gap-4 rows-2"
            style={{ marginBlock: 'var(--space-2) var(--space-4)' }}
          >
            {instead.map(({ country, chart: kind, categoryId, categoryName, device }) => (
              <li key={`${country} ${kind} ${categoryId} ${device}`}>
                <Link to="." search={{ country, chart: kind, category: categoryId, device }}>
                  {[
                    chartInWords[kind],
                    categoryName,
                    deviceInWords[device],
                    ...(isHere ? [] : [countryName(country)]),
                  ].join(' · ')}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {operates ? (
        <p>
          <Link to="/admin/collecting">Collect or schedule it</Link> under Admin, Collection.
        </p>
      ) : (
        <p>
          An operator can collect it with <code>{collect}</code>.
        </p>
      )}
    </Empty>
  )
}
