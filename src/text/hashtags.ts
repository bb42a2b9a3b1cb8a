import table from '../data/languages.json' with { type: 'json' }
import { wordsOfList } from './word-list.ts'

/** Any character but a letter or a digit ends a hashtag, including the `#` of the next; `&#39;` is an entity. */
const hashtag = /(?<![&/#＃])[#＃]((?:[\p{L}\p{N}\p{M}_]|(?<=\p{L})(?:\u200c|\u200d|·)(?=\p{L}))+)/gu

/** In an address a `#` begins a fragment. */
const addresses = /https?:\/\/\S+/gi

/** Longest hashtag that the contract accepts as a filter. */
const longest = 100

/** The hashtags of a text in their order, without duplicates, lower case, without `#`; digits alone are a number. */
export function hashtagsIn(text: string): string[] {
  if (!/[#＃]/.test(text)) return []
  const found = [...text.replace(addresses, ' ').matchAll(hashtag)].map((match) =>
    (match[1] ?? '').toLowerCase(),
  )
  return [...new Set(found.filter((tag) => tag.length <= longest && !/^[\p{N}_]+$/u.test(tag)))]
}

/** Hashtags that only speakers of one language use: its name, its country, and its phrases for more reach. */
const languageOfTag: ReadonlyMap<string, string> = new Map(
  Object.entries(table.hashtags).flatMap(([language, list]) =>
    wordsOfList(list).map((tag) => [tag, language] as const),
  ),
)

/** The languages that hashtags indicate, each with their number. */
export function languagesOfHashtags(hashtags: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const tag of hashtags) {
    const language = languageOfTag.get(tag)
    if (language !== undefined) found.set(language, (found.get(language) ?? 0) + 1)
  }
  return found
}
