import type { Block } from '../blocks.ts'
import { amountScale, drawPlot, type PlotPoint, type Series, type Steps } from '../drawings/plot.ts'
import { amount, percent } from '../numbers.ts'
import { daysBetween } from './listing-facts.ts'
import { appTitle, optionalSection, otherStorefrontBlocks, table, textCell, workLines } from './parts.ts'
import type { ReplyOf, ViewOf } from './view.ts'

type Estimates = ReplyOf<'get_competitor_estimate_history'>

export const estimateViews = {
  get_competitor_estimate_history: {
    head: (reply) => [
      appTitle(reply.app, reply.country, `${reply.from} to ${reply.to}`),
      ...otherStorefrontBlocks(reply),
      ...reply.latest.flatMap(latestLines),
    ],
    items: 'By day',
    lastOnScreen: 28,
    columns: {
      date: { stays: 1 },
      estimate: { title: 'a day (low to high)', stays: 2 },
      metric: { stays: 3 },
      model: {
        title: 'model',
        cell: ({ estimate }) => textCell(estimate.state === 'estimated' ? estimate.version : '', 'quiet'),
        stays: 5,
      },
      inputs: {
        title: 'from',
        cell: ({ inputs }) => textCell(inputs.map(({ name, value }) => `${name} ${value}`).join(', '), 'quiet'),
        stays: 6,
      },
    },
    foot: (reply) => [
      ...optionalSection('Totals', '80 % ranges of the estimated days', totals(reply)),
      ...optionalSection(
        'Models',
        'low to high is the 80 % range of a day of an app like this one',
        models(reply),
      ),
      ...metricsOf(reply).flatMap((metric) => estimateDrawing(reply, metric)),
      ...(reply.refresh ? workLines(reply.refresh, 'last refresh') : []),
    ],
    empty: () => 'No day of this window was estimated.',
  } satisfies ViewOf<'get_competitor_estimate_history'>,
}

/** The newest range of a metric, what it starts from and what would make it surer. */
function latestLines({
  metric,
  date,
  estimate,
  startsFrom,
  chartsSeenUntil,
  surer,
}: Estimates['latest'][number]): Block[] {
  if (estimate.state !== 'estimated') return []
  const { low, mid, high, currency } = estimate
  const [least, middle, most] = [low, mid, high].map((value) => amount(rounded(value), currency ?? undefined))
  const from = startsFrom ? `, from rank ${startsFrom.rank} of ${startsFrom.chart} on ${startsFrom.on}` : ''
  const seen = chartsSeenUntil ? `; charts seen until ${chartsSeenUntil}` : ''
  const text = `${metric} on ${date}: ${middle} a day (${least} to ${most})${from}${seen}`
  return [
    { kind: 'text', text },
    ...surer.map((one): Block => ({ kind: 'text', text: `surer: ${one.text}`, tone: 'quiet', indent: 2 })),
  ]
}

type Metric = Estimates['points'][number]['metric']

const metricsOf = ({ points }: Estimates): Metric[] => [...new Set(points.map(({ metric }) => metric))]

function estimateDrawing({ points, from, to }: Estimates, metric: Metric): Block[] {
  const own = new Map(
    points.filter((point) => point.metric === metric).map(({ date, estimate }) => [date, estimate]),
  )
  const ranges = daysBetween(from, to).map((date): PlotPoint => {
    const estimate = own.get(date)
    return estimate?.state === 'estimated' ? estimate : null
  })
  if (ranges.every((range) => range === null)) return []
  const currency = [...own.values()].find((estimate) => estimate.state === 'estimated')?.currency ?? undefined
  const series: Series[] = [{ points: ranges }]
  const steps = formulaSteps(daysBetween(from, to).map((date) => ({ date, estimate: own.get(date) })))
  return [
    {
      kind: 'drawing',
      draw: (canvas) => [
        [{ text: `${metric} a day, low to high`, tone: 'quiet' }],
        ...drawPlot(
          { from, to, series, steps, scale: amountScale(series, (value) => amount(rounded(value), currency)) },
          canvas,
        ),
      ],
      instead: [],
    },
  ]
}

/** The days from which estimates were made with another formula: a change there may come from the formula alone. */
function formulaSteps(
  days: readonly { date: string; estimate: Estimates['points'][number]['estimate'] | undefined }[],
): Steps {
  const made = days.flatMap(({ date, estimate }, day) =>
    estimate?.state === 'estimated' ? [{ date, day, version: estimate.version }] : [],
  )
  const changes = made.flatMap((now, index) => {
    const before = made[index - 1]
    return before && before.version !== now.version ? [{ ...now, before: before.version }] : []
  })
  const [only] = changes
  const says =
    only && changes.length === 1
      ? `another formula: ${only.date} ${only.before} to ${only.version}`
      : `another formula, ${changes.length} times: see the days`
  return { days: changes.map(({ day }) => day), says }
}

const rounded = (value: number) => (value >= 1000 ? Math.round(value / 100) * 100 : Math.round(value))

function totals({ totals: all }: Estimates): Block[] {
  const value = (total: (typeof all)[number], optionalSection: 'low' | 'mid' | 'high') =>
    amount(rounded(total[optionalSection]), total.currency ?? undefined)
  return table(all, [
    { title: 'period', cell: ({ period, from, to }) => `${period} ${from} to ${to}`, stays: 1 },
    { title: 'metric', cell: ({ metric }) => metric, stays: 2 },
    {
      title: 'sum (low to high)',
      cell: (total) => textCell(`${value(total, 'mid')} (${value(total, 'low')} to ${value(total, 'high')})`),
      stays: 3,
    },
    { title: 'days', cell: ({ days, of }) => textCell(`${days} of ${of}`), stays: 4 },
  ])
}

function models({ models: all }: Estimates): Block[] {
  return table(all, [
    { title: 'metric', cell: ({ metric }) => metric, stays: 1 },
    { title: 'version', cell: ({ version }) => version, stays: 2 },
    { title: 'days', cell: ({ shownDays }) => shownDays, stays: 4 },
    {
      title: 'ranks',
      cell: ({ validRanks }) => textCell(validRanks ? `${validRanks.from} to ${validRanks.to}` : ''),
      stays: 3,
    },
    {
      title: 'error on own sales',
      cell: ({ calibration }) =>
        calibration && !calibration.used
          ? textCell('no longer used', 'quiet')
          : calibration
            ? textCell(
                `${calibration.medianErrorBefore === null ? '' : `${percent(calibration.medianErrorBefore)}, calibrated `}${percent(calibration.medianErrorAfter)}`,
              )
            : textCell('not calibrated', 'quiet'),
    },
    {
      title: 'within its range',
      cell: ({ calibration }) =>
        calibration
          ? textCell(`${percent(calibration.covered)} of ${calibration.heldOut} days`)
          : textCell('not validated', 'quiet'),
    },
    {
      title: 'error between apps',
      cell: ({ calibration }) =>
        textCell(
          calibration
            ? `${percent(calibration.errorBetweenApps)}, ${calibration.errorBetweenAppsIs}`
            : 'assumed',
          calibration ? undefined : 'quiet',
        ),
    },
  ])
}
