import {
  type DraftCoverage,
  type DraftTexts,
  draftCoverage,
  type PlannedEdit,
  withDraft,
} from '../domain/aso/listing/draft-coverage.ts'
import {
  type CoverageStanding,
  coverageStandings,
  type SearchedField,
  searchedFields,
} from '../domain/aso/listing/keyword-coverage.ts'
import type { ListingDraft } from '../domain/aso/listing/listing-drafts.ts'
import { ownListingOf } from '../domain/aso/listing/own-listing.ts'
import { trackedTerms } from '../domain/aso/tracking/tracked-keywords.ts'
import { appInStorefront } from '../domain/catalogue/app.ts'
import type { Database } from '../storage/database.ts'
import {
  type LocalizationCode,
  localizationOf,
  localizationTable,
  searchPractice,
  supportedLocalizations,
} from '../vocabulary/storefronts.ts'

/** Most keywords, keywords of one edit, and repeated words of a reply. */
const [shownKeywords, shownOfEdit, shownWords] = [500, 100, 50]

/** What planned texts cover, as `POST /listing-drafts/coverage` answers. */
export interface DraftCoverageShown extends Omit<DraftCoverage, 'edits'> {
  /** The own listing that the account told; null before. */
  told: { at: string; imports: number } | null
  /** The draft that it was compared with; null for the listing as it is. */
  against: { draftId: string; name: string } | null
  localizations: {
    localization: LocalizationCode
    name: string
    support: 'default' | 'additional'
    texts: {
      field: SearchedField
      /** As it is without the draft; null where that is not known. */
      text: string | null
      /** `told` by the account, or `public`, as the store shows it; null where it is not known. */
      from: 'told' | 'public' | null
    }[]
  }[]
  /** By standing, before and after. */
  counts: { total: number; before: Counts; after: Counts }
  /** `coverCount` and `loseCount` count also those beyond the first hundred. */
  edits: (PlannedEdit & { coverCount: number; loseCount: number })[]
  table: { source: string; asOf: string }
  practice: string
}

type Counts = Record<CoverageStanding, number>

/**
 * What planned texts cover of an account's keywords for an app in a storefront.
 * @param other a draft to compare them with, in place of the listing as it is
 */
export async function coverageOfDraft(
  db: Database,
  accountId: string,
  { storeId, country }: { storeId: string; country: string },
  planned: DraftTexts,
  other: ListingDraft | undefined,
): Promise<DraftCoverageShown> {
  const [own, app, terms] = await Promise.all([
    ownListingOf(db, accountId, storeId),
    appInStorefront(db, storeId, country),
    trackedTerms(db, accountId, storeId, country),
  ])
  const codes = supportedLocalizations(country)
  const { name, subtitle } = app?.state?.record.facts ?? {}
  const localizations = codes.map((code, index): DraftCoverageShown['localizations'][number] => ({
    localization: code,
    name: localizationOf(code).name,
    support: index === 0 ? 'default' : 'additional',
    texts: searchedFields.map((field) => {
      const told = own?.localizations.get(code)?.texts[field]
      if (told !== undefined) return { field, text: told, from: 'told' }
      // The store shows a storefront's default language, and no keyword field.
      const seen = index > 0 ? undefined : { name, subtitle, 'keyword-field': undefined }[field]
      return seen === undefined
        ? { field, text: null, from: null }
        : { field, text: seen ?? '', from: 'public' }
    }),
  }))
  const asIs: DraftTexts = Object.fromEntries(
    localizations.map(({ localization, texts }) => [
      localization,
      Object.fromEntries(texts.flatMap(({ field, text }) => (text === null ? [] : [[field, text]]))),
    ]),
  )
  const before = other ? withDraft(asIs, other.texts) : asIs
  const { keywords, repeated, edits, wasted } = draftCoverage(
    country,
    terms,
    codes,
    before,
    withDraft(asIs, planned),
  )
  return {
    told: own ? { at: own.observedAt.toISOString(), imports: own.imports } : null,
    against: other ? { draftId: other.draftId, name: other.name } : null,
    localizations,
    counts: {
      total: terms.length,
      before: countsOf(keywords.map((keyword) => keyword.before)),
      after: countsOf(keywords.map(({ standing }) => standing)),
    },
    keywords: keywords.slice(0, shownKeywords),
    repeated: repeated.slice(0, shownWords),
    edits: edits.map(({ covers, loses, ...edit }) => ({
      ...edit,
      covers: covers.slice(0, shownOfEdit),
      loses: loses.slice(0, shownOfEdit),
      coverCount: covers.length,
      loseCount: loses.length,
    })),
    wasted,
    table: { source: localizationTable.source, asOf: localizationTable.asOf },
    practice: searchPractice,
  }
}

const countsOf = (standings: readonly CoverageStanding[]) =>
  Object.fromEntries(
    coverageStandings.map((wanted) => [wanted, standings.filter((one) => one === wanted).length]),
  ) as Counts
