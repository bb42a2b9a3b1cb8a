import { languageOf } from '../../text/language.ts'
import { countQuestions, emojiOf, readingGrade, sentencesOf, wordsOf } from '../../text/text-facts.ts'
import { factOf, notMeasured } from '../facts/fact.ts'
import type { AdToAnalyse, CurrentCreative } from './ad-to-analyse.ts'
import { mediaOfAd } from './ad-to-analyse.ts'
import type { Passage } from './ad-words.ts'
import type { AnalysisBasis, AnalysisFacts, Fact, NoTranscript, Transcript } from './analysis.ts'
import { aspectRatio } from './media-facts.ts'

/** Measurements of the main medium of an ad: its first video, else its first picture. */
export interface MeasuredMedium {
  /** Seconds; undefined for a picture, or where the file does not say. */
  durationSeconds?: number
  /** Pixels. */
  width: number
  height: number
  /** As `AnalysisFacts.colours`. */
  colours: string[]
  /** Undefined for a picture. */
  scenes?: number
}

/** Why the main medium was not measured. */
export type WhyMediumNotMeasured = 'never-collected' | 'not-configured' | 'source-failed'

/** The index of a source in the evidence of the analysis. */
export type EvidenceIndexOf = (basis: AnalysisBasis) => number

/** The title, body and description of an ad, each different text once. */
export const writtenPassages = (passages: readonly Passage[]): Passage[] =>
  passages.filter(({ foundIn }) => foundIn !== 'transcript' && foundIn !== 'call-to-action')

/** The language of a text; undefined when it is too short or unclear. */
export const languageOfPassages = (passages: readonly Passage[]): Promise<string | undefined> =>
  languageOf(passages.map(({ text }) => text).join('\n'))

type MediaFacts = Pick<
  AnalysisFacts,
  'format' | 'durationSeconds' | 'width' | 'height' | 'aspectRatio' | 'colours' | 'sceneCount'
>

/** Facts from the media of an ad; where no copy was measured, those stated by its source. */
export function mediaFacts(
  ad: AdToAnalyse,
  seen: MeasuredMedium | WhyMediumNotMeasured,
  own: number,
  placeOf: EvidenceIndexOf,
): MediaFacts {
  const format = formatOf(ad, placeOf)
  const media = mediaOfAd(ad)
  if (media === undefined) return { format, ...noMedia(notMeasured('not-carried')) }
  if (media.length === 0) return { format, ...noMedia(factOf(null, own)) }
  const main = media.find(({ kind }) => kind === 'video') ?? media[0]
  const isVideo = main?.kind === 'video'
  const still = factOf(null, own)
  if (typeof seen === 'object') {
    const { width, height, durationSeconds, colours, scenes } = seen
    const hasSize = width > 0 && height > 0
    const unseen = notMeasured('source-failed')
    return {
      format,
      durationSeconds: !isVideo ? still : durationSeconds ? factOf(hundredths(durationSeconds), own) : unseen,
      width: hasSize ? factOf(width, own) : unseen,
      height: hasSize ? factOf(height, own) : unseen,
      aspectRatio: hasSize ? factOf(aspectRatio(width, height), own) : unseen,
      colours: colours.length > 0 ? factOf(colours, own) : unseen,
      sceneCount: !isVideo ? still : scenes === undefined ? unseen : factOf(scenes, own),
    }
  }
  const basis = ad.creatives.find((creative) =>
    creative.media?.some(({ mediaId }) => mediaId === main?.mediaId),
  )?.basis
  const stated = <V>(value: V | undefined) =>
    basis ? factOf(value, placeOf(basis)) : notMeasured('not-carried')
  const { width, height, durationSeconds } = main ?? {}
  return {
    format,
    durationSeconds: isVideo ? stated(durationSeconds) : still,
    width: stated(width),
    height: stated(height),
    aspectRatio: stated(width && height ? aspectRatio(width, height) : undefined),
    colours: notMeasured(seen),
    sceneCount: isVideo ? notMeasured(seen) : still,
  }
}

