import type { AppSighting } from '../../domain/catalogue/listing.ts'
import type { PayloadFormat, Recognised, Sample } from '../../ingest/format.ts'
import { shown } from '../../ingest/mapping/mapping.ts'
import type { ParsedPayload, ReadingContext, Rejection } from '../../ingest/parsed-payload.ts'
import type { RawPayload } from '../../ingest/raw-payload.ts'
import { rowsOf } from '../../ingest/rows.ts'
import { isSalesReport, salesPayload } from '../../ingest/sales-days.ts'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import { normaliseTerm } from '../../text/keyword-term.ts'
import type { SourceName } from '../../vocabulary/provenance.ts'
import { isStorefront } from '../../vocabulary/storefronts.ts'
import { isAppPage, readAppPage, readLocalizedPage } from './app-page.ts'
import {
  type ItunesAnswer,
  isItunesAnswer,
  itunesResults,
  missedIn,
  readItunesAnswer,
  storefrontOfResult,
} from './itunes.ts'
import { otherReportOf, readSalesReport } from './sales-report.ts'
import { isSearchPage, readSearchPage } from './search-page.ts'

/** Answers of the iTunes Search API, as Apple sent them or their results one a line. */
export const searchFormat = itunesFormat('itunes-search', recogniseItunes)

/** Answers of the iTunes Lookup API, which have the same form. */
export const lookupFormat = itunesFormat('itunes-lookup', null)

function itunesFormat(source: SourceName, recognise: PayloadFormat['recognise']): PayloadFormat {
  return {
    isMappable: false,
    recognise,
    parse: (payload, context, from) => parseItunes(source, payload, context, from),
  }
}

/** A search and a lookup answer alike: it is a result page where something tells the search, and else the records of apps. */
function recogniseItunes({ layout, document, records, namesSearch }: Sample): Recognised | undefined {
  if (layout === 'csv') return undefined
  const results = layout === 'lines' ? records : (itunesResults(document) ?? [])
  const isEmpty = results.length === 0 && isItunesAnswer(document) && 'resultCount' in document
  const isResult = (one: unknown) =>
    typeof one === 'object' && one !== null && 'trackId' in one && ('wrapperType' in one || 'bundleId' in one)
  if (!isEmpty && !results.some(isResult)) return undefined
  if (layout === 'document' && isItunesAnswer(document) && (namesSearch || isEmpty))
    return { kind: 'search-results', of: 'a result page of the iTunes Search API' }
  return { kind: 'catalogue', of: 'answers of the iTunes Search or Lookup API' }
}

function parseItunes(
  source: SourceName,
  payload: RawPayload,
  context: ReadingContext,
  from: number,
): ParsedPayload {
  const { results, positions, rejected, resultCount, notes } = resultsOf(payload, context, from)
  const country = context.country ?? 'us'
  if (context.layout === 'document') refuseOtherStorefront(results, country)
  const answer = readItunesAnswer({ resultCount, results }, country)
  const { language } = context
  const term = context.layout === 'document' && language === undefined ? context.term : undefined
  // Whether an answer in another language leaves an app out for that alone is not known.
  const missed = language === undefined ? missedIn(answer, context.storeIds ?? []) : []
  return {
    source,
    ...seenIn(country, language, answer.sightings),
    charts: [],
    ...(missed.length > 0 ? { missed: { country, storeIds: missed } } : {}),
    ...(term === undefined ? {} : { resultPage: pageOf(answer, term) }),
    rejected: [
      ...rejected,
      ...answer.rejected.map(({ index, reason, record, isOther }) => ({
        position: positions[index] ?? `record ${index + 1}`,
        reason,
        record,
        ...(isOther ? { isOther } : {}),
      })),
    ],
    ...(notes ? { notes } : {}),
    ...(answer.unreadable ? { unreadable: answer.unreadable } : {}),
    records: results.length + rejected.length,
  }
}

/** Apps that were seen in the language of the storefront, or in another one, which no answer of these APIs names. */
function seenIn(
  country: string,
  language: string | undefined,
  apps: readonly AppSighting[],
): Pick<ParsedPayload, 'sightings' | 'localized'> {
  if (language === undefined) return { sightings: apps.map((sighting) => ({ country, sighting })) }
  return {
    sightings: [],
    localized: apps.map(({ storeId, listing }) => ({ storeId, country, language, listing })),
  }
}

/**
 * Apple has been seen to answer for the storefront of the caller's address instead of the one asked for.
 * @throws UnfitPayload where all results that name a storefront name another one
 */
function refuseOtherStorefront(results: readonly unknown[], country: string): void {
  const storefronts = new Set(results.map(storefrontOfResult).filter((one) => one !== undefined))
  if (storefronts.size === 0 || storefronts.has(country)) return
  throw new UnfitPayload(
    `an answer for the storefront "${[...storefronts].join('", "')}", not for "${country}"`,
  )
}

