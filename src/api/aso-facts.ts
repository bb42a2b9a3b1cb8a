import { hash } from 'node:crypto'
import type { z } from 'zod'
import type { Score100 } from '../contract/shapes/keywords.ts'
import type { NotListed as NotListedShape, OtherSurfaceRank, RankSurface } from '../contract/shapes/surfaces.ts'
import type { ToolRankHistory, ToolRankSeries } from '../contract/shapes/tool-ranks.ts'
import type { RankDistribution, Visibility } from '../contract/shapes/visibility.ts'
import { dayNumber, dayOfNumber, type RankState, type WhyNoPage } from '../domain/aso/pages/rank-days.ts'
import { type RankedKeyword, rankDistributionOf, visibilityOver } from '../domain/aso/pages/rank-summary.ts'
import { compareSurfaces, type NotListed, type RankElsewhere } from '../domain/aso/pages/surface-ranks.ts'
import type { StoredScores } from '../domain/aso/pages/term-queries.ts'
import { type ToolHistory, toldRank } from '../domain/aso/pages/tool-ranks.ts'
import { opportunityWith } from '../domain/aso/scores/difficulty.ts'
import { relevanceFormula } from '../domain/aso/scores/relevance.ts'
import { visibilityFormula } from '../domain/aso/scores/visibility.ts'
import { notMeasured } from '../domain/facts/fact.ts'
import { surfaces } from '../vocabulary/provenance.ts'
import { mainSurface, type SearchSurface, searchSurfaceRow } from '../vocabulary/search-surfaces.ts'
import { evidenceOf } from './evidence.ts'

/** The surface of result pages that scores, gaps and summaries rest on. */
export const searchSurface = surfaces[mainSurface]

/** A surface in the form of replies, with what it cannot show. */
export function surfaceShape(name: SearchSurface): z.output<typeof RankSurface> {
  const { label, shows } = searchSurfaceRow(name)
  return { name, label, shows }
}

/** Ranks on other surfaces beside the one of a reply. */
export const otherSurfacesShape = (
  here: { rank: RankState; pageAt: Date | null },
  elsewhere: readonly RankElsewhere[],
): z.output<typeof OtherSurfaceRank>[] =>
  elsewhere.map((there) => ({
    surface: there.surface,
    rank: there.rank,
    observedAt: there.pageAt.toISOString(),
    ...compareSurfaces(here, there),
  }))

export const notListedShape = (found: NotListed | undefined): z.output<typeof NotListedShape> | null =>
  found ? { ...found, observedAt: found.observedAt.toISOString(), knownAt: found.knownAt.toISOString() } : null

type Score = z.output<typeof Score100>

/** A score in the form of replies; without a value, the reason. */
export function score100(
  value: number | null | undefined,
  formula: string | null | undefined,
  missing: WhyNoPage | 'too-little-evidence' | 'no-snapshot' | 'pending' = 'too-little-evidence',
): Score {
  return value === null || value === undefined || !formula
    ? notMeasured(missing)
    : { state: 'estimated', value, formula }
}

/** @param lookupFailed whether there is no listing of the app because its last look-up failed */
export const relevanceScore = (value: number | null | undefined, lookupFailed: boolean): Score =>
  score100(value, relevanceFormula, unsearched(lookupFailed))

/** The visibility over a set of keywords of a storefront, whose pages are of one surface. */
export function visibilityShape(
  rankedKeywords: readonly RankedKeyword[],
  country: string,
  surface: SearchSurface = mainSurface,
): z.output<typeof Visibility> {
  const { share, oldestPageAt, newestPageAt, terms, ...counts } = visibilityOver(rankedKeywords)
  return {
    share: visibilityScore(share, counts, unsearched(rankedKeywords.some(isFailed))),
    ...counts,
    oldestPageAt: oldestPageAt?.toISOString() ?? null,
    newestPageAt: newestPageAt?.toISOString() ?? null,
    termSet: termSetOf(terms, country, surface),
  }
}

/** The same for the same terms of a storefront and surface; null without terms. */
function termSetOf(terms: readonly string[], country: string, surface: SearchSurface): string | null {
  if (terms.length === 0) return null
  const named = JSON.stringify([country, surface, ...terms.toSorted()])
  return `${country}:${terms.length}:${hash('sha256', named, 'base64url').slice(0, 8)}`
}

/** What to know before several shares are compared; null where they are over the same terms. */
export function visibilityComparison(shown: readonly z.output<typeof Visibility>[]): string | null {
  const sets = new Set(shown.flatMap(({ termSet }) => termSet ?? []))
  if (sets.size <= 1) return null
  return `These shares are over ${sets.size} different sets of keywords: compare only those with the same \`visibility.termSet\`. \`get_aso_workstation\` of one app measures its rivals over its own keywords.`
}

