import type { Database } from '../../../storage/database.ts'
import { languageOfListing } from '../../../text/language.ts'
import { unspacedScripts } from '../../../text/scripts.ts'
import { commonestWordsOf, emptyWordsOf } from '../../../text/stop-words.ts'
import type { Listing } from '../../catalogue/listing.ts'
import { wordCounts } from '../../catalogue/word-weights.ts'
import { asSearched, type RankState, rankOnPage } from '../pages/rank-days.ts'
import { unscored } from '../pages/term-scores.ts'
import { overRepresentation } from '../scores/over-representation.ts'
import { relevanceTo } from '../scores/relevance.ts'
import { countedWords } from '../scores/telling.ts'
import { appsLike, descriptionRead } from './apps-like.ts'
import { type Background, backgroundOf } from './background.ts'
import { brandsAmong, readTexts, sharedName } from './brands.ts'
import { type Candidate, Candidates } from './candidates.ts'
import { type Phrase, phrasesOf, withoutParts } from './phrases.ts'
import {
  type AppTexts,
  factsOfTerms,
  ranksOfRivals,
  suggestedFor,
  type TermFacts,
  textsOfApps,
} from './suggestion-queries.ts'
import { phraseReasons, rankReason, type SuggestionReason, suggestedReason } from './suggestion-reasons.ts'

export const suggestionsFormula = 'suggestions/2'

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

