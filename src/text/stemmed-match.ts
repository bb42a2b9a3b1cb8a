import type { Token } from './search-terms.ts'
import { type StemmedWord, stemmedWordsOf, telling } from './stems.ts'

/**
 * How a name holds a term, in whatever order and number: `name` where the term is all of it, or all before a mark that
 * parts it, such as a colon or a dash; `beginning` where it begins with it.
 */
export type StemmedMatch = 'name' | 'beginning' | 'together' | 'all-words' | 'some-words' | 'none'

/** Ends the first part of a name. */
const parting = /[:|([{,·•・：、，（【「]|\s[-–—]+\s|[–—]/u

/**
 * Singular and plural and word order do not count. Words that mean nothing by themselves need not be held, beside others: but
 * a name is only called like a term of which it holds each word. Those that the name alone has do not count.
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
  // A word that is asked for means something, whatever it is in other questions.
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

/** Words of a run of unspaced script have no ends that could be seen. */
const holds = (held: Token, wanted: Token) =>
  held.text === wanted.text || (wanted.kind === 'run' && held.kind === 'run' && held.text.includes(wanted.text))
