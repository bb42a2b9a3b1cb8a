import { setTimeout } from 'node:timers/promises'
import {
  noStorefront,
  recordDifferences,
  recordFailure,
  recordSuccess,
} from '../../domain/collecting/health.ts'
import { lockCreativeKind } from '../../domain/creatives/kind.ts'
import { adKind } from '../../domain/paid-ads/ad.ts'
import { librariesOfApps, startRunsOfApps, trackedForAds } from '../../domain/paid-ads/imports/due-apps.ts'
import { adImport, type RunState } from '../../domain/paid-ads/imports/import-run.ts'
import {
  addPageCounts,
  addRunNote,
  countRequests,
  endRunReading,
  lockedRunState,
  removeRunNote,
  restartSearch,
  runState,
  saveSearchCursor,
  searchesWithAds,
  searchHadAds,
  setPageSize,
  startNextSearch,
} from '../../domain/paid-ads/imports/run-queries.ts'
import type { AdQuery, AdSearch } from '../../domain/paid-ads/search-plan.ts'
import { searchKey, searchPlan } from '../../domain/paid-ads/search-plan.ts'
import { type Attempt, reportProgress } from '../../domain/work/queries.ts'
import type { PerformWork, Work, WorkSuccess } from '../../domain/work/work.ts'
import { storeReadings } from '../../projections/store-readings.ts'
import { SourceFailure } from '../../sources/polite/failure.ts'
import { type Database, inTransaction } from '../../storage/database.ts'
import type { AdLibraries } from '../../suppliers/ad-libraries.ts'
import type { AdLibrary } from '../../suppliers/ad-library.ts'
import { askedLibraryRow, askedPlatform, libraryFormat, librarySource } from '../../vocabulary/ad-platforms.ts'
import { type AskedPage, askPage, missingToken } from '../ad-imports/ask-page.ts'
import { notMeasured, showsAbsence } from '../ad-imports/empty-answers.ts'
import { absentNote, formNote, suspectEmptyNote } from '../ad-imports/preview.ts'
import { compareAds, countByComparison, importRecords, recordsRead } from '../ad-imports/read-records.ts'
import { type JobParts, queues, workJobKind } from '../job-kind.ts'
import { enqueueOn } from '../queue.ts'
import { FinalFailure, maxAttempts } from '../work-tasks.ts'

export const adImportJob = workJobKind({
  work: adImport,
  does: 'brings ads of a library, or records of an account, into the store',
  queue: queues.long,
  atATime: 4,
  addDue,
  perform: ({ db, adLibraries }) => performAdImport(db, adLibraries),
})

async function addDue({ db, queue, schedule }: JobParts, now: Date): Promise<void> {
  if (!schedule.appStoreAds) return
  const { everyDays } = schedule.appStoreAds
  for (const platform of librariesOfApps) {
    const due = await trackedForAds(db, platform, { everyDays, now })
    if (due.length > 0) await startRunsOfApps(db, enqueueOn(queue), platform, due, now)
  }
}

/** Attempts of the job until a failing library ends the run. */
const attemptsInARow = 5
/** How often one search is restarted because its position was not accepted. */
const mostRestarts = 3
/** First wait between calls that are throttled without a hold; it grows up to a minute. */
const throttledMs = 1_000

/** Imports ads from a library, or from inline records; resumes where it stopped. */
export function performAdImport(db: Database, libraries: AdLibraries): PerformWork {
  return async (work, _report, signal) => {
    const state = await runState(db, work.workId)
    if (!state) throw new FinalFailure('internal', 'The run is not stored.')
    if (state.query === null) return importRecords(db, state, work)
    const library = libraries[state.platform]
    if (!library) return failed(db, state, 'source-not-configured', missingToken(askedPlatform(state.platform)))
    return importFromLibrary({ db, library, work, signal }, state.query)
  }
}

interface Parts {
  db: Database
  library: AdLibrary
  work: Work
  signal: AbortSignal
}

