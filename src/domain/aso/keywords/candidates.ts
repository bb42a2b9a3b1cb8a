import { normaliseTerm, refusalOf } from '../../../text/keyword-term.ts'
import { listingWords } from '../../../text/listing-words.ts'
import { fold } from '../../../text/search-terms.ts'
import { stemsIn } from '../../../text/stems.ts'
import { wordsForApp } from '../../../text/stop-words.ts'
import type { ScoredReason, SuggestionReason } from './suggestion-reasons.ts'

/** A term with the evidence for it. */
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
  /** Whether the app's own name contains it. */
  carried: boolean
}

/** Collects terms with the evidence for them; skips those that cannot or need not be suggested. */
export class Candidates {
  readonly #found = new Map<string, Found>()
  readonly #taken: ReadonlySet<string>
  readonly #country: string
  readonly #language: string | undefined
  readonly #stopWords: Pick<ReadonlySet<string>, 'has'>
  readonly #isBrand: (word: string) => boolean
  readonly #nameStems: ReadonlySet<string>
  readonly #nameLetters: string

  /** @param name of the app; undefined where it is not known */
  constructor(
    keywords: readonly string[],
    country: string,
    language: string | undefined,
    stopWords: Pick<ReadonlySet<string>, 'has'>,
    isBrand: (word: string) => boolean,
    name: string | undefined,
  ) {
    this.#country = country
    this.#language = language
    this.#taken = new Set(keywords.map((keyword) => this.#variant(keyword)))
    this.#stopWords = stopWords
    this.#isBrand = isBrand
    this.#nameStems = new Set(stemsIn(name ?? '', language).map(({ text }) => text))
    this.#nameLetters = lettersOf(name ?? '')
  }

  add(text: string, strength: number, reasons: readonly ScoredReason[], isBrand = false): void {
    const term = normaliseTerm(text, this.#country)
    const key = fold(term)
    if (reasons.length === 0 || this.#taken.has(this.#variant(term)) || refusalOf(term) || !this.#says(term))
      return
    const brand = isBrand || listingWords(term, this.#country).some((word) => this.#isBrand(word.key))
    const known = this.#found.get(key)
    if (!known)
      this.#found.set(key, { term, strength, reasons: [...reasons], brand, carried: this.#isCarried(term) })
    else {
      known.strength += strength
      known.reasons.push(...reasons)
      known.brand ||= brand
    }
  }

  /** The same key for singular and plural, any word order and repeated words. */
  #variant(term: string): string {
    const stems = new Set(stemsIn(term, this.#language).map(({ text }) => text))
    return [...stems].sort().join(' ')
  }

  /**
   * Whether all its words are in the name; in scripts without spaces, or where words may be joined, whether its letters are.
   */
  #isCarried(term: string): boolean {
    if (stemsIn(term, this.#language).every(({ text }) => this.#nameStems.has(text))) return true
    return /[ \P{ASCII}]/u.test(term) && this.#nameLetters.includes(lettersOf(term))
  }

  /** Whether words remain besides stop words. */
  #says(term: string): boolean {
    return term
      .split(' ')
      .some(
        (word) => !this.#stopWords.has(word) && !wordsForApp.has(fold(word)) && /\p{L}{2}|\p{N}/u.test(word),
      )
  }

  /** Strongest first: terms, other companies' and products' names, and terms in the app's own name. */
  strongest(): { terms: Candidate[]; brands: Candidate[]; carried: Candidate[] } {
    const all = [...this.#found.values()].sort(
      (one, other) => other.strength - one.strength || (one.term < other.term ? -1 : 1),
    )
    const once = (some: readonly Found[]) => {
      const said = new Set<string>()
      return some.filter(({ term }) => said.size < said.add(this.#variant(term)).size).map(shownCandidate)
    }
    return {
      terms: once(all.filter(({ brand, carried }) => !brand && !carried)),
      brands: all.filter(({ brand, carried }) => brand && !carried).map(shownCandidate),
      carried: once(all.filter(({ brand, carried }) => !brand && carried)),
    }
  }
}

const lettersOf = (text: string) => fold(text).replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')

const shownCandidate = ({ term, strength, reasons }: Found): Candidate => ({
  term,
  strength,
  reasons: reasons
    .toSorted((one, other) => other.strength - one.strength)
    .map(({ strength: _, ...reason }) => reason),
})
