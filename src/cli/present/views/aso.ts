import type { Block, Cell } from '../blocks.ts'
import { cellOf } from '../cells.ts'
import { amountScale, drawPlot, type PlotPoint } from '../drawings/plot.ts'
import { type Point, rankSparkline } from '../drawings/sparkline.ts'
import { number, seconds } from '../numbers.ts'
import { visibilityCells } from './listing.ts'
import {
  appTitle,
  barCell,
  nameOf,
  pairs,
  part,
  quiet,
  scoreBar,
  table,
  text,
  title,
  words,
  workLines,
} from './parts.ts'
import type { ReplyOf, ViewOf } from './view.ts'

type Workstation = ReplyOf<'get_aso_workstation'>
type Tracked = ReplyOf<'track_aso_app'>
type Refresh = ReplyOf<'refresh_aso_app'>
type Movement = Workstation['movement']['over1Day']

export const aso = {
  list_aso_apps: {
    head: () => [title('Tracked apps')],
    columns: {
      appId: { stays: 2 },
      'app.storeId': { stays: 8 },
      'app.name': { cell: ({ app }) => words(nameOf(app)), stays: 1 },
      role: { stays: 4 },
      country: { title: 'in', stays: 3 },
      keywordCount: { title: 'keywords', stays: 6 },
      'visibility.share': { title: 'visible', stays: 5 },
      moved: {
        title: '7 days',
        after: 'visibility.share',
        cell: ({ over7Days }) => moved(over7Days),
        stays: 7,
      },
      bar: { title: '', drawing: true, cell: ({ visibility }) => scoreBar(visibility.share), stays: 9 },
    },
    empty: () => 'This account tracks no app that passes the filters: track-aso-app begins.',
  } satisfies ViewOf<'list_aso_apps'>,

  track_aso_app: { head: (tracked) => trackedBlocks(tracked, 'Tracked') } satisfies ViewOf<'track_aso_app'>,
  update_aso_app_role: {
    head: (tracked) => trackedBlocks(tracked, 'Role changed'),
  } satisfies ViewOf<'update_aso_app_role'>,

  add_aso_keywords: {
    head: ({ added, alreadyThere, refused, keywordCount }) => [
      title(
        `${added.length} added`,
        `${alreadyThere.length} already there, ${refused.length} refused, ${keywordCount} keywords now`,
      ),
      ...table(
        [
          ...added.map((one) => ({ ...one, outcome: 'added' })),
          ...alreadyThere.map((one) => ({ ...one, outcome: 'already there' })),
        ],
        [
          { title: 'keyword', cell: ({ keyword }) => keyword.term, stays: 1 },
          {
            title: '',
            cell: ({ outcome }) => words(outcome, outcome === 'added' ? 'good' : 'quiet'),
            stays: 2,
          },
          { title: 'rank', cell: ({ keyword }) => keyword.rank, stays: 3 },
          { title: 'keyword id', cell: ({ keyword }) => keyword.keywordId, stays: 4 },
        ],
      ),
      ...part(
        'Refused',
        '',
        table(refused, [
          { title: 'given', cell: ({ given }) => words(given), stays: 1 },
          { title: 'why', wraps: true, cell: ({ message }) => words(message, 'warning'), stays: 2 },
        ]),
      ),
    ],
  } satisfies ViewOf<'add_aso_keywords'>,

  refresh_aso_app: { head: (refresh) => refreshBlocks(refresh, 'refresh') } satisfies ViewOf<'refresh_aso_app'>,

  get_aso_workstation: {
    head: (reply) => [
      appTitle(reply.tracked.app, reply.tracked.country, reply.tracked.role),
      ...overview(reply),
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
      ...part('Rivals', '', rivals(reply)),
      ...part('Suggested keywords', '', suggestions(reply)),
      ...(reply.refresh
        ? refreshBlocks(reply.refresh, 'last refresh')
        : [quiet('never refreshed: refresh-aso-app searches all keywords')]),
    ],
    empty: () => 'No keywords yet: add-aso-keywords takes up to 200 at once.',
  } satisfies ViewOf<'get_aso_workstation'>,

  get_aso_keyword_gap: {
    head: ({ own, rival, country, counts, pages }) => [
      title(`${nameOf(own)} against ${nameOf(rival)}`, country),
      ...pairs([
        ['only the rival', counts.rivalOnly],
        ['only you', counts.ownOnly],
        [
          'both',
          words(`you ahead in ${number(counts.bothOwnAhead)}, rival in ${number(counts.bothRivalAhead)}`),
        ],
        ['neither', counts.neither],
        ['not measured', counts.notMeasured],
        [
          'looked at',
          words(
            `${number(pages.looked)} result pages${pages.newestAt ? `, the newest of ${pages.newestAt.slice(0, 10)}` : ''}`,
          ),
        ],
      ]),
    ],
    items: 'Keywords',
    columns: {
      term: { title: 'keyword', stays: 1 },
      own: { title: 'you', stays: 2 },
      rival: { stays: 3 },
      ahead: {
        cell: ({ ahead, distance }) =>
          ahead
            ? words(
                `${ahead === 'own' ? 'you' : 'rival'}${distance ? ` by ${distance}` : ''}`,
                ahead === 'own' ? 'good' : 'bad',
              )
            : words(''),
        stays: 4,
      },
      distance: { hidden: true },
      standing: { stays: 7 },
      difficulty: { stays: 5 },
      opportunity: { stays: 6 },
      bar: { title: '', drawing: true, cell: ({ opportunity }) => scoreBar(opportunity, 8), stays: 9 },
    },
    empty: () => 'No stored result page of this storefront shows either app for what was asked.',
  } satisfies ViewOf<'get_aso_keyword_gap'>,
}

