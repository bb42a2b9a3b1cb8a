import { joinedNeighbours, type Token, termsOfTokens, tokens } from '../../text/search-terms.ts'
import { shortestTolerated } from '../../text/typo-tolerance.ts'
import type { ListingField } from '../../vocabulary/listing-fields.ts'
import type { AppRecord } from './record.ts'

/** The search document of an app, from its records of all storefronts. */
export interface SearchDocument {
  storeId: string
  tier: number
  nameTerms: string[]
  allTerms: string[]
}

/** Ratings from which an app belongs to tier 0, 1, 2 and 3; the rest is tier 4. */
const tierFloors = [50_000, 5_000, 500, 20] as const

/** Terms of a description that are stored at most, which is more than Apple's 4,000 characters hold in most languages. */
const mostTerms = 1_500

/** How established an app is: its largest rating count over all storefronts, as a tier from 0 (most) to 4. */
function tierOf(records: readonly AppRecord[]): number {
  const ratings = Math.max(0, ...records.map((record) => record.facts.ratingCount ?? 0))
  const tier = tierFloors.findIndex((floor) => ratings >= floor)
  return tier === -1 ? tierFloors.length : tier
}

/** Tiers that can hold an app with this rating count. */
export function tiersForRatings(ratings: number): number[] {
  const ceilings = [Number.POSITIVE_INFINITY, ...tierFloors]
  return ceilings.flatMap((ceiling, tier) => (ratings < ceiling ? [tier] : []))
}

/** Tiers from the top down to one. */
export const tiersDownTo = (tier: number) => Array.from({ length: tier + 1 }, (_, index) => index)

/** Terms of filters. They contain signs, so they cannot collide with words, which have only letters and digits. */
export const filterTerm = {
  category: (id: number) => `#g${id}`,
  developer: (id: string) => `#d${id}`,
  free: '#free',
  paid: '#paid',
  /** An app with a record of the storefront, and its tier there. */
  storefront: (country: string, tier: number) => `#c${country}${tier}`,
}

/** The filter terms of an app: its tier in each storefront, and properties that it has in any of them. */
function filterTermsOf(records: readonly AppRecord[]): string[] {
  return [...new Set(records.flatMap(filterTermsOfRecord))]
}

function filterTermsOfRecord(record: AppRecord): string[] {
  const { categoryIds, developerId, price } = record.facts
  return [
    ...(categoryIds ?? []).map(filterTerm.category),
    ...(developerId ? [filterTerm.developer(developerId)] : []),
    ...(price === 0 ? [filterTerm.free] : price ? [filterTerm.paid] : []),
    filterTerm.storefront(record.country, tierOf([record])),
  ]
}

/** An app's listings as search stores them. */
export interface SearchEntry {
  document: SearchDocument
  /** Words whose misspellings should find the app, in its names and developers and in its descriptions. */
  nameWords: Set<string>
  describedWords: Set<string>
}

export function searchEntry(records: readonly AppRecord[]): SearchEntry {
  const [first] = records
  if (!first) throw new Error('A search document needs a record.')
  const names = tokens(textOf(records, ({ name, developer }) => `${name}\n${developer ?? ''}`))
  const subtitles = tokens(textOf(records, ({ subtitle }) => subtitle ?? ''))
  const described = tokens(textOf(records, ({ description }) => description ?? ''))
  const nameTerms = termsOfTokens([...names, ...subtitles])
  const joined = records.flatMap(({ facts }) => joinedNeighbours(facts.name))
  const filterTerms = filterTermsOf(records)
  const document = {
    storeId: first.storeId,
    tier: tierOf(records),
    nameTerms: [...nameTerms.union(new Set(joined)), ...filterTerms],
    allTerms: [
      ...nameTerms,
      ...[...termsOfTokens(described)].filter((term) => !nameTerms.has(term)).slice(0, mostTerms),
      ...filterTerms,
    ],
  }
  return {
    document,
    nameWords: wordsOf(names, (word) => word.length >= shortestTolerated && !/^\p{N}+$/u.test(word)),
    describedWords: wordsOf(
      described,
      (word) =>
        word.length >= describedLetters.fewest && word.length <= describedLetters.most && !/\p{N}/u.test(word),
    ),
  }
}

/** The different texts of a field over all storefronts; most are equal. */
const textOf = (records: readonly AppRecord[], text: (facts: AppRecord['facts']) => string): string =>
  [...new Set(records.map(({ facts }) => text(facts)))].join('\n')

/** Whether a change of a record changes the search document. */
export function isSearchAffected(one: AppRecord, other: AppRecord): boolean {
  const a = one.facts
  const b = other.facts
  if (a === b) return false
  return (
    a.name !== b.name ||
    (a.subtitle ?? '') !== (b.subtitle ?? '') ||
    (a.developer ?? '') !== (b.developer ?? '') ||
    (a.description ?? '') !== (b.description ?? '') ||
    filterTermsOf([one]).join() !== filterTermsOf([other]).join()
  )
}

/** The fields that the search document is made of. */
export const searchedFields = [
  'name',
  'subtitle',
  'developer',
  'developerId',
  'description',
  'ratingCount',
  'categoryIds',
  'price',
] as const satisfies readonly ListingField[]

/** Minimum letters of a description's word to be found when misspelt: shorter ones resemble too many others. */
const describedLetters = { fewest: 5, most: 20 }

function wordsOf(found: readonly Token[], isTolerated: (word: string) => boolean): Set<string> {
  const words = new Set<string>()
  for (const { kind, text } of found) if (kind === 'word' && isTolerated(text)) words.add(text)
  return words
}
