import type { LocalizationCode } from '../../../vocabulary/storefronts.ts'
import {
  type CoverageHow,
  type CoverageStanding,
  type CoveredKeyword,
  coverageStandings,
  keywordCoverage,
  type RepeatedWord,
  type SearchedField,
  searchedFields,
} from './keyword-coverage.ts'
import { type WastedText, wastedIn } from './wasted-text.ts'

/** Planned texts by localization and field; a text that is not named stays as it is. */
export type DraftTexts = Partial<Record<LocalizationCode, Partial<Record<SearchedField, string>>>>

/**
 * `won`: uncovered or split before, and covered now; `lost`: the other way. `stronger` and `weaker`: in another of the standings, the best
 * of which is `one-field`.
 */
type CoverageChange = 'lost' | 'won' | 'weaker' | 'stronger' | 'unchanged'

interface PlannedKeyword extends CoveredKeyword {
  /** Its standing in the texts that the draft is compared with. */
  before: CoverageStanding
  change: CoverageChange
}

/** One text that differs, and the keywords of its localization that it holds, alone or with the others there. */
export interface PlannedEdit {
  localization: LocalizationCode
  field: SearchedField
  /** `isNew`: this localization did not hold it before. In the order of the keywords. */
  covers: { term: string; how: Exclude<CoverageHow, 'some-words'>; isNew: boolean }[]
  /** Keywords that the localization held with this text, and holds no more. */
  loses: string[]
}

export interface DraftCoverage {
  /** The lost first, then the won, the weaker, the stronger and the unchanged; among these as `keywordCoverage` orders them. */
  keywords: PlannedKeyword[]
  repeated: RepeatedWord[]
  /** By localization and field. */
  edits: PlannedEdit[]
  /** By localization; those that waste nothing are left out. */
  wasted: { localization: LocalizationCode; parts: WastedText[] }[]
}

const changes = ['lost', 'won', 'weaker', 'stronger', 'unchanged'] as const satisfies CoverageChange[]

/**
 * What planned texts cover beside the texts that they are compared with.
 * @param terms normalised
 * @param codes the localizations of the storefront, in their order
 * @param before whole texts, those that are known
 * @param after the same with the draft in them
 */
export function draftCoverage(
  country: string,
  terms: readonly string[],
  codes: readonly LocalizationCode[],
  before: DraftTexts,
  after: DraftTexts,
): DraftCoverage {
  const coverageOf = (texts: DraftTexts) =>
    keywordCoverage(
      country,
      terms,
      codes.flatMap((code) => {
        const known = texts[code]
        return known ? [{ code, texts: known }] : []
      }),
    )
  const [then, now] = [coverageOf(before), coverageOf(after)]
  const earlier = new Map(then.keywords.map((keyword) => [keyword.term, keyword]))
  const keywords = now.keywords.map((keyword): PlannedKeyword => {
    const standing = earlier.get(keyword.term)?.standing ?? 'uncovered'
    return { ...keyword, before: standing, change: changeOf(standing, keyword.standing) }
  })
  const edits = codes.flatMap((code) =>
    searchedFields
      .filter((field) => (before[code]?.[field] ?? '') !== (after[code]?.[field] ?? ''))
      .map((field) => editOf(code, field, now.keywords, earlier)),
  )
  return {
    keywords: keywords.toSorted((one, other) => changes.indexOf(one.change) - changes.indexOf(other.change)),
    repeated: now.repeated,
    edits,
    wasted: codes.flatMap((localization) => {
      const parts = wastedIn(after[localization] ?? {}, localization, country)
      return parts.length > 0 ? [{ localization, parts }] : []
    }),
  }
}

/** Texts with a draft in them. */
export const withDraft = (texts: DraftTexts, draft: DraftTexts): DraftTexts => {
  const whole: DraftTexts = { ...texts }
  for (const [code, planned] of Object.entries(draft) as [LocalizationCode, DraftTexts[LocalizationCode]][])
    whole[code] = { ...whole[code], ...planned }
  return whole
}

const isCovered = (standing: CoverageStanding) => standing !== 'split' && standing !== 'uncovered'

function changeOf(before: CoverageStanding, after: CoverageStanding): CoverageChange {
  if (before === after) return 'unchanged'
  if (isCovered(before) !== isCovered(after)) return isCovered(after) ? 'won' : 'lost'
  return coverageStandings.indexOf(after) < coverageStandings.indexOf(before) ? 'stronger' : 'weaker'
}

function editOf(
  localization: LocalizationCode,
  field: SearchedField,
  now: readonly CoveredKeyword[],
  earlier: ReadonlyMap<string, CoveredKeyword>,
): PlannedEdit {
  const covers: PlannedEdit['covers'] = []
  const loses: string[] = []
  for (const keyword of now) {
    const [before, after] = [earlier.get(keyword.term), keyword].map((one) =>
      one?.in.find((held) => held.localization === localization && held.how !== 'some-words'),
    )
    if (after && after.how !== 'some-words' && after.fields.includes(field))
      covers.push({ term: keyword.term, how: after.how, isNew: !before })
    if (before?.fields.includes(field) && !after) loses.push(keyword.term)
  }
  return { localization, field, covers, loses }
}
