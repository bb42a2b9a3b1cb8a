import { Sparkline } from '../../../charts/Sparkline.tsx'
import { Measured, RankValue } from '../../../evidence/Fact.tsx'
import { count, countryName, countWithNoun, dayText } from '../../../evidence/format.ts'
import { chartInWords, deviceInWords } from '../../../evidence/words.ts'
import { type Column, DataTable } from '../../../ui/DataTable.tsx'
import { Panel } from '../../../ui/parts.tsx'
import type { ChartHistory, RankedChart } from '../rank-lines.ts'

/** Each chart that showed the app: where it stands, its best place, and the days inside, outside and without a snapshot. */
export function ChartsInWindow({
  charts,
  histories,
  storeId,
}: {
  charts: readonly RankedChart[]
  histories: readonly ChartHistory[]
  storeId: string
}) {
  return (
    <Panel title="Charts in this period" note={coverageOf(histories)} flush>
      <DataTable
        label="Charts in this period"
        file={`ranks-${storeId}`}
        rows={charts}
        rowId={({ id }) => id}
        columns={columns}
        empty={null}
      />
    </Panel>
  )
}

const coverageOf = (histories: readonly ChartHistory[]): string =>
  histories
    .map(
      ({ country, coverage: { chartsObserved, chartsWithApp, keptFrom } }) =>
        `${countryName(country)}: ranked in ${count(chartsWithApp)} of ${countWithNoun(chartsObserved, 'chart')} collected${
          keptFrom ? `, data before ${dayText(keptFrom)} removed` : ''
        }`,
    )
    .join('. ')

const columns: Column<RankedChart>[] = [
  {
    id: 'country',
    name: 'Storefront',
    width: 100,
    value: ({ chart }) => countryName(chart.country),
    cell: ({ chart }) => countryName(chart.country),
  },
  {
    id: 'chart',
    name: 'Chart',
    width: 104,
    value: ({ chart }) => chartInWords[chart.chart],
    cell: ({ chart }) => chartInWords[chart.chart],
  },
  {
    id: 'category',
    name: 'Category',
    value: ({ chart }) => chart.categoryName,
    cell: ({ chart }) => chart.categoryName,
  },
  {
    id: 'device',
    name: 'Device',
    width: 68,
    value: ({ chart }) => deviceInWords[chart.device],
    cell: ({ chart }) => deviceInWords[chart.device],
  },
  {
    id: 'current',
    name: 'Latest rank',
    heading: 'Latest',
    align: 'end',
    width: 116,
    value: ({ chart }) => (chart.current.state === 'measured' ? chart.current.value : null),
    csv: ({ chart: { current } }) =>
      current.state === 'measured'
        ? current.value
        : current.state === 'absent'
          ? `not in top ${current.depth}`
          : null,
    cell: ({ chart }) => <RankValue rank={chart.current} evidence={chart.evidence} />,
  },
  {
    id: 'best',
    name: 'Best rank',
    heading: 'Best',
    align: 'end',
    width: 56,
    value: ({ chart }) => chart.best.rank,
    cell: ({ chart: { best }, sources }) => (
      <Measured evidence={sources[best.source]} observedAt={best.observedAt}>
        {count(best.rank)}
      </Measured>
    ),
  },
  {
    id: 'bestOn',
    name: 'Best rank on',
    heading: 'Best on',
    align: 'end',
    width: 104,
    value: ({ chart }) => chart.best.date,
    cell: ({ chart }) => dayText(chart.best.date),
  },
  {
    id: 'inChart',
    name: 'Days ranked',
    heading: 'Ranked',
    align: 'end',
    width: 76,
    descendingFirst: true,
    value: ({ chart }) => chart.daysInChart,
    cell: ({ chart }) => count(chart.daysInChart),
  },
  {
    id: 'outside',
    name: 'Days not ranked',
    heading: 'Not ranked',
    align: 'end',
    width: 88,
    descendingFirst: true,
    value: ({ chart }) => chart.daysOutside,
    cell: ({ chart }) => count(chart.daysOutside),
  },
  {
    id: 'without',
    name: 'Days not collected',
    heading: 'Not collected',
    align: 'end',
    width: 96,
    descendingFirst: true,
    value: ({ chart }) => chart.daysWithoutSnapshot,
    cell: ({ chart }) => count(chart.daysWithoutSnapshot),
  },
  {
    id: 'course',
    name: 'Rank over time',
    width: 120,
    cell: ({ name, chart }) => (
      <Sparkline
        inverted
        width={80}
        label={`Rank over time: ${name}`}
        values={chart.series.map(({ rank }) =>
          rank.state === 'measured' ? rank.value : rank.state === 'absent' ? 'absent' : undefined,
        )}
      />
    ),
  },
]
