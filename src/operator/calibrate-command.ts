import { type CalibratedChart, calibrateCharts, whyUnused } from '../domain/estimates/calibrate.ts'
import { chartName } from '../vocabulary/chart-identity.ts'
import type { OperatorContext } from './operator-context.ts'

/** Fits the estimates to the operator's own sales; one line for each chart. Fails when there is nothing to fit to. */
export async function calibrateCommand(
  { db, terminal }: OperatorContext,
  { json }: { json?: boolean },
): Promise<0 | 1> {
  const { ownDays, charts } = await calibrateCharts(db, new Date())
  if (json) terminal.out(JSON.stringify({ ownDays, charts: charts.map(summary) }))
  else for (const chart of charts) terminal.out(line(chart))
  if (ownDays === 0) {
    terminal.note('No sales of your own are stored. Bring them with: rivalscope import sales <files…>')
    return 1
  }
  if (charts.length === 0) {
    terminal.note(
      `On none of the ${ownDays} days of your own sales did the app stand in a stored chart. Import or collect charts of those days and countries.`,
    )
    return 1
  }
  if (!json && charts.some(({ fit }) => fit?.used))
    terminal.note('Estimates change when they are refreshed; days of older versions stay beside the new ones.')
  return 0
}

function summary(chart: CalibratedChart) {
  const { metric, currency, days, fit, calibrationId } = chart
  return {
    chart: chartName(chart.chart),
    metric,
    currency,
    days,
    calibration: calibrationId === null ? null : `cal-${calibrationId}`,
    used: fit?.used ?? false,
    why: whyUnused(chart) ?? null,
    points: fit?.points ?? null,
    heldOut: fit?.heldOut ?? null,
    ranks: fit?.ranks ?? null,
    scale: fit?.scale ?? null,
    slope: fit?.slope ?? null,
    slopeFitted: fit?.slopeFitted ?? null,
    medianErrorBefore: fit?.errorBefore ?? null,
    medianErrorAfter: fit?.errorAfter ?? null,
    medianErrorConstant: fit?.errorConstant ?? null,
    apps: fit?.apps ?? null,
    errorBetweenDays: fit?.daySd ?? null,
    errorBetweenApps: fit?.betweenApps ?? null,
    betweenAppsMeasured: fit ? fit.apps > 1 : null,
    covered: fit?.covered ?? null,
  }
}

function line(chart: CalibratedChart): string {
  const { metric, currency, fit, calibrationId } = chart
  const name = `${chartName(chart.chart)}, ${metric}${currency ? ` in ${currency}` : ''}`
  const why = whyUnused(chart)
  if (!fit) return `${name}: not used: ${why}`
  const { points, apps, heldOut, ranks, daySd, betweenApps, errorBefore, errorConstant, errorAfter } = fit
  const days = `${points} ${points === 1 ? 'day' : 'days'} of ${apps} ${apps === 1 ? 'app' : 'apps'}, ranks ${ranks.from} to ${ranks.to}`
  const between = `${percent(betweenApps)}${apps === 1 ? ' (assumed: one app cannot tell it)' : ''}`
  const before = errorBefore === null ? 'nothing published before' : `${percent(errorBefore)} before`
  const error = `median error on ${heldOut} days not fitted to ${before}, ${percent(errorConstant)} constant, ${percent(errorAfter)} after`
  return `${name}: ${days}, error between days ${percent(daySd)}, between apps ${between}, ${error}: ${why ? `not used: ${why}` : `used as cal-${calibrationId}`}`
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}
