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
