import type { Database } from '../../../storage/database.ts'
import { termWords } from '../../../text/stemmed-match.ts'
import { mainSurface, type SearchSurface } from '../../../vocabulary/search-surfaces.ts'
import { type LabelRow, labelsOfApps } from '../../catalogue/app.ts'
import { ratingScaleOf } from '../pages/rating-scale-runs.ts'
import {
  changesBetweenPages,
  type PageChange,
  type ResultPagePlace,
  type Volatility,
  volatilityOfPages,
} from '../pages/result-pages.ts'
import { failedPrefixes, failedTerms } from '../pages/search-failures.ts'
import { type RankElsewhere, ranksElsewhere } from '../pages/surface-ranks.ts'
import { type ToolHistory, toolHistories } from '../pages/tool-ranks.ts'
import { autocompleteOf } from '../scores/autocomplete.ts'
import { type Difficulty, difficultyOf } from '../scores/difficulty.ts'
import {
  dailyTopPlaces,
  type ExploredTerm,
  exploredTerm,
  hintsFor,
  newestResultPages,
  type ResultPageRow,
  type StoredHints,
  scoresOfTerms,
  type TermScores,
  type TrackedRow,
  trackedApps,
} from './exploration-queries.ts'
import {
  appsOfPage,
  countComparablePages,
  countTermsOfWords,
  pagesOfApps,
  pagesOfWords,
  tooCommonAbove,
} from './related-term-queries.ts'
import {
  isComparablePage,
  minComparablePages,
  minSharedApps,
  type RelatedTerm,
  rarity,
  relatedTerms,
} from './related-terms.ts'

/** All stored data about one term in one storefront. */
export interface Exploration {
  /** On the main surface, with its scores; undefined when no page of the term is stored there, even if an account tracks it. */
  term: ExploredTerm | undefined
  /** Number of stored pages on the surface, and the oldest. */
  stored: Pick<ExploredTerm, 'pages' | 'firstPageAt'>
  /** The newest page of the main surface, on which the difficulty rests. */
  scoredPage: ResultPageRow | undefined
  /** The newest page of the surface that counts, and the one before it. */
  page: ResultPageRow | undefined
  pageBefore: ResultPageRow | undefined
  /** The places of the newest page, best first; null where there was no readable entry. */
  places: (ResultPagePlace | null)[]
  difficulty: Difficulty | undefined
  /** 0 to 100; undefined when not measured. */
  autocomplete: number | undefined
  /** Answers for prefixes of the term, the shortest first, the whole term last. */
  suggestions: StoredHints[]
  /** Prefixes for which Apple did not answer. */
  failedBeginnings: ReadonlySet<string>
  /** Whether the last search for the term failed on the surface, and on the main one. */
  searchFailed: boolean
  scoresFailed: boolean
  /** Newest first. */
  changes: PageChange[]
  volatility: Volatility
  /** Undefined when the term has no page. */
  relatedness: Relatedness | undefined
  related: (RelatedTerm & { scores: TermScores })[]
  /** With what other tools told of each, and where it stands on other surfaces. */
  tracked: (TrackedRow & { otherTools: readonly ToolHistory[]; elsewhere: readonly RankElsewhere[] })[]
  labels: Map<string, LabelRow>
}

/** Pairs of pages that are compared. */
const pairsCompared = 30
/** Maximum number of apps of each kind that a change names. */
export const maxNamedApps = { entrants: 25, leavers: 25, movers: 10 } as const

/**
 * @param results number of places of the newest page whose apps are named
 * @param surface of the page, its changes and volatility; scores and related terms rest on the main one
 */
