/** Scripts in which a single letter carries about as much information as a word. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/**
 * The prefixes of a term that are typed: a quarter, half, three quarters and all of its letters, shortest first, without
 * duplicates. The first has at least one letter of a dense script, or two of any other.
 */
export function beginningsOf(term: string): string[] {
  const letters = [...term]
  const least = dense.test(term) ? 1 : 2
  const typed = [1 / 4, 1 / 2, 3 / 4, 1].map((share) =>
    letters
      .slice(0, Math.max(least, Math.ceil(share * letters.length)))
      .join('')
      .trimEnd(),
  )
  return [...new Set(typed)]
}

/** The first half of a term's letters: the prefix that a refresh collects suggestions for. */
export function halfOf(term: string): string {
  const letters = [...term]
  return letters
    .slice(0, Math.ceil(letters.length / 2))
    .join('')
    .trimEnd()
}
