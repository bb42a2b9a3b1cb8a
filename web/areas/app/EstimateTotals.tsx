import { estimateText, rangeText } from '../../evidence/estimate.ts'
import { Measured } from '../../evidence/Fact.tsx'
import { countWithNoun, percentText, spanText } from '../../evidence/format.ts'
import { estimateMetricInWords } from '../../evidence/words.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Empty, Panel } from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import type { EstimateHistory } from './estimate-series.ts'

type Period = EstimateHistory['totals'][number]['period']

/** Sums of weeks or months with ranges of their own. A period whose days were not all estimated says so. */
export function EstimateTotals({
  history,
  period,
  onPeriod,
}: {
  history: EstimateHistory
  period: Period
  onPeriod: (period: Period) => void
}) {
  const rows = history.totals.filter((total) => total.period === period).reverse()
  return (
    <Panel
      title="Totals"
      note="Each total has its own range: errors of single days partly cancel out."
      flush
      actions={
        <Segments
          label="Period"
          labelHidden
          segments={[
            { id: 'week', name: 'Weeks' },
            { id: 'month', name: 'Months' },
          ]}
          value={period}
          onChange={onPeriod}
        />
      }
    >
      <DataTable
        label="Totals"
        file={`estimates-${history.app.storeId}-${history.country}-${period}`}
        rows={rows}
        rowId={({ metric, currency, from }) => `${metric} ${currency} ${from}`}
        columns={[
          {
            id: 'from',
            name: period === 'week' ? 'Week' : 'Month',
            value: ({ from }) => from,
            cell: ({ from, to }) => spanText(from, to),
          },
          {
            id: 'metric',
            name: 'Metric',
            width: 150,
            value: ({ metric, currency }) =>
              `${estimateMetricInWords[metric]}${currency ? `, ${currency}` : ''}`,
            cell: ({ metric, currency }) =>
              `${estimateMetricInWords[metric]}${currency ? `, ${currency}` : ''}`,
          },
          {
            id: 'low',
            name: 'Low',
            align: 'end',
            width: 100,
            value: ({ low }) => low,
            cell: (total) => <span className="quiet">{estimateText(total.low, total)}</span>,
          },
          {
            id: 'mid',
            name: 'Estimate',
            align: 'end',
            width: 100,
            descendingFirst: true,
            value: ({ mid }) => mid,
            cell: (total) => (
              <Measured
                note={`${percentText(0.8)} range: ${rangeText(total)}. Based on ${total.days} of ${countWithNoun(total.of, 'day')}.`}
              >
                {estimateText(total.mid, total)}
              </Measured>
            ),
          },
          {
            id: 'high',
            name: 'High',
            align: 'end',
            width: 100,
            value: ({ high }) => high,
            cell: (total) => <span className="quiet">{estimateText(total.high, total)}</span>,
          },
          {
            id: 'days',
            name: 'Days estimated',
            align: 'end',
            width: 140,
            value: ({ days }) => days,
            csv: ({ days, of }) => `${days} of ${of}`,
            cell: ({ days, of }) => (days < of ? <strong>{`${days} of ${of}`}</strong> : `all ${of}`),
          },
        ]}
        empty={<Empty title="No estimates in this period" />}
      />
    </Panel>
  )
}
