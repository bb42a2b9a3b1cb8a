import { normaliseTerm, refusalOf } from '../../../text/keyword-term.ts'
import { listingWords } from '../../../text/listing-words.ts'
import { fold } from '../../../text/search-terms.ts'
import { stemsIn } from '../../../text/stems.ts'
import { wordsForApp } from '../../../text/stop-words.ts'
import type { ScoredReason, SuggestionReason } from './suggestion-reasons.ts'

/** A term with what speaks for it. */
export interface Candidate {
  term: string
  strength: number
  /** Strongest first. */
  reasons: SuggestionReason[]
}

interface Found {
  term: string
  strength: number
  reasons: ScoredReason[]
  brand: boolean
}

/** Terms with what speaks for them; those that cannot or need not be suggested are passed over. */
export class Candidates {
  readonly #found = new Map<string, Found>()
  readonly #taken: ReadonlySet<string>
  readonly #country: string
  readonly #language: string | undefined
  readonly #stopWords: Pick<ReadonlySet<string>, 'has'>
  readonly #isBrand: (word: string) => boolean

  constructor(
    keywords: readonly string[],
    country: string,
    language: string | undefined,
    stopWords: Pick<ReadonlySet<string>, 'has'>,
    isBrand: (word: string) => boolean,
  ) {
    this.#country = country
    this.#language = language
    this.#taken = new Set(keywords.map((keyword) => this.#variant(keyword)))
    this.#stopWords = stopWords
    this.#isBrand = isBrand
  }

  add(text: string, strength: number, reasons: readonly ScoredReason[], isBrand = false): void {
    const term = normaliseTerm(text, this.#country)
    const key = fold(term)
    if (reasons.length === 0 || this.#taken.has(this.#variant(term)) || refusalOf(term) || !this.#says(term))
      return
    const brand = isBrand || listingWords(term, this.#country).some((word) => this.#isBrand(word.key))
    const known = this.#found.get(key)
    if (!known) this.#found.set(key, { term, strength, reasons: [...reasons], brand })
    else {
      known.strength += strength
      known.reasons.push(...reasons)
      known.brand ||= brand
    }
  }

  /** The same for one and many of it, in whatever order and however often. */
  #variant(term: string): string {
    const stems = new Set(stemsIn(term, this.#language).map(({ text }) => text))
    return [...stems].sort().join(' ')
  }

  /** Something must be left without the words that mean nothing by themselves. */
  #says(term: string): boolean {
    return term
      .split(' ')
      .some(
        (word) => !this.#stopWords.has(word) && !wordsForApp.has(fold(word)) && /\p{L}{2}|\p{N}/u.test(word),
      )
  }

  /** Strongest first. */
  strongest(): { terms: Candidate[]; brands: Candidate[] } {
    const all = [...this.#found.values()].sort(
      (one, other) => other.strength - one.strength || (one.term < other.term ? -1 : 1),
    )
    const said = new Set<string>()
    const isNew = ({ term }: Found) => said.size < said.add(this.#variant(term)).size
    return {
      terms: all
        .filter(({ brand }) => !brand)
        .filter(isNew)
        .map(shownCandidate),
      brands: all.filter(({ brand }) => brand).map(shownCandidate),
    }
  }
}

const shownCandidate = ({ term, strength, reasons }: Found): Candidate => ({
  term,
  strength,
  reasons: reasons
    .toSorted((one, other) => other.strength - one.strength)
    .map(({ strength: _, ...reason }) => reason),
})
