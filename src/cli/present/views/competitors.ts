import type { Block, Cell } from '../blocks.ts'
import { cellOf, evidenceWords } from '../cells.ts'
import { marks } from '../marks.ts'
import { money, number } from '../numbers.ts'
import { chartName } from './charts.ts'
import { countOfSet, foundTitle, isSet, ratingCells } from './listing-facts.ts'
import {
  appTitle,
  factPairs,
  nameOf,
  pairs,
  part,
  quiet,
  table,
  text,
  title,
  words,
  workLines,
} from './parts.ts'
import type { ReplyOf, ViewOf } from './view.ts'

type Record = ReplyOf<'get_competitor'>
type Summary = ReplyOf<'search_competitors'>['items'][number]

/** Lines of a description that are worth a look; all of it comes with `--fields description`. */
const describedLines = 6

const appColumns = {
  price: { title: 'price', cell: ({ price }: Summary): Cell => priceCell(price) },
  rating: { stays: 5 },
  ratingCount: { title: 'ratings', stays: 4 },
  name: { title: 'app', stays: 1 },
  storeId: { stays: 2 },
}

export const competitors = {
  search_competitors: {
    head: ({ total, items }) => [foundTitle(total, items.length, 'app')],
    columns: appColumns,
    empty: () =>
      'No stored app matches. Apps that were never collected cannot be found: request-ios-competitor takes one in.',
  } satisfies ViewOf<'search_competitors'>,

  list_competitor_categories: {
    head: ({ country }) => [title('Categories', country)],
    columns: {
      name: {
        title: 'category',
        cell: ({ name, parentId, categoryId }) => ({
          text: name,
          ...(categoryId === '36' ? { tone: 'strong' as const } : {}),
          ...(parentId && parentId !== '36' ? { text: `  ${name}` } : {}),
        }),
        after: '',
      },
      categoryId: { title: 'id' },
      parentId: { title: 'in' },
    },
  } satisfies ViewOf<'list_competitor_categories'>,

  get_competitor: {
    head: (app) => [
      appTitle({ storeId: app.storeId, name: app.name, developer: textOf(app.developer) }, app.country),
      ...listing(app),
      ...part('Description', '', description(app)),
      ...part('Charts', '', positions(app)),
      ...part('Estimates a day', app.estimates.date ?? '', [
        ...pairs([
          ['downloads', app.estimates.downloads],
          ['revenue', app.estimates.revenue],
        ]),
      ]),
      ...part('Stored', '', stored(app)),
      ...part('Listing changes', '', history(app)),
      ...part('Open data requests', app.openDataRequests.length, requests(app)),
    ],
  } satisfies ViewOf<'get_competitor'>,

  get_similar_competitors: {
    head: ({ app, country, formula }) => [appTitle(app, country), quiet(`similar apps by ${formula}`)],
    columns: {
      score: { cell: ({ score }) => ({ text: String(Math.round(score * 100)), number: true }), stays: 4 },
      'app.name': { stays: 1 },
      'app.storeId': { stays: 3 },
      reasons: {
        title: 'because',
        wraps: true,
        cell: ({ reasons }) => words(reasons.map(({ detail }) => detail).join('; ')),
        stays: 2,
      },
    },
    foot: ({ basis }) =>
      part(
        'What was looked at',
        '',
        table(basis, [
          { title: 'likeness', cell: ({ kind }) => kind.replaceAll('-', ' ') },
          {
            title: '',
            cell: ({ state, detail }) => words(detail, state === 'measured' ? undefined : 'warning'),
          },
        ]),
      ),
    empty: () => 'No stored app resembles it, by what was looked at.',
  } satisfies ViewOf<'get_similar_competitors'>,

  list_emerging_ios_competitors: {
    head: ({ lastRun }) => [title('Apps on the rise'), ...(lastRun ? runLines(lastRun, 'last run') : [])],
    columns: {
      'app.name': { cell: ({ app }) => words(nameOf(app)), stays: 1 },
      'app.storeId': { stays: 3 },
      reasons: {
        title: 'because',
        wraps: true,
        cell: ({ reasons }) => words(reasons.map(({ detail }) => detail).join('; ')),
        stays: 2,
      },
      score: { stays: 4 },
      firstSeenAt: { title: 'first seen', stays: 5 },
      taken: {
        title: 'intake',
        cell: ({ intake }) => words(intake ? intake.status : ''),
      },
    },
    empty: ({ lastRun }) =>
      lastRun
        ? 'The runs so far found no app on the rise.'
        : 'Nobody has looked: discover-emerging-ios-competitors starts a run.',
  } satisfies ViewOf<'list_emerging_ios_competitors'>,

  discover_emerging_ios_competitors: {
    head: (run) => [title('Looking for apps on the rise', run.country), ...runLines(run, 'run')],
  } satisfies ViewOf<'discover_emerging_ios_competitors'>,

  request_ios_competitor: {
    head: (intake) => [
      title(`Intake of ${intake.app}`, intake.country),
      ...pairs([
        ['store id', intake.storeId],
        ['intake id', intake.intakeId],
        ['failed', intake.failure && words(intake.failure.replaceAll('-', ' '), 'bad')],
      ]),
      ...workLines(intake, 'state'),
    ],
  } satisfies ViewOf<'request_ios_competitor'>,

  list_competitor_data_requests: {
    head: () => [title('Data requests')],
    columns: {
      storeId: { title: 'store id', stays: 2 },
      requestId: { stays: 20 },
      kind: { stays: 1 },
      status: { stays: 3 },
      demand: { title: 'asked', stays: 4 },
      note: {},
    },
    empty: () => 'This account asked for no data that passes the filters.',
  } satisfies ViewOf<'list_competitor_data_requests'>,

  request_competitor_data: {
    head: ({ items }) => [title('Asked for', items[0] ? `${items[0].storeId}, ${items[0].country}` : '')],
    columns: { kind: { stays: 1 }, requestId: { stays: 20 }, status: { stays: 2 }, demand: { title: 'asked' } },
    foot: () => [quiet('Recorded for the operator. Nothing is collected by asking.')],
  } satisfies ViewOf<'request_competitor_data'>,
}

