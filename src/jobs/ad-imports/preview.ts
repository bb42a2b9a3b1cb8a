import type { RejectedRecord, RunNote } from '../../domain/paid-ads/imports/import-run.ts'
import { searchHadAds } from '../../domain/paid-ads/imports/run-queries.ts'
import {
  type AdQuery,
  type AdSearch,
  type ForecastAmount,
  forecastImport,
  type SearchFirstPage,
  searchKey,
  searchPlan,
} from '../../domain/paid-ads/search-plan.ts'
import { SourceFailure } from '../../sources/polite/failure.ts'
import type { Database } from '../../storage/database.ts'
import type { AdLibrary } from '../../suppliers/ad-library.ts'
import { type AdPlatform, type AskedPlatform, askedLibraryRow } from '../../vocabulary/ad-platforms.ts'
import { type AskedPage, askPage } from './ask-page.ts'
import { notMeasured, showsAbsence } from './empty-answers.ts'
import { type ComparedAd, compareAds, inlinePayload, recordsRead } from './read-records.ts'

/** How long a caller waits for the first pages of all searches. */
export const previewPatienceMs = 30_000

/** What an import would find; nothing is stored. */
export interface PreviewedImport {
  matching: ForecastAmount
  requests: ForecastAmount
  requestsUsed: number
  read: number
  compared: ComparedAd[]
  rejections: RejectedRecord[]
  notes: RunNote[]
}

/** Previews all inline records. */
export async function previewRecords(
  db: Database,
  platform: AdPlatform,
  records: readonly unknown[],
): Promise<PreviewedImport> {
  const { read, ads, rejections } = recordsRead(inlinePayload(platform, records), 0)
  return {
    matching: { value: read, relation: 'exact' },
    requests: { value: 0, relation: 'exact' },
    requestsUsed: 0,
    read,
    compared: await compareAds(db, ads, new Date()),
    rejections,
    notes: [],
  }
}

/** Outcome of a request while the caller waits; the message is for people. */
export type LivePreview =
  | { preview: PreviewedImport }
  | { failed: 'failed' | 'timed-out'; message: string; cause?: SourceFailure }

/**
 * Previews a query.
 * @param signal aborts what takes longer than a caller waits
 * @throws any error that is not a failure of the library
 */
export async function previewNow(
  db: Database,
  library: AdLibrary,
  platform: AskedPlatform,
  query: AdQuery,
  signal = AbortSignal.timeout(previewPatienceMs),
): Promise<LivePreview> {
  try {
    const preview = await previewQuery(db, library, platform, query, signal)
    return 'unmeasured' in preview ? { failed: 'failed', message: preview.unmeasured } : { preview }
  } catch (error) {
    if (error === signal.reason)
      return {
        failed: 'timed-out',
        message: `The library did not answer within ${previewPatienceMs / 1000} seconds.`,
      }
    if (!(error instanceof SourceFailure)) throw error
    const failed = error.kind === 'timeout' ? 'timed-out' : 'failed'
    return { failed, message: `${error.message}.`, cause: error }
  }
}

/**
 * Requests the first page of each search, within the limit and the time a caller waits.
 * @returns why nothing is known where the only answers were without ads and tell nothing
 * @throws SourceFailure, or the reason of a timeout when no ad arrived in time and there may be some
 */
