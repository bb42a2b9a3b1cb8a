import type { AppRecord } from './record.ts'
import { shortestForgiven, slips, storedTerms, tokens } from './search-terms.ts'

/** What search stores of an app: all its storefronts together. */
export interface SearchDocument {
  storeId: string
  tier: number
  nameTerms: string[]
  allTerms: string[]
}

/** Ratings from which an app belongs to tier 0, 1, 2 and 3; the rest is tier 4. */
export const tierFloors = [50_000, 5_000, 500, 20] as const

/** Terms of a description that are stored at most, which is more than Apple's 4,000 characters hold in most languages. */
const mostTerms = 1_500

/** How established an app is: its largest rating count over all storefronts, as a tier from 0 (most) to 4. */
export function tierOf(records: readonly AppRecord[]): number {
  const ratings = Math.max(0, ...records.map((record) => record.listing.ratingCount ?? 0))
  const tier = tierFloors.findIndex((floor) => ratings >= floor)
  return tier === -1 ? tierFloors.length : tier
}

export function searchDocument(records: readonly AppRecord[]): SearchDocument {
  const [first] = records
  if (!first) throw new Error('A search document needs a record.')
  const nameTerms = storedTerms(
    records
      .map(({ listing }) => `${listing.name}\n${listing.subtitle ?? ''}\n${listing.developer ?? ''}`)
      .join('\n'),
  )
  const described = storedTerms(records.map(({ listing }) => listing.description ?? '').join('\n'))
  return {
    storeId: first.storeId,
    tier: tierOf(records),
    nameTerms: [...nameTerms],
    allTerms: [...nameTerms, ...[...described].filter((term) => !nameTerms.has(term)).slice(0, mostTerms)],
  }
}

/** Whether search must be told about a change of a record. */
export function searchDiffers(one: AppRecord, other: AppRecord): boolean {
  const a = one.listing
  const b = other.listing
  return (
    a.name !== b.name ||
    (a.subtitle ?? '') !== (b.subtitle ?? '') ||
    (a.developer ?? '') !== (b.developer ?? '') ||
    (a.description ?? '') !== (b.description ?? '') ||
    tierOf([one]) !== tierOf([other])
  )
}

/** Words whose misspellings should find the app, with their slips. */
export function forgivenWords(records: readonly AppRecord[]): { word: string; slips: string[] }[] {
  const text = records.map(({ listing }) => `${listing.name}\n${listing.developer ?? ''}`).join('\n')
  const words = new Set(
    tokens(text)
      .filter(
        (token) =>
          token.kind === 'word' && token.text.length >= shortestForgiven && !/^\p{N}+$/u.test(token.text),
      )
      .map((token) => token.text),
  )
  return [...words].map((word) => ({ word, slips: slips(word) }))
}
