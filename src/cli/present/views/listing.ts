import type { Block, Cell } from '../blocks.ts'
import { cellOf, change } from '../cells.ts'
import { amountScale, drawPlot, type PlotPoint, type Series } from '../drawings/plot.ts'
import { bar, rankSparkline, sparkline } from '../drawings/sparkline.ts'
import { amount, minute, number, percent } from '../numbers.ts'
import { pointOf } from './charts.ts'
import { ratingCells } from './competitors.ts'
import { appTitle, barCell, pairs, part, quiet, table, words, workLines } from './parts.ts'
import type { ReplyOf, ViewOf } from './view.ts'

type Estimates = ReplyOf<'get_competitor_estimate_history'>
type Aso = ReplyOf<'get_competitor_aso'>
type Media = ReplyOf<'get_competitor_media'>

export const listings = {
  get_competitor_estimate_history: {
    head: (reply) => [appTitle(reply.app, reply.country, `${reply.from} to ${reply.to}`)],
    columns: {
      date: { stays: 1 },
      estimate: { title: 'a day (low to high)', stays: 2 },
      metric: { stays: 3 },
      model: {
        title: 'model',
        cell: ({ estimate }) => words(estimate.state === 'measured' ? estimate.version : '', 'quiet'),
        stays: 5,
      },
      inputs: {
        title: 'from',
        cell: ({ inputs }) => words(inputs.map(({ name, value }) => `${name} ${value}`).join(', '), 'quiet'),
        stays: 6,
      },
    },
    foot: (reply) => [
      ...part('Models', '', models(reply)),
      ...metricsOf(reply).flatMap((metric) => estimateDrawing(reply, metric)),
      ...(reply.refresh ? workLines(reply.refresh, 'last refresh') : []),
    ],
    empty: () => 'No day of this window was estimated.',
  } satisfies ViewOf<'get_competitor_estimate_history'>,

  refresh_competitor_estimates: {
    head: (work) => workLines(work, 'estimates'),
  } satisfies ViewOf<'refresh_competitor_estimates'>,

  get_competitor_media: {
    head: ({ app, country }) => [appTitle(app, country)],
    columns: {
      kind: { stays: 1 },
      device: { stays: 2 },
      position: { title: '#', stays: 3 },
      current: {
        title: 'shown',
        cell: ({ current, firstSeenAt, lastSeenAt }) => ({
          ...words(
            `${firstSeenAt.slice(0, 10)} to ${current ? 'now' : lastSeenAt.slice(0, 10)}`,
            current ? undefined : 'quiet',
          ),
          whole: true,
        }),
        stays: 4,
      },
      firstSeenAt: { hidden: true },
      lastSeenAt: { hidden: true },
      size: {
        title: 'pixels',
        cell: ({ width, height }) => words(width && height ? `${width} x ${height}` : ''),
        stays: 6,
      },
      'kept.status': { title: 'copy', stays: 5 },
      url: { title: 'address', stays: 7 },
    },
    foot: (reply) => [
      ...part('Changes', '', mediaChanges(reply)),
      ...part('Looked for', '', mediaCoverage(reply)),
    ],
    empty: () => 'No media of this listing is stored; what was looked for is said below.',
  } satisfies ViewOf<'get_competitor_media'>,

  get_competitor_aso: {
    head: (reply) => [
      appTitle(reply.app, reply.country),
      ...visibilityPairs(reply),
      ...part('Listing texts', reply.audit.language ?? '', audit(reply)),
      ...part('Advice', '', advice(reply)),
      ...part('Keywords', `${reply.keywords.ranked} of ${reply.keywords.total} ranked`, keywords(reply)),
      ...part('Ratings', '', ratings(reply)),
      ...part('Listing changes', '', timeline(reply)),
      quiet(
        `Listing seen on ${reply.listingObserved.days} days from ${reply.listingObserved.firstAt.slice(0, 10)} to ${reply.listingObserved.lastAt.slice(0, 10)}.`,
      ),
    ],
  } satisfies ViewOf<'get_competitor_aso'>,
}

type Metric = Estimates['points'][number]['metric']

const metricsOf = ({ points }: Estimates): Metric[] => [...new Set(points.map(({ metric }) => metric))]