const noMedia = (fact: Fact<never>): Omit<MediaFacts, 'format'> => ({
  durationSeconds: fact,
  width: fact,
  height: fact,
  aspectRatio: fact,
  colours: fact,
  sceneCount: fact,
})

const hundredths = (value: number) => Math.round(value * 100) / 100

/**
 * A single creative shows its format by itself. Cards and variants look the same from outside, so of several creatives the
 * library's statement counts, and without one they are taken for cards.
 */
function formatOf({ creatives, facts, evidence }: AdToAnalyse, placeOf: EvidenceIndexOf): Fact<string> {
  const statement = evidence.find(({ fields }) => fields.includes('format'))
  const stated: Fact<string> =
    facts.format && statement
      ? factOf(facts.format, placeOf({ of: 'ad', ...statement }))
      : notMeasured('not-carried')
  const [first] = creatives
  if (!first?.media) return stated
  const at = placeOf(first.basis)
  if (creatives.length > 1) return stated.state === 'measured' ? stated : factOf('carousel', at)
  return factOf(formatOfOne(first), at)
}

function formatOfOne({ media = [] }: CurrentCreative): string {
  if (media.some(({ kind }) => kind !== 'image')) return 'video'
  return media.length === 0 ? 'text' : media.length === 1 ? 'image' : 'carousel'
}

type TextFacts = Pick<
  AnalysisFacts,
  'textWords' | 'spokenWords' | 'readingGrade' | 'language' | 'questionCount' | 'emoji'
>

/** Facts measured in the text of an ad. */
export function textFacts(
  ad: AdToAnalyse,
  passages: readonly Passage[],
  transcript: { result: Transcript; basis: AnalysisBasis } | undefined,
  language: string | undefined,
  own: number,
  placeOf: EvidenceIndexOf,
): TextFacts {
  const spokenWords = spokenFact(transcript, placeOf)
  const isCarried = ad.creatives.some(({ facts }) =>
    [facts.title, facts.body, facts.description].some((text) => text !== undefined),
  )
  if (!isCarried) {
    const fact = notMeasured('not-carried')
    return {
      textWords: fact,
      spokenWords,
      readingGrade: fact,
      language: fact,
      questionCount: fact,
      emoji: fact,
    }
  }
  const texts = writtenPassages(passages)
  const text = texts.map((passage) => passage.text).join('\n')
  const words = wordsOf(text, language)
  const sentences = texts.flatMap((passage) => sentencesOf(passage.text)).length
  const grade = language === 'en' ? readingGrade(words, sentences) : undefined
  const emoji = emojiOf(text)
  return {
    textWords: factOf(words.length, own),
    spokenWords,
    readingGrade:
      grade !== undefined
        ? factOf(grade, own)
        : notMeasured(
            language === 'en' || language === undefined ? 'too-little-evidence' : 'outside-valid-range',
          ),
    language: language === undefined ? notMeasured('too-little-evidence') : factOf(language, own),
    questionCount: factOf(countQuestions(text), own),
    emoji: factOf(emoji, own),
  }
}

function spokenFact(
  transcript: { result: Transcript; basis: AnalysisBasis } | undefined,
  placeOf: EvidenceIndexOf,
): Fact<number> {
  if (!transcript) return notMeasured('never-collected')
  const at = placeOf(transcript.basis)
  const { result } = transcript
  if (result.outcome === 'available')
    return factOf(wordsOf(result.text, result.language ?? undefined).length, at)
  if (result.outcome === 'no-speech') return factOf(0, at)
  const why = unheard[result.reason]
  return why === 'absent' ? factOf(null, at) : notMeasured(why)
}

/** The state of the spoken words by the reason why there is no transcript. */
const unheard: Record<NoTranscript, 'absent' | 'never-collected' | 'source-failed' | 'not-configured'> = {
  'no-video': 'absent',
  'no-sound': 'absent',
  'media-not-kept': 'never-collected',
  'media-removed-upstream': 'source-failed',
  'media-failed': 'source-failed',
  'not-configured': 'not-configured',
  'decoder-missing': 'not-configured',
}
