/** Letters of a text that are enough to tell its language, and how many are looked at. */
const fewestLetters = 40
const lettersRead = 1_500

/** Scripts that one language alone is written in, however short the text. */
const ownScripts: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['th', /\p{Script=Thai}/u],
]

/**
 * The language a text is written in, ISO 639-1; undefined when it is too short or unclear. The model behind it is read
 * from disk on the first call, which takes some tenths of a second.
 */
export async function languageOf(text: string): Promise<string | undefined> {
  const start = [...text].slice(0, lettersRead).join('')
  const letters = start.match(/\p{L}/gu)?.length ?? 0
  const owned = ownScripts.find(([, script]) => script.test(start))?.[0]
  if (letters < fewestLetters) return owned
  const { eld } = await import('eld/small')
  const found = eld.detect(start)
  return found.isReliable() && found.language !== '' ? found.language : owned
}

/** The language a listing is written in; its description tells most. */
export const languageOfListing = ({ name, subtitle, description }: ListingTexts): Promise<string | undefined> =>
  languageOf([description ?? '', name ?? '', subtitle ?? ''].join('\n'))

interface ListingTexts {
  name?: string | null | undefined
  subtitle?: string | null | undefined
  description?: string | null | undefined
}

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