function estimateDrawing({ points, from, to }: Estimates, metric: Metric): Block[] {
  const own = new Map(
    points.filter((point) => point.metric === metric).map(({ date, estimate }) => [date, estimate]),
  )
  const ranges = daysBetween(from, to).map((date): PlotPoint => {
    const estimate = own.get(date)
    return estimate?.state === 'measured' ? estimate : null
  })
  if (ranges.every((range) => range === null)) return []
  const currency = [...own.values()].find((estimate) => estimate.state === 'measured')?.currency ?? undefined
  const series: Series[] = [{ points: ranges }]
  return [
    {
      kind: 'drawing',
      draw: (canvas) => [
        [{ text: `${metric} a day, low to high`, tone: 'quiet' }],
        ...drawPlot(
          { from, to, series, scale: amountScale(series, (value) => amount(rounded(value), currency)) },
          canvas,
        ),
      ],
      instead: [],
    },
  ]
}

const rounded = (value: number) => (value >= 1000 ? Math.round(value / 100) * 100 : Math.round(value))

const dayMilliseconds = 86_400_000

/** Every date of a window, both ends counted. */
export function daysBetween(from: string, to: string): string[] {
  const first = Date.parse(from)
  const count = Math.max(0, Math.round((Date.parse(to) - first) / dayMilliseconds)) + 1
  return Array.from({ length: count }, (_, index) =>
    new Date(first + index * dayMilliseconds).toISOString().slice(0, 10),
  )
}

function models({ models: all }: Estimates): Block[] {
  return table(all, [
    { title: 'metric', cell: ({ metric }) => metric, stays: 1 },
    { title: 'version', cell: ({ version }) => version, stays: 2 },
    { title: 'days', cell: ({ shownDays }) => shownDays, stays: 4 },
    {
      title: 'ranks',
      cell: ({ validRanks }) => words(validRanks ? `${validRanks.from} to ${validRanks.to}` : ''),
      stays: 3,
    },
    {
      title: 'error on own sales',
      cell: ({ calibration }) =>
        calibration
          ? words(
              `${calibration.medianErrorBefore === null ? '' : `${percent(calibration.medianErrorBefore)}, calibrated `}${percent(calibration.medianErrorAfter)}`,
            )
          : words('not calibrated', 'quiet'),
    },
  ])
}

function mediaChanges({ changes }: Media): Block[] {
  return table(changes, [
    { title: 'seen', cell: ({ at }) => at, stays: 1 },
    { title: 'kind', cell: ({ kind }) => kind, stays: 2 },
    { title: 'device', cell: ({ device }) => device, stays: 3 },
    { title: 'added', cell: ({ added }) => ({ ...cellOf(added.length), tone: 'good' }), stays: 4 },
    { title: 'removed', cell: ({ removed }) => ({ ...cellOf(removed.length), tone: 'bad' }), stays: 5 },
    { title: 'reordered', cell: ({ reordered }) => reordered },
  ])
}

function mediaCoverage({ coverage }: Media): Block[] {
  return table(coverage, [
    { title: 'kind', cell: ({ kind }) => kind, stays: 1 },
    { title: 'device', cell: ({ device }) => device, stays: 2 },
    {
      title: 'outcome',
      cell: ({ state }) =>
        state === 'measured'
          ? words('there', 'good')
          : state === 'absent'
            ? words('looked for, none', 'quiet')
            : words('nobody has looked', 'warning'),
      stays: 3,
    },
    { title: 'last looked', cell: ({ lastLookedAt }) => lastLookedAt, stays: 4 },
    { title: 'sources', cell: ({ sources }) => sources },
  ])
}

function visibilityPairs({ visibility }: Aso): Block[] {
  return pairs([['visibility', visibilityCells(visibility)]])
}

/** The share with a bar, and what it rests on. */
export function visibilityCells(visibility: Aso['visibility']): Cell[] {
  const { share, measured, keywords: all, ranked, newestPageAt } = visibility
  return [
    cellOf(share, 'share'),
    ...(share.state === 'measured' ? [barCell(share.value)] : []),
    words(
      `${ranked} ranked of ${measured} measured of ${all} keywords${newestPageAt ? `, newest page ${newestPageAt.slice(0, 10)}` : ''}`,
      'quiet',
    ),
  ]
}

