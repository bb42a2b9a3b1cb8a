import { ask, type Endpoint } from './service.ts'
import type { SpeechSettings } from './settings.ts'
import { type RecognisedSpeech, readSpeechAnswer } from './speech-answer.ts'

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
  const endpoint: Endpoint = { ...settings, key }
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
      const answer = await ask(endpoint, 'audio/transcriptions', { body: form }, signal)
      return readSpeechAnswer(answer, seconds, name)
    },
  }
}