function trackedBlocks(tracked: Tracked, done: string): Block[] {
  return [
    title(`${done}: ${nameOf(tracked.app)}`, `${tracked.app.storeId}, ${tracked.country}, ${tracked.role}`),
    ...pairs([
      ['app id', tracked.appId],
      ['keywords', tracked.keywordCount],
    ]),
    ...(tracked.intake ? workLines(tracked.intake, 'intake') : []),
  ]
}

function refreshBlocks(refresh: Refresh, name: string): Block[] {
  const { searches, skipped, searchesPerMinute, expectedSeconds, failures } = refresh
  return [
    ...workLines(refresh, name),
    ...pairs([
      [
        'searches',
        words(
          [
            number(searches),
            skipped > 0 && `${number(skipped)} pages are fresh enough`,
            searchesPerMinute > 0 && `${number(searchesPerMinute)} a minute`,
            expectedSeconds !== null && `about ${seconds(expectedSeconds)} to go`,
          ]
            .filter(Boolean)
            .join(', '),
        ),
      ],
    ]),
    ...failures.slice(0, 5).map(({ term, message }) => text(`${term}: ${message}`, 'warning')),
  ]
}

/** How many climbed and fell. */
function moved({ climbed, fallen, entered, left }: Movement): Cell {
  const up = climbed + entered
  const down = fallen + left
  return {
    text: up + down === 0 ? '=' : `▲${up} ▼${down}`,
    number: true,
    ...(up > down ? { tone: 'good' } : down > up ? { tone: 'bad' } : {}),
  }
}

function overview({ visibility, distribution, movement, window }: Workstation): Block[] {
  return pairs([
    ['visibility', visibilityCells(visibility)],
    [
      'places',
      words(
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
    ['days shown', words(`${window.from} to ${window.to}`)],
  ])
}

function movementCells({ climbed, fallen, unchanged, entered, left, notMeasured }: Movement): Cell[] {
  return [
    { text: `▲ ${climbed + entered}`, tone: 'good', ours: true },
    { text: `▼ ${fallen + left}`, tone: 'bad', ours: true },
    words(
      `${unchanged} unchanged, ${entered} came in, ${left} fell out, ${notMeasured} not comparable`,
      'quiet',
    ),
  ]
}

function visibilityDrawing({ visibilitySeries, window }: Workstation): Block[] {
  const points = visibilitySeries.map(
    ({ share }): PlotPoint => (share.state === 'measured' ? share.value : null),
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

function rivals({ rivals: all, apps }: Workstation): Block[] {
  const names = new Map(apps.map((app) => [app.storeId, nameOf(app)]))
  return table(all, [
    { title: 'rival', cell: ({ storeId }) => words(names.get(storeId) ?? storeId), stays: 1 },
    { title: 'visible', cell: ({ visibility }) => visibility.share, name: 'score', stays: 2 },
    {
      title: '',
      drawing: true,
      cell: ({ visibility }) =>
        visibility.share.state === 'measured' ? barCell(visibility.share.value) : null,
      stays: 7,
    },
    { title: 'ahead', cell: ({ ahead }) => ({ ...cellOf(ahead), tone: 'bad' }), stays: 3 },
    { title: 'behind', cell: ({ behind }) => ({ ...cellOf(behind), tone: 'good' }), stays: 4 },
    { title: 'top 10', cell: ({ distribution }) => distribution.top10, stays: 5 },
    { title: 'store id', cell: ({ storeId }) => storeId, stays: 6 },
  ])
}

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
      cell: ({ reasons }) => words(reasons.map((reason) => reason.text).join(' ')),
      stays: 2,
    },
  ])
}
