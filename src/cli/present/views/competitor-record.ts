import type { Block } from '../blocks.ts'
import { cellOf, evidenceText } from '../cells.ts'
import { noValueMarks } from '../marks.ts'
import { chartName } from './charts.ts'
import { isMediaSet, mediaCountOf, ratingCells } from './listing-facts.ts'
import {
  appTitle,
  factPairs,
  localizationBlocks,
  optionalSection,
  otherStorefrontBlocks,
  pairBlocks,
  quietBlock,
  table,
  textBlock,
  textCell,
} from './parts.ts'
import type { ReplyOf, ViewOf } from './view.ts'

type Record = ReplyOf<'get_competitor'>

/** Lines of a description that are shown; `--fields description` shows all of it. */
const describedLines = 6

export const competitorRecordView = {
  get_competitor: {
    head: (app) => [
      appTitle({ storeId: app.storeId, name: app.name, developer: textOf(app.developer) }, app.country),
      ...otherStorefrontBlocks(app),
      ...availability(app),
      ...listing(app),
      ...optionalSection('Description', '', description(app)),
      ...languages(app),
      ...optionalSection('Charts', '', positions(app)),
      ...optionalSection('Estimates a day', app.estimates.date ?? '', [
        ...pairBlocks([
          ['downloads', app.estimates.downloads],
          ['revenue', app.estimates.revenue],
        ]),
      ]),
      ...optionalSection('Stored', '', stored(app)),
      ...optionalSection('Listing changes', '', history(app.listingHistory)),
      ...optionalSection('Open data requests', app.openDataRequests.length, requests(app)),
    ],
  } satisfies ViewOf<'get_competitor'>,
}

/** Nothing where the storefront lists the app and always did, as far as is known. */
function availability({ availability: { state, detail, stillInChartsAt, absences } }: Record): Block[] {
  if (state === 'listed')
    return absences.some(({ confirmedAt }) => confirmedAt !== null) ? [quietBlock(detail)] : []
  if (state === 'unknown') return []
  const charts =
    stillInChartsAt === null ? [] : [quietBlock(`A chart of ${stillInChartsAt.slice(0, 10)} still shows it.`)]
  return [textBlock(detail, state === 'missed' ? 'warning' : 'bad'), ...charts]
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
    [
      'version',
      app.version.state === 'measured' ? [cellOf(app.version), textCell(since, 'quiet')] : app.version,
    ],
    ['released', app.releasedAt],
    ['size', app.sizeBytes, 'sizeBytes'],
    [
      'needs',
      app.minimumOsVersion.state === 'measured'
        ? textCell(`iOS ${app.minimumOsVersion.value}`)
        : app.minimumOsVersion,
    ],
    ['age', app.contentRating],
    [
      'in-app purchases',
      app.inAppPurchases.state === 'measured' ? textCell(sold(app.inAppPurchases.value)) : app.inAppPurchases,
    ],
    [
      'runs on',
      app.compatibility.state === 'measured'
        ? textCell(app.compatibility.value.map(({ device }) => device).join(', '))
        : app.compatibility,
    ],
    ['copyright', app.copyright],
    ['tags of Apple', app.tags],
    ["reviews in Apple's words", app.reviewSummary],
    [
      'in-app events',
      app.events.state === 'measured'
        ? textCell(app.events.value.map(({ name }) => name).join(', '))
        : app.events,
    ],
    ['languages', app.languages],
    ['seller', app.seller],
    ['bundle id', app.bundleId],
    ['developer id', app.developerId],
    ['store page', app.storeUrl],
    ['new in version', app.releaseNotes],
  ])
}

function description({ description: fact }: Pick<Record, 'description'>): Block[] {
  if (fact.state !== 'measured') return pairBlocks([['', fact]])
  const lines = fact.value.split('\n').filter((line) => line.trim())
  const more = lines.length - describedLines
  return [
    textBlock(lines.slice(0, describedLines).join('\n')),
    ...(more > 0
      ? [quietBlock(`${more} more ${more === 1 ? 'line' : 'lines'} with --fields description`)]
      : []),
  ]
}

/** Which languages of the listing are known or absent, and the one that was asked for, with its own changes. */
function languages(app: Record): Block[] {
  const { localizations, localization } = app
  const { known, absent, notMeasured } = localizations
  const listed = (codes: readonly string[]) => (codes.length > 0 ? textCell(codes.join(', ')) : null)
  const isSaid = localization !== undefined || known.length > 0 || absent.length > 0
  const states = isSaid
    ? pairBlocks([
        ['known', listed(known)],
        ['absent', listed(absent)],
        ['not measured', listed(notMeasured)],
      ])
    : []
  const blocks = optionalSection('Languages', `default ${localizations.default}`, states)
  if (!localization || localization.isDefault) return blocks
  const { name, state, texts } = localization
  const shown =
    state === 'measured'
      ? [
          ...factPairs([
            ['name', texts.name],
            ['subtitle', texts.subtitle],
            ['new in version', texts.releaseNotes],
          ]),
          ...description(texts),
          ...history(localization.history),
        ]
      : []
  return [...blocks, ...localizationBlocks(app), ...optionalSection(`In ${name}`, '', shown)]
}

function positions({ chartPositions, freshness }: Record): Block[] {
  const looked = freshness.some(({ part: kind, state }) => kind === 'charts' && state === 'measured')
  if (chartPositions.length === 0)
    return [
      quietBlock(
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

const counted: { [optionalSection: string]: keyof Record['counts'] } = {
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
          ? textCell(evidenceText(one.evidence))
          : textCell(noValueMarks[one.reason]?.words ?? one.reason, 'warning'),
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

function history(versions: Record['listingHistory']): Block[] {
  return table(versions.slice(0, 20), [
    { title: 'field', cell: ({ field }) => field.replaceAll('-', ' '), stays: 1 },
    {
      title: 'value',
      cell: ({ field, value }) =>
        value === null ? textCell('empty', 'quiet') : textCell(isMediaSet(field) ? mediaCountOf(value) : value),
      stays: 2,
    },
    { title: 'from', cell: ({ firstSeenAt }) => firstSeenAt, stays: 3 },
    {
      title: 'to',
      cell: ({ lastSeenAt, current }) => textCell(current ? 'now' : lastSeenAt.slice(0, 10)),
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