/** An answer as Apple sent it, or its results one a line. */
function resultsOf(
  payload: RawPayload,
  context: ReadingContext,
  from: number,
): { results: unknown[]; positions: string[]; rejected: Rejection[]; resultCount?: unknown; notes?: string[] } {
  if (context.layout !== 'document') {
    const { rows, rejected } = rowsOf(payload, context, from)
    return { results: rows.map((row) => row.record), positions: rows.map((row) => row.position), rejected }
  }
  const document = payload.document()
  const results = itunesResults(document) ?? (Array.isArray(document) ? document : undefined)
  if (!results)
    throw new UnfitPayload('not an answer of the iTunes Search or Lookup API: it has no list of results')
  const said = isItunesAnswer(document) ? document.resultCount : undefined
  const agrees = said === undefined || said === results.length
  const notes = [`its resultCount is ${shown(said)} and its list has ${results.length}`]
  return { results, positions: [], rejected: [], resultCount: said, ...(agrees ? {} : { notes }) }
}

/**
 * The whole page of a search. A page with places but no readable app means a change of Apple's format, not that all apps
 * are absent; so does an empty one that states a number of results.
 * @throws UnfitPayload
 */
function pageOf(answer: ItunesAnswer, term: string): NonNullable<ParsedPayload['resultPage']> {
  const { sightings, rejected, stated } = answer
  if (stated && sightings.length + rejected.length === 0)
    throw new UnfitPayload(`it says it has ${stated} results, and lists none`)
  const unreadable = rejected.find(({ isOther }) => !isOther)
  if (sightings.length === 0 && unreadable)
    throw new UnfitPayload(`no result can be read: ${unreadable.reason}`)
  return { term, storeIds: placesOf(answer), ...(stated === undefined ? {} : { stated }) }
}

/**
 * The places of a result page in the order of the answer. An entry that is no iOS app, is unreadable, or repeats an app
 * leaves its place empty. An answer without any iOS app has no places.
 */
function placesOf({ sightings, rejected }: ItunesAnswer): (string | null)[] {
  if (sightings.length === 0) return []
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

/** The page of an app, and the apps Apple shows beside it. */
export const appPageFormat: PayloadFormat = {
  isMappable: false,
  recognise: ({ html }) =>
    html !== undefined && isAppPage(html)
      ? { kind: 'catalogue', of: 'a page of an app in the App Store' }
      : undefined,
  parse({ bytes }, { storeId, country, language, notFound }) {
    if (storeId === undefined || country === null)
      throw new UnfitPayload('nobody knows which app the page is of')
    if (notFound) {
      const missed = { country, storeIds: [storeId] }
      return { source: 'app-store-page', sightings: [], charts: [], missed, rejected: [], records: 0 }
    }
    if (language !== undefined) {
      const listing = readLocalizedPage(bytes, storeId, country, language)
      const localized = [{ storeId, country, language, listing }]
      return { source: 'app-store-page', sightings: [], localized, charts: [], rejected: [], records: 1 }
    }
    const page = readAppPage(bytes, storeId, country)
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
  },
}

/** The search page of the store's web site. */
export const searchPageFormat: PayloadFormat = {
  isMappable: false,
  recognise: ({ html }) =>
    html !== undefined && isSearchPage(html)
      ? { kind: 'search-results', of: "a page of the App Store's web search" }
      : undefined,
  parse({ bytes }, { term, country }) {
    if (term === undefined || country === null)
      throw new UnfitPayload('nobody knows which search the page answers')
    const { sightings, storeIds, rejected, notes } = readSearchPage(bytes, {
      term: normaliseTerm(term, country),
      country,
    })
    return {
      source: 'app-store-search',
      sightings: sightings.map((sighting) => ({ country, sighting })),
      charts: [],
      resultPage: { term, storeIds },
      rejected,
      ...(notes.length > 0 ? { notes } : {}),
      records: storeIds.length,
    }
  },
}

/** A daily sales report of App Store Connect. */
export const ascSalesFormat: PayloadFormat = {
  isMappable: false,
  recognise({ columns }) {
    const other = otherReportOf(columns)
    if (!other && !isSalesReport(columns.join('\t'))) return undefined
    return { kind: 'sales', of: other ?? 'a daily sales report of App Store Connect' }
  },
  parse(payload, context, from) {
    if (context.layout !== 'csv') throw new UnfitPayload('a sales report is a table')
    const { rows, rejected } = rowsOf(payload, context, from)
    const report = readSalesReport(
      rows.map((row) => row.record as Record<string, unknown>),
      isStorefront,
    )
    const refused = report.rejected.flatMap(({ index, reason }) => {
      const row = rows[index]
      return row ? [{ ...row, reason }] : []
    })
    const { macRows } = report
    const sales = salesPayload(report.sales, [...rejected, ...refused], rows.length + rejected.length)
    return macRows === 0
      ? sales
      : { ...sales, notes: [`${macRows} ${macRows === 1 ? 'row' : 'rows'} of Mac products not counted`] }
  },
}
