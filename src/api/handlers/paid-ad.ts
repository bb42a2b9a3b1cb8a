import type { Input, Reply } from '../../contract/operation.ts'
import type { paidAds as contract } from '../../contract/paid-ads.ts'
import { numberOf } from '../../domain/creatives/kind.ts'
import { adKind, type NamedAd } from '../../domain/paid-ads/ad.ts'
import type { Collecting } from '../../jobs/collecting/collecting.ts'
import type { Database } from '../../storage/database.ts'
import { analysisShape, transcriptShape } from '../ad-analysis-shapes.ts'
import { coverageOf } from '../ad-coverage.ts'
import { adShapes } from '../ad-shapes.ts'
import { Problem } from '../problem.ts'

type C = typeof contract

/** Observations shown of one ad. */
const shownObservations = 500

/** One ad with all its stored data. */
export async function getPaidAd(
  db: Database,
  libraries: Pick<Collecting, 'adLibraries'>,
  accountId: string,
  { platform, archiveId }: Input<C['get_paid_ad']>,
): Promise<Reply<C['get_paid_ad']>> {
  const adNumber = await numberOf(db, adKind, { platform, archiveId })
  const [ad] = await adShapes(db, accountId, adNumber ? [adNumber] : [], shownObservations)
  if (!ad) throw adNotFound({ platform, archiveId })
  const [transcript, analysis, [coverage]] = await Promise.all([
    transcriptShape(db, platform, archiveId),
    analysisShape(db, accountId, platform, archiveId),
    coverageOf(db, libraries, [platform]),
  ])
  if (!coverage) throw new Error(`Nothing is known about the coverage of ${platform}.`)
  return { ...ad, transcript, analysis, coverage }
}

export const adNotFound = ({ platform, archiveId }: NamedAd): Problem =>
  new Problem('paid-ad-not-found', `No ad ${archiveId} of ${platform} is stored.`)
