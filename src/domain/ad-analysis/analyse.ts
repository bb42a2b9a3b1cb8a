import { languageOf } from '../../text/language.ts'
import { evidenceList, evidenceIndexOf as placeIn } from '../evidence/reading.ts'
import { type AdToAnalyse, analysisBasisOf } from './ad-to-analyse.ts'
import { type Passage, type WrittenWords, wordsOfAd } from './ad-words.ts'
import {
  type Analysis,
  type AnalysisBasis,
  type AnalysisReading,
  localAnalyser,
  type Transcript,
} from './analysis.ts'
import {
  languageOfPassages,
  type MeasuredMedium,
  mediaFacts,
  textFacts,
  type WhyMediumNotMeasured,
  writtenPassages,
} from './local-facts.ts'

/** The inputs of an analysis. */
export interface AnalysedAd {
  ad: AdToAnalyse
  /** The newest transcript, if any; `id` identifies it in the evidence. */
  transcript: { result: Transcript; madeAt: Date; id: string } | undefined
  /** The measurements of the main medium, or why there are none. */
  seen: MeasuredMedium | WhyMediumNotMeasured
  /** Identifies the analysis in its evidence. */
  id: string
  madeAt: Date
}

/** All readable texts of an ad, each once, and its transcript. */
export function passagesOfAd({ ad, transcript }: Pick<AnalysedAd, 'ad' | 'transcript'>): Passage[] {
  const spoken = transcript?.result.outcome === 'available' ? transcript.result.segments : []
  return wordsOfAd(
    ad.creatives.map(({ facts }) => facts),
    spoken,
  )
}

/** Analyses an ad locally, without external services. */
export async function analyseLocally({ ad, transcript, seen, id, madeAt }: AnalysedAd): Promise<Analysis> {
  const heard = transcript && {
    result: transcript.result,
    basis: derived('transcript', transcript.id, transcript.madeAt),
  }
  const stated = ad.evidence.filter(({ fields }) => fields.includes('format')).map(analysisBasisOf)
  const evidence = [
    derived('analysis', id, madeAt),
    ...evidenceList([...(heard ? [heard.basis] : []), ...ad.creatives.map(({ basis }) => basis), ...stated]),
  ]
  const placeOf = (basis: AnalysisBasis) => placeIn(evidence, basis, basis.observedAt)
  const passages = passagesOfAd({ ad, transcript })
  const written = writtenPassages(passages)
  const language = await languageOfPassages(written)
  return {
    factsBy: localAnalyser,
    facts: { ...mediaFacts(ad, seen, 0, placeOf), ...textFacts(ad, passages, heard, language, 0, placeOf) },
    readingBy: localAnalyser,
    reading: await readTextsLocally({
      creatives: ad.creatives.map(({ facts }) => facts),
      transcript: heard?.result,
    }),
    evidence,
  }
}

/** The readable parts of an ad. */
interface Readable {
  /** Current creatives in their order. */
  creatives: readonly WrittenWords[]
  transcript?: Transcript | undefined
}

/** Reads texts by the tables of phrases, each in its own language; a short one in the language of all together. */
export async function readTextsLocally({ creatives, transcript }: Readable): Promise<AnalysisReading> {
  const heard = transcript?.outcome === 'available' ? transcript : undefined
  const passages = wordsOfAd(creatives, heard?.segments ?? [])
  const language = await languageOfPassages(writtenPassages(passages))
  const ofText = async ({ foundIn, text }: Passage) =>
    (foundIn === 'transcript' ? heard?.language : null) ?? (await languageOf(text)) ?? language
  // Loaded with the first ad: its patterns take as long as the rest of the service's own code.
  const { analyseText } = await import('./local-analysis.ts')
  return analyseText({
    passages: await Promise.all(
      passages.map(async (passage) => ({ ...passage, language: await ofText(passage) })),
    ),
    buttonCode: creatives.find(({ callToAction }) => callToAction)?.callToAction ?? null,
  })
}

const derived = (of: 'analysis' | 'transcript', readingId: string, at: Date): AnalysisBasis => ({
  of,
  readingId,
  source: 'derived',
  origin: 'collected',
  timeBasis: 'clock',
  observedAt: at.toISOString(),
})
