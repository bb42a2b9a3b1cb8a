import { z } from 'zod'
import type { Segment } from '../../domain/ad-analysis/analysis.ts'
import { postToService, type ServiceEndpoint, ServiceFailure } from './service.ts'
import type { SpeechSettings } from './settings.ts'

/** Transcribes speech. */
export interface SpeechToText {
  name: string
  model: string
  /** Limit for one piece of sound. */
  maxBytes: number
  /**
   * @param wav a piece of sound
   * @param seconds its length
   * @param language expected to be spoken, BCP 47; nothing is translated
   * @throws ServiceFailure, or the signal's reason when it aborts
   */
  hear(
    wav: Uint8Array<ArrayBuffer>,
    seconds: number,
    language: string | null,
    signal: AbortSignal,
  ): Promise<RecognisedSpeech>
}

/** Speech to text by a service with OpenAI's API, such as self-hosted Whisper servers. */
export function speechToText(settings: SpeechSettings, key: string | undefined): SpeechToText {
  const { name, model, maxBytes } = settings
  const endpoint: ServiceEndpoint = { ...settings, key }
  return {
    name,
    model,
    maxBytes,
    async hear(wav, seconds, language, signal) {
      const form = new FormData()
      form.set('file', new File([wav], 'sound.wav', { type: 'audio/wav' }))
      form.set('model', model)
      form.set('response_format', 'verbose_json')
      form.set('timestamp_granularities[]', 'segment')
      form.set('temperature', '0')
      if (language) form.set('language', language.split('-')[0]?.toLowerCase() ?? language)
      const answer = await postToService(endpoint, 'audio/transcriptions', { body: form }, signal)
      return readSpeechAnswer(answer, seconds, name)
    },
  }
}

/** The transcript of one piece of sound; `startSeconds` counts from its start. */
interface RecognisedSpeech {
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

/** ISO 639-1 codes that speech services use; they name languages in English, in lower case. */
const codes =
  `af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy
  id is it ja jv ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk
  sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo yue zh`.split(/\s+/)

const names = new Intl.DisplayNames('en', { type: 'language' })
const byName: ReadonlyMap<string, string> = new Map([
  ...codes.map((code) => [(names.of(code) ?? code).toLowerCase(), code] as const),
  ['mandarin', 'zh'],
  ['castilian', 'es'],
  ['valencian', 'ca'],
  ['flemish', 'nl'],
  ['myanmar', 'my'],
  ['tagalog', 'tl'],
  ['norwegian', 'no'],
  ['moldovan', 'ro'],
])

/** The BCP 47 tag for a service's name of a language; null when unknown. */
export function languageTag(named: string | null | undefined): string | null {
  const plain = named?.trim().toLowerCase() ?? ''
  const known = byName.get(plain)
  if (known) return known
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/.test(plain) && codes.includes(plain.split('-')[0] ?? '') ? plain : null
}
