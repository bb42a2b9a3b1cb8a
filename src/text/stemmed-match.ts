import type { Token } from './search-terms.ts'
import { stemsOf } from './stems.ts'

/**
 * How a name holds a term, in whatever order and number: `name` where the term is all of it, or all before a mark that
 * parts it, such as a colon or a dash; `beginning` where it begins with it.
 */
export type StemmedMatch = 'name' | 'beginning' | 'together' | 'all-words' | 'some-words' | 'none'

/** Ends the first part of a name. */
const parting = /[:|([{,·•・：、，（【「]|\s[-–—]+\s|[–—]/u

/** Singular and plural, word order and words without meaning do not count. */
export function stemmedMatchesOf(term: string, country: string): (name: string) => StemmedMatch {
  const wanted = stemsOf(term, country)
  const whole = key(wanted)
  // A word that is asked for means something, whatever it is in other questions: "Uhr" alone is a stop word of German.
  const asked = new Set(wanted.map(({ text }) => text))
  return (name) => {
    const held = stemsOf(name, country, asked)
    if (wanted.length === 0 || held.length === 0) return 'none'
    const head = name.split(parting, 1)[0] ?? ''
    if (key(held) === whole || key(stemsOf(head, country, asked)) === whole) return 'name'
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
}

const key = (words: readonly Token[]) =>
  words
    .map(({ text }) => text)
    .sort()
    .join(' ')

/** Words of a run of unspaced script have no ends that could be seen. */
const holds = (held: Token, wanted: Token) =>
  held.text === wanted.text || (wanted.kind === 'run' && held.kind === 'run' && held.text.includes(wanted.text))
