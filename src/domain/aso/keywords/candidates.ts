import { normaliseTerm, termRefusalOf } from '../../../text/keyword-term.ts'
import { listingWords } from '../../../text/listing-words.ts'
import { fold } from '../../../text/search-terms.ts'
import { stemsInLanguage } from '../../../text/stems.ts'
import { wordsForApp } from '../../../text/stop-words.ts'
import type { ComparedApps } from './evidence.ts'
import type { Phrase } from './phrases.ts'
import type { RivalRank, SuggestedTerm } from './suggestion-queries.ts'

/** A term with the evidence for it. */
export interface KeywordCandidate {
  term: string
  strength: number
  /** Strongest first. */
  reasons: SuggestionReason[]
}

/** The forms of a term, such as one and many, strongest first; at least one. */
export type KeywordForms = readonly KeywordCandidate[]

/** Forms of a term that are looked up. */
const formsKept = 3

interface Found {
  term: string
  strength: number
  reasons: ScoredReason[]
  brand: boolean
  /** Whether the app's own name contains it. */
  carried: boolean
}

/** Collects terms with the evidence for them; skips those that cannot or need not be suggested. */
export class KeywordCandidates {
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
    this.#nameStems = new Set(stemsInLanguage(name ?? '', language).map(({ text }) => text))
    this.#nameLetters = lettersOf(name ?? '')
  }

  add(text: string, strength: number, reasons: readonly ScoredReason[], isBrand = false): void {
    const term = normaliseTerm(text, this.#country)
    const key = fold(term)
    if (
      reasons.length === 0 ||
      this.#taken.has(this.#variant(term)) ||
      termRefusalOf(term) ||
      !this.#says(term)
    )
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
    const stems = new Set(stemsInLanguage(term, this.#language).map(({ text }) => text))
    return [...stems].sort().join(' ')
  }

  /**
   * Whether all its words are in the name; in scripts without spaces, or where words may be joined, whether its letters are.
   */
  #isCarried(term: string): boolean {
    if (stemsInLanguage(term, this.#language).every(({ text }) => this.#nameStems.has(text))) return true
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

  /** Strongest first: terms with their other forms, other companies' and products' names, and terms in the app's own name. */
  strongest(): { terms: KeywordForms[]; brands: KeywordCandidate[]; carried: KeywordCandidate[] } {
    const all = [...this.#found.values()].sort(
      (one, other) => other.strength - one.strength || (one.term < other.term ? -1 : 1),
    )
    const distinctTerms = (some: readonly Found[]): KeywordForms[] =>
      [...Map.groupBy(some, ({ term }) => this.#variant(term)).values()].map((forms) =>
        forms.slice(0, formsKept).map(shownCandidate),
      )
    return {
      terms: distinctTerms(all.filter(({ brand, carried }) => !brand && !carried)),
      brands: all.filter(({ brand, carried }) => brand && !carried).map(shownCandidate),
      carried: distinctTerms(all.filter(({ brand, carried }) => !brand && carried)).flatMap(
        ([first]) => first ?? [],
      ),
    }
  }
}

const lettersOf = (text: string) => fold(text).replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')

const shownCandidate = ({ term, strength, reasons }: Found): KeywordCandidate => ({
  term,
  strength,
  reasons: reasons
    .toSorted((one, other) => other.strength - one.strength)
    .map(({ strength: _, ...reason }) => reason),
})

export interface SuggestionReason {
  kind: 'own-listing' | 'similar-apps' | 'rival-name' | 'rival-ranks' | 'autocomplete'
  text: string
  /** The app with the text or rank; null when several or none. */
  storeId: string | null
}

/** A reason with its strength relative to the term's other reasons. */
type ScoredReason = SuggestionReason & { strength: number }

/**
 * The reasons for a phrase from the texts that hold it, one for each text.
 * @param strength how over-represented the phrase is
 */
export function phraseReasons(
  phrase: Phrase,
  strength: number,
  rivals: number,
  { developers, otherDevelopers }: ComparedApps,
): ScoredReason[] {
  const { own, inNames, inSubtitles } = phrase
  const carrying = inNames.union(inSubtitles)
  const [only] = carrying
  const reasons: ScoredReason[] = []
  if (own.name + own.subtitle > 0 || own.description > 1)
    reasons.push({ kind: 'own-listing', text: ownText(own), storeId: null, strength })
  if (carrying.size > 0)
    reasons.push({
      kind: 'rival-name',
      text: namedText(carrying.size, rivals, whereOf(inNames, inSubtitles)),
      storeId: carrying.size === 1 ? (only ?? null) : null,
      strength: (strength * (1 + carrying.size)) / (1 + rivals),
    })
  if (phrase.others.size > 0)
    reasons.push({
      kind: 'similar-apps',
      text: `Used by ${phrase.others.size} of ${otherDevelopers} developers of similar apps.`,
      storeId: null,
      strength: (strength * phrase.developers.size) / developers.size,
    })
  return reasons
}

function ownText({ name, subtitle, description }: Phrase['own']): string {
  const often = description === 1 ? 'once' : `${description} times`
  const places = [
    ...(name > 0 ? ['in the name'] : []),
    ...(subtitle > 0 ? ['in the subtitle'] : []),
    ...(description > 0 ? [`${often} in the description`] : []),
  ]
  return `The listing has it ${places.join(' and ')}.`
}

const whereOf = (inNames: ReadonlySet<string>, inSubtitles: ReadonlySet<string>) =>
  inNames.size === 0 ? 'subtitle' : inSubtitles.size === 0 ? 'name' : 'name or subtitle'

function namedText(carrying: number, rivals: number, where: string): string {
  if (rivals === 1) return `Your competitor has it in its ${where}.`
  return `${carrying} of your ${rivals} competitors ${carrying === 1 ? 'has it in its' : 'have it in their'} ${where}.`
}

/** @param strength how over-represented rivals are on the page */
export function rankReason(
  { rivals: ranked, rank, storeId }: RivalRank,
  rivals: number,
  names: ReadonlyMap<string, string>,
  strength: number,
): ScoredReason {
  const best = names.get(storeId) ?? `The app ${storeId}`
  return {
    kind: 'rival-ranks',
    text:
      ranked === 1
        ? `${best} ranks #${rank} for it.`
        : `${ranked} of your ${rivals} competitors rank for it, ${best} best at #${rank}.`,
    storeId: ranked === 1 ? storeId : null,
    strength,
  }
}

/** The strength of the first place among Apple's suggestions, on the scale of over-representation; the tenth has a tenth. */
const firstPlace = 10

export function suggestedReason({ typed, place }: SuggestedTerm): ScoredReason {
  return {
    kind: 'autocomplete',
    text: `App Store suggestion #${place} for "${typed}".`,
    storeId: null,
    strength: Math.max(0, firstPlace * (1 - (place - 1) / 10)),
  }
}
