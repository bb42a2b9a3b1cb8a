/** Letters of scripts in which one letter says as much as a word. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/**
 * What is typed on the way to a term: a quarter, half, three quarters and all of its letters, shortest first and each
 * once. The first is one letter of a dense script and two of any other at least.
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

/** The first half of a term's letters: what a refresh types to learn how early it is suggested. */
export function halfOf(term: string): string {
  const letters = [...term]
  return letters
    .slice(0, Math.ceil(letters.length / 2))
    .join('')
    .trimEnd()
}
