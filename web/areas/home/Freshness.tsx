import { Link } from '@tanstack/react-router'
import { useReplies } from '../../api/replies.ts'
import { Measured, NotMeasured } from '../../evidence/Fact.tsx'
import { count, countryName, isolateDirection, momentText, timeAgo } from '../../evidence/format.ts'
import {
  distinctIssues,
  type FreshnessPart,
  isStale,
  staleAfterDays,
  staleRule,
} from '../../evidence/freshness.ts'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import { dataKindInWords } from '../../evidence/words.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Badge, Panel, SourceIssues } from '../../ui/parts.tsx'
import { useReadingIsOver } from '../../ui/ShownTogether.tsx'
import { WorkProgress } from '../../ui/WorkProgress.tsx'
import type { AppRecord } from '../app/app-of-page.ts'

/** What is failing and why, what is under way, and how old the parts of each app are. */
export function Freshness({
  apps,
  detailed,
}: {
  apps: readonly TrackedAppSummary[]
  detailed: readonly TrackedAppSummary[]
}) {
  // What moved comes first, and nobody sees the foot of a page so soon.
  const isOver = useReadingIsOver()
  const { replies, reading } = useReplies(
    'get_competitor',
    (isOver ? detailed : []).map(({ app, country }) => ({
      platform: app.platform,
      storeId: app.storeId,
      country,
    })),
  )
  const issues = distinctIssues(replies.flatMap((reply) => reply?.trouble ?? []))
  const rows = detailed.map((tracked, index): Row => ({ tracked, record: replies[index] }))
  return (
    <Panel
      title="Data status"
      note={
        reading.done < reading.total
          ? `Loading ${count(reading.done)} of ${count(reading.total)}…`
          : 'Last update of each kind of data; ⚠ marks what is out of date.'
      }
      flush
    >
      <SourceIssues trouble={issues} />
      <Work apps={apps} />
      <DataTable
        label="Data status of tracked apps"
        rows={rows}
        rowId={({ tracked }) => tracked.appId}
        columns={columns}
        minWidth={960}
        file="data-status"
        empty={<p className="pad quiet">No tracked apps.</p>}
      />
    </Panel>
  )
}

interface Row {
  tracked: TrackedAppSummary
  record: AppRecord | undefined
}

/** Refreshes and intakes that failed, are under way or wait for a worker. */
function Work({ apps }: { apps: readonly TrackedAppSummary[] }) {
  const works = apps.flatMap(({ appId, app, country, refresh, intake }) => {
    const name = `${isolateDirection(app.name ?? app.storeId)} (${countryName(country)})`
    return [
      ...(refresh && refresh.status !== 'succeeded'
        ? [{ key: `r ${appId}`, name: `Refresh: ${name}`, work: refresh }]
        : []),
      ...(intake && intake.status !== 'succeeded'
        ? [{ key: `i ${appId}`, name: `Adding ${name}`, work: intake }]
        : []),
    ]
  })
  if (works.length === 0) return null
  return (
    <ul className="rule-below stack pad">
      {works.map(({ key, name, work }) => (
        <li key={key}>
          <WorkProgress work={work} name={name} />
        </li>
      ))}
    </ul>
  )
}

const kinds = Object.keys(staleAfterDays) as FreshnessPart[]

const headings: Record<FreshnessPart, string> = {
  ...dataKindInWords,
  record: 'Details',
  similar: 'Similar',
  organic: 'Posts',
  aso: 'Keywords',
}

const columns: readonly Column<Row>[] = [
  {
    id: 'app',
    name: 'App',
    csv: ({ tracked }) => tracked.app.name,
    cell: ({ tracked }) => (
      <span className="row nowrap shrinks">
        <AppLink app={tracked.app} country={tracked.country} size={20} />
        <span className="quiet">{tracked.country.toUpperCase()}</span>
      </span>
    ),
  },
  {
    id: 'storefront',
    name: 'Storefront',
    fileOnly: true,
    csv: ({ tracked }) => tracked.country,
    cell: () => null,
  },
  {
    id: 'unmeasured',
    name: 'Keywords without data',
    heading: 'No rank data',
    width: 104,
    align: 'end',
    csv: ({ tracked }) => tracked.distribution.notMeasured,
    cell: ({ tracked: { appId, country, distribution } }) =>
      distribution.notMeasured === 0 ? (
        <span className="quiet">0</span>
      ) : (
        <Link to="/aso/$appId" params={{ appId }} search={{ country }}>
          {count(distribution.notMeasured)} of {count(distribution.keywords)}
        </Link>
      ),
  },
  ...kinds.map(
    (kind): Column<Row> => ({
      id: kind,
      name: dataKindInWords[kind],
      heading: headings[kind],
      width: 100,
      csv: ({ record }) => observedAtOf(record, kind),
      cell: ({ record }) => <PartAge record={record} kind={kind} />,
    }),
  ),
]

const partOf = (record: AppRecord | undefined, kind: FreshnessPart) =>
  record?.freshness.find(({ part }) => part === kind)

function observedAtOf(record: AppRecord | undefined, kind: FreshnessPart): string | null {
  const part = partOf(record, kind)
  return part?.state === 'measured' ? part.evidence.observedAt : null
}

function PartAge({ record, kind }: { record: AppRecord | undefined; kind: FreshnessPart }) {
  const part = partOf(record, kind)
  if (!part) return <span className="quiet">…</span>
  if (part.state === 'not-measured') return <NotMeasured reason={part.reason} />
  const { observedAt } = part.evidence
  const text = timeAgo(observedAt)
  return (
    <Measured
      evidence={part.evidence}
      note={`${dataKindInWords[kind]} updated ${momentText(observedAt)}. ${staleRule(kind)}`}
    >
      {isStale(kind, observedAt) ? <Badge tone="warn">⚠ {text}</Badge> : text}
    </Measured>
  )
}
