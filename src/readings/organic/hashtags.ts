/** What is neither letter nor digit ends a hashtag; one of digits alone is a number; one inside an address is a place. */
const hashtag =
  /(?<![\p{L}\p{N}\p{M}_&/#＃?=])[#＃]((?:[\p{L}\p{N}\p{M}_]|(?<=\p{L})(?:\u200c|\u200d|·)(?=\p{L}))+)/gu

/** Longest that the contract lets people filter by. */
const longest = 100

/** The hashtags of a text in its order, each once, lower case, without `#`. */
export function hashtagsIn(text: string): string[] {
  if (!/[#＃]/.test(text)) return []
  const found = [...text.matchAll(hashtag)].map((match) => (match[1] ?? '').toLowerCase())
  return [...new Set(found.filter((tag) => tag.length <= longest && !/^[\p{N}_]+$/u.test(tag)))]
}