const textOf = (fact: { state: string; value?: string }) => fact.value ?? null

const priceCell = (price: Summary['price']): Cell =>
  price.state === 'measured'
    ? { text: money(price.value.amount, price.value.currency), number: true }
    : cellOf(price, 'price')

function listing(app: Record): Block[] {
  const since = app.updatedAt.state === 'measured' ? `of ${app.updatedAt.value.slice(0, 10)}` : ''
  return factPairs([
    ['subtitle', app.subtitle],
    ['category', app.categories.state === 'measured' ? app.categories : app.primaryCategory],
    ['price', app.price],
    ['rating', app.rating.state === 'measured' ? ratingCells(app.rating, app.ratingCount) : app.rating],
    ['version', app.version.state === 'measured' ? [cellOf(app.version), words(since, 'quiet')] : app.version],
    ['released', app.releasedAt],
    ['size', app.sizeBytes, 'sizeBytes'],
    [
      'needs',
      app.minimumOsVersion.state === 'measured'
        ? words(`iOS ${app.minimumOsVersion.value}`)
        : app.minimumOsVersion,
    ],
    ['age', app.contentRating],
    ['languages', app.languages],
    ['seller', app.seller],
    ['bundle id', app.bundleId],
    ['developer id', app.developerId],
    ['store page', app.storeUrl],
    ['storefronts', words(app.storefronts.join(', '))],
    ['new in version', app.releaseNotes],
  ])
}

