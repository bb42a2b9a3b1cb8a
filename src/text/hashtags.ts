/** What is neither letter nor digit ends a hashtag, also the `#` of the next; `&#39;` is an entity. */
const hashtag = /(?<![&/#＃])[#＃]((?:[\p{L}\p{N}\p{M}_]|(?<=\p{L})(?:\u200c|\u200d|·)(?=\p{L}))+)/gu

/** In an address a `#` is a place in a page. */
const addresses = /https?:\/\/\S+/gi

/** Longest that the contract lets people filter by. */
const longest = 100

/** The hashtags of a text in its order, each once, lower case, without `#`; digits alone are a number. */
export function hashtagsIn(text: string): string[] {
  if (!/[#＃]/.test(text)) return []
  const found = [...text.replace(addresses, ' ').matchAll(hashtag)].map((match) =>
    (match[1] ?? '').toLowerCase(),
  )
  return [...new Set(found.filter((tag) => tag.length <= longest && !/^[\p{N}_]+$/u.test(tag)))]
}
