import { comparedWordsOf, type ListingTexts, textLengthOf } from './listing-text.ts'

export interface WastedCharacters {
  kind: 'repeated' | 'spaces' | 'empty' | 'short' | 'stop-word' | 'sign'
  /** The wasted part of the text. */
  what: string[]
  /** Bytes of the keyword field saved by removing it; null for other fields. */
  bytes: number | null
}

/** English words that nobody searches for by themselves, and "app", which Apple advises against. */
const stopWords = new Set(
  'a an and app apps as at by for from in is it of on or our the this to with you your'.split(' '),
)

/** Characters of the three texts that win nothing in search. */
export function wastedCharactersOf(texts: ListingTexts, language: string | null): WastedCharacters[] {
  const name = comparedWordsOf(texts.name, language)
  const subtitle = comparedWordsOf(texts.subtitle, language)
  const entries = texts.keywords.split(',')
  const keywords = entries.flatMap((entry) => comparedWordsOf(entry, language))
  const before = new Set([...name, ...subtitle])
  const seen = new Set<string>()
  const repeatedKeywords = keywords.filter((word) => {
    const again = before.has(word) || seen.has(word)
    seen.add(word)
    return again
  })
  const told = new Set(keywords.filter((word) => !repeatedKeywords.includes(word)))
  const short = [...told].filter((word) => /^\p{scx=Latn}{1,2}$/u.test(word) && !stopWords.has(word))
  const stops = [...told].filter((word) => stopWords.has(word))
  const spaces = [...texts.keywords.matchAll(/(?<=,|^)[ \t]+|[ \t]+(?=,|$)/g)].map(([space]) => space)
  const holes = texts.keywords === '' ? 0 : entries.filter((entry) => entry.trim() === '').length
  const signs = [...new Set(texts.keywords.match(/[#@!?*"“”;|/\\]/g) ?? [])]
  return [
    waste('repeated', [...new Set(name.filter((word) => subtitle.includes(word)))], null),
    waste('repeated', repeatedKeywords, bytesWithComma(repeatedKeywords)),
    waste('spaces', spaces, textLengthOf(spaces.join('')).bytes),
    waste(
      'empty',
      Array.from({ length: holes }, () => ','),
      holes,
    ),
    waste('short', short, bytesWithComma(short)),
    waste('stop-word', stops, bytesWithComma(stops)),
    waste('sign', signs, textLengthOf(signs.join('')).bytes),
  ].filter(({ what }) => what.length > 0)
}

const waste = (kind: WastedCharacters['kind'], what: string[], bytes: number | null): WastedCharacters => ({
  kind,
  what,
  bytes,
})

const bytesWithComma = (words: readonly string[]): number =>
  words.reduce((sum, word) => sum + textLengthOf(word).bytes + 1, 0)
