import type { ChartIdentity } from '../vocabulary/chart-identity.ts'
import { nearCountry } from '../vocabulary/near-country.ts'
import type { SourceName } from '../vocabulary/provenance.ts'
import { isStorefront } from '../vocabulary/storefronts.ts'
import { readAds } from './ads/read-ads.ts'
import { type AppPage, readAppPage } from './apple/app-page.ts'
import { type ChartFeed, type FeedEntry, readChartFeed } from './apple/chart-feeds.ts'
import { readHints, type SearchHints } from './apple/hints.ts'
import { type ItunesAnswer, isItunesAnswer, readItunesAnswer } from './apple/itunes.ts'
import type { Harvest, ReadingContext, Rejection } from './harvest.ts'
import { aroundOf, mappedValues, unlessUnreadable } from './mapping/mapped-values.ts'
import { shown } from './mapping/mapping.ts'
import { readAppRow } from './own/app-rows.ts'
import { readChartRows, usualList } from './own/chart-rows.ts'
import { readAscSales, readSales } from './own/sales-rows.ts'
import { readPosts } from './posts/read-posts.ts'
import { parseDocument, rowsOf, UnreadableError } from './rows.ts'
import { UnfitAnswer } from './unfit-answer.ts'

/**
 * How each kind of payload is understood. Imports and replays go through this one table, so a mended reader mends
 * what is stored. A reader throws UnreadableError when the payload as a whole is not what it should be.
 */
type Reader = (bytes: Uint8Array, context: ReadingContext, from: number) => Harvest

export const readers = {
  'itunes-search': (bytes, context, from) => readItunes('itunes-search', bytes, context, from),
  'itunes-lookup': (bytes, context, from) => readItunes('itunes-lookup', bytes, context, from),
  'search-hints': (bytes, { term }) =>
    harvestOfHints(
      fitting(() => readHints(bytes)),
      term,
    ),
  'app-page': readPage,
  'app-rows': readAppRows,
  'chart-feed': readFeed,
  'chart-rows': readCharts,
  'sales-rows': (bytes, context, from) => readSales(bytes, context, from, aroundOf(bytes, context)),
  'asc-sales': readAscSales,
  'paid-ads': (bytes, context, from) => readAds('paid-ads-file', bytes, context, from),
  'meta-ads-archive': (bytes, context, from) => readAds('meta-ad-library', bytes, context, from),
  'tiktok-ad-query': (bytes, context, from) => readAds('tiktok-ad-library', bytes, context, from),
  'organic-posts': (bytes, context, from) => readPosts(bytes, context, from, aroundOf(bytes, context)),
} as const satisfies Record<string, Reader>

export type Format = keyof typeof readers

function readItunes(source: SourceName, bytes: Uint8Array, context: ReadingContext, from: number): Harvest {
  const { results, positions, rejected, resultCount, notes } = itunesResults(bytes, context, from)
  const term = context.layout === 'document' ? context.term : undefined
  const answer = readItunesAnswer({ resultCount, results })
  const harvest = harvestOfItunes(source, context.country ?? 'us', answer, { term, positions })
  return {
    ...harvest,
    ...(notes ? { notes } : {}),
    rejected: [...rejected, ...harvest.rejected],
    records: results.length + rejected.length,
  }
}

/**
 * What an answer of the iTunes APIs says, for whoever has read it already.
 * @param asked the term, where the answer is the whole page of a search; and where each result stands in a file
 */
export function harvestOfItunes(
  source: SourceName,
  country: string,
  answer: ItunesAnswer,
  { term, positions = [] }: { term?: string | undefined; positions?: readonly string[] } = {},
): Harvest {
  const { sightings, rejected, stated } = answer
  const storeIds = placesOf(answer)
  const isHollow = Boolean(stated) && sightings.length + rejected.length === 0
  // Where no place can be read, nobody knows who is absent, nor where results are said to be and none is listed.
  const isPage = term !== undefined && !isHollow && (storeIds.length === 0 || sightings.length > 0)
  return {
    source,
    sightings: sightings.map((sighting) => ({ country, sighting })),
    charts: [],
    ...(isPage ? { resultPage: { term, storeIds, ...(stated === undefined ? {} : { stated }) } } : {}),
    rejected: rejected.map(({ index, reason, record }) => ({
      position: positions[index] ?? `record ${index + 1}`,
      reason,
      record,
    })),
    records: sightings.length + rejected.length,
  }
}

/**
 * The places of a result page, as they were answered: what is no iOS app, an entry that cannot be read, or an app that
 * stands there a second time leaves its place empty. An answer of nothing but other things shows no place.
 */
function placesOf({ sightings, rejected }: ItunesAnswer): (string | null)[] {
  if (sightings.length === 0 && rejected.every(({ isOther }) => isOther)) return []
  const refused = new Set(rejected.map(({ index }) => index))
  const seen = new Set<string>()
  const left = sightings.values()
  return Array.from({ length: sightings.length + rejected.length }, (_, index) => {
    if (refused.has(index)) return null
    const storeId = left.next().value?.storeId
    if (storeId === undefined || seen.has(storeId)) return null
    seen.add(storeId)
    return storeId
  })
}

/** An answer as Apple sent it, or its results one a line. */
function itunesResults(
  bytes: Uint8Array,
  context: ReadingContext,
  from: number,
): { results: unknown[]; positions: string[]; rejected: Rejection[]; resultCount?: unknown; notes?: string[] } {
  if (context.layout !== 'document') {
    const { rows, rejected } = rowsOf(bytes, context, from)
    return { results: rows.map((row) => row.record), positions: rows.map((row) => row.position), rejected }
  }
  const document = parseDocument(bytes)
  const results = isItunesAnswer(document) ? document.results : Array.isArray(document) ? document : undefined
  if (!results)
    throw new UnreadableError('not an answer of the iTunes Search or Lookup API: it has no list of results')
  const said = isItunesAnswer(document) ? document.resultCount : undefined
  const agrees = said === undefined || said === results.length
  const notes = [`its resultCount is ${shown(said)} and its list has ${results.length}`]
  return { results, positions: [], rejected: [], resultCount: said, ...(agrees ? {} : { notes }) }
}

