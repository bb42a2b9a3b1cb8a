import { type LanguageModel, languageModel } from '../../sources/openai/model.ts'
import {
  type ModelSettings,
  modelKeyVariable,
  type SpeechSettings,
  speechKeyVariable,
} from '../../sources/openai/settings.ts'
import { type SpeechToText, speechToText } from '../../sources/openai/speech.ts'

/** The configured speech and model services; undefined where none is configured. */
export interface AdAnalysers {
  speech: SpeechToText | undefined
  model: LanguageModel | undefined
}

/** Opens the services of a configuration; no request is sent before the first use. Keys come from the environment. */
export function adAnalysersOn(
  { speech, model }: { speech?: SpeechSettings | undefined; model?: ModelSettings | undefined },
  environment: NodeJS.ProcessEnv,
): AdAnalysers {
  return {
    speech: speech && speechToText(speech, environment[speechKeyVariable] || undefined),
    model: model && languageModel(model, environment[modelKeyVariable] || undefined),
  }
}