async function importFromLibrary(parts: Parts, query: AdQuery): Promise<WorkSuccess> {
  const { db, work } = parts
  for (let throttled = 0; ; ) {
    const state = await runState(db, work.workId)
    if (!state) throw new FinalFailure('internal', 'The run is not stored.')
    const platform = askedPlatform(state.platform)
    const searches = searchPlan(platform, query, work.createdAt)
    const search = searches[state.search]
    if (!search) {
      await noteAbsence(parts, state, searches)
      return ended(db, state, 'end')
    }
    if (state.counted >= query.limit) return ended(db, state, 'limit')
    const { usual } = parts.library.pageSizes
    const size = Math.min(state.pageSize ?? usual, usual, query.limit - state.counted)
    const key = searchKey(platform, search, work.createdAt)
    let requests = 0
    const onRequest = () => requests++
    try {
      const page = await askPage(parts.library, { search, cursor: state.cursor, size, onRequest }, parts.signal)
      const { fetchedAt } = page
      const asked = { search, cursor: state.cursor, askedOn: work.createdAt, fetchedAt }
      if (page.parsed.records === 0 && !(await showsAbsence(db, platform, asked))) {
        await countRequests(db, work.workId, requests)
        return unmeasured(db, state, fetchedAt)
      }
      await storePage(db, state, page, { attempt: work, searchKey: key, storeId: search.storeId, requests })
      await recordSuccess(db, librarySource(platform), noStorefront, fetchedAt)
      throttled = 0
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error
      await countRequests(db, work.workId, requests)
      const end = await afterFailure(parts, state, error, throttled)
      if (end) return end
      throttled = error.kind === 'throttled' ? throttled + 1 : throttled
    }
  }
}

/**
 * Decides after a failure whether the run ends or goes on.
 * @throws the failure when the queue should retry later
 */
async function afterFailure(
  { db, work, signal }: Parts,
  state: RunState,
  failure: SourceFailure,
  throttled: number,
): Promise<WorkSuccess | undefined> {
  const { kind, message } = failure
  if (kind !== 'circuit-open')
    await recordFailure(db, librarySource(askedPlatform(state.platform)), noStorefront, {
      at: new Date(),
      kind,
      message,
    })
  if (kind === 'throttled' || kind === 'circuit-open') {
    // A throttling library holds the pace for everybody; this wait is for libraries that demand none.
    const wait = kind === 'circuit-open' ? (failure.retryAfterMs ?? 0) : 0
    await setTimeout(Math.max(wait, Math.min(throttledMs * 2 ** throttled, 60_000)), undefined, { signal })
    return undefined
  }
  if (kind === 'refused' && state.cursor !== null && state.restarts < mostRestarts) {
    await restartSearch(db, state)
    return undefined
  }
  const isLast =
    work.attempts >= maxAttempts || work.attempts - state.attemptsBefore >= attemptsInARow || lasting.has(kind)
  if (!isLast) throw failure
  return failed(db, state, kind, message)
}

/** Ends the run at an answer that tells nothing, so that it is asked again when the run is retried. */
async function unmeasured(db: Database, state: RunState, at: Date): Promise<WorkSuccess> {
  const platform = askedPlatform(state.platform)
  const note = notMeasured(platform, at)
  const { message } = note
  await addRunNote(db, state.runId, note)
  await recordFailure(db, librarySource(platform), noStorefront, { at, kind: 'throttled', message })
  return failed(db, state, note.code, message)
}

/** Failures that a retry would meet again. */
const lasting = new Set<SourceFailure['kind']>([
  'credential',
  'permission',
  'refused',
  'too-much',
  'too-large',
  'certificate',
  'not-found',
])

async function ended(db: Database, state: RunState, position: 'end' | 'limit'): Promise<WorkSuccess> {
  if (position === 'limit')
    await addRunNote(db, state.runId, {
      code: 'limit-reached',
      message: `The run stopped at its limit of ${state.query?.limit} ads; the library may have more.`,
      since: null,
    })
  await endRunReading(db, state.runId, position)
  return { status: 'succeeded', result: {}, counts: countsOf(state) }
}

/** Says which apps of a query the library showed no ad of, in any search of this run. */
async function noteAbsence({ db, work }: Parts, state: RunState, searches: readonly AdSearch[]): Promise<void> {
  const { runId, query } = state
  if (!query?.apps) return
  const platform = askedPlatform(state.platform)
  const keyOf = (search: AdSearch) => searchKey(platform, search, work.createdAt)
  const withAds = await searchesWithAds(db, searches.map(keyOf), work.createdAt)
  const note = absentNote(platform, query, (search) => withAds.has(keyOf(search)), searches)
  if (note) await addRunNote(db, runId, note)
}

const countsOf = ({ read, rejected }: RunState) => ({ read, rejected })

