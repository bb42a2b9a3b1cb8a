import { hash } from 'node:crypto'
import type { Database } from '../../storage/database.ts'
import {
  clearDepth,
  clearRanks,
  noteResults,
  pageOfFingerprint,
  pagesOfDay,
  pointToNewest,
  removePage,
  type StoredPlaces,
  setDay,
  writeNewest,
  writePage,
} from './page-writes.ts'
import type { ResultPageReading } from './result-page.ts'
import { difficultyOf } from './scores/difficulty.ts'
import { restateAutocomplete, restateOpportunity } from './store-hints.ts'
import { lockTerms } from './term-queries.ts'

/**
 * Stores result pages with the ranks that follow from them, in any order of their times. Runs inside the caller's
 * transaction.
 */
export async function storePages(db: Database, pages: readonly ResultPageReading[]): Promise<void> {
  if (pages.length === 0) return
  const { terms, fresh } = await lockTerms(
    db,
    pages.map(({ country, term }) => ({ country, term })),
  )
  const ids = new Map(terms.map(({ country, term, termId }) => [`${country} ${term}`, termId]))
  for (const page of pages) {
    const termId = ids.get(`${page.country} ${page.term}`)
    if (termId === undefined) throw new Error(`The term "${page.term}" has no row.`)
    await storePage(db, termId, page)
  }
  await restateAutocomplete(db, fresh)
  await restateOpportunity(db, [...ids.values()])
}

async function storePage(db: Database, termId: number, page: ResultPageReading): Promise<void> {
  const { country, term, places, capturedAt, day } = page
  const fingerprint = fingerprintOf(page)
  const twin = fingerprint ? await pageOfFingerprint(db, termId, fingerprint) : undefined
  if (twin && twin.capturedAt <= capturedAt) return
  if (twin) await removePage(db, termId, twin.capturedAt)
  const storeIds = places.map((place) => place?.storeId ?? null)
  const before = await pagesOfDay(db, termId, day)
  await writePage(db, {
    ...page,
    termId,
    depth: places.length,
    storeIds,
    fingerprint,
  })
  const suspect = places.length > 0 ? await noteResults(db, termId, capturedAt) : []
  await restateDay(db, { termId, country, day }, before)
  for (const other of new Set(suspect)) await restateDay(db, { termId, country, day: other }, [])
  if (twin && twin.day !== day) await restateDay(db, { termId, country, day: twin.day }, [twin])
  const newest = await pointToNewest(db, termId)
  if (newest?.getTime() === capturedAt.getTime()) {
    const shown = places.map((place) => (place ? besidePlaces(place) : null))
    await writeNewest(db, termId, capturedAt, shown, difficultyOf(term, places))
  }
}

const besidePlaces = ({
  name,
  rating,
  ratingCount,
}: {
  name: string
  rating?: unknown
  ratingCount?: unknown
}) => ({ name, rating, ratingCount }) as { name: string; rating?: number | null; ratingCount?: number | null }

/**
 * Writes the ranks of a day anew: those of its last page that counts.
 * @param before pages that may have given the day its ranks until now
 */
async function restateDay(
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
  if (gone.length > 0) await clearRanks(db, where, gone)
  if (last) await setDay(db, where, last.storeIds)
  else await clearDepth(db, where)
}

/**
 * Equal for one capture that was saved twice, whatever the files are called: the same apps in the same places with the
 * same rating counts, which move within minutes somewhere on a page. What this installation collected was captured when
 * it was, and a page without counts cannot be told from a later one.
 */
function fingerprintOf({ origin, places }: ResultPageReading): string | null {
  const counted = places.filter((place) => typeof place?.ratingCount === 'number')
  if (origin !== 'imported' || counted.length * 2 < places.length || counted.length === 0) return null
  const said = places.map((place) =>
    place ? [place.storeId, place.ratingCount ?? null, place.updatedAt ?? null] : null,
  )
  return hash('sha256', JSON.stringify(said), 'hex')
}
