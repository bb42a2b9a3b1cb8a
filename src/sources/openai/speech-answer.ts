import { z } from 'zod'
import type { Segment } from '../../domain/ad-analysis/transcript.ts'
import { ServiceFailure } from './service.ts'
import { languageTag } from './spoken-language.ts'

/** What was understood of one piece of sound; `startSeconds` counts from its start. */
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

/** Nobody speaks faster; a service that writes more than this has begun to make things up. */
const charactersPerSecond = 60
const charactersAtLeast = 400
/** Seconds by which an end may lie behind the end of the sound: services think in stretches of half a minute. */
const overrun = 30

/** From which probabilities on a segment counts as no speech. Source: Whisper's own decoding, its usual thresholds. */
const noSpeech = { probability: 0.6, certainty: -1 }

/**
 * Reads what a service answers. Times are put into the order and the length of the sound.
 * @param seconds length of the sound
 * @throws ServiceFailure `unusable` for what cannot be true of this sound
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

/** Control characters are nothing that was said. */
const cleaned = (text: string) =>
  text
    .replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Notes such as "[Music]" and "♪" tell what is heard when nobody speaks. */
const isSpeech = (text: string) =>
  /[\p{L}\p{N}]/u.test(
    text.replaceAll(
      /\[[^\]]{0,200}\]|\([^)]{0,200}\)|（[^）]{0,200}）|【[^】]{0,200}】|\*[^*]{0,200}\*|♪[^♪]{0,200}♪/gu,
      '',
    ),
  )
