import type { z } from 'zod'
import type { AdAnalysis, AdTranscript } from '../contract/shapes/ad-analysis.ts'
import type { AnalysisGround } from '../domain/ad-analysis/analysis.ts'
import { adAnalysis, adTranscript, analysisSubject } from '../domain/ad-analysis/ask.ts'
import { storedAnalysis, storedTranscript } from '../domain/ad-analysis/queries.ts'
import { whoBrought } from '../domain/evidence/queries.ts'
import { newestWork } from '../domain/work/queries.ts'
import { knownInputOf, type Work } from '../domain/work/work.ts'
import type { Database } from '../storage/database.ts'
import { evidenceOf } from './evidence.ts'
import { workStatus } from './work-status.ts'

type TranscriptShape = z.output<typeof AdTranscript>
type AnalysisShape = z.output<typeof AdAnalysis>

/** The transcript of an ad with the state of its work; null when it was never requested. */
export async function transcriptShape(
  db: Database,
  platform: string,
  archiveId: string,
): Promise<TranscriptShape | null> {
  const work = await newestWork(db, adTranscript.name, analysisSubject({ platform, archiveId }))
  return work ? transcriptShapeOf(db, { platform, archiveId }, work) : null
}

/** Like `transcriptShape`, for loaded work. The result is read after the work, so that work reported as ended has its result. */
export async function transcriptShapeOf(
  db: Database,
  ad: { platform: string; archiveId: string },
  work: Work,
): Promise<TranscriptShape> {
  const stored = await storedTranscript(db, ad)
  return {
    ...workStatus(work),
    languageHint: knownInputOf(adTranscript, work)?.language ?? null,
    result: stored ? { ...stored.result, madeAt: stored.madeAt.toISOString() } : null,
  }
}

/** The analysis of an ad with the state of its work; null when it was never requested. */
export async function analysisShape(
  db: Database,
  accountId: string,
  platform: string,
  archiveId: string,
): Promise<AnalysisShape | null> {
  const work = await newestWork(db, adAnalysis.name, analysisSubject({ platform, archiveId }))
  return work ? analysisShapeOf(db, accountId, { platform, archiveId }, work) : null
}

/** The same as `analysisShape`, for loaded work. @param accountId who sees the reply */
export async function analysisShapeOf(
  db: Database,
  accountId: string,
  ad: { platform: string; archiveId: string },
  work: Work,
): Promise<AnalysisShape> {
  const stored = await storedAnalysis(db, ad)
  if (!stored) return { ...workStatus(work), result: null }
  const { result, madeAt } = stored
  const brought = await whoBrought(
    db,
    result.evidence.flatMap(({ of, readingId }) => (of === 'ad' ? [readingId] : [])),
  )
  const evidence = result.evidence.map((ground) =>
    groundShape({ ...ground, broughtBy: brought.get(ground.readingId) ?? null }, accountId),
  )
  return { ...workStatus(work), result: { madeAt: madeAt.toISOString(), ...result, evidence } }
}

const derivedSurfaces = { analysis: 'Local analyser', transcript: 'Transcript' } as const

function groundShape({ of, ...reading }: AnalysisGround, accountId: string) {
  const shape = evidenceOf(reading, reading.observedAt, null, accountId)
  return of === 'ad' ? shape : { ...shape, surface: derivedSurfaces[of] }
}