/** A visibility that states how many of its keywords are measured, where some are not. */
export const visibilityScore = (
  share: number | undefined,
  { measured, keywords }: { measured: number; keywords: number },
  missing: WhyNoPage | 'no-snapshot',
): Score =>
  score100(
    share,
    measured < keywords ? `${visibilityFormula} (${measured} of ${keywords} keywords)` : visibilityFormula,
    missing,
  )

const isFailed = ({ rank }: RankedKeyword) => rank.state === 'not-measured' && rank.reason === 'source-failed'

export function distributionShape(rankedKeywords: readonly RankedKeyword[]): z.output<typeof RankDistribution> {
  return rankDistributionOf(rankedKeywords)
}

/**
 * The scores of a term for an app; a missing one says whether nothing was collected or the data are too thin.
 * @param relevance of the term; null or undefined where it is not known
 */
export function termScores(
  term: StoredScores,
  relevance: number | null | undefined,
): { difficulty: Score; opportunity: Score; autocomplete: Score } {
  return {
    difficulty: difficultyScore(term),
    opportunity: opportunityScore(term, relevance),
    autocomplete: autocompleteScore(term),
  }
}

export function difficultyScore({
  pageAt,
  searchFailed,
  difficulty,
  difficultyFormula,
}: Pick<StoredScores, 'pageAt' | 'searchFailed' | 'difficulty' | 'difficultyFormula'>): Score {
  const missing = pageAt === null ? unsearched(searchFailed) : 'too-little-evidence'
  return score100(difficulty, difficultyFormula, missing)
}

/** @param failed whether the source was called and did not answer */
export const unsearched = (failed: boolean): WhyNoPage => (failed ? 'source-failed' : 'never-collected')

/**
 * Depends on difficulty and suggestions; a missing difficulty is reported first. Where both are present and it is missing,
 * their formulas are outdated, and all three are about to be recomputed.
 * @param relevance to the app that is asked about; null or undefined where it is not known, or none is
 */
export function opportunityScore(
  term: Omit<StoredScores, 'difficultyFormula' | 'autocompleteFormula'>,
  relevance: number | null | undefined,
): Score {
  const { pageAt, searchFailed, hintsFailed, difficulty, autocomplete } = term
  const isThin = pageAt !== null && difficulty === null
  const isOutdated = difficulty !== null && autocomplete !== null
  const missing = isOutdated ? 'pending' : unsearched(pageAt === null ? searchFailed : hintsFailed)
  const { opportunity, opportunityFormula } = opportunityWith(term, relevance)
  return score100(opportunity, opportunityFormula, isThin ? 'too-little-evidence' : missing)
}

export function autocompleteScore({
  autocomplete,
  autocompleteFormula,
  hintsFailed,
}: Pick<StoredScores, 'autocomplete' | 'autocompleteFormula' | 'hintsFailed'>): Score {
  return score100(autocomplete, autocompleteFormula, unsearched(hintsFailed))
}

/** What a tool told, without its days. */
const toldShape = ({ tool, device, from, to, days, at, reading }: ToolHistory, country: string) => ({
  tool: tool || null,
  device: device || null,
  from: dayOfNumber(from),
  to: dayOfNumber(to),
  days,
  newest: toldRank(at(to)),
  evidence: evidenceOf(reading, reading.observedAt, country),
})

/** What tools told, with the days of a window. */
export const toolRankSeries = (
  histories: readonly ToolHistory[],
  country: string,
  window: { from: string; days: number },
): z.output<typeof ToolRankSeries>[] =>
  histories.map((history) => {
    const first = dayNumber(window.from)
    const series = Array.from({ length: window.days }, (_, index) => {
      const value = history.at(first + index)
      return value === 0 ? null : value > 0 ? value : `>${-value}`
    })
    return { ...toldShape(history, country), series }
  })

const newestDays = 30

/** What tools told, with the newest days of each. */
export const toldLately = (
  histories: readonly ToolHistory[],
  country: string,
): z.output<typeof ToolRankHistory>[] =>
  histories.map((history) => {
    const days: { date: string; rank: ReturnType<typeof toldRank> }[] = []
    for (let day = history.to; day >= history.from && days.length < newestDays; day--) {
      const value = history.at(day)
      if (value !== 0) days.push({ date: dayOfNumber(day), rank: toldRank(value) })
    }
    return { ...toldShape(history, country), history: days.reverse() }
  })
