import type { Database } from '../../../storage/database.ts'
import type { Listing } from '../../catalogue/listing.ts'
import { type RankState, rankOnPage, withSearchFailure } from '../pages/rank-days.ts'
import { noScores } from '../pages/term-queries.ts'
import { relevanceTo } from '../scores/relevance.ts'
import { overRepresentation } from '../scores/specificity.ts'
import {
  type KeywordCandidate,
  KeywordCandidates,
  type KeywordForms,
  phraseReasons,
  rankReason,
  type SuggestionReason,
  suggestedReason,
} from './candidates.ts'
import { compareAppTexts } from './compare-app-texts.ts'
import { type PageReading, readingsOfNewestPages } from './competitor-keyword-queries.ts'
import { hasEnoughEvidence, isInOwnName, isProductName, phrasePlacementFactor } from './evidence.ts'
import type { Phrase } from './phrases.ts'
import { factsOfTerms, ranksOfRivals, suggestionsForPrefixes, type TermFacts } from './suggestion-queries.ts'

export const suggestionsFormula = 'suggestions/5'

export interface Suggestion {
  /** Normalised. */
  term: string
  /** Strongest first, at least one. */
  reasons: SuggestionReason[]
  /** Undefined when no listing of the app is stored in the storefront. */
  relevance: number | undefined
  /** Undefined when the term was never searched and nothing is stored of it. */
  facts: TermFacts | undefined
  /** Of its newest page; undefined without one. */
  reading: PageReading | undefined
  /** Of the app on the newest page. */
  rank: RankState
}

export interface Suggestions {
  items: Suggestion[]
  /** Names of companies and products found in the same sources as the items. */
  brands: { term: string; reasons: SuggestionReason[] }[]
  /** Terms that the app's own name contains already. */
  carried: { term: string; reasons: SuggestionReason[] }[]
  /**
   * Number of developers of rivals and of other similar apps whose texts were compared. Undefined where there is too little
   * to compare: suggestions then come only from rivals' texts and ranks and from Apple.
   */
  developers: number | undefined
}

/** The app that suggestions are made for. */
export interface SuggestionSubject {
  appId: string
  storeId: string
  country: string
  /** The app's listing in that storefront; undefined when none is stored. */
  listing: (Partial<Listing> & Pick<Listing, 'name'>) | undefined
  rivals: readonly string[]
  /** The app's keywords. */
  keywords: readonly string[]
}

/** Maximum suggestions, brands, and terms of each kind that are scored. */
const suggestionsMade = 25
const brandsNamed = 10
const carriedNamed = 10
const rivalRanksScored = 300
const suggestedScored = 300
/** Places of a page in which rivals are searched. */
const placesRead = 10

/**
 * Suggests keywords the app does not have, and apart from them brands and terms of its own name. Sources are phrases that
 * similar apps use more than all apps do, terms that rivals rank for, and Apple's suggestions for prefixes of its keywords.
 * The strengths of a term's reasons add up; a measured opportunity multiplies the sum by up to two.
 */
