import table from '../data/known-names.json' with { type: 'json' }
import { fold, type Token, tokens } from './search-terms.ts'
import { wordsOfList } from './word-list.ts'

/** Words that companies add to their names, folded. */
export const companyWords: ReadonlySet<string> = new Set(wordsOfList(table.companyWords))

/**
 * Platforms, companies, leagues and works whose names occur in listings of every kind: "sync with", "connect to", "skins
 * for". Apple refuses them in keywords as it refuses rivals' names.
 */
const knownNames: ReadonlySet<string> = new Set(wordsOfList(table.names))

/** Acronyms of common words, which are nobody's name. */
export const commonAcronyms: ReadonlySet<string> = new Set(wordsOfList(table.acronyms))

export const isKnownName = (word: string): boolean => knownNames.has(word)

const signOfRights = /[®™]/
const marked = /([\p{L}\p{M}\p{N}]+)\s?[®™]/gu

/** Words with a trademark sign, folded. */
export const wordsWithMark = (text: string): ReadonlySet<string> =>
  new Set(signOfRights.test(text) ? [...text.matchAll(marked)].map(([, word = '']) => fold(word)) : [])

/** English words that are always capitalised, besides those that `Intl` knows. */
const moreEnglish = wordsOfList(table.capitalised)

const letters = [...'abcdefghijklmnopqrstuvwxyz']
const codes = letters.flatMap((one) => letters.map((other) => one + other))
const known = new Map<string, ReadonlySet<string>>()

/** Names of languages, countries, days and months, folded: capitalised in texts, but not names of companies. */
export function properNameTester(language = 'en'): (word: string) => boolean {
  const before = known.get(language)
  const names = before ?? new Set([...moreEnglish, ...namesIn('en'), ...namesIn(language)].map(fold))
  known.set(language, names)
  return (word) => names.has(word)
}

/** The names of a single word. */
function* namesIn(language: string): Iterable<string> {
  const languages = new Intl.DisplayNames([language, 'en'], { type: 'language', fallback: 'none' })
  const regions = new Intl.DisplayNames([language, 'en'], { type: 'region', fallback: 'none' })
  for (const code of codes) yield* [languages.of(code) ?? '', regions.of(code.toUpperCase()) ?? '']
  const [month, day] = [{ month: 'long' }, { weekday: 'long' }] as const
  for (let index = 0; index < 12; index++) {
    // The first of January 2024 was a Monday.
    yield new Date(Date.UTC(2024, index, 1)).toLocaleDateString(language, { ...month, timeZone: 'UTC' })
    yield new Date(Date.UTC(2024, 0, 1 + index)).toLocaleDateString(language, { ...day, timeZone: 'UTC' })
  }
}

/** How a name contains a term: the closest match that applies. */
export type NameMatch = 'exact' | 'phrase' | 'all-words' | 'some-words' | 'none'

/**
 * Matches a term against a name. Ignores case, width, accents and punctuation. Scripts without spaces are compared as runs
 * of letters, since their words have no visible ends.
 */
export function nameMatch(term: string, name: string): NameMatch {
  return nameMatcher(name)(term)
}

/** The same as `nameMatch`, for many terms in one name. */
export function nameMatcher(name: string): (term: string) => NameMatch {
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
