import { adToAnalyse } from '../../domain/ad-analysis/ad-to-analyse.ts'
import type { Passage } from '../../domain/ad-analysis/ad-words.ts'
import { analyseLocally, passagesOfAd } from '../../domain/ad-analysis/analyse.ts'
import type { Analysis } from '../../domain/ad-analysis/analysis.ts'
import { type AnalysisInput, adAnalysis, adOfSubject } from '../../domain/ad-analysis/ask.ts'
import {
  chargeModelTokens,
  correctChargedTokens,
  verifiedModelAnswer,
} from '../../domain/ad-analysis/model-analysis.ts'
import { storeAnalysis, storedTranscript } from '../../domain/ad-analysis/queries.ts'
import { countChange } from '../../domain/evidence/changes.ts'
import type { PerformWork, WorkSuccess } from '../../domain/work/work.ts'
import type { LanguageModel, ReserveTokens } from '../../sources/openai/model.ts'
import { ServiceFailure } from '../../sources/openai/service.ts'
import type { Database } from '../../storage/database.ts'
import { measureMedium } from '../ad-analysis/archived-copy.ts'
import { queues, workJobKind } from '../job-kind.ts'
import type { MediaArchive } from '../media/media-archive.ts'
import { FinalFailure } from '../work-tasks.ts'

export const adAnalysisJob = workJobKind({
  work: adAnalysis,
  does: 'measures and reads an ad, and has a language model read it where one is configured',
  queue: queues.work,
  atATime: 2,
  addDue: null,
  perform: ({ db, archive, analysers }) => performAnalysis(db, archive, analysers.model),
})

/** The daily budget of the model is spent. */
class LimitReached extends Error {}

/**
 * Analyses an ad with the local analyser, and then with a language model where one is configured. When the model fails, the
 * local analysis is kept and the work ends as `partial`.
 */
export function performAnalysis(
  db: Database,
  archive: Pick<MediaArchive, 'store'>,
  model: LanguageModel | undefined,
): PerformWork<AnalysisInput> {
  return async ({ workId, subject, input }, report, signal) => {
    const ad = await adToAnalyse(db, adOfSubject(subject))
    if (!ad) throw new FinalFailure('paid-ad-not-found', 'The ad is no longer stored.')
    await report({ done: 0, total: 1 })
    const stored = await storedTranscript(db, ad)
    const transcript = stored && { ...stored, id: `${subject}/transcript` }
    const seen = await measureMedium(db, archive, ad, input.accountId, signal)
    const local = await analyseLocally({ ad, transcript, seen, id: workId, madeAt: new Date() })
    const { analysis, error } = model
      ? await readByModel(db, model, passagesOfAd({ ad, transcript }), local, signal)
      : { analysis: local }
    await storeAnalysis(db, ad, analysis, new Date(local.evidence[0]?.observedAt ?? Date.now()))
    await countChange(db, ['ads'])
    await report({ done: 1, total: 1 })
    const result = { readingBy: analysis.readingBy.name }
    return error ? { status: 'partial', result, error } : { status: 'succeeded', result }
  }
}

async function readByModel(
  db: Database,
  model: LanguageModel,
  passages: readonly Passage[],
  local: Analysis,
  signal: AbortSignal,
): Promise<{ analysis: Analysis; error?: NonNullable<WorkSuccess['error']> }> {
  const { name, model: version } = model
  if (passages.length === 0) return { analysis: local }
  const left = (code: string, message: string) => ({
    analysis: local,
    error: { code, message: `${message} The reading is the local one; a reading by ${name} is not available.` },
  })
  try {
    const shown = passages.map(({ foundIn, text }) => ({ foundIn, text }))
    const answer = await model.read(shown, chargingOn(db, model), signal)
    const reading = verifiedModelAnswer(answer, passages, local.reading)
    if (!reading) return left('quotes-not-in-ad', `Nothing ${name} quotes stands in the ad.`)
    return { analysis: { ...local, readingBy: { name, version }, reading } }
  } catch (error) {
    if (error instanceof LimitReached) return left('limit-reached', error.message)
    if (error instanceof ServiceFailure) return left(`model-${error.kind}`, error.message)
    throw error
  }
}

/** Enforces the daily limit, for all processes together. */
function chargingOn(db: Database, { name, dailyLimit }: LanguageModel): ReserveTokens {
  return async (tokens) => {
    const day = new Date().toISOString().slice(0, 10)
    if (!(await chargeModelTokens(db, day, tokens, dailyLimit)))
      throw new LimitReached(`What ${name} may be asked in a day is used up until midnight UTC.`)
    return (took) => correctChargedTokens(db, day, took - tokens)
  }
}
