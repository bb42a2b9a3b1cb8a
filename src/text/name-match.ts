import { type Token, tokens } from './search-terms.ts'

/** How a name contains a term: the closest match that applies. */
export type NameMatch = 'exact' | 'phrase' | 'all-words' | 'some-words' | 'none'

/**
 * Matches a term against a name. Ignores case, width, accents and punctuation. Scripts without spaces are compared as runs
 * of letters, since their words have no visible ends.
 */
export function nameMatch(term: string, name: string): NameMatch {
  return matchesIn(name)(term)
}

/** The same as `nameMatch`, for many terms in one name. */
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

/** Words match as a phrase at word boundaries only; a run of unspaced script may begin and end inside another. */
function standsIn(wanted: readonly Token[], term: string, name: string): boolean {
  const before = wanted[0]?.kind === 'word' ? ' ' : ''
  const after = wanted.at(-1)?.kind === 'word' ? ' ' : ''
  return ` ${name} `.includes(`${before}${term}${after}`)
}