async function previewQuery(
  db: Database,
  library: AdLibrary,
  platform: AskedPlatform,
  query: AdQuery,
  signal: AbortSignal,
): Promise<PreviewedImport | { unmeasured: string }> {
  const searches = searchPlan(platform, query)
  const pages: SearchFirstPage[] = []
  const seen = new Set<string>()
  const found = new Set<AdSearch>()
  const preview = {
    read: 0,
    compared: [] as ComparedAd[],
    rejections: [] as RejectedRecord[],
    notes: [] as RunNote[],
  }
  let requestsUsed = 0
  let size = library.pageSizes.usual
  for (const search of searches) {
    if (preview.read >= query.limit) break
    const wished = Math.min(size, query.limit - preview.read)
    const ask = { search, cursor: null, size: wished, onRequest: () => requestsUsed++ }
    const page = await askPage(library, ask, signal).catch((error: unknown) => {
      if (error === signal.reason && preview.read > 0) return undefined
      throw error
    })
    if (!page) {
      preview.notes.push(notAllLookedAt(pages.length, searches.length))
      break
    }
    size = page.reducedTo ?? size
    const { read, ads, rejections } = recordsRead(page.parsed, preview.read)
    const { fetchedAt } = page
    if (
      read === 0 &&
      !(await showsAbsence(db, platform, { search, cursor: null, askedOn: fetchedAt, fetchedAt }))
    ) {
      const note = notMeasured(platform, fetchedAt)
      if (preview.read === 0) return { unmeasured: note.message }
      preview.notes.push(note)
      // Whoever refuses is not asked the rest.
      pages.push({ ads: 0, more: true })
      break
    }
    pages.push({ ads: read, more: (page.parsed.nextPage ?? null) !== null })
    preview.read += read
    preview.rejections.push(...rejections)
    preview.compared.push(...(await compareAds(db, ads, page.fetchedAt, seen)))
    if (read > 0) found.add(search)
    else if (await searchHadAds(db, searchKey(platform, search, fetchedAt), fetchedAt))
      preview.notes.push(suspectEmptyNote(fetchedAt))
    const note = formNote(page)
    if (note && !preview.notes.some(({ code }) => code === note.code)) preview.notes.push(note)
  }
  const absent = absentNote(platform, query, (search) => found.has(search), searches.slice(0, pages.length))
  if (absent) preview.notes.push(absent)
  const { matching, requests } = forecastImport(searches.length, pages, query.limit)
  return { matching, requests, requestsUsed, ...preview }
}

const notAllLookedAt = (looked: number, searches: number): RunNote => ({
  code: 'stopped-early',
  message: `The preview has looked at ${looked} of ${searches} searches; asking for all would have taken too long.`,
  since: null,
})

export const suspectEmptyNote = (at: Date): RunNote => ({
  code: 'suspect-empty',
  message: 'A search that had ads before was answered with none: that is not shown as absence.',
  since: at.toISOString(),
})

/** What is said of a page whose form differs from the one known here. */
export const formNote = ({ parsed, fetchedAt }: AskedPage): RunNote | undefined =>
  parsed.differences && {
    code: 'form-changed',
    message: `The library's answers differ from the form known here (${parsed.differences.join('; ')}). What is known of it is read as before; nothing is guessed.`,
    since: fetchedAt.toISOString(),
  }

/** Most apps that a note names. */
const appsNamed = 10

/**
 * What is said of apps of which no search had ads; undefined where there is none.
 * @param searches those that were answered to the end
 */
export function absentNote(
  platform: AskedPlatform,
  { apps = [] }: AdQuery,
  hasAds: (search: AdSearch) => boolean,
  searches: readonly AdSearch[],
): RunNote | undefined {
  const absent = apps.flatMap((storeId) => {
    const own = searches.filter((search) => search.storeId === storeId)
    return own.length === 0 || own.some(hasAds) ? [] : [{ storeId, own }]
  })
  const [first] = absent
  if (!first) return undefined
  const countries = first.own.flatMap((search) => search.countries)
  const named = absent.slice(0, appsNamed).map(({ storeId }) => storeId)
  const others = absent.length > appsNamed ? ` and ${absent.length - appsNamed} more` : ''
  const { library } = askedLibraryRow(platform)
  return {
    code: 'absent',
    message: `The ${library} shows no ad of ${named.join(', ')}${others} in the last ${first.own[0]?.lastDays} days that it has, in ${countries.join(', ')}: absent to this coverage, which is no proof that nothing was advertised.`,
    since: null,
  }
}
