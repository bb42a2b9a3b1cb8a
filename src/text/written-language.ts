import { languageOf } from './language.ts'

/** Code units that are looked at: more tells no more, and takes longer. */
const looked = 400

/**
 * The language that the texts of a post or an ad are written in, ISO 639-1; null when it cannot be told. Addresses, handles
 * and hashtags tell nothing.
 */
export async function writtenLanguage(texts: readonly (string | null | undefined)[]): Promise<string | null> {
  const start = texts
    .filter((text) => text)
    .join('\n')
    .slice(0, looked)
    .toWellFormed()
  const words = start.replace(/https?:\/\/\S+|[@#＃][\p{L}\p{N}\p{M}_.]+/gu, ' ')
  return (await languageOf(words)) ?? null
}
