import { lockKind } from '../../domain/creatives/kind.ts'
import { adKind } from '../../domain/paid-ads/ad.ts'
import { adImport, type RunState } from '../../domain/paid-ads/imports/import-run.ts'
import {
  addRunNote,
  countPage,
  countRequests,
  hadAds,
  lockedRunState,
  moveTo,
  nextSearch,
  usePageSize,
} from '../../domain/paid-ads/imports/run-queries.ts'
import { type Attempt, reportProgress } from '../../domain/work/queries.ts'
import { storeReadings } from '../../projections/store-readings.ts'
import { type Database, inTransaction } from '../../storage/database.ts'
import { type AskedPage, pageFormats } from './ask-page.ts'
import { suspectEmpty } from './preview.ts'
import { compareAds, recordsRead, tally } from './read-records.ts'

/**
 * Stores a page together with the progress of its run: counts and position change in the same transaction as the ads, so a
 * kill loses and repeats nothing. The page is discarded when another process has moved the run meanwhile.
 * @param before the position of the run when the page was requested
 * @throws AttemptLost, and then the page is not stored
 */
export function storePage(
  db: Database,
  before: RunState,
  page: AskedPage,
  { attempt, searchKey, requests }: { attempt: Attempt; searchKey: string; requests: number },
): Promise<void> {
  const { runId, platform } = before
  return inTransaction(db, async (transaction) => {
    const now = await lockedRunState(transaction, runId)
    await countRequests(transaction, runId, requests)
    if (now?.pages !== before.pages || now.search !== before.search || now.cursor !== before.cursor) return
    const { read, ads, rejections } = recordsRead(page.parsed, before.read)
    // The lock keeps others from storing these ads between our read and our write.
    await lockKind(transaction, adKind)
    const counts = tally(await compareAds(transaction, ads, page.fetchedAt))
    const { format } = pageFormats[platform]
    await storeReadings(transaction, [
      {
        bytes: page.bytes,
        format,
        context: { layout: 'document', country: null, adSearch: searchKey },
        origin: 'collected',
        country: null,
        observedAt: page.fetchedAt,
        timeBasis: 'clock',
        parsed: page.parsed,
      },
    ])
    await countPage(transaction, runId, {
      read,
      stored: counts.new,
      updated: counts.changed,
      unchanged: counts.known,
      rejections,
    })
    await recordEmptiness(transaction, before, page, searchKey)
    if (page.reducedTo !== null) await usePageSize(transaction, runId, page.reducedTo)
    const { nextPage = null } = page.parsed
    if (nextPage === null || leadsBack(before, page)) await nextSearch(transaction, runId)
    else await moveTo(transaction, runId, nextPage)
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
  if (parsed.records === 0 && cursor === null && (await hadAds(db, searchKey, fetchedAt)))
    await addRunNote(db, runId, suspectEmpty(fetchedAt))
  if (leadsBack(state, page))
    await addRunNote(db, runId, {
      code: 'stopped-early',
      message: 'The library led from a page back to the same page; what followed could not be read.',
      since,
    })
}

/** TikTok may name a search by the same id on all of its pages; Meta's positions differ. */
const leadsBack = ({ platform, cursor }: RunState, { parsed: { nextPage = null } }: AskedPage) =>
  platform === 'meta' && nextPage !== null && nextPage === cursor