function audit({ audit: { texts } }: Aso): Block[] {
  return table(texts, [
    { title: 'field', cell: ({ field }) => field.replaceAll('-', ' '), stays: 1 },
    {
      title: 'used',
      cell: ({ characters, limit }) =>
        characters.state === 'measured'
          ? { text: `${number(characters.value)} of ${number(limit)}`, number: true }
          : cellOf(characters, 'count'),
      stays: 2,
    },
    {
      title: '',
      drawing: true,
      cell: ({ characters, limit }) =>
        characters.state === 'measured' ? { text: bar(characters.value, limit, 10), ours: true } : null,
      stays: 5,
    },
    { title: 'searched', cell: ({ searched }) => searched, stays: 6 },
    {
      title: 'telling terms',
      cell: ({ terms }) =>
        words(
          terms
            .slice(0, 6)
            .map(({ term }) => term)
            .join(', '),
        ),
      stays: 3,
    },
    { title: 'text', cell: ({ text }) => (text.state === 'measured' ? text : null), stays: 4 },
  ])
}

const weights = { high: 'bad', medium: 'warning', low: 'quiet' } as const

function advice({ audit: { advice: all } }: Aso): Block[] {
  return pairs(
    all.map(({ weight, text }) => [weight, words(text, weight === 'high' ? weights.high : undefined)]),
  )
}

function keywords({ keywords: { items } }: Aso): Block[] {
  return table(items, [
    { title: '#', cell: ({ rank }) => rank, stays: 1 },
    { title: 'keyword', cell: ({ term, tracked }) => words(term, tracked ? 'strong' : undefined), stays: 2 },
    { title: '30 days', cell: ({ over30Days }) => over30Days, stays: 3 },
    { title: 'best', cell: ({ best }) => best, stays: 5 },
    { title: 'difficulty', cell: ({ difficulty }) => difficulty, name: 'difficulty', stays: 4 },
    {
      title: 'ranks',
      drawing: true,
      cell: ({ history }) => ({
        text: rankSparkline(
          history.map(({ rank }) => pointOf(rank)),
          15,
        ),
        ours: true,
      }),
      stays: 6,
    },
    { title: 'listed in', cell: ({ listedIn }) => listedIn },
  ])
}

function ratings({ ratings: all }: Aso): Block[] {
  return pairs([
    ['average', ratingCells(all.rating, all.ratingCount)],
    ['this version', ratingCells(all.ratingCurrentVersion, all.ratingCountCurrentVersion)],
    ...all.growth.map(({ days, added }) => [`in ${days} days`, grown(added)] as const),
    [
      'count',
      all.history.length > 1
        ? {
            text: sparkline(
              all.history.map(({ ratingCount }) => ratingCount),
              30,
            ),
            ours: true,
            drawing: true,
          }
        : null,
    ],
  ])
}

function grown(added: Aso['ratings']['growth'][number]['added']): Cell {
  if (added.state !== 'measured') return cellOf(added)
  return {
    text: `${added.value >= 0 ? '+' : ''}${number(added.value)}`,
    tone: added.value >= 0 ? 'good' : 'bad',
  }
}

function timeline({ timeline: all }: Aso): Block[] {
  return all
    .slice(0, 10)
    .flatMap(({ lastSeenAt, firstSeenAt, fields, keywords: moved }) => [
      quiet(`between ${minute(lastSeenAt)} and ${minute(firstSeenAt)}`),
      ...pairs([
        ...fields.map(
          ({ field, from, to }) =>
            [
              field.replaceAll('-', ' '),
              [cellOf(from), { text: '→', ours: true, tone: 'quiet' }, cellOf(to)],
            ] as const,
        ),
        ...moved
          .slice(0, 5)
          .map(
            ({ term, before, after, places }) =>
              [
                'keyword',
                [
                  words(term),
                  cellOf(before),
                  { text: '→', ours: true, tone: 'quiet' },
                  cellOf(after),
                  ...(places === null ? [] : [change(places)]),
                ],
              ] as const,
          ),
      ]),
    ])
}
