import type { z } from 'zod'
import type { AdCoverage, CoverageNote } from '../contract/shapes/paid-ads.ts'
import { type FailingSource, failingSources, newestOfPlatforms } from '../domain/paid-ads/coverage-queries.ts'
import type { Collecting } from '../jobs/collecting/collecting.ts'
import type { Database } from '../storage/database.ts'
import {
  type AdPlatform,
  adLibraryRow,
  askedLibraryRow,
  isAsked,
  librarySource,
} from '../vocabulary/ad-platforms.ts'
import { surfaces } from '../vocabulary/provenance.ts'

type Note = z.output<typeof CoverageNote>

/**
 * Describes what the stored ads of platforms can and cannot show, in the given order.
 * @param adLibraries libraries that this installation can query
 */
export async function coverageOf(
  db: Database,
  { adLibraries }: Pick<Collecting, 'adLibraries'>,
  platforms: readonly AdPlatform[],
): Promise<z.output<typeof AdCoverage>[]> {
  const [newest, failing] = await Promise.all([
    newestOfPlatforms(db, platforms),
    failingSources(db, platforms.filter(isAsked).map(librarySource)),
  ])
  return newest.map(({ platform, newestObservationAt }) => {
    const notes: Note[] = adLibraryRow(platform).gaps.map((gap) => ({ ...gap, since: null }))
    const failure = isAsked(platform) && failing.find(({ source }) => source === librarySource(platform))
    if (newestObservationAt === null && !failure)
      notes.push({
        code: 'never-collected',
        message: 'No ad of this platform was read from its library or a file yet.',
        since: null,
      })
    if (!adLibraries[platform]) {
      const why = isAsked(platform) ? `${askedLibraryRow(platform).variables[0]} is not set` : 'it cannot be'
      notes.push({
        code: 'source-not-configured',
        message: `The library is not asked: ${why}. What is stored was imported.`,
        since: null,
      })
    }
    if (failure) notes.push(failureNote(failure))
    return { platform, newestObservationAt: newestObservationAt?.toISOString() ?? null, notes }
  })
}

function failureNote({ source, throttled, since, message }: FailingSource): Note {
  return {
    code: throttled ? 'source-throttled' : 'source-failing',
    message: `${surfaces[source]} ${throttled ? 'throttles us' : 'fails'}: ${message}`,
    since: since.toISOString(),
  }
}