/** What Apple suggests for something typed, where it is known what was. */
export function harvestOfHints({ hints, rejected }: SearchHints, typed: string | undefined): Harvest {
  return {
    source: 'apple-search-hints',
    sightings: [],
    charts: [],
    ...(typed === undefined ? {} : { hints: { typed, terms: hints.map(({ term }) => term) } }),
    rejected: rejected.map(({ position, reason }) => ({ position: `hint ${position}`, reason })),
    records: hints.length + rejected.length,
  }
}

function readPage(bytes: Uint8Array, { storeId, country }: ReadingContext): Harvest {
  if (storeId === undefined || country === null)
    throw new UnreadableError('nobody knows which app the page is of')
  return harvestOfPage(
    fitting(() => readAppPage(bytes, storeId)),
    storeId,
    country,
  )
}

/** The page of an app, and the apps Apple shows beside it. */
export function harvestOfPage(page: AppPage, storeId: string, country: string): Harvest {
  const neighbours = page.similar.flatMap(({ apps }) => apps.map((app) => app.sighting))
  return {
    source: 'app-store-page',
    sightings: [page.sighting, ...neighbours].map((sighting) => ({ country, sighting })),
    charts: [],
    lists: page.similar.map(({ kind, apps }) => ({
      country,
      storeId,
      kind,
      storeIds: apps.map((app) => app.sighting.storeId),
    })),
    rejected: [],
    records: 1 + neighbours.length,
  }
}

function fitting<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw error instanceof UnfitAnswer ? new UnreadableError(error.message) : error
  }
}

function readAppRows(bytes: Uint8Array, context: ReadingContext, from: number): Harvest {
  const held = { ...context.fallbacks, ...aroundOf(bytes, context), ...context.constants }
  const { rows, rejected } = rowsOf(bytes, context, from)
  const harvest: Harvest = {
    source: 'catalogue-file',
    sightings: [],
    charts: [],
    rejected,
    records: rows.length + rejected.length,
  }
  for (const { position, record } of rows) {
    const seen = unlessUnreadable(() => readRow(record, context, held))
    if (typeof seen === 'string') harvest.rejected.push({ position, reason: seen, record })
    else harvest.sightings.push(seen)
  }
  return harvest
}

/** The app of a row, or why there is none. @throws UnreadableError */
function readRow(
  record: unknown,
  context: ReadingContext,
  held: Record<string, string>,
): Harvest['sightings'][number] | string {
  const values = mappedValues('catalogue', record, context.fields ?? {}, context, held)
  const country = shown(values.get('country') ?? context.country ?? 'us').toLowerCase()
  if (!isStorefront(country)) return `"${country}" is not an App Store country${nearCountry(country)}`
  const sighting = readAppRow(values)
  return typeof sighting === 'string' ? sighting : { country, sighting }
}

function readFeed(bytes: Uint8Array, { chart: asked }: ReadingContext): Harvest {
  const feed = readChartFeed(parseDocument(bytes))
  if ('reason' in feed) throw new UnreadableError(feed.reason)
  if (asked && !isSameChart(asked, feed.identity)) throw new UnreadableError('another chart than was asked for')
  return harvestOfFeed(feed)
}

/** What a feed says, for whoever has read it already. @throws UnreadableError */
export function harvestOfFeed(feed: ChartFeed): Harvest {
  if (!isStorefront(feed.identity.country))
    throw new UnreadableError(`"${feed.identity.country}" is not an App Store country`)
  const { rejected, places } = feedPlaces(feed.entries)
  const sightings = feed.entries.flatMap((entry) => ('sighting' in entry ? [entry.sighting] : []))
  const madeAt = feed.updatedAt ? new Date(feed.updatedAt) : undefined
  return {
    source: feed.source,
    ...(madeAt ? { madeAt } : {}),
    sightings: [],
    charts: [{ ...feed.identity, requested: feed.requested, storeIds: places, sightings }],
    rejected,
    records: feed.entries.length,
  }
}

const isSameChart = (one: ChartIdentity, other: ChartIdentity) =>
  one.country === other.country &&
  one.kind === other.kind &&
  one.categoryId === other.categoryId &&
  one.device === other.device

function feedPlaces(entries: readonly FeedEntry[]) {
  const rejected: Rejection[] = []
  const seen = new Set<string>()
  const places = entries.map((entry, index) => {
    const position = `entry ${index + 1}`
    if ('reason' in entry) rejected.push({ position, reason: entry.reason, record: entry.record })
    else if (seen.has(entry.sighting.storeId))
      rejected.push({ position, reason: `app ${entry.sighting.storeId} stands in the chart twice` })
    else {
      seen.add(entry.sighting.storeId)
      return entry.sighting.storeId
    }
    return null
  })
  return { rejected, places }
}

function readCharts(bytes: Uint8Array, context: ReadingContext, from: number): Harvest {
  const document = context.layout === 'document' ? parseDocument(bytes) : undefined
  const list = context.list ?? usualList(document)
  const { rows, rejected } = rowsOf(bytes, { ...context, ...(list ? { list } : {}) }, from)
  const { charts, rejected: refused } = readChartRows(rows, context, document)
  return {
    source: 'chart-file',
    sightings: [],
    charts,
    rejected: [...rejected, ...refused],
    records: rows.length + rejected.length,
  }
}
