import { healthOfSources } from '../../domain/paid-ads/coverage-queries.ts'
import type { RunNote } from '../../domain/paid-ads/imports/import-run.ts'
import { answeredWithAds, hasAdsOf, searchHadAds } from '../../domain/paid-ads/imports/run-queries.ts'
import { type AdSearch, searchKey } from '../../domain/paid-ads/search-plan.ts'
import type { Database } from '../../storage/database.ts'
import { type AskedPlatform, askedLibraryRow, librarySource } from '../../vocabulary/ad-platforms.ts'

/** A page without ads, and what was asked. */
interface EmptyPage {
  search: AdSearch
  /** Of the page; null for the first one. */
  cursor: string | null
  /** When the run was asked for, which its searches are keyed by. */
  askedOn: Date
  fetchedAt: Date
}

const hourMs = 3_600_000

/**
 * Whether a page without ads shows that there are none, at a library that also answers so to whoever asks too often. It does if
 * the library answered with ads within the hour before and has not failed since, no page led to this one, and no ads of such an
 * advertiser are known. Always true for other libraries.
 */
export async function showsAbsence(
  db: Database,
  platform: AskedPlatform,
  { search, cursor, askedOn, fetchedAt }: EmptyPage,
): Promise<boolean> {
  if (!askedLibraryRow(platform).refusesWithEmptyAnswers) return true
  if (cursor !== null) return false
  const source = librarySource(platform)
  const name = search.term ?? search.advertiserIds[0] ?? ''
  const [health, isKnown, hasAds, answers] = await Promise.all([
    healthOfSources(db, [source]),
    searchHadAds(db, searchKey(platform, search, askedOn), fetchedAt),
    hasAdsOf(db, platform, name),
    answeredWithAds(db, source, new Date(fetchedAt.getTime() - hourMs), fetchedAt),
  ])
  const fails = health.some(({ failingSince }) => failingSince !== null)
  return !fails && !isKnown && !hasAds && answers
}

/** The note on a page that tells nothing. */
export const notMeasured = (platform: AskedPlatform, at: Date): RunNote => ({
  code: 'suspect-empty',
  message: `The ${askedLibraryRow(platform).library} answered without ads, as it also does to whoever asks too often. Whether there are ads is not measured.`,
  since: at.toISOString(),
})