export interface Suggestions {
  items: Suggestion[]
  /** Names of companies and products that stand in what items are made of. */
  brands: { term: string; reasons: SuggestionReason[] }[]
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

/** Suggestions that are made, brands that are named, and how many of each kind are scored. */
const suggestionsMade = 25
const brandsNamed = 10
const rivalRanksScored = 300
const suggestedScored = 300
/** Places of a page that rivals are looked for in. */
const placesRead = 10

/**
 * Keywords the app does not have and might want, and apart from them names of companies and products. What the texts of
 * apps like this one hold beyond what all apps do, what rivals rank for, and what Apple suggests for beginnings of its
 * keywords; what speaks for a term adds up, and a measured opportunity moves it up by as much as twice.
 */
export async function suggestionsFor(db: Database, subject: SuggestionSubject): Promise<Suggestions> {
  const { appId, storeId, country, listing, rivals, keywords } = subject
  const language = await languageOfListing(listing ?? {})
  const [stopWords, common] = [emptyWordsOf(language), commonestWordsOf(language)]
  const [texts, ranks, suggested] = await Promise.all([
    rivals.length === 0 ? [] : textsOfApps(db, rivals, country, descriptionRead),
    rivals.length === 0 ? [] : ranksOfRivals(db, appId, rivals, country, rivalRanksScored),
    suggestedFor(db, country, longBeginningsOf(keywords), suggestedScored),
  ])
  const own = listing && ownTexts(storeId, listing)
  const others = own ? await appsLike(db, own, texts, country, stopWords) : []
  const read = [...(own ? [own] : []), ...texts, ...others].map((app) => readTexts(app, country))
  const of = (apps: readonly AppTexts[]) => read.filter(({ app }) => apps.includes(app))
  const developers = new Set(read.map(({ developer }) => developer)).size
  const otherDevelopers = new Set(of(others).map(({ developer }) => developer)).size
  const phrases = phrasesOf(of(own ? [own] : [])[0], of(texts), of(others), stopWords)
  const counts = await wordCounts(db, [
    ...[...phrases.flatMap(({ words }) => words), ...common].flatMap(countedWords),
  ])
  const background = backgroundOf(counts, common, read.length)
  const worthCounting = withoutParts(phrases.filter((phrase) => hasSupport(phrase, background, developers)))
  const isBrand = brandsAmong(read, language === 'de', background.shareOf)
  const candidates = new Candidates(keywords, country, stopWords, isBrand)
  for (const phrase of worthCounting) {
    const among = { holding: phrase.developers.size, of: developers }
    const strength = overRepresentation(among, background.holding(phrase.words))
    const isOwn = phrase.own.name + phrase.own.subtitle > 0
    const brand = namesOneProduct(phrase) || phrase.words.some(isBrand)
    // The app's own name needs no telling, and a name of a rival's is one however often it is said.
    if (brand ? isOwn : counts.listings > 0 && strength < weakest && !isOwn) continue
    const reasons = phraseReasons(phrase, strength, rivals.length, developers, otherDevelopers)
    candidates.add(phrase.term, strength * namedFactor(phrase), reasons, brand)
  }
  const names = new Map(texts.map((rival) => [rival.storeId, rival.name]))
  for (const found of ranks) {
    const among = { holding: found.rivals, of: rivals.length }
    const strength = overRepresentation(among, {
      holding: placesRead,
      of: Math.max(counts.listings, placesRead),
    })
    candidates.add(found.term, strength, [rankReason(found, rivals.length, names, strength)])
  }
  for (const found of suggested) {
    const reason = suggestedReason(found)
    candidates.add(found.term, reason.strength, [reason])
  }
  return shaped(db, subject, candidates.strongest())
}

/** From this relevance on a term is relevant: the description holds half of its words, or better. */
const relevantFrom = 20

/** Opportunities are known of stored terms alone, so that more are looked up than are made. */
const lookedUp = 200

async function shaped(
  db: Database,
  { storeId, country, listing }: SuggestionSubject,
  { terms, brands }: { terms: Candidate[]; brands: Candidate[] },
): Promise<Suggestions> {
  const strongest = terms.slice(0, lookedUp)
  const found = await factsOfTerms(
    db,
    storeId,
    country,
    strongest.map(({ term }) => term),
  )
  const facts = new Map(found.map((fact) => [fact.term, fact]))
  const relevance = listing && relevanceTo(listing)
  const worth = ({ term, strength }: Candidate) => {
    const isRelevant = relevance === undefined || relevance(term) >= relevantFrom
    return strength * (1 + (isRelevant ? (facts.get(term)?.opportunity ?? 0) / 100 : 0))
  }
  return {
    items: strongest
      .toSorted((one, other) => worth(other) - worth(one) || (one.term < other.term ? -1 : 1))
      .slice(0, suggestionsMade)
      .map(({ term, reasons }) => {
        const fact = facts.get(term)
        return {
          term,
          reasons,
          relevance: relevance?.(term),
          facts: fact,
          rank: asSearched(rankOnPage(fact?.rank, fact?.pageDepth), fact ?? unscored),
        }
      }),
    brands: brands.slice(0, brandsNamed).map(({ term, reasons }) => ({ term, reasons })),
  }
}

function ownTexts(storeId: string, listing: Partial<Listing> & Pick<Listing, 'name'>): AppTexts {
  const { name, subtitle, developer, description } = listing
  return {
    storeId,
    name,
    subtitle: subtitle ?? null,
    developer: developer ?? null,
    description: description?.slice(0, descriptionRead) ?? null,
  }
}

/** Developers that must use a phrase that no name holds, at least, and the share of all looked at. */
const fewestDescribing = 3
const describingShare = 0.15
/** Developers that must name an app by a word for it to be no chance, at least, and the share of all looked at. */
const fewestNaming = 2
const namingShare = 0.05
/** Developers among whom a word of the app that nobody else uses says nothing of such apps. */
const enoughDevelopers = 8
/** Times that the app's description says a word that nobody else says. */
const repeatedAlone = 3
/** Share of all listings up to which a single word tells something that no name holds, and that few names hold. */
const tellingWord = 0.01
const tellingNamed = 0.03

/**
 * One app says anything; what several say, or the app itself or a rival prominently, is worth a look. Single words of
 * descriptions alone are mostly verbs and praise: few listings must hold them.
 */
function hasSupport(phrase: Phrase, { isRare }: Background, looked: number): boolean {
  const { words, developers, naming, own, inNames, inSubtitles } = phrase
  const named = naming.size >= Math.max(fewestNaming, namingShare * looked)
  if (words.length === 1 && !named && !isRare(words[0] ?? '', naming.size > 0 ? tellingNamed : tellingWord))
    return false
  // Where words stand beside each other without spaces, what one text alone writes may be cut anywhere.
  const times = own.name + own.subtitle + own.description
  if (developers.size === 1 && words.length > 1 && times < 2 && unspaced.test(phrase.key)) return false
  if (own.name + own.subtitle > 0 || named) return true
  // An app should not be found by what only others describe.
  if (naming.size === 0 && own.description === 0) return false
  if (developers.size === 1 && inNames.size + inSubtitles.size === 0 && looked >= enoughDevelopers) return false
  if (developers.size >= Math.max(fewestDescribing, describingShare * looked)) return true
  const alone = developers.size === 1 && words.length === 1 ? repeatedAlone : 2
  return own.description >= alone || (inNames.size + inSubtitles.size > 0 && words.length < 3)
}

const unspaced = new RegExp(`[${unspacedScripts}]`, 'u')

/** What is less over-represented than this is by chance once in twenty times. */
const weakest = 3.84

/** What developers put into names is what they want to be found by. */
const namedFactor = ({ naming }: Phrase) => (naming.size > 0 ? 1.5 : 1)

/** A phrase that is what an app is called, or several words of it, that hardly anybody else uses. */
const namesOneProduct = ({ words, developers, inHead, isHead }: Phrase) =>
  (isHead && developers.size < sharedName) || (inHead && words.length > 1 && developers.size === 1)

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
