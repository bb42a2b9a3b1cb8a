import { type ListingTerm, termsIn } from '../../../text/listing-terms.ts'
import { listingWords } from '../../../text/listing-words.ts'
import type { Listing } from '../../catalogue/listing.ts'
import type { WordCounts } from '../../catalogue/word-weights.ts'
import { countedWords, tellingEnough, tellingOf } from '../scores/telling.ts'
import type { RivalRank, RivalTexts, SuggestedTerm } from './suggestion-queries.ts'

export interface SuggestionReason {
  kind: 'own-listing' | 'rival-name' | 'rival-ranks' | 'autocomplete'
  text: string
  /** The app it is read from; null when several or none. */
  storeId: string | null
}

/** A reason with how much it says, 0 to 1. */
export type ScoredReason = SuggestionReason & { strength: number }

/** Terms of a description that are scored. */
const ownTermsScored = 60

const ownTexts = (listing: Partial<Listing> | undefined) => [
  listing?.name ?? '',
  listing?.subtitle ?? '',
  listing?.description ?? '',
]

/** A term of the app's own texts, with how often each holds it. */
export interface OwnTerm {
  term: string
  name: number
  subtitle: number
  description: number
}

/** Terms of name and subtitle, and those that the description repeats, most often first. */
export function ownTerms(
  listing: Partial<Listing> | undefined,
  country: string,
  stopWords: ReadonlySet<string>,
): OwnTerm[] {
  const found = new Map<string, OwnTerm>()
  const [inName = [], inSubtitle = [], inDescription = []] = ownTexts(listing).map((text) =>
    termsIn(listingWords(text, country), stopWords),
  )
  const add = (field: 'name' | 'subtitle' | 'description', { key, term, count }: ListingTerm) => {
    const known = found.get(key) ?? { term, name: 0, subtitle: 0, description: 0 }
    found.set(key, { ...known, [field]: count })
  }
  for (const term of inName) add('name', term)
  for (const term of inSubtitle) add('subtitle', term)
  const repeated = inDescription.filter(({ count, key }) => count > 1 || found.has(key))
  for (const term of repeated.toSorted((one, other) => other.count - one.count).slice(0, ownTermsScored))
    add('description', term)
  return [...found.values()]
}

export function ownReason({ term, ...counts }: OwnTerm, words: WordCounts): ScoredReason | undefined {
  const telling = tellingOf(term, words)
  if (telling !== undefined && telling < tellingEnough) return undefined
  const often = counts.description === 1 ? 'once' : `${counts.description} times`
  const places = [
    ...(counts.name > 0 ? ['in the name'] : []),
    ...(counts.subtitle > 0 ? ['in the subtitle'] : []),
    ...(counts.description > 0 ? [`${often} in the description`] : []),
  ]
  return {
    kind: 'own-listing',
    text: `The listing holds it ${places.join(' and ')}${telling !== undefined && telling >= 50 ? ', which few other stored listings do' : ''}.`,
    storeId: null,
    strength: ((telling ?? 50) / 100) * (counts.name + counts.subtitle > 0 ? 0.8 : 0.5),
  }
}

/** A term in names and subtitles of rivals. */
export interface NamedTerm {
  term: string
  inNames: Set<string>
  inSubtitles: Set<string>
  /** Whether the developer of one of them is called so. */
  ofDeveloper: boolean
}

/** Terms of the rivals' names and subtitles. */
export function termsOfNames(
  rivals: readonly RivalTexts[],
  country: string,
  stopWords: ReadonlySet<string>,
): NamedTerm[] {
  const found = new Map<string, NamedTerm>()
  for (const { storeId, name, subtitle, developer } of rivals) {
    const brand = new Set(listingWords(developer ?? '', country).map(({ key }) => key))
    const add = (field: 'inNames' | 'inSubtitles', { term, key }: ListingTerm) => {
      const known = found.get(key) ?? { term, inNames: new Set(), inSubtitles: new Set(), ofDeveloper: false }
      known[field].add(storeId)
      known.ofDeveloper ||= key.split(' ').some((word) => brand.has(word))
      found.set(key, known)
    }
    for (const term of termsIn(listingWords(name, country), stopWords)) add('inNames', term)
    for (const term of termsIn(listingWords(subtitle ?? '', country), stopWords)) add('inSubtitles', term)
  }
  return [...found.values()]
}

export function nameReason(
  { term, inNames, inSubtitles, ofDeveloper }: NamedTerm,
  rivals: number,
  words: WordCounts,
): ScoredReason | undefined {
  const carrying = inNames.union(inSubtitles)
  const [only] = carrying
  // What one developer is called, or no other listing holds, names a product and finds nobody but it.
  const isBrand =
    ofDeveloper || (words.listings > 0 && countedWords(term).some((word) => !words.holding.has(word)))
  if (carrying.size === 1 && isBrand) return undefined
  const where = inNames.size === 0 ? 'subtitle' : inSubtitles.size === 0 ? 'name' : 'name or subtitle'
  return {
    kind: 'rival-name',
    text:
      rivals === 1
        ? `Your rival carries it in its ${where}.`
        : `${carrying.size} of your ${rivals} rivals ${carrying.size === 1 ? 'carries it in its' : 'carry it in their'} ${where}.`,
    storeId: carrying.size === 1 ? (only ?? null) : null,
    strength: Math.min(1, 0.3 + (0.7 * carrying.size) / rivals),
  }
}

export function rankReason(
  { rivals: ranked, rank, storeId }: RivalRank,
  rivals: number,
  names: ReadonlyMap<string, string>,
): ScoredReason {
  const best = names.get(storeId) ?? `The app ${storeId}`
  return {
    kind: 'rival-ranks',
    text:
      ranked === 1
        ? `${best} is number ${rank} for it.`
        : `${ranked} of your ${rivals} rivals rank for it, ${best} best as number ${rank}.`,
    storeId: ranked === 1 ? storeId : null,
    strength: Math.min(1, 0.4 / Math.log2(rank + 1) + (0.6 * ranked) / rivals),
  }
}

export function suggestedReason({ typed, place }: SuggestedTerm): ScoredReason {
  return {
    kind: 'autocomplete',
    text: `Apple suggests it as number ${place} for "${typed}".`,
    storeId: null,
    strength: Math.max(0, 1 - (place - 1) / 10),
  }
}
