import type { Block, Cell } from '../blocks.ts'
import { cellOf } from '../cells.ts'
import { amountScale, drawPlot, type PlotPoint } from '../drawings/plot.ts'
import { type Point, rankSparkline } from '../drawings/sparkline.ts'
import { visibilityCells } from './listing.ts'
import { movesBlocks } from './moves.ts'
import {
  appTitle,
  barCell,
  nameWithStorefront,
  optionalSection,
  pairBlocks,
  quietBlock,
  scoreBar,
  surfaceBlocks,
  table,
  textBlock,
  textCell,
  workLines,
} from './parts.ts'
import type { ReplyOf, ViewOf } from './view.ts'

type Workstation = ReplyOf<'get_aso_workstation'>
type Movement = Workstation['movement']['over1Day']

export const workstationView = {
  get_aso_workstation: {
    head: (reply) => [
      appTitle(
        { ...reply.tracked.app, name: nameWithStorefront(reply.tracked.app, reply.tracked.country) },
        reply.tracked.country,
        reply.tracked.role,
      ),
      ...(reply.tracked.notFoundSince === null
        ? []
        : [
            textBlock(
              `Not found in the storefront ${reply.tracked.country} since ${reply.tracked.notFoundSince.slice(0, 10)}: see get-competitor ${reply.tracked.app.storeId}.`,
              'bad',
            ),
          ]),
      ...overview(reply),
      ...surfaceBlocks(reply.surface, reply.notListed),
      ...visibilityDrawing(reply),
    ],
    items: 'Keywords',
    columns: {
      keywordId: { stays: 30 },
      rank: { title: '#', stays: 1, after: '' },
      term: { title: 'keyword', stays: 2 },
      over1Day: { title: '1 day', stays: 5 },
      over7Days: { title: '7 days', stays: 3 },
      over30Days: { title: '30 days', stays: 9 },
      best: { stays: 10 },
      difficulty: { stays: 4 },
      opportunity: { stays: 6 },
      series: {
        title: 'ranks',
        drawing: true,
        stays: 7,
        cell: ({ series }) => ({ text: rankSparkline(series.map(pointOf), 20), ours: true }),
      },
      bar: {
        title: '',
        after: 'opportunity',
        drawing: true,
        stays: 12,
        cell: ({ opportunity }) => scoreBar(opportunity, 8),
      },
    },
    foot: (reply) => [
      ...movesBlocks(reply.moves),
      ...optionalSection(
        'On other surfaces',
        `the ranks above are of ${reply.surface.label}`,
        elsewhere(reply),
      ),
      ...optionalSection('Told by other tools', 'apart from the ranks above', toldByTools(reply)),
      ...optionalSection('Rivals', '', rivals(reply)),
      ...optionalSection('Suggested keywords', suggestedFromWords(reply), suggestions(reply)),
      ...(reply.carriedByName.length > 0
        ? [quietBlock(`The name carries: ${reply.carriedByName.map(({ term }) => term).join(', ')}.`)]
        : []),
      ...(reply.refresh
        ? workLines(reply.refresh, 'last refresh')
        : [quietBlock('never refreshed: refresh-aso-app searches all keywords')]),
    ],
    empty: () => 'No keywords yet: add-aso-keywords takes up to 200 at once.',
  } satisfies ViewOf<'get_aso_workstation'>,
}

function overview({ visibility, distribution, movement, window }: Workstation): Block[] {
  return pairBlocks([
    ['visibility', visibilityCells(visibility)],
    [
      'places',
      textCell(
        `top 3: ${distribution.top3}, top 10: ${distribution.top10}, top 50: ${distribution.top50}, ranked: ${distribution.ranked} of ${distribution.keywords}`,
      ),
    ],
    ...(
      [
        ['1 day', movement.over1Day],
        ['7 days', movement.over7Days],
        ['30 days', movement.over30Days],
      ] as const
    ).map(([label, movements]) => [`in ${label}`, movementCells(movements)] as const),
    ['days shown', textCell(`${window.from} to ${window.to}`)],
  ])
}

function movementCells({ climbed, fallen, unchanged, entered, left, notMeasured }: Movement): Cell[] {
  return [
    { text: `▲ ${climbed + entered}`, tone: 'good', ours: true },
    { text: `▼ ${fallen + left}`, tone: 'bad', ours: true },
    textCell(
      `${unchanged} unchanged, ${entered} came in, ${left} fell out, ${notMeasured} not comparable`,
      'quiet',
    ),
  ]
}

