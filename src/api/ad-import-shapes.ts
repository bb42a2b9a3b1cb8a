import type { z } from 'zod'
import type { AdImportPreview, AdImportRun, PreviewedAd } from '../contract/shapes/ad-imports.ts'
import type { AdCoverage } from '../contract/shapes/paid-ads.ts'
import { heldUntil } from '../domain/collecting/rate-limiter.ts'
import { type ImportRun, maxRejectionsStored, type RunNote } from '../domain/paid-ads/imports/import-run.ts'
import type { ListedRun } from '../domain/paid-ads/imports/run-queries.ts'
import { type AdQuery, filtersNotSupported } from '../domain/paid-ads/search-plan.ts'
import { isUnderWay } from '../domain/work/work.ts'
import type { PreviewedImport } from '../jobs/ad-imports/preview.ts'
import type { ComparedAd } from '../jobs/ad-imports/read-records.ts'
import { countByComparison } from '../jobs/ad-imports/read-records.ts'
import type { CollectingClients } from '../jobs/collecting/collecting.ts'
import type { Database } from '../storage/database.ts'
import { type AdPlatform, askedPlatform, librarySource } from '../vocabulary/ad-platforms.ts'
import { adCoverageOf } from './ad-coverage.ts'
import { workStatus } from './work-status.ts'

type Query = z.output<typeof AdImportRun>['query']

const origins = (query: AdQuery | null) => ({
  origin: query ? ('library' as const) : ('records' as const),
  query: query as Query,
})

/** The newest runs of an account, newest first, for the page of them. */
export type ListRuns = (accountId: string) => Promise<ListedRun[]>

/** A run in the form of the contract. */
export async function importRunShape(
  db: Database,
  collecting: Pick<CollectingClients, 'sources' | 'adLibraries'>,
  { state, work }: ImportRun,
): Promise<z.output<typeof AdImportRun>> {
  const { runId, platform, query, read, stored, updated, unchanged, rejected } = state
  const underWay = isUnderWay(work.status)
  const held =
    query && underWay
      ? await heldUntil(db, collecting.sources[librarySource(askedPlatform(platform))].pace)
      : undefined
  const position =
    state.endedAtPosition ??
    (held ? 'throttled' : !underWay ? 'failed' : state.requests === 0 ? 'not-started' : 'reading')
  return {
    runId,
    platform,
    ...origins(query),
    ...workStatus(work),
    counts: { read, stored, updated, unchanged, rejected },
    rejections: state.rejections,
    upstream: query && {
      requests: state.requests,
      pages: state.pages,
      position,
      resumesAt: position === 'throttled' ? (held?.toISOString() ?? null) : null,
      resumable: position === 'failed' && state.pages > 0,
    },
    coverage: await importCoverage(db, collecting, platform, query, state.notes),
    ...(state.withdrawnAt ? { withdrawnAt: state.withdrawnAt.toISOString() } : {}),
  }
}

/** The result of a preview, without its token. */
export async function previewShape(
  db: Database,
  collecting: Pick<CollectingClients, 'adLibraries'>,
  { platform, query }: { platform: AdPlatform; query: AdQuery | null },
  preview: PreviewedImport,
): Promise<Omit<z.output<typeof AdImportPreview>, 'previewToken' | 'expiresAt'>> {
  const { matching, requests, requestsUsed, compared, rejections, read, notes } = preview
  return {
    platform,
    ...origins(query),
    matching,
    examined: { ads: read, ...countByComparison(compared), rejected: rejections.length },
    rejections: rejections.slice(0, maxRejectionsStored),
    sample: compared.slice(0, 10).map(sampleShape),
    requestsUsed,
    requestsNeeded: requests,
    coverage: await importCoverage(db, collecting, platform, query, notes),
  }
}

/** Maximum characters of title and body in a sample. */
const longestText = 300

function sampleShape({ ad, standing, changes }: ComparedAd): z.output<typeof PreviewedAd> {
  const texts = ad.creatives[0] ? [ad.creatives[0].title, ad.creatives[0].body] : []
  const text = texts.filter((part) => part).join(' ')
  return {
    archiveId: ad.archiveId,
    advertiserId: ad.advertiserId,
    advertiserName: ad.stated.advertiserName ?? null,
    text: text === '' ? null : [...text].slice(0, longestText).join(''),
    deliveryStartedOn: ad.stated.startedOn ?? null,
    standing,
    changes,
  }
}

/** Coverage of an import: fields the library cannot show, and filters of this query it does not support. */
async function importCoverage(
  db: Database,
  libraries: Pick<CollectingClients, 'adLibraries'>,
  platform: AdPlatform,
  query: AdQuery | null,
  notes: readonly RunNote[],
): Promise<z.output<typeof AdCoverage>> {
  const [coverage] = await adCoverageOf(db, libraries, [platform])
  if (!coverage) throw new Error(`The platform ${platform} has no coverage.`)
  const ignored = query ? filtersNotSupported(askedPlatform(platform), query) : []
  const unfiltered =
    ignored.length === 0
      ? []
      : [
          {
            code: 'filter-not-supported' as const,
            message: `The library has no filter for ${ignored.join(', ')}: ads of every kind are read.`,
            since: null,
          },
        ]
  return { ...coverage, notes: [...coverage.notes, ...unfiltered, ...notes] }
}
