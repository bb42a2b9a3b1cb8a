import { type Token, tokens } from './search-terms.ts'

/** How a name holds a term, the closest way that applies. */
export type NameMatch = 'exact' | 'phrase' | 'all-words' | 'some-words' | 'none'

/**
 * Case, width, accents and punctuation do not count. Scripts without spaces are compared as runs of letters, since
 * their words have no ends that could be seen.
 */
export function nameMatch(term: string, name: string): NameMatch {
  return matchesIn(name)(term)
}

/** As `nameMatch`, for many terms in one text. */
export function matchesIn(name: string): (term: string) => NameMatch {
  const held = tokens(name)
  const nameText = joined(held)
  const words = new Set(held.map((token) => token.text))
  const runs = held.filter((token) => token.kind === 'run')
  return (term) => {
    const wanted = tokens(term)
    if (wanted.length === 0 || held.length === 0) return 'none'
    const termText = joined(wanted)
    if (termText === nameText) return 'exact'
    if (standsIn(wanted, termText, nameText)) return 'phrase'
    const found = wanted.filter(
      ({ kind, text }) => words.has(text) || (kind === 'run' && runs.some((run) => run.text.includes(text))),
    )
    if (found.length === wanted.length) return 'all-words'
    return found.length > 0 ? 'some-words' : 'none'
  }
}

const joined = (found: readonly Token[]) => found.map((token) => token.text).join(' ')

/** Words count as a phrase between the ends of words; a run may begin and end in the middle of another. */
function standsIn(wanted: readonly Token[], term: string, name: string): boolean {
  const before = wanted[0]?.kind === 'word' ? ' ' : ''
  const after = wanted.at(-1)?.kind === 'word' ? ' ' : ''
  return ` ${name} `.includes(`${before}${term}${after}`)
}