export async function exploreTerm(
  db: Database,
  accountId: string,
  country: string,
  term: string,
  results: number,
  surface: SearchSurface,
): Promise<Exploration> {
  const isMain = surface === mainSurface
  const known = await exploredTerm(db, country, term, mainSurface)
  const shown = isMain ? known : await exploredTerm(db, country, term, surface)
  const [mainId, termId] = [known?.termId, shown?.termId]
  const searched = known && known.pages > 0 ? known : undefined
  const beginnings = everyBeginningOf(term)
  const [pages, daily, suggestions, unanswered, tracked, relatedness, scale, scored] = await Promise.all([
    termId === undefined ? [] : newestResultPages(db, termId, pairsCompared + 1),
    termId === undefined ? [] : dailyTopPlaces(db, termId, pairsCompared + 1),
    hintsFor(db, country, beginnings),
    failedPrefixes(db, country, beginnings),
    trackedApps(db, accountId, country, mainId ?? null),
    searched && relatednessOf(db, { ...searched, country, term }),
    ratingScaleOf(db, country),
    isMain || mainId === undefined ? [] : newestResultPages(db, mainId, 1),
  ])
  const [page, pageBefore] = pages
  const scoredPage = isMain ? page : scored[0]
  const changes = changesBetweenPages(pages)
  const related = relatedness?.state === 'measured' ? relatedness.terms : []
  const named = [...(page?.storeIds.slice(0, results) ?? []), ...changes.flatMap(namedIn)]
  const storeIds = tracked.map(({ storeId }) => storeId)
  const mainIds = mainId === undefined ? [] : [mainId]
  const [labelled, failed, scoresFailed, nearby, told, elsewhere] = await Promise.all([
    labelsOfApps(
      db,
      [...new Set(named)].filter((storeId) => storeId !== null),
      country,
    ),
    failedTerms(db, country, [term], surface),
    isMain ? undefined : failedTerms(db, country, [term]),
    scoresOfTerms(
      db,
      country,
      related.map((near) => near.term),
    ),
    toolHistories(db, storeIds, country, mainIds),
    ranksElsewhere(db, storeIds, country, mainIds, surface),
  ])
  const labels = new Map(labelled.map((label) => [label.storeId, label]))
  const scores = new Map(nearby.map((score) => [score.term, score]))
  const places = page ? shownPlaces(page, country, labels) : []
  const scoredPlaces = isMain || !scoredPage ? places : shownPlaces(scoredPage, country, labels)
  return {
    term: searched,
    stored: { pages: shown?.pages ?? 0, firstPageAt: shown?.firstPageAt ?? null },
    scoredPage,
    page,
    pageBefore,
    places,
    difficulty:
      scoredPage &&
      difficultyOf(
        {
          term,
          country,
          places: scoredPlaces,
          requested: scoredPage.requested,
          stated: scoredPage.stated,
        },
        scale,
      ),
    autocomplete: searched?.autocomplete ?? autocompleteOf(term, suggestions.map(placeIn(term))),
    suggestions,
    failedBeginnings: unanswered,
    searchFailed: failed.has(term),
    scoresFailed: (scoresFailed ?? failed).has(term),
    changes,
    volatility: volatilityOfPages(daily),
    relatedness,
    related: related.flatMap((near) => {
      const known = scores.get(near.term)
      return known ? [{ ...near, scores: known }] : []
    }),
    tracked: tracked.map((row) => ({
      ...row,
      otherTools: told(row.storeId, mainId ?? 0),
      elsewhere: elsewhere(row.storeId, mainId ?? 0),
    })),
    labels,
  }
}

/** All prefixes of the term, the shortest first, the term itself last. */
function everyBeginningOf(term: string): string[] {
  const letters = [...term]
  return letters.map((_, index) => letters.slice(0, index + 1).join(''))
}

const placeIn = (term: string) => (answer: StoredHints) => {
  const index = answer.terms.indexOf(term)
  return { typed: answer.typed, place: index === -1 ? null : index + 1 }
}

function namedIn({ entrants, leavers, movers }: PageChange): string[] {
  return [
    ...entrants.slice(0, maxNamedApps.entrants),
    ...leavers.slice(0, maxNamedApps.leavers),
    ...movers.slice(0, maxNamedApps.movers),
  ].map(({ storeId }) => storeId)
}

/** The apps as the page showed them; where that was not kept, with the storefront's stored name alone. */
function shownPlaces(
  { storeIds, shown }: ResultPageRow,
  country: string,
  labels: ReadonlyMap<string, LabelRow>,
): (ResultPagePlace | null)[] {
  return storeIds.map((storeId, index) => {
    const beside = shown?.[index]
    if (storeId === null) return null
    if (beside) return { storeId, ...beside }
    const label = labels.get(storeId)
    return { storeId, name: label?.namedIn === country ? label.name : '' }
  })
}

/** Related terms, or why there are none. `pages`: number of other terms' pages available for comparison. */
type Relatedness =
  | { state: 'measured'; terms: RelatedTerm[]; pages: number }
  | { state: 'absent'; pages: number }
  | { state: 'too-little-evidence' }

/** Maximum pages compared in full, for each kind of similarity. */
const pagesCompared = 200

/** @param asked a term with a page that counts */
async function relatednessOf(
  db: Database,
  { termId, country, term }: { termId: number; country: string; term: string },
): Promise<Relatedness> {
  const [pages, apps, words] = await Promise.all([
    countComparablePages(db, country),
    appsOfPage(db, country, termId),
    countTermsOfWords(db, country, [...termWords(term, country)]),
  ])
  const top = apps.map(({ storeId }) => storeId)
  if (!isComparablePage({ top }) || pages - 1 < minComparablePages) return { state: 'too-little-evidence' }
  const weighed = apps.map((app) => ({ ...app, weight: rarity(app.pages - 1, pages - 1) }))
  const [byApps, byWords] = await Promise.all([
    pagesOfApps(db, country, termId, weighed, pagesCompared),
    pagesOfWords(db, country, termId, words, apps, pagesCompared),
  ])
  const terms = relatedTerms({
    term,
    country,
    top,
    pages,
    pagesWith: new Map(apps.map((app) => [app.storeId, app.pages])),
    termsWith: new Map(words.map((word) => [word.word, word.terms])),
    others: [...new Map([...byApps, ...byWords].map((page) => [page.term, page])).values()],
  })
  if (terms.length > 0) return { state: 'measured', terms, pages: pages - 1 }
  const isThin = byWords.some((page) => !isComparablePage(page))
  // Pages that share only such common apps were not read.
  const isUnread = apps.filter((app) => app.pages > tooCommonAbove).length >= minSharedApps
  return isThin || isUnread ? { state: 'too-little-evidence' } : { state: 'absent', pages: pages - 1 }
}
