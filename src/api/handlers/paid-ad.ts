import type { z } from 'zod'
import type { Input, Reply } from '../../contract/operation.ts'
import type { paidAdOperations as contract } from '../../contract/paid-ads.ts'
import type { AdAnalysis, AdTranscript } from '../../contract/shapes/ad-analysis.ts'
import type { AnalysisBasis } from '../../domain/ad-analysis/analysis.ts'
import {
  adAnalysis,
  adTranscript,
  analysisSubject,
  askForAnalysis,
  askForTranscript,
} from '../../domain/ad-analysis/ask.ts'
import { storedAnalysis, storedTranscript } from '../../domain/ad-analysis/queries.ts'
import { creativeNumberOf } from '../../domain/creatives/kind.ts'
import { unsaveCreative } from '../../domain/creatives/saving.ts'
import { accountsThatProvided } from '../../domain/evidence/queries.ts'
import { saveWithMedia } from '../../domain/media/archive-media.ts'
import { adKind, type NamedAd } from '../../domain/paid-ads/ad.ts'
import type { Enqueue } from '../../domain/work/ask-for-work.ts'
import { newestWorks } from '../../domain/work/queries.ts'
import type { Work } from '../../domain/work/work.ts'
import { readableInputOf } from '../../domain/work/work.ts'
import type { CollectingClients } from '../../jobs/collecting/collecting.ts'
import type { Database } from '../../storage/database.ts'
import { adCoverageOf } from '../ad-coverage.ts'
import { adShapes } from '../ad-shapes.ts'
import { evidenceOf } from '../evidence.ts'
import { Problem } from '../problem.ts'
import { workStatus } from '../work-status.ts'

type C = typeof contract

/** Observations shown of one ad. */
const shownObservations = 500

/** One ad with all its stored data. */
export async function getPaidAd(
  db: Database,
  libraries: Pick<CollectingClients, 'adLibraries'>,
  accountId: string,
  { platform, archiveId }: Input<C['get_paid_ad']>,
): Promise<Reply<C['get_paid_ad']>> {
  const adNumber = await creativeNumberOf(db, adKind, { platform, archiveId })
  const [ad] = await adShapes(db, accountId, adNumber ? [adNumber] : [], shownObservations)
  if (!ad) throw adNotFound({ platform, archiveId })
  const [made, [coverage]] = await Promise.all([
    transcriptAndAnalysis(db, accountId, { platform, archiveId }),
    adCoverageOf(db, libraries, [platform]),
  ])
  if (!coverage) throw new Error(`Nothing is known about the coverage of ${platform}.`)
  return { ...ad, ...made, coverage }
}

export const adNotFound = ({ platform, archiveId }: NamedAd): Problem =>
  new Problem('paid-ad-not-found', `No ad ${archiveId} of ${platform} is stored.`)

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
  if ((await creativeNumberOf(db, adKind, ad)) === undefined) throw adNotFound(ad)
}

export async function savePaidAd(
  db: Database,
  enqueue: Enqueue,
  accountId: string,
  { platform, archiveId, note, tags }: Input<C['save_paid_ad']>,
): Promise<Reply<C['save_paid_ad']>> {
  const name = { platform, archiveId }
  const show = (on: Database, number: string) => adShapes(on, accountId, [number])
  const saved = await saveWithMedia(db, enqueue, adKind, accountId, name, { note, tags }, show)
  const ad = saved?.shown[0]
  // A replay or a removal may happen between saving and loading.
  if (!saved || !ad?.saved) throw adNotFound(name)
  return { created: saved.created, resource: { ...ad.saved, ad } }
}

export async function removeSavedPaidAd(
  db: Database,
  accountId: string,
  { platform, archiveId }: Input<C['remove_saved_paid_ad']>,
): Promise<undefined> {
  if (!(await unsaveCreative(db, adKind, accountId, { platform, archiveId })))
    throw adNotFound({ platform, archiveId })
}

type TranscriptShape = z.output<typeof AdTranscript>
type AnalysisShape = z.output<typeof AdAnalysis>

/** The transcript and the analysis of an ad with the states of their work; null what was never requested. */
async function transcriptAndAnalysis(
  db: Database,
  accountId: string,
  ad: NamedAd,
): Promise<{ transcript: TranscriptShape | null; analysis: AnalysisShape | null }> {
  const works = await newestWorks(db, [adTranscript.name, adAnalysis.name], [analysisSubject(ad)])
  const [toRead, toAnalyse] = [adTranscript, adAnalysis].map(({ name }) =>
    works.find(({ kind }) => kind === name),
  )
  const [transcript, analysis] = await Promise.all([
    toRead ? transcriptShapeOf(db, ad, toRead) : null,
    toAnalyse ? analysisShapeOf(db, accountId, ad, toAnalyse) : null,
  ])
  return { transcript, analysis }
}

/** A transcript with the state of its work. The result is read after the work, so that work reported as ended has its result. */
async function transcriptShapeOf(
  db: Database,
  ad: { platform: string; archiveId: string },
  work: Work,
): Promise<TranscriptShape> {
  const stored = await storedTranscript(db, ad)
  return {
    ...workStatus(work),
    languageHint: readableInputOf(adTranscript, work)?.language ?? null,
    result: stored ? { ...stored.result, madeAt: stored.madeAt.toISOString() } : null,
  }
}

/** An analysis with the state of its work. @param accountId who sees the reply */
async function analysisShapeOf(
  db: Database,
  accountId: string,
  ad: { platform: string; archiveId: string },
  work: Work,
): Promise<AnalysisShape> {
  const stored = await storedAnalysis(db, ad)
  if (!stored) return { ...workStatus(work), result: null }
  const { result, madeAt } = stored
  const brought = await accountsThatProvided(
    db,
    result.evidence.flatMap(({ of, readingId }) => (of === 'ad' ? [readingId] : [])),
  )
  const evidence = result.evidence.map((basis) =>
    basisShape({ ...basis, broughtBy: brought.get(basis.readingId) ?? null }, accountId),
  )
  return { ...workStatus(work), result: { madeAt: madeAt.toISOString(), ...result, evidence } }
}

const derivedSurfaces = { analysis: 'Local analyser', transcript: 'Transcript' } as const

function basisShape({ of, ...reading }: AnalysisBasis, accountId: string) {
  const shape = evidenceOf(reading, reading.observedAt, null, accountId)
  return of === 'ad' ? shape : { ...shape, surface: derivedSurfaces[of] }
}
