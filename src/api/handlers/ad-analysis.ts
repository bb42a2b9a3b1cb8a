import type { Input, Reply } from '../../contract/operation.ts'
import type { paidAds as contract } from '../../contract/paid-ads.ts'
import { askForAnalysis, askForTranscript } from '../../domain/ad-analysis/ask.ts'
import { numberOf } from '../../domain/creatives/kind.ts'
import { adKind, type NamedAd } from '../../domain/paid-ads/ad.ts'
import type { Enqueue } from '../../domain/work/ask-for-work.ts'
import type { Database } from '../../storage/database.ts'
import { analysisShapeOf, transcriptShapeOf } from '../ad-analysis-shapes.ts'
import { adNotFound } from './paid-ad.ts'

type C = typeof contract

export async function generateTranscript(
  db: Database,
  enqueue: Enqueue,
  { platform, archiveId, language, force }: Input<C['generate_paid_ad_transcript']>,
): Promise<Reply<C['generate_paid_ad_transcript']>> {
  const ad = { platform, archiveId }
  await expectStored(db, ad)
  const work = await askForTranscript(db, enqueue, ad, { language: language ?? null }, force)
  return transcriptShapeOf(db, ad, work)
}

export async function analyzeCreative(
  db: Database,
  enqueue: Enqueue,
  accountId: string,
  { platform, archiveId, force }: Input<C['analyze_paid_ad_creative']>,
): Promise<Reply<C['analyze_paid_ad_creative']>> {
  const ad = { platform, archiveId }
  await expectStored(db, ad)
  return analysisShapeOf(db, accountId, ad, await askForAnalysis(db, enqueue, accountId, ad, force))
}

async function expectStored(db: Database, ad: NamedAd): Promise<void> {
  if ((await numberOf(db, adKind, ad)) === undefined) throw adNotFound(ad)
}
