import { toFile } from 'openai'
import { asked, type Endpoint, openService } from './service.ts'
import type { SpeechSettings } from './settings.ts'
import { type RecognisedSpeech, readSpeechAnswer } from './speech-answer.ts'

/** Transcribes speech. */
export interface SpeechToText {
  name: string
  model: string
  /** Of one piece of sound. */
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

/** Speech to text by a service that speaks OpenAI's protocol, as self-hosted Whisper servers do. */
export function speechToText(settings: SpeechSettings, key: string | undefined): SpeechToText {
  const { name, model, maxBytes } = settings
  const endpoint: Endpoint = { ...settings, key }
  const service = openService(endpoint)
  return {
    name,
    model,
    maxBytes,
    async hear(wav, seconds, language, signal) {
      const answer = await asked(endpoint, signal, async () =>
        service.audio.transcriptions.create(
          {
            file: await toFile(wav, 'sound.wav', { type: 'audio/wav' }),
            model,
            response_format: 'verbose_json',
            timestamp_granularities: ['segment'],
            temperature: 0,
            ...(language ? { language: language.split('-')[0]?.toLowerCase() ?? language } : {}),
          },
          { signal },
        ),
      )
      return readSpeechAnswer(answer, seconds, name)
    },
  }
}
