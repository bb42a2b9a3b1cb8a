import type { Block } from '../blocks.ts'
import { cellOf, evidenceWords } from '../cells.ts'
import { marks } from '../marks.ts'
import { chartName } from './charts.ts'
import { countOfSet, isSet, ratingCells } from './listing-facts.ts'
import { alsoBlocks, appTitle, factPairs, pairs, part, quiet, table, text, words } from './parts.ts'
import type { ReplyOf, ViewOf } from './view.ts'

type Record = ReplyOf<'get_competitor'>

/** Lines of a description that are shown; `--fields description` shows all of it. */
const describedLines = 6

export const competitorRecord = {
  get_competitor: {
    head: (app) => [
      appTitle({ storeId: app.storeId, name: app.name, developer: textOf(app.developer) }, app.country),
      ...alsoBlocks(app),
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
}

const textOf = (fact: { state: string; value?: string }) => fact.value ?? null

const sold = (offers: readonly { name: string; price: string }[]) =>
  offers.map(({ name, price }) => `${name} ${price}`).join('; ')

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
    [
      'in-app purchases',
      app.inAppPurchases.state === 'measured' ? words(sold(app.inAppPurchases.value)) : app.inAppPurchases,
    ],
    [
      'runs on',
      app.compatibility.state === 'measured'
        ? words(app.compatibility.value.map(({ device }) => device).join(', '))
        : app.compatibility,
    ],
    ['copyright', app.copyright],
    ['languages', app.languages],
    ['seller', app.seller],
    ['bundle id', app.bundleId],
    ['developer id', app.developerId],
    ['store page', app.storeUrl],
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

/** Each kind of evidence with its count and when it was last observed. */
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
