import type { ListingWord } from './listing-words.ts'

/** A word of a text, or two that stand together. */
export interface ListingTerm {
  /** Normalised as keywords are. */
  term: string
  /** Without accents. */
  key: string
  words: 1 | 2
  /** How often the text holds it. */
  count: number
}

/** One or two Hiragana by themselves are an ending or half a word, as dictionaries split them. */
const fragment = /^\p{Script=Hiragana}{1,2}$/u

/**
 * The terms of a text, in the order in which they first stand there: its words and every two words that stand together,
 * without those that mean nothing by themselves, and without lone letters, numbers and fragments.
 * @param stopWords folded
 */
export function termsIn(words: readonly ListingWord[], stopWords: ReadonlySet<string>): ListingTerm[] {
  const found = new Map<string, ListingTerm>()
  const add = (term: string, key: string, size: 1 | 2) => {
    const known = found.get(key)
    if (known) known.count++
    else found.set(key, { term, key, words: size, count: 1 })
  }
  const means = ({ key }: ListingWord) => !stopWords.has(key)
  for (const [index, word] of words.entries()) {
    if (!means(word)) continue
    if (/\p{L}/u.test(word.key) && word.key.length > 1 && !fragment.test(word.key)) add(word.text, word.key, 1)
    const next = words[index + 1]
    if (!next || next.after === 'break' || !means(next)) continue
    // "Vitamin C" is a phrase, "24 A" is not; letters of unspaced script can be words of their own.
    if (next.after === 'space' && ![word, next].some(({ key }) => /\p{L}{2}/u.test(key))) continue
    if (!/\p{L}/u.test(word.key + next.key)) continue
    const space = next.after === 'space' ? ' ' : ''
    add(`${word.text}${space}${next.text}`, `${word.key}${space}${next.key}`, 2)
  }
  return [...found.values()]
}