function visibilityDrawing({ visibilitySeries, window }: Workstation): Block[] {
  const points = visibilitySeries.map(
    ({ share }): PlotPoint => (share.state === 'estimated' ? share.value : null),
  )
  if (points.filter((point) => point !== null).length < 2) return []
  const series = [{ points }]
  return [
    {
      kind: 'drawing',
      draw: (canvas) => [
        [{ text: 'visibility by day', tone: 'quiet' }],
        ...drawPlot(
          { from: window.from, to: window.to, series, scale: amountScale(series, (value) => value.toFixed(0)) },
          canvas,
        ),
      ],
      instead: [],
    },
  ]
}

/** `12`, `">200"` and null of the compact series. */
const pointOf = (rank: number | string | null): Point => (typeof rank === 'string' ? 'absent' : rank)

/** Most ranks of other tools that are shown, those told last first. */
const mostTold = 25

/** Where other surfaces rank the app otherwise, the furthest apart first, then those that are not compared. */
function elsewhere({ keywords }: Workstation): Block[] {
  const found = keywords
    .flatMap(({ term, otherSurfaces }) => otherSurfaces.map((one) => ({ term, ...one })))
    .filter(({ outcome }) => outcome !== 'same')
    .sort((one, other) => (other.places ?? 0) - (one.places ?? 0))
  return [
    ...table(found.slice(0, mostTold), [
      { title: 'keyword', cell: ({ term }) => textCell(term), stays: 1 },
      { title: 'ranks', wraps: true, cell: ({ text }) => textCell(text), stays: 2 },
    ]),
    ...(found.length > mostTold ? [quietBlock(`${found.length - mostTold} more with --json.`)] : []),
  ]
}

function toldByTools({ keywords }: Workstation): Block[] {
  const told = keywords
    .flatMap(({ term, otherTools }) => otherTools.map((one) => ({ term, ...one })))
    .sort((one, other) => (one.to < other.to ? 1 : one.to > other.to ? -1 : 0))
  return [
    ...table(told.slice(0, mostTold), [
      { title: 'keyword', cell: ({ term }) => textCell(term), stays: 1 },
      { title: 'tool', cell: ({ tool }) => textCell(tool ?? 'not named'), stays: 2 },
      { title: '#', cell: ({ newest }) => newest, stays: 3 },
      { title: 'on', cell: ({ to }) => textCell(to), stays: 4 },
      { title: 'days', cell: ({ days }) => days, stays: 6 },
      {
        title: 'ranks',
        drawing: true,
        stays: 5,
        cell: ({ series }) => ({ text: rankSparkline(series.map(pointOf), 20), ours: true }),
      },
    ]),
    ...(told.length > mostTold ? [quietBlock(`${told.length - mostTold} more with --json.`)] : []),
  ]
}

function rivals({ rivals: all, apps, tracked }: Workstation): Block[] {
  const names = new Map(apps.map((app) => [app.storeId, nameWithStorefront(app, tracked.country)]))
  return table(all, [
    { title: 'rival', cell: ({ storeId }) => textCell(names.get(storeId) ?? storeId), stays: 1 },
    { title: 'visible', cell: ({ visibility }) => visibility.share, name: 'score', stays: 2 },
    {
      title: '',
      drawing: true,
      cell: ({ visibility }) =>
        visibility.share.state === 'estimated' ? barCell(visibility.share.value) : null,
      stays: 7,
    },
    { title: 'ahead', cell: ({ ahead }) => ({ ...cellOf(ahead), tone: 'bad' }), stays: 3 },
    { title: 'behind', cell: ({ behind }) => ({ ...cellOf(behind), tone: 'good' }), stays: 4 },
    { title: 'top 10', cell: ({ distribution }) => distribution.top10, stays: 5 },
    { title: 'store id', cell: ({ storeId }) => storeId, stays: 6 },
  ])
}

const suggestedFromWords = ({ suggestedFrom }: Workstation): string =>
  suggestedFrom.state === 'measured'
    ? `${suggestedFrom.developers} developers of such apps compared`
    : 'too few such apps are stored to compare texts'

function suggestions({ suggestions: all }: Workstation): Block[] {
  return table(all.slice(0, 15), [
    { title: 'keyword', cell: ({ term }) => term, stays: 1 },
    { title: 'opportunity', cell: ({ opportunity }) => opportunity, name: 'score', stays: 4 },
    { title: 'difficulty', cell: ({ difficulty }) => difficulty, name: 'score', stays: 3 },
    { title: 'fits', cell: ({ relevance }) => relevance, name: 'score', stays: 5 },
    { title: '#', cell: ({ rank }) => rank, stays: 6 },
    {
      title: 'because',
      wraps: true,
      cell: ({ reasons }) => textCell(reasons.map((reason) => reason.text).join(' ')),
      stays: 2,
    },
  ])
}
