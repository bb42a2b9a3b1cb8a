import { hash } from 'node:crypto'
import type { Database } from '../../../storage/database.ts'
import { mainSurface } from '../../../vocabulary/search-surfaces.ts'
import { difficultyOf } from '../scores/difficulty.ts'
import { judgePageAndLaterOnes, type PageJudgement, storePageVerdicts } from './page-verdicts.ts'
import {
  createTermStates,
  deleteAllDuplicates,
  deleteDuplicate,
  duplicateOf,
  type NewestPageDetails,
  pagesOfDay,
  pageWithStoredDetails,
  recordResults,
  removePage,
  resultPageAt,
  type StoredPlaces,
  storeDuplicate,
  storeNewestPageDetails,
  updateNewestPage,
  writePage,
} from './page-writes.ts'
import {
  clearDepthOfDay,
  clearRanksOfDay,
  countPageMonths,
  type NewestMonth,
  recomputeBestRanks,
  recordBestRanks,
  setRanksOfDay,
} from './rank-writes.ts'
import { lockRatingScales, ratingScaleOf } from './rating-scale-runs.ts'
import type { ResultPagePlace, ResultPageReading } from './result-pages.ts'
import { recomputeAutocomplete, recomputeOpportunity } from './store-hints.ts'
import { indexTermWords, lockTerms, type TermName } from './term-queries.ts'

/** Loads the page of a stored reading; undefined when the current parser finds none in it. */
export type LoadResultPage = (readingId: string) => Promise<ResultPageReading | undefined>

/**
 * Stores result pages and derives ranks from them. The result depends only on the contents and times of the pages, not on
 * their order. Runs inside the caller's transaction.
 */
export async function storePages(
  db: Database,
  pages: readonly ResultPageReading[],
  readPage: LoadResultPage,
): Promise<void> {
  if (pages.length === 0) return
  await lockRatingScales(db)
  const { terms, fresh } = await lockTerms(
    db,
    pages.map(({ country, term, surface }) => ({ country, term, surface })),
  )
  const ids = new Map(terms.map((one) => [nameOf(one), one.termId]))
  await createTermStates(db, [...ids.values()])
  const months: NewestMonth[] = []
  for (const page of pages) {
    const termId = ids.get(nameOf(page))
    if (termId === undefined) throw new Error(`The term "${page.term}" has no row.`)
    await storePage(db, termId, page, readPage, months)
  }
  // Scores, related terms and comparisons rest on the main surface alone.
  const scored = terms.filter(({ surface }) => surface === mainSurface)
  const scoredIds = new Set(scored.map(({ termId }) => termId))
  await indexTermWords(db, scored)
  await recomputeAutocomplete(
    db,
    fresh.filter((termId) => scoredIds.has(termId)),
  )
  await recomputeOpportunity(db, [...scoredIds])
  await countPageMonths(db, months)
}

const nameOf = ({ country, term, surface }: Required<TermName>) => `${surface} ${country} ${term}`

/**
 * Stores one page. A capture counts once, at the earliest time stated for it; an instant has one page. An imported page that
 * shares its instant with a better one is stored as a duplicate.
 * @param months collects changes of the month of the term's newest page
 */
async function storePage(
  db: Database,
  termId: number,
  page: ResultPageReading,
  readPage: LoadResultPage,
  months: NewestMonth[],
): Promise<void> {
  const { country, capturedAt } = page
  const fingerprint = fingerprintOf(page)
  const duplicate = fingerprint && moves(page) ? await duplicateOf(db, termId, fingerprint) : undefined
  if (duplicate && duplicate.capturedAt <= capturedAt) return
  if (fingerprint && duplicate?.isDuplicate) await deleteDuplicate(db, termId, fingerprint)
  const moved = duplicate && !duplicate.isDuplicate ? duplicate : undefined
  if (moved) {
    await removePage(db, termId, moved.capturedAt)
    const { changed } = await judgePageAndLaterOnes(db, termId, moved.capturedAt, null)
    await applyVerdicts(db, { termId, country }, changed)
  }

  const other = await resultPageAt(db, termId, capturedAt)
  const rank = other ? compare({ storeIds: storeIdsOf(page), fingerprint }, other) : 1
  const written = rank > 0
  if (written) {
    if (other) await storeDuplicate(db, { ...other, termId })
    await placePage(db, termId, page, fingerprint)
  } else if (rank < 0) await storeDuplicate(db, { ...page, termId, fingerprint })
  // Two pages of one instant can belong to two days: a file that names only a date belongs to that date.
  for (const gone of [moved, written ? other : undefined])
    if (gone) {
      await recomputeDay(db, { termId, country, day: gone.day }, [gone])
      await recomputeBestRanks(db, { termId, country, day: gone.day }, gone.storeIds)
    }

  const { pageAt: newest, before, after } = await updateNewestPage(db, termId)
  if (page.surface !== mainSurface) {
    if (moved) await settleDuplicates(db, termId, moved.capturedAt, readPage, months)
    return
  }
  if (before !== after) months.push({ country, before, after })
  if (newest && written && newest.getTime() === capturedAt.getTime()) await showNewest(db, termId, page)
  else if (newest && newest.getTime() !== (await pageWithStoredDetails(db, termId))?.getTime()) {
    const stored = await resultPageAt(db, termId, newest)
    const again = stored ? await readPage(stored.readingId) : undefined
    if (again) await showNewest(db, termId, again)
  }
  if (moved) await settleDuplicates(db, termId, moved.capturedAt, readPage, months)
}

