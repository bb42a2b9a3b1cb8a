import { writtenLanguage } from '../../text/language.ts'
import type { Stated } from '../facts/merge.ts'

export const languagesFormula = 'languages/2'

/** What a creative says of its language: stated by its source, or recognised here in its texts. */
interface LanguageFields {
  /** BCP 47. */
  language: string
  /** BCP 47; null where it cannot be told. */
  detectedLanguage: string
}

/** Whether the language of a creative is still to be recognised: nobody states it, and there are texts. */
const isToDetect = (
  { language, detectedLanguage }: Stated<LanguageFields>,
  texts: readonly (string | null | undefined)[],
): boolean => !language && detectedLanguage === undefined && texts.some((text) => text !== undefined)

/** What a source states, with the language its texts are written in where it tells none. */
export async function withDetectedLanguage<Fields extends Stated<LanguageFields>>(
  stated: Fields,
  texts: readonly (string | null | undefined)[],
): Promise<Fields> {
  if (!isToDetect(stated, texts)) return stated
  const { language = null } = await writtenLanguage(texts)
  return { ...stated, detectedLanguage: language }
}
