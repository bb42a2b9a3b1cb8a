import type { Database } from '../../../storage/database.ts'
import { normaliseTerm, refusalOf } from '../../../text/keyword-term.ts'
import { languageOfListing } from '../../../text/language.ts'
import { fold } from '../../../text/search-terms.ts'
import { stopWordsOf, wordsForApp } from '../../../text/stop-words.ts'
import type { Listing } from '../../catalogue/listing.ts'
import { wordCounts } from '../../catalogue/word-weights.ts'
import { asSearched, type RankState, rankOnPage } from '../pages/rank-days.ts'
import { unscored } from '../pages/term-scores.ts'
import { relevanceTo } from '../scores/relevance.ts'
import { countedWords } from '../scores/telling.ts'
import { factsOfTerms, ranksOfRivals, rivalTexts, suggestedFor, type TermFacts } from './suggestion-queries.ts'
import {
  nameReason,
  ownReason,
  ownTerms,
  rankReason,
  type ScoredReason,
  type SuggestionReason,
  suggestedReason,
  termsOfNames,
} from './suggestion-reasons.ts'

export const suggestionsFormula = 'suggestions/1'

export interface Suggestion {
  /** Normalised. */
  term: string
  /** Strongest first, at least one. */
  reasons: SuggestionReason[]
  /** Undefined when no listing of the app is stored in the storefront. */
  relevance: number | undefined
  /** Undefined when nobody searched for it and nothing is known of it. */
  facts: TermFacts | undefined
  /** Of the app on the newest page. */
  rank: RankState
}

/** What suggestions are made for. */
export interface SuggestionSubject {
  appId: string
  storeId: string
  country: string
  /** The app's listing in that storefront; undefined when none is stored. */
  listing: (Partial<Listing> & Pick<Listing, 'name'>) | undefined
  rivals: readonly string[]
  /** Terms the app has. */
  keywords: readonly string[]
}

/** Suggestions that are made, and how many of each kind are scored. */
const suggestionsMade = 25
const rivalRanksScored = 300
const suggestedScored = 300
/** From this relevance on a term is relevant: the description holds half of its words, or better. */
const relevantFrom = 20

/**
 * Keywords the app does not have and might want: telling terms of its own listing, what rivals call themselves, what they
 * rank for, and what Apple suggests for beginnings of its keywords. The best opportunity for a relevant term comes first;
 * those without a measured opportunity follow by relevance and by how much speaks for them.
 */
export async function suggestionsFor(db: Database, subject: SuggestionSubject): Promise<Suggestion[]> {
  const { appId, storeId, country, listing, rivals, keywords } = subject
  const stopWords = stopWordsOf(await languageOfListing(listing ?? {}))
  const [texts, ranks, suggested] = await Promise.all([
    rivals.length === 0 ? [] : rivalTexts(db, rivals, country),
    rivals.length === 0 ? [] : ranksOfRivals(db, appId, rivals, country, rivalRanksScored),
    suggestedFor(db, country, longBeginningsOf(keywords), suggestedScored),
  ])
  const own = ownTerms(listing, country, stopWords)
  const named = termsOfNames(texts, country, stopWords)
  const counts = await wordCounts(
    db,
    [...own, ...named].flatMap(({ term }) => countedWords(term)),
  )
  const names = new Map(texts.map((rival) => [rival.storeId, rival.name]))
  const candidates = new Candidates(keywords, country, stopWords)
  for (const term of own) candidates.add(term.term, ownReason(term, counts))
  for (const term of named) candidates.add(term.term, nameReason(term, rivals.length, counts))
  for (const found of ranks) candidates.add(found.term, rankReason(found, rivals.length, names))
  for (const found of suggested) candidates.add(found.term, suggestedReason(found))
  const found = candidates.all()
  const facts = new Map(
    (
      await factsOfTerms(
        db,
        storeId,
        country,
        found.map(({ term }) => term),
      )
    ).map((fact) => [fact.term, fact]),
  )
  const relevance = listing && relevanceTo(listing)
  return found
    .map(({ term, reasons }): Suggestion & { strength: number } => {
      const fact = facts.get(term)
      return {
        term,
        reasons: reasons.map(({ strength, ...reason }) => reason),
        strength: reasons.reduce((sum, { strength }) => sum + strength, 0),
        relevance: relevance?.(term),
        facts: fact,
        rank: asSearched(rankOnPage(fact?.rank, fact?.pageDepth), fact ?? unscored),
      }
    })
    .sort(bestFirst)
    .slice(0, suggestionsMade)
    .map(({ strength, ...suggestion }) => suggestion)
}

/** Terms with what speaks for them; those that cannot or need not be suggested are passed over. */
class Candidates {
  readonly #found = new Map<string, { term: string; reasons: ScoredReason[] }>()
  readonly #taken: ReadonlySet<string>
  readonly #country: string
  readonly #stopWords: ReadonlySet<string>

  constructor(keywords: readonly string[], country: string, stopWords: ReadonlySet<string>) {
    this.#taken = new Set(keywords.map(fold))
    this.#country = country
    this.#stopWords = stopWords
  }

  add(text: string, reason: ScoredReason | undefined): void {
    const term = normaliseTerm(text, this.#country)
    const key = fold(term)
    if (!reason || this.#taken.has(key) || refusalOf(term) || !this.#says(key)) return
    const known = this.#found.get(key)
    if (known) known.reasons.push(reason)
    else this.#found.set(key, { term, reasons: [reason] })
  }

  /** Something must be left without the words that mean nothing by themselves. */
  #says(key: string): boolean {
    return key
      .split(' ')
      .some((word) => !this.#stopWords.has(word) && !wordsForApp.has(word) && /\p{L}{2}|\p{N}/u.test(word))
  }

  all(): { term: string; reasons: ScoredReason[] }[] {
    return [...this.#found.values()].map(({ term, reasons }) => ({
      term,
      reasons: reasons.toSorted((one, other) => other.strength - one.strength),
    }))
  }
}

/** What is typed on the way to the keywords: at least half of each, since fewer letters lead anywhere. */
function longBeginningsOf(keywords: readonly string[]): string[] {
  const beginnings = new Set<string>()
  for (const keyword of keywords) {
    const letters = [...keyword]
    for (let typed = Math.ceil(letters.length / 2); typed <= letters.length; typed++)
      beginnings.add(letters.slice(0, typed).join('').trimEnd())
  }
  return [...beginnings]
}

function bestFirst(one: Suggestion & { strength: number }, other: Suggestion & { strength: number }): number {
  return (
    worth(other) - worth(one) ||
    (other.relevance ?? 0) - (one.relevance ?? 0) ||
    other.reasons.length - one.reasons.length ||
    other.strength - one.strength ||
    (one.term < other.term ? -1 : 1)
  )
}

/** Opportunity times relevance; 0 where the term is not relevant or its opportunity not measured. */
function worth({ facts, relevance = 0 }: Suggestion): number {
  return relevance < relevantFrom ? 0 : (facts?.opportunity ?? 0) * relevance
}
