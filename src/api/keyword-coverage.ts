import type { z } from 'zod'
import type { KeywordCoverage } from '../contract/shapes/keyword-coverage.ts'
import { listingTexts } from '../domain/aso/listing/audit.ts'
import { keywordCoverage, searchedFields } from '../domain/aso/listing/keyword-coverage.ts'
import { type OwnListing, type OwnTexts, ownListingOf } from '../domain/aso/listing/own-listing.ts'
import { trackedTerms } from '../domain/aso/tracking/tracked-keywords.ts'
import type { Database } from '../storage/database.ts'
import { blanksBesideCommas } from '../text/comma-list.ts'
import {
  localizationOf,
  localizationTable,
  type StorefrontCode,
  searchPractice,
  supportedLocalizations,
} from '../vocabulary/storefronts.ts'

type Shape = z.output<typeof KeywordCoverage>

/** Most keywords and repeated words of a reply. */
const [shownKeywords, shownWords] = [500, 50]

/** Which of an account's tracked keywords its own listing of an app holds, in the localizations of a storefront. */
export async function keywordCoverageOf(
  db: Database,
  accountId: string,
  { storeId, country }: { storeId: string; country: StorefrontCode },
): Promise<Shape> {
  const listing = await ownListingOf(db, accountId, storeId)
  const terms = listing ? await trackedTerms(db, accountId, storeId, country) : []
  const codes = supportedLocalizations(country)
  const told = codes.flatMap((code) => {
    const texts = listing?.localizations.get(code)?.texts
    return texts ? [{ code, texts }] : []
  })
  const { keywords, repeated } = keywordCoverage(country, terms, told)
  const of = (wanted: Shape['keywords'][number]['standing']) =>
    keywords.filter(({ standing }) => standing === wanted).length
  return {
    told: listing ? { at: listing.observedAt.toISOString(), imports: listing.imports } : null,
    localizations: codes.map((code, index) => ({
      localization: code,
      name: localizationOf(code).name,
      support: index === 0 ? 'default' : 'additional',
      ...roomOf(listing?.localizations.get(code)),
    })),
    table: { source: localizationTable.source, asOf: localizationTable.asOf },
    practice: searchPractice,
    counts: {
      total: terms.length,
      ...{ oneField: of('one-field'), acrossFields: of('across-fields'), likely: of('likely') },
      ...{ split: of('split'), uncovered: of('uncovered') },
    },
    keywords: keywords.slice(0, shownKeywords) as Shape['keywords'],
    repeated: repeated.slice(0, shownWords) as Shape['repeated'],
  }
}

type Localization = Shape['localizations'][number]
type OwnLocalization = NonNullable<ReturnType<OwnListing['localizations']['get']>>

const roomOf = (own: OwnLocalization | undefined): Pick<Localization, 'toldAt' | 'texts'> => ({
  toldAt: own?.observedAt.toISOString() ?? null,
  texts: own ? searchedFields.map((field) => roomInText(field, own.texts)) : [],
})

function roomInText(field: (typeof searchedFields)[number], texts: OwnTexts): Localization['texts'][number] {
  const text = texts[field]
  if (text === undefined) return { field, text: null, characters: null, left: null, bytes: null, blanks: null }
  const most = Math.max(
    ...(listingTexts.find((one) => one.field === field)?.limits ?? []).map((limit) => limit.most),
  )
  const characters = [...text].length
  return {
    field,
    text,
    characters,
    left: Math.max(0, most - characters),
    bytes: Buffer.byteLength(text),
    blanks: field === 'keyword-field' ? blanksBesideCommas(text) : null,
  }
}