/** Writes a page and the ranks of its day. */
async function placePage(
  db: Database,
  termId: number,
  page: ResultPageReading,
  fingerprint: string | null,
): Promise<void> {
  const { country, capturedAt, day, places } = page
  const before = await pagesOfDay(db, termId, day)
  const depth = places.length
  const judged = await judgePageAndLaterOnes(db, termId, capturedAt, depth > 0 ? { ...page, depth } : null)
  const verdict = judged.own ?? { counts: true, knownDepth: 0 }
  await writePage(db, { ...page, termId, depth, storeIds: storeIdsOf(page), fingerprint, verdict })
  const suspect = depth > 0 ? await recordResults(db, termId, capturedAt) : []
  await recomputeDay(db, { termId, country, day }, before)
  if (verdict.counts && before.some((other) => other.capturedAt > capturedAt))
    await recordBestRanks(db, { termId, country, day }, storeIdsOf(page))
  for (const emptyDay of new Set(suspect)) await recomputeDay(db, { termId, country, day: emptyDay }, [])
  await applyVerdicts(db, { termId, country }, judged.changed)
}

/** Stores changed verdicts, and updates the ranks from pages that now begin or cease to count. */
async function applyVerdicts(
  db: Database,
  { termId, country }: { termId: number; country: string },
  changed: PageJudgement['changed'],
): Promise<void> {
  for (const page of await storePageVerdicts(db, termId, changed)) {
    const where = { termId, country, day: page.day }
    await recomputeDay(db, where, [page])
    if (page.counts) await recordBestRanks(db, where, page.storeIds)
    else await recomputeBestRanks(db, where, page.storeIds)
  }
}

/** Reprocesses the duplicates of an instant whose page turned out to be from an earlier time. */
async function settleDuplicates(
  db: Database,
  termId: number,
  capturedAt: Date,
  readPage: LoadResultPage,
  months: NewestMonth[],
): Promise<void> {
  for (const readingId of await deleteAllDuplicates(db, termId, capturedAt)) {
    const page = await readPage(readingId)
    if (page) await storePage(db, termId, page, readPage, months)
  }
}

async function showNewest(db: Database, termId: number, page: ResultPageReading): Promise<void> {
  const { places, capturedAt, stated } = page
  const shown = places.map((place) => (place ? besidePlaces(place) : null))
  const scale = await ratingScaleOf(db, page.country)
  await storeNewestPageDetails(db, termId, { capturedAt, shown, stated }, difficultyOf(page, scale))
}

const storeIdsOf = ({ places }: ResultPageReading) => places.map((place) => place?.storeId ?? null)

/**
 * Order of two pages of one instant: the deeper one wins, with a deterministic choice between pages of equal depth. 0 for
 * the same page.
 */
function compare(page: PageContent, other: PageContent): number {
  const depth = page.storeIds.length - other.storeIds.length
  if (depth !== 0) return depth
  const [one, two] = [page, other].map(({ storeIds, fingerprint }) => JSON.stringify([storeIds, fingerprint]))
  return one === two ? 0 : (one ?? '') > (two ?? '') ? 1 : -1
}

interface PageContent {
  storeIds: readonly (string | null)[]
  fingerprint: string | null
}

const besidePlaces = ({ name, rating, ratingCount }: ResultPagePlace): NewestPageDetails => ({
  name,
  rating,
  ratingCount,
})

/**
 * Recomputes the ranks of a day from its last page that counts.
 * @param before pages that may have provided the ranks of the day so far
 */
async function recomputeDay(
  db: Database,
  where: { termId: number; country: string; day: string },
  before: readonly StoredPlaces[],
): Promise<void> {
  const now = await pagesOfDay(db, where.termId, where.day)
  const last = now[0]
  const kept = new Set(last?.storeIds)
  const gone = [...new Set([...before, ...now].flatMap(({ storeIds }) => storeIds))]
    .filter((storeId) => storeId !== null)
    .filter((storeId) => !kept.has(storeId))
  if (gone.length > 0) await clearRanksOfDay(db, where, gone)
  if (last) await setRanksOfDay(db, where, last.storeIds)
  else await clearDepthOfDay(db, where)
}

/**
 * Equal for files of the same capture, whatever their names: the same apps in the same places with the same rating counts
 * and versions. Collected pages have none, because their time of capture is certain.
 */
function fingerprintOf({ origin, places, stated }: ResultPageReading): string | null {
  if (origin !== 'imported') return null
  const said = places.map((place) =>
    place ? [place.storeId, place.ratingCount ?? null, place.updatedAt ?? null] : null,
  )
  return hash('sha256', JSON.stringify(stated === null ? said : [...said, stated]), 'hex')
}

/** With this total number of ratings, some fifty new ones a day are expected, so that two captures differ. */
const ratingsThatMove = 100_000

/** Whether two captures of a page would differ: a page with few ratings can look the same for days. */
const moves = ({ places }: ResultPageReading) =>
  places.reduce((sum, place) => sum + (place?.ratingCount ?? 0), 0) >= ratingsThatMove