export async function suggestionsFor(db: Database, subject: SuggestionSubject): Promise<Suggestions> {
  const { appId, storeId, country, listing, rivals, keywords } = subject
  const [compared, ranks, suggested] = await Promise.all([
    compareAppTexts(db, storeId, country, listing, rivals),
    rivals.length === 0 ? [] : ranksOfRivals(db, appId, rivals, country, rivalRanksScored),
    suggestionsForPrefixes(db, country, longBeginningsOf(keywords), suggestedScored),
  ])
  const { language, stopWords, isBrand, looked, listings, developers } = compared
  const candidates = new KeywordCandidates(keywords, country, language, stopWords, isBrand, listing?.name)
  const isSaid = (phrase: Phrase, strength: number) =>
    developers === undefined
      ? isInOwnName(phrase) || phrase.inNames.size + phrase.inSubtitles.size > 0
      : hasEnoughEvidence(phrase, strength)
  for (const { phrase, strength } of compared.phrases) {
    const brand = isProductName(phrase) || phrase.words.some(isBrand)
    // The app's own name needs no suggestion; a rival's name is a brand however little it is used.
    if (brand ? isInOwnName(phrase) : !isSaid(phrase, strength)) continue
    const reasons = phraseReasons(phrase, strength, rivals.length, looked)
    candidates.add(phrase.term, strength * phrasePlacementFactor(phrase), reasons, brand)
  }
  const names = new Map(compared.rivals.map((rival) => [rival.storeId, rival.name]))
  for (const ranked of ranks) {
    const among = { holding: ranked.rivals, of: rivals.length }
    const strength = overRepresentation(among, {
      holding: placesRead,
      of: Math.max(listings, placesRead),
    })
    candidates.add(ranked.term, strength, [rankReason(ranked, rivals.length, names, strength)])
  }
  for (const found of suggested) {
    const reason = suggestedReason(found)
    candidates.add(found.term, reason.strength, [reason])
  }
  return { ...(await shaped(db, subject, candidates.strongest())), developers }
}

/** Minimum relevance: the description holds half of the term's words, or better. */
const relevantFrom = 20

/** More terms are looked up than suggested, because only stored terms have a known opportunity. */
const lookedUp = 200

async function shaped(
  db: Database,
  { storeId, country, listing }: SuggestionSubject,
  { terms, brands, carried }: ReturnType<KeywordCandidates['strongest']>,
): Promise<Omit<Suggestions, 'developers'>> {
  const looked = terms.slice(0, lookedUp)
  const found = await factsOfTerms(
    db,
    storeId,
    country,
    looked.flatMap((forms) => forms.map(({ term }) => term)),
  )
  const facts = new Map(found.map((fact) => [fact.term, fact]))
  const strongest = looked.flatMap((forms) => searchedForm(forms, facts) ?? [])
  const relevance = listing && relevanceTo(listing)
  const worth = ({ term, strength }: KeywordCandidate) => {
    const isRelevant = relevance === undefined || relevance(term) >= relevantFrom
    return strength * (1 + (isRelevant ? (facts.get(term)?.opportunity ?? 0) / 100 : 0))
  }
  const made = strongest
    .toSorted((one, other) => worth(other) - worth(one) || (one.term < other.term ? -1 : 1))
    .slice(0, suggestionsMade)
  const termIds = made.flatMap(({ term }) => facts.get(term)?.termId ?? [])
  const readings = termIds.length === 0 ? [] : await readingsOfNewestPages(db, termIds)
  return {
    items: made.map(({ term, reasons }) => {
      const fact = facts.get(term)
      return {
        reading: readings.find(({ termId }) => termId === fact?.termId),
        term,
        reasons,
        relevance: relevance?.(term),
        facts: fact,
        rank: withSearchFailure(rankOnPage(fact?.rank, fact?.pageDepth), fact ?? noScores),
      }
    }),
    brands: brands.slice(0, brandsNamed).map(named),
    carried: carried.slice(0, carriedNamed).map(named),
  }
}

/** The strongest form with a stored page, as strong as the strongest of all; without one, that. */
function searchedForm(
  forms: KeywordForms,
  facts: ReadonlyMap<string, TermFacts>,
): KeywordCandidate | undefined {
  const [first] = forms
  const searched = forms.find(({ term }) => facts.has(term)) ?? first
  return searched && first && { ...searched, strength: first.strength }
}

const named = ({ term, reasons }: KeywordCandidate) => ({ term, reasons })

/** Prefixes of the keywords with at least half of the letters: shorter ones are too ambiguous. */
function longBeginningsOf(keywords: readonly string[]): string[] {
  const beginnings = new Set<string>()
  for (const keyword of keywords) {
    const letters = [...keyword]
    for (let typed = Math.ceil(letters.length / 2); typed <= letters.length; typed++)
      beginnings.add(letters.slice(0, typed).join('').trimEnd())
  }
  return [...beginnings]
}
