import type { z } from 'zod'
import type { AdCoverage, CoverageNote } from '../contract/shapes/paid-ads.ts'
import {
  type FailingSource,
  failingSources,
  librarySources,
  newestOfPlatforms,
} from '../domain/paid-ads/coverage-queries.ts'
import type { Collecting } from '../jobs/collecting/collecting.ts'
import type { Database } from '../storage/database.ts'
import type { AdPlatform } from '../vocabulary/ad-platforms.ts'
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
    failingSources(
      db,
      platforms.map((platform) => librarySources[platform]),
    ),
  ])
  return newest.map(({ platform, newestObservationAt }) => {
    const { lasting, setting } = libraries[platform]
    const source = librarySources[platform]
    const notes = [...lasting]
    const failure = failing.find((one) => one.source === source)
    if (newestObservationAt === null && !failure)
      notes.push({
        code: 'never-collected',
        message: 'No ad of this platform was read from its library or a file yet.',
        since: null,
      })
    if (!adLibraries[platform])
      notes.push({
        code: 'source-not-configured',
        message: `The library is not asked: ${setting} is not set. What is stored was imported.`,
        since: null,
      })
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

const lasting = (code: Note['code'], message: string): Note => ({ code, message, since: null })

/** Fields that each library never shows. Source: the libraries' own documentation as of 2026. */
const libraries = {
  meta: {
    setting: 'RIVALSCOPE_META_TOKEN',
    lasting: [
      lasting(
        'region-limited',
        'Outside the EU and the United Kingdom the Meta Ad Library API shows only ads about social issues, elections or politics.',
      ),
      lasting(
        'date-window',
        'Other ads leave the Meta Ad Library a year after they were last shown; political ones after seven.',
      ),
      lasting(
        'field-not-carried',
        'The Meta Ad Library API carries no media, buttons or landing pages; saved answers of its web page do.',
      ),
    ],
  },
  tiktok: {
    setting: 'RIVALSCOPE_TIKTOK_CLIENT_KEY',
    lasting: [
      lasting(
        'region-limited',
        'The TikTok commercial content library shows only ads delivered in the EU, Iceland, Liechtenstein, Norway, Switzerland and the United Kingdom.',
      ),
      lasting('date-window', 'It begins with ads of October 2022 and ends with those of yesterday.'),
      lasting('field-not-carried', 'It carries no texts, buttons or landing pages.'),
    ],
  },
} as const
