import type { z } from 'zod'
import type { AdCoverage, CoverageNote } from '../contract/shapes/paid-ads.ts'
import {
  askedApps,
  healthOfSources,
  newestObservationOfPlatforms,
  type SourceHealth,
} from '../domain/paid-ads/coverage-queries.ts'
import { appSearchKeys } from '../domain/paid-ads/search-plan.ts'
import type { CollectingClients } from '../jobs/collecting/collecting.ts'
import type { Database } from '../storage/database.ts'
import { withPreparedStatements } from '../storage/prepared.ts'
import {
  type AdPlatform,
  adLibraryRow,
  askedLibraryRow,
  isAsked,
  librarySource,
  searchSubjectsOf,
} from '../vocabulary/ad-platforms.ts'
import { surfaces } from '../vocabulary/provenance.ts'

type Note = z.output<typeof CoverageNote>

/**
 * Describes what the stored ads of platforms can and cannot show, in the given order.
 * @param adLibraries libraries that this installation can query
 * @param apps of which libraries that know apps say whether they were asked about them
 */
export async function adCoverageOf(
  db: Database,
  { adLibraries }: Pick<CollectingClients, 'adLibraries'>,
  platforms: readonly AdPlatform[],
  apps: readonly string[] = [],
): Promise<z.output<typeof AdCoverage>[]> {
  const sources = platforms.filter(isAsked).map(librarySource)
  const prepared = withPreparedStatements(db)
  const [newest, health, asked] = await Promise.all([
    newestObservationOfPlatforms(prepared, platforms),
    healthOfSources(prepared, sources),
    appNotes(db, platforms, apps),
  ])
  return newest.map(({ platform, newestObservationAt }) => {
    const notes: Note[] = adLibraryRow(platform).gaps.map((gap) => ({ ...gap, since: null }))
    const source = isAsked(platform) ? librarySource(platform) : undefined
    const found = health.filter((one) => one.source === source)
    const failures = found.flatMap(failureNotes)
    if (newestObservationAt === null && failures.length === 0)
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
    notes.push(...failures, ...found.flatMap(differenceNotes), ...(asked.get(platform) ?? []))
    return { platform, newestObservationAt: newestObservationAt?.toISOString() ?? null, notes }
  })
}

/** For libraries that can be asked for apps: which of these they showed no ad of, and which nobody asked about. */
async function appNotes(
  db: Database,
  platforms: readonly AdPlatform[],
  apps: readonly string[],
): Promise<Map<AdPlatform, Note[]>> {
  const notes = new Map<AdPlatform, Note[]>()
  const named = apps.slice(0, appsLookedAt)
  for (const platform of platforms.filter(isAsked)) {
    if (!searchSubjectsOf(platform).includes('apps') || named.length === 0) continue
    const now = new Date()
    const keys = new Map(named.map((storeId) => [storeId, appSearchKeys(platform, storeId, now)]))
    const asked = await askedApps(db, keys)
    const absent = asked.filter(({ ads }) => ads === 0)
    const never = named.filter((storeId) => !asked.some((one) => one.storeId === storeId))
    const { library, countries } = askedLibraryRow(platform)
    notes.set(platform, [
      ...absent.map(({ storeId, askedAt }) => ({
        code: 'absent' as const,
        message: `The ${library} showed no ad of ${storeId} in any of its ${countries?.codes.length} countries: absent to this coverage, which is no proof that nothing was advertised.`,
        since: askedAt.toISOString(),
      })),
      ...(never.length > 0
        ? [
            {
              code: 'never-collected' as const,
              message: `Nobody has asked the ${library} for ads of ${never.join(', ')} in all its countries yet.`,
              since: null,
            },
          ]
        : []),
    ])
  }
  return notes
}

/** Each takes a look at the newest answers to its searches. */
const appsLookedAt = 20

const differenceNotes = ({ source, differsSince, differences }: SourceHealth): Note[] =>
  differsSince === null
    ? []
    : [
        {
          code: 'form-changed',
          message: `Answers of ${surfaces[source]} differ from the form known here (${differences}). What is known of it is read as before; nothing is guessed.`,
          since: differsSince.toISOString(),
        },
      ]

const failureNotes = ({ source, failingSince, throttled, message }: SourceHealth): Note[] =>
  failingSince === null
    ? []
    : [
        {
          code: throttled ? 'source-throttled' : 'source-failing',
          message: `${surfaces[source]} ${throttled ? 'throttles us' : 'fails'}: ${message}`,
          since: failingSince.toISOString(),
        },
      ]
