import type { ListingWord } from './listing-words.ts'

/** A word of a text, or some that stand together. */
export interface ListingTerm {
  /** Normalised as keywords are. */
  term: string
  /** Without accents. */
  key: string
  /** Folded. */
  words: readonly string[]
  /** How often the text holds it. */
  count: number
}

/** One or two Hiragana by themselves are an ending or half a word, as dictionaries split them. */
const fragment = /^\p{Script=Hiragana}{1,2}$/u

/**
 * The terms of a text, in the order in which they first stand there: its words and every two words that stand together (or
 * more), without those that mean nothing by themselves, and without lone letters, numbers and fragments.
 * @param stopWords asked of words as they are written
 * @param longest words of the longest terms
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
      // "Vitamin C" is a phrase, "24 A" is not; letters of unspaced script can be words of their own.
      if (next.after === 'space' && ![last, next].some((one) => /\p{L}{2}/u.test(one.key))) break
      const space = next.after === 'space' ? ' ' : ''
      term += space + next.text
      key += space + next.key
      if (/\p{L}/u.test(key)) add(term, key, index, size)
    }
  }
  return [...found.values()]
}
