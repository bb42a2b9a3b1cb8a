import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { LocalizationCode } from '../../src/vocabulary/storefronts.ts'
import { changeOfPages, readOfPages } from './session.ts'

/* Planned texts of listings: routes for the pages alone, beside the contract (docs/http.md). */

export type PlannedField = 'name' | 'subtitle' | 'keyword-field'
export type PlannedTexts = Partial<Record<LocalizationCode, Partial<Record<PlannedField, string>>>>

export interface ListingDraft {
  draftId: string
  storeId: string
  country: string
  name: string
  /** What differs from the listing as it is. */
  texts: PlannedTexts
  /** Grows with each change; a write names the one that it saw. */
  version: number
  changedAt: string
}

export type Standing = 'one-field' | 'across-fields' | 'likely' | 'split' | 'uncovered'

export interface PlannedKeyword {
  term: string
  before: Standing
  standing: Standing
  change: 'lost' | 'won' | 'weaker' | 'stronger' | 'unchanged'
  in: {
    localization: LocalizationCode
    how: 'one-field' | 'across-fields' | 'likely' | 'some-words'
    fields: PlannedField[]
  }[]
  missing: string[]
}

export interface PlannedEdit {
  localization: LocalizationCode
  field: PlannedField
  covers: { term: string; how: 'one-field' | 'across-fields' | 'likely'; isNew: boolean }[]
  coverCount: number
  loses: string[]
  loseCount: number
}

export interface WastedText {
  kind: 'repeated' | 'spaces' | 'empty' | 'short' | 'stop-word' | 'sign'
  what: string[]
  characters: number | null
  bytes: number | null
}

export interface PlanLocalization {
  localization: LocalizationCode
  name: string
  support: 'default' | 'additional'
  texts: { field: PlannedField; text: string | null; from: 'told' | 'public' | null }[]
}

/** What planned texts cover beside the listing as it is, or beside another draft. */
export interface PlanCoverage {
  told: { at: string; imports: number } | null
  against: { draftId: string; name: string } | null
  localizations: PlanLocalization[]
  counts: { total: number; before: Record<Standing, number>; after: Record<Standing, number> }
  keywords: PlannedKeyword[]
  repeated: {
    word: string
    where: 'one-localization' | 'several-localizations'
    places: { localization: LocalizationCode; field: PlannedField }[]
  }[]
  edits: PlannedEdit[]
  wasted: { localization: LocalizationCode; parts: WastedText[] }[]
  table: { source: string; asOf: string }
  practice: string
}

interface OfApp {
  storeId: string
  country: string
}

export const draftsQuery = ({ storeId, country }: OfApp) =>
  queryOptions({
    queryKey: ['listing-drafts', storeId, country] as const,
    queryFn: async ({ signal }) =>
      (
        await readOfPages<{ items: ListingDraft[] }>(
          `/listing-drafts?${new URLSearchParams({ storeId, country })}`,
          signal,
        )
      ).items,
  })

/**
 * Asked while somebody types; what was told before is shown until the answer is there. Its key begins with an operation that rests on the
 * same keywords and listing.
 */
export const coverageQuery = (asked: OfApp & { texts: PlannedTexts; against?: string }) =>
  queryOptions({
    queryKey: ['get_competitor_aso', 'coverage', asked] as const,
    queryFn: () => changeOfPages<PlanCoverage>('POST', '/listing-drafts/coverage', asked),
    placeholderData: keepPreviousData,
  })

export const saveDraft = ({
  draftId,
  ...draft
}: OfApp & { draftId: string; name: string; texts: PlannedTexts; version: number | null }) =>
  changeOfPages<ListingDraft>('PUT', `/listing-drafts/${draftId}`, draft)

export const removeDraft = ({ draftId, version }: Pick<ListingDraft, 'draftId' | 'version'>) =>
  changeOfPages<void>('DELETE', `/listing-drafts/${draftId}?version=${version}`)
