import type { Block, Cell } from '../blocks.ts'
import { cellOf, rankChangeCell } from '../cells.ts'
import { drawPlot, rankScale, type Series } from '../drawings/plot.ts'
import { type Point, rankSparkline } from '../drawings/sparkline.ts'
import {
  appTitle,
  nameWithStorefront,
  optionalSection,
  otherStorefrontBlocks,
  quietBlock,
  section,
  table,
  textCell,
  title,
} from './parts.ts'
import type { ReplyOf, ViewOf } from './view.ts'

type Entry = ReplyOf<'get_apple_charts'>['items'][number]
type History = ReplyOf<'get_apple_chart_history'>
type ChartHistory = History['charts'][number]

/** `top-free` as Apple writes it. */
export const chartName = (chart: string) =>
  chart.replace(/(^|-)(.)/g, (_all, dash: string, letter: string) => (dash ? ' ' : '') + letter.toUpperCase())

export const chartViews = {
  get_apple_charts: {
    head: ({ chart, categoryName, country, device, date, returned, requested, previousCapturedAt, left }) => [
      title(`${chartName(chart)}, ${categoryName}`, `${country}, ${device}, ${date}`),
      quietBlock(
        `Apple returned ${returned} places${requested ? ` of the ${requested} asked for` : ''}`,
        previousCapturedAt
          ? `changes since ${previousCapturedAt.slice(0, 10)}`
          : `no ${left ? 'snapshot that early' : 'earlier snapshot'} to compare with`,
      ),
    ],
    columns: {
      change: { cell: movement, stays: 3 },
      entry: { hidden: true },
      rank: { title: '#', stays: 1 },
      'app.name': { stays: 2 },
      'app.storeId': { stays: 5 },
      'app.namedIn': { title: 'in', stays: 4 },
    },
    foot: gone,
    empty: () => 'Apple returned no place of this chart then.',
  } satisfies ViewOf<'get_apple_charts'>,
  get_apple_chart_history: {
    head: (history) => [
      appTitle(history.app, history.country, `${history.from} to ${history.to}`),
      ...otherStorefrontBlocks(history),
      ...drawn(history),
    ],
    columns: {
      letter: {
        title: '',
        cell: (_chart, index, all) => ({ text: all.length > 1 ? letterOf(index) : '', ours: true }),
        stays: 0,
        after: '',
      },
      chart: { cell: ({ chart }) => ({ text: chartName(chart) }), stays: 1 },
      categoryId: { hidden: true },
      categoryName: { title: 'category', stays: 2 },
      current: { title: 'now', stays: 3 },
      best: { stays: 4 },
      daysInChart: { title: 'days in', stays: 5 },
      daysOutside: { title: 'out' },
      daysWithoutSnapshot: { title: 'not captured' },
      device: { stays: 6 },
      series: {
        title: 'rank',
        drawing: true,
        stays: 7,
        cell: ({ series }) => ({
          text: rankSparkline(
            series.map(({ rank }) => plotPointOf(rank)),
            24,
          ),
          ours: true,
        }),
      },
    },
    empty: ({ coverage }) =>
      coverage.chartsObserved > 0
        ? `In none of the ${coverage.chartsObserved} charts that were looked at: absent, as deep as they go.`
        : coverage.keptFrom
          ? `No capture of these days is stored; what is older than ${coverage.keptFrom} may have been removed: nothing can be said.`
          : 'No chart of this storefront was captured in these days: nothing can be said.',
    foot: ({ coverage }) => [
      quietBlock(
        `In ${coverage.chartsWithApp} of the ${coverage.chartsObserved} charts captured in these days.`,
      ),
      ...(coverage.keptFrom
        ? [quietBlock(`Captures before ${coverage.keptFrom} were removed, but a few.`)]
        : []),
    ],
  } satisfies ViewOf<'get_apple_chart_history'>,
}

function movement({ change: places, entry, previousRank }: Entry): Cell {
  if (entry === 'new') return { text: 'new', tone: 'good', number: true }
  if (entry === 'returning') return { text: 'back', tone: 'good', number: true }
  if (places !== null) return rankChangeCell(places)
  return cellOf(previousRank.state === 'not-measured' ? previousRank : null)
}

/** The apps that left since the snapshot compared with, best rank first. */
function gone({ left, returned, country }: ReplyOf<'get_apple_charts'>): Block[] {
  if (left?.state !== 'measured') return []
  return optionalSection(
    'No longer there',
    `not among ${returned}`,
    table(left.value, [
      { title: 'was', cell: ({ previousRank }) => ({ ...cellOf(previousRank), number: true }), stays: 1 },
      { title: 'name', cell: ({ app }) => textCell(nameWithStorefront(app, country)), stays: 2 },
      { title: 'app id', cell: ({ app }) => app.storeId, stays: 3 },
    ]),
  )
}

type Rank = ChartHistory['series'][number]['rank']

export const plotPointOf = (rank: Rank): Point =>
  rank.state === 'measured' ? rank.value : rank.state === 'absent' ? 'absent' : null

/** Charts beyond these are only in the table: more lines cannot be told apart. */
const drawnCharts = 6

const letterOf = (index: number) => (index < drawnCharts ? String.fromCharCode(65 + index) : '')

function drawn({ charts: all, from, to }: History): Block[] {
  if (all.length === 0) return []
  const shown = all.slice(0, drawnCharts)
  const series: Series[] = shown.map((chart, index) => ({
    ...(all.length > 1 ? { letter: letterOf(index) } : {}),
    points: chart.series.map(({ rank }) => plotPointOf(rank)),
  }))
  return [
    {
      kind: 'drawing',
      draw: (canvas) => drawPlot({ from, to, series, scale: rankScale(series) }, canvas),
      instead: rankTable(all),
    },
  ]
}

/** The ranks as a table where charts are not drawn: one row per day, one column per chart. */
function rankTable(all: readonly ChartHistory[]): Block[] {
  const days = all[0]?.series ?? []
  return [
    section('Ranks by day'),
    ...table(days, [
      { title: 'date', cell: ({ date }) => date },
      ...all.map((chart, place) => ({
        title: letterOf(place) || chartName(chart.chart),
        cell: (_day: unknown, index: number) => cellOf(chart.series[index]?.rank),
      })),
    ]),
  ]
}
