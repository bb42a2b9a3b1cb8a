import { z } from 'zod'
import type { Segment } from '../../domain/ad-analysis/analysis.ts'
import { ServiceFailure } from './service.ts'
import { languageTag } from './spoken-language.ts'

/** The transcript of one piece of sound; `startSeconds` counts from its start. */
export interface RecognisedSpeech {
  language: string | null
  /** In the order spoken; empty when nobody speaks. */
  segments: Segment[]
}

const Answer = z.object({
  text: z.string(),
  language: z.string().nullish(),
  segments: z
    .array(
      z.object({
        start: z.number(),
        end: z.number(),
        text: z.string(),
        avg_logprob: z.number().nullish(),
        no_speech_prob: z.number().nullish(),
      }),
    )
    .nullish(),
})

/** Nobody speaks faster: a longer transcript is a hallucination of the model. */
const charactersPerSecond = 60
const charactersAtLeast = 400
/** Seconds by which a segment may end after the sound: services work in windows of half a minute. */
const overrun = 30

/** Thresholds at which a segment counts as no speech. Source: the defaults of Whisper's own decoding. */
const noSpeech = { probability: 0.6, certainty: -1 }

/**
 * Parses the answer of a service. Times are sorted and limited to the length of the sound.
 * @param seconds length of the sound
 * @throws ServiceFailure `unusable` for an answer that is impossible for this sound
 */
export function readSpeechAnswer(answer: unknown, seconds: number, name: string): RecognisedSpeech {
  const unusable = (why: string) => new ServiceFailure('unusable', `${name} answers ${why}.`)
  const parsed = Answer.safeParse(typeof answer === 'string' ? { text: answer } : answer)
  if (!parsed.success) {
    const place = parsed.error.issues[0]?.path.join('.') || 'the answer'
    throw unusable(`what is no transcript: ${place} is not as it should be`)
  }
  const { text, language, segments } = parsed.data
  const reported = segments ?? [{ start: 0, end: seconds, text }]
  const written = Math.max(
    text.length,
    reported.reduce((sum, segment) => sum + segment.text.length, 0),
  )
  if (written > charactersAtLeast + seconds * charactersPerSecond)
    throw unusable(`${written} characters for ${seconds.toFixed(1)} s of sound`)
  for (const { start, end } of reported) {
    if (start < -1 || end < start || start > seconds + 1 || end > seconds + overrun)
      throw unusable(`words from ${start} to ${end} s of a sound of ${seconds.toFixed(1)} s`)
  }
  const within = (at: number) => Math.round(Math.min(Math.max(at, 0), seconds) * 100) / 100
  const spoken = reported
    .filter((segment) => !isSilence(segment))
    .map(
      ({ start, end, text, avg_logprob }): Segment => ({
        startSeconds: within(start),
        endSeconds: within(end),
        text: cleaned(text),
        confidence: avg_logprob == null ? null : Math.round(Math.min(1, Math.exp(avg_logprob)) * 100) / 100,
      }),
    )
    .filter((segment) => isSpeech(segment.text))
    .sort((one, other) => one.startSeconds - other.startSeconds)
  return { language: languageTag(language), segments: spoken }
}

const isSilence = (segment: {
  no_speech_prob?: number | null | undefined
  avg_logprob?: number | null | undefined
}) => (segment.no_speech_prob ?? 0) > noSpeech.probability && (segment.avg_logprob ?? -2) < noSpeech.certainty

/** Removes control characters. */
const cleaned = (text: string) =>
  text
    .replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Notes such as "[Music]" and "♪" describe sound without speech. */
const isSpeech = (text: string) =>
  /[\p{L}\p{N}]/u.test(
    text.replaceAll(
      /\[[^\]]{0,200}\]|\([^)]{0,200}\)|（[^）]{0,200}）|【[^】]{0,200}】|\*[^*]{0,200}\*|♪[^♪]{0,200}♪/gu,
      '',
    ),
  )