function description({ description: fact }: Record): Block[] {
  if (fact.state !== 'measured') return pairs([['', fact]])
  const lines = fact.value.split('\n').filter((line) => line.trim())
  const more = lines.length - describedLines
  return [
    text(lines.slice(0, describedLines).join('\n')),
    ...(more > 0 ? [quiet(`${more} more ${more === 1 ? 'line' : 'lines'} with --fields description`)] : []),
  ]
}

function positions({ chartPositions, freshness }: Record): Block[] {
  const looked = freshness.some(({ part: kind, state }) => kind === 'charts' && state === 'measured')
  if (chartPositions.length === 0)
    return [
      quiet(
        looked
          ? 'In no chart of this storefront in the last 90 days of evidence.'
          : 'No chart of this storefront was captured: nothing can be said.',
      ),
    ]
  return table(chartPositions, [
    { title: '#', cell: ({ rank }) => rank, stays: 1 },
    { title: 'chart', cell: ({ chart }) => chartName(chart), stays: 2 },
    { title: 'category', cell: ({ categoryName }) => categoryName, stays: 3 },
    { title: 'device', cell: ({ device }) => device },
    { title: 'of', cell: ({ rank }) => ('depth' in rank ? rank.depth : null) },
    { title: 'seen', cell: ({ evidence }) => evidence.observedAt, stays: 4 },
  ])
}

const counted: { [part: string]: keyof Record['counts'] } = {
  organic: 'posts',
  aso: 'keywords',
  media: 'media',
}

/** Each part with how much there is of it and when it was last seen. */
function stored({ counts, freshness }: Record): Block[] {
  const parts = freshness.map((one) => {
    const name = counted[one.part]
    return {
      name: one.part as string,
      count: name ? counts[name] : null,
      seen:
        one.state === 'measured'
          ? words(evidenceWords(one.evidence))
          : words(marks[one.reason]?.words ?? one.reason, 'warning'),
    }
  })
  return table(
    [...parts, { name: 'paid ads', count: counts.paidAds, seen: null }],
    [
      { title: 'part', cell: ({ name }) => name, stays: 1 },
      { title: 'stored', cell: ({ count }) => ({ ...cellOf(count), number: true }), stays: 2 },
      { title: 'last seen', cell: ({ seen }) => seen, stays: 3 },
    ],
  )
}

function history({ listingHistory }: Record): Block[] {
  return table(listingHistory.slice(0, 20), [
    { title: 'field', cell: ({ field }) => field.replaceAll('-', ' '), stays: 1 },
    {
      title: 'value',
      cell: ({ field, value }) =>
        value === null ? words('empty', 'quiet') : words(isSet(field) ? countOfSet(value) : value),
      stays: 2,
    },
    { title: 'from', cell: ({ firstSeenAt }) => firstSeenAt, stays: 3 },
    {
      title: 'to',
      cell: ({ lastSeenAt, current }) => words(current ? 'now' : lastSeenAt.slice(0, 10)),
      stays: 4,
    },
  ])
}

function requests({ openDataRequests }: Record): Block[] {
  return table(openDataRequests, [
    { title: 'kind', cell: ({ kind }) => kind, stays: 1 },
    { title: 'asked', cell: ({ demand }) => demand, stays: 2 },
    { title: 'last', cell: ({ lastRequestedAt }) => lastRequestedAt, stays: 3 },
    { title: 'note', wraps: true, cell: ({ note }) => note, stays: 4 },
    { title: 'request id', cell: ({ requestId }) => requestId, stays: 20 },
  ])
}

type Run = ReplyOf<'discover_emerging_ios_competitors'>

function runLines(run: Run, name: string): Block[] {
  return [
    ...workLines(run, name),
    quiet(
      `${run.windowDays} days of evidence`,
      run.categoryId ? `category ${run.categoryId}` : 'all categories',
      `${number(run.examined)} apps examined`,
      `${number(run.found)} found`,
      `${number(run.takenIn)} taken in`,
    ),
  ]
}
