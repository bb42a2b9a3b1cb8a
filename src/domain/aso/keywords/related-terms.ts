import { normaliseTerm, refusalOf } from '../../../text/keyword-term.ts'
import { storedTerms, tokens } from '../../../text/search-terms.ts'
import { stopWordsOf, wordsForApp } from '../../../text/stop-words.ts'

export const relatedTermsFormula = 'related-terms/1'

interface RelationReason {
  kind: 'autocomplete' | 'shared-results' | 'shared-words' | 'result-names'
  text: string
}

export interface RelatedTerm {
  term: string
  /** Strongest first. */
  reasons: RelationReason[]
}

/** What is known around a term. */
export interface Surroundings {
  term: string
  country: string
  /** Answers of Apple for the term and its beginnings, in its order. */
  suggestions: readonly { typed: string; terms: readonly string[] }[]
  /** Terms whose pages have so many apps of the first ten in common. */
  sameApps: readonly { term: string; shared: number }[]
  /** Terms of the storefront that hold some of the words. */
  sameWords: readonly string[]
  /** Names of the newest page, best place first. */
  names: readonly string[]
}

/** Terms named at most. */
const mostRelated = 25
/** What a kind of reason is worth at its strongest. */
const worth = { suggested: 1, 'suggested early': 0.5, apps: 1, words: 0.8, names: 0.5 } as const
/** Beginnings shorter than this share of the term bring up anything. */
const tellingBeginning = 0.5
/** Names looked at, and how many of them must use a word. */
const namesRead = 25
const fewestNames = 3
const mostNameWords = 10

/** Terms near another, nearest first, at most 25; each way of being near adds to the others. */
export function relatedTerms(around: Surroundings): RelatedTerm[] {
  const found = new Map<string, (RelationReason & { strength: number })[]>()
  const add = (term: string, strength: number, kind: RelationReason['kind'], text: string) => {
    if (term === around.term || refusalOf(term)) return
    const reasons = found.get(term) ?? []
    if (!reasons.some((reason) => reason.kind === kind)) reasons.push({ kind, text, strength })
    found.set(term, reasons)
  }
  addSuggestions(around, add)
  for (const { term, shared } of around.sameApps)
    add(
      term,
      (worth.apps * shared) / 10,
      'shared-results',
      `${shared} of the first ten apps stand among the first ten for it too.`,
    )
  addSameWords(around, add)
  addNameWords(around, add)
  const strengthOf = (reasons: readonly { strength: number }[]) =>
    reasons.reduce((sum, { strength }) => sum + strength, 0)
  return [...found]
    .map(([term, reasons]) => ({ term, reasons, strength: strengthOf(reasons) }))
    .sort((one, other) => other.strength - one.strength || (one.term < other.term ? -1 : 1))
    .slice(0, mostRelated)
    .map(({ term, reasons }) => ({
      term,
      reasons: reasons
        .sort((one, other) => other.strength - one.strength)
        .map(({ kind, text }) => ({ kind, text })),
    }))
}

type Add = (term: string, strength: number, kind: RelationReason['kind'], text: string) => void

/** The longest beginning tells most, so that its answer gives the reason. */
function addSuggestions({ term, suggestions }: Surroundings, add: Add): void {
  const letters = [...term].length
  const telling = suggestions.filter(({ typed }) => [...typed].length >= letters * tellingBeginning)
  for (const { typed, terms } of telling.toSorted((one, other) => other.typed.length - one.typed.length)) {
    const most = typed === term ? worth.suggested : worth['suggested early']
    for (const [index, suggested] of terms.entries())
      add(
        suggested,
        Math.max(0.05, most * (1 - index / 10)),
        'autocomplete',
        `Apple suggests it in place ${index + 1} for "${typed}".`,
      )
  }
}

/** By the share of the words of both that they have in common. */
function addSameWords({ term, sameWords }: Surroundings, add: Add): void {
  const own = storedTerms(term)
  for (const other of sameWords) {
    const words = storedTerms(other)
    const shared = [...own].filter((word) => words.has(word))
    const share = shared.length / own.union(words).size
    if (share > 0) add(other, worth.words * share, 'shared-words', `Both hold ${inQuotes(shared)}.`)
  }
}

const inQuotes = (words: readonly string[]) => words.map((word) => `"${word}"`).join(', ')

/** Words that several names of the page use and the term does not hold, without those that tell nothing. */
function addNameWords({ term, country, names }: Surroundings, add: Add): void {
  const read = names.slice(0, namesRead)
  const own = new Set(tokens(term).map(({ text }) => text))
  const uses = new Map<string, number>()
  for (const name of read)
    for (const word of new Set(tokens(name).flatMap(({ kind, text }) => (telling(kind, text) ? [text] : []))))
      if (!own.has(word)) uses.set(word, (uses.get(word) ?? 0) + 1)
  const most = [...uses]
    .filter(([, times]) => times >= fewestNames)
    .sort(([, one], [, other]) => other - one)
    .slice(0, mostNameWords)
  for (const [word, times] of most)
    add(
      normaliseTerm(word, country),
      (worth.names * times) / read.length,
      'result-names',
      `${times} of the first ${read.length} names hold it.`,
    )
}

/** Names of one page are of many languages: only the English words that mean nothing are known, which stand in all. */
const emptyWords = stopWordsOf(undefined)

const telling = (kind: 'word' | 'run', text: string) =>
  !wordsForApp.has(text) &&
  (kind === 'run' || (text.length > 1 && /\p{L}/u.test(text) && !emptyWords.has(text)))
