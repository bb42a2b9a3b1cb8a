import type { ListingWord } from './listing-words.ts'

/** A word of a text, or several adjacent ones. */
export interface ListingTerm {
  /** Normalised like keywords. */
  term: string
  /** Without accents. */
  key: string
  /** Folded. */
  words: readonly string[]
  /** Number of occurrences in the text. */
  count: number
}

/** One or two Hiragana alone are a suffix or half a word, as dictionaries split them. */
const fragment = /^\p{Script=Hiragana}{1,2}$/u

/**
 * The terms of a text, in the order of their first occurrence: its words and phrases of two adjacent words (or more),
 * without stop words, and without single letters, numbers and fragments.
 * @param stopWords looked up with words as they are written
 * @param longest most words of a term
 */
export function termsIn(
  words: readonly ListingWord[],
  stopWords: Pick<ReadonlySet<string>, 'has'>,
  longest = 2,
): ListingTerm[] {
  const found = new Map<string, ListingTerm>()
  const add = (term: string, key: string, from: number, size: number) => {
    const known = found.get(key)
    if (known) known.count++
    else {
      const parts = words.slice(from, from + size).map((word) => word.key)
      found.set(key, { term, key, words: parts, count: 1 })
    }
  }
  const means = ({ text }: ListingWord) => !stopWords.has(text)
  for (const [index, word] of words.entries()) {
    if (!means(word)) continue
    let [term, key] = [word.text, word.key]
    if (/\p{L}/u.test(key) && key.length > 1 && !fragment.test(key)) add(term, key, index, 1)
    for (let size = 2; size <= longest; size++) {
      const [last, next] = [words[index + size - 2], words[index + size - 1]]
      if (!last || !next || next.after === 'break' || !means(next)) break
      // "Vitamin C" is a phrase, "24 A" is not; single letters of unspaced script can be words.
      if (next.after === 'space' && ![last, next].some((one) => /\p{L}{2}/u.test(one.key))) break
      const space = next.after === 'space' ? ' ' : ''
      term += space + next.text
      key += space + next.key
      if (/\p{L}/u.test(key)) add(term, key, index, size)
    }
  }
  return [...found.values()]
}