/** Ends the run with the ads it has. @throws FinalFailure when it has none */
async function failed(db: Database, state: RunState, code: string, message: string): Promise<WorkSuccess> {
  await endRunReading(db, state.runId, 'failed')
  if (state.read === state.rejected) throw new FinalFailure(code, message)
  await addRunNote(db, state.runId, {
    code: 'stopped-early',
    message: `The run could not read the library to the end: ${message}`,
    since: new Date().toISOString(),
  })
  return { status: 'partial', result: {}, error: { code, message }, counts: countsOf(state) }
}

/**
 * Stores a page together with the progress of its run: counts and position change in the same transaction as the ads, so a
 * kill loses and repeats nothing. The page is discarded when another process has moved the run meanwhile.
 * @param before the position of the run when the page was requested
 * @throws AttemptLost, and then the page is not stored
 */
function storePage(
  db: Database,
  before: RunState,
  page: AskedPage,
  {
    attempt,
    searchKey,
    storeId,
    requests,
  }: { attempt: Attempt; searchKey: string; storeId: string | undefined; requests: number },
): Promise<void> {
  const { runId } = before
  const platform = askedPlatform(before.platform)
  return inTransaction(db, async (transaction) => {
    const now = await lockedRunState(transaction, runId)
    await countRequests(transaction, runId, requests)
    if (now?.pages !== before.pages || now.search !== before.search || now.cursor !== before.cursor) return
    const { read, ads, rejections } = recordsRead(page.parsed, before.read)
    // The lock keeps others from storing these ads between our read and our write.
    await lockCreativeKind(transaction, adKind)
    const counts = countByComparison(await compareAds(transaction, ads, page.fetchedAt))
    await storeReadings(transaction, [
      {
        bytes: page.bytes,
        format: libraryFormat(platform),
        context: {
          layout: 'document',
          country: null,
          adSearch: searchKey,
          ...(storeId === undefined ? {} : { storeId }),
        },
        origin: 'collected',
        country: null,
        observedAt: page.fetchedAt,
        timeBasis: 'clock',
        parsed: page.parsed,
      },
    ])
    await addPageCounts(transaction, runId, {
      read,
      stored: counts.new,
      updated: counts.changed,
      unchanged: counts.known,
      rejections,
    })
    await recordEmptiness(transaction, before, page, searchKey)
    if (read > 0 && askedLibraryRow(platform).refusesWithEmptyAnswers)
      await removeRunNote(transaction, runId, 'suspect-empty')
    await recordForm(transaction, before, page)
    if (page.reducedTo !== null) await setPageSize(transaction, runId, page.reducedTo)
    const { nextPage = null } = page.parsed
    if (nextPage === null || leadsBack(before, page)) await startNextSearch(transaction, runId)
    else await saveSearchCursor(transaction, runId, nextPage)
    await reportProgress(transaction, attempt, { done: before.read + read, total: null, unit: adImport.unit })
  })
}

/** Adds a note to a run about a suspect answer without ads, and one about a page whose next page is itself. */
async function recordEmptiness(
  db: Database,
  state: RunState,
  page: AskedPage,
  searchKey: string,
): Promise<void> {
  const { runId, cursor } = state
  const { parsed, fetchedAt } = page
  const since = fetchedAt.toISOString()
  if (parsed.records === 0 && cursor === null && (await searchHadAds(db, searchKey, fetchedAt)))
    await addRunNote(db, runId, suspectEmptyNote(fetchedAt))
  if (leadsBack(state, page))
    await addRunNote(db, runId, {
      code: 'stopped-early',
      message: 'The library led from a page back to the same page; what followed could not be read.',
      since,
    })
}

/** Records how the form of a page differs from the one known here, if it does. */
async function recordForm(db: Database, { runId, platform }: RunState, page: AskedPage): Promise<void> {
  const { differences } = page.parsed
  await recordDifferences(db, librarySource(askedPlatform(platform)), noStorefront, {
    at: page.fetchedAt,
    differences: differences ? differences.join('; ') : null,
  })
  const note = formNote(page)
  if (note) await addRunNote(db, runId, note)
}

/** A cursor that is answered again leads back, unless the library may give all pages one. */
const leadsBack = ({ platform, cursor }: RunState, { parsed: { nextPage = null } }: AskedPage) =>
  !askedLibraryRow(askedPlatform(platform)).repeatsCursors && nextPage !== null && nextPage === cursor
