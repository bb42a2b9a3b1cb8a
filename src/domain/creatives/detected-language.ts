import { type DetectedLanguage, languageOfTexts } from '../../text/language.ts'
import type { Stated } from '../facts/merge.ts'

export const languagesFormula = 'languages/2'

/** The language of a creative: stated by its source, or detected in its texts. */
interface LanguageFields {
  /** BCP 47. */
  language: string
  /** BCP 47; null where it cannot be detected. */
  detectedLanguage: string
}

/** Whether the language of a creative must be detected: no source states it, and there are texts. */
export const needsLanguageDetection = (
  { language, detectedLanguage }: Stated<LanguageFields>,
  texts: readonly (string | null | undefined)[],
): boolean => !language && detectedLanguage === undefined && texts.some((text) => text !== undefined)

/** The language detected in the texts; undefined where none must be detected. */
export async function detectLanguageOf(
  stated: Stated<LanguageFields>,
  texts: readonly (string | null | undefined)[],
): Promise<DetectedLanguage | undefined> {
  return needsLanguageDetection(stated, texts) ? languageOfTexts(texts) : undefined
}

/** Adds the detected language of the texts to what a source states, where it states none. */
export async function withDetectedLanguage<Fields extends Stated<LanguageFields>>(
  stated: Fields,
  texts: readonly (string | null | undefined)[],
): Promise<Fields> {
  const told = await detectLanguageOf(stated, texts)
  return told ? { ...stated, detectedLanguage: told.language ?? null } : stated
}
