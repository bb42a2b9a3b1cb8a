import type { Token } from './search-terms.ts'
import { type StemmedWord, stemmedWordsOf, telling } from './stems.ts'

/**
 * How a name contains a term, ignoring order and number: `name` where the term is the whole name, or all of it before a
 * separator such as a colon or a dash; `beginning` where the name begins with it.
 */
export type StemmedMatch = 'name' | 'beginning' | 'together' | 'all-words' | 'some-words' | 'none'

/** Separates the first part of a name. */
const parting = /[:|([{,·•・：、，（【「]|\s[-–—]+\s|[–—]/u

/**
 * Matches a term against names. Ignores singular and plural, word order, and stop words that only the name has. Stop words
 * of the term may be missing in the name beside others, but `name` and `beginning` need all of them.
 */
export function stemmedMatchesOf(term: string, country: string): (name: string) => StemmedMatch {
  const words = stemmedWordsOf(term, country)
  const [asked, wanted] = [words.map(({ token }) => token), telling(words)]
  return (name) => {
    const head = name.split(parting, 1)[0] ?? ''
    const texts = [stemmedWordsOf(name, country), stemmedWordsOf(head, country)] as const
    const whole = matchOf(asked, texts)
    if (asked.length === wanted.length || !(whole === 'none' || whole === 'some-words')) return whole
    const without = matchOf(wanted, texts)
    return without === 'name' || without === 'beginning' ? 'together' : without
  }
}

type Texts = readonly [name: readonly StemmedWord[], head: readonly StemmedWord[]]

function matchOf(wanted: readonly Token[], texts: Texts): StemmedMatch {
  const whole = key(wanted)
  // A word of the term is significant, even if it is a stop word otherwise.
  const asked = new Set(wanted.map(({ text }) => text))
  const [held, head] = [telling(texts[0], asked), telling(texts[1], asked)]
  if (wanted.length === 0 || held.length === 0) return 'none'
  if (key(held) === whole || key(head) === whole) return 'name'
  if (key(held.slice(0, wanted.length)) === whole) return 'beginning'
  const found = wanted.filter((one) => held.some((other) => holds(other, one)))
  if (found.length === 0) return 'none'
  if (found.length < wanted.length) return 'some-words'
  const isTogether = held.some((_, start) => {
    const stretch = held.slice(start, start + wanted.length)
    return wanted.every((one) => stretch.some((other) => holds(other, one)))
  })
  return isTogether ? 'together' : 'all-words'
}

const key = (words: readonly Token[]) =>
  words
    .map(({ text }) => text)
    .sort()
    .join(' ')

/** Runs of unspaced script may match anywhere inside others, since they have no word boundaries. */
const holds = (held: Token, wanted: Token) =>
  held.text === wanted.text || (wanted.kind === 'run' && held.kind === 'run' && held.text.includes(wanted.text))
