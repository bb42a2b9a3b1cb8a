import type { z } from 'zod'
import type { asoOperations as contract } from '../../contract/aso.ts'
import type { Input, Reply } from '../../contract/operation.ts'
import type { AsoWorkstation, WorkstationKeyword, WorkstationRival } from '../../contract/shapes/workstation.ts'
import { surfaceOf } from '../../domain/accounts/surface.ts'
import { type SuggestionSubject, suggestionsFor } from '../../domain/aso/keywords/suggestions.ts'
import type { RankState } from '../../domain/aso/pages/rank-days.ts'
import { rankMovementOf } from '../../domain/aso/pages/rank-summary.ts'
import { noScores } from '../../domain/aso/pages/term-queries.ts'
import {
  compareRanks,
  type RankedWorkstationKeyword,
  type RivalRanks,
  type Workstation,
  workstationOf,
} from '../../domain/aso/tracking/workstation.ts'
import { labelsOfApps } from '../../domain/catalogue/app.ts'
import { failedChecks } from '../../domain/collecting/attempts.ts'
import { termSubject } from '../../domain/collecting/suspects.ts'
import { notMeasured } from '../../domain/facts/fact.ts'
import { movesOfApps } from '../../domain/moves/moves.ts'
import type { CollectingClients } from '../../jobs/collecting/collecting.ts'
import type { Database } from '../../storage/database.ts'
import type { SearchSurface } from '../../vocabulary/search-surfaces.ts'
import { storefrontDay } from '../../vocabulary/storefront-day.ts'
import {
  distributionShape,
  notListedShape,
  otherSurfacesShape,
  relevanceScore,
  searchSurface,
  surfaceShape,
  termScores,
  toolRankSeries,
  visibilityScore,
  visibilityShape,
} from '../aso-facts.ts'
import { evidenceOf, sourceIssues, termSources } from '../evidence.ts'
import { appLabel } from '../listing-facts.ts'
import { movesShape } from '../move-shapes.ts'
import type { Replies } from '../remembered-replies.ts'
import { restsOf } from '../rests-of-replies.ts'
import { keywordShape } from './aso-keywords.ts'
import { appRefreshShape } from './aso-refresh.ts'
import { findTrackedApp, trackedAppShape } from './aso-tracking.ts'

type C = typeof contract

export async function getAsoWorkstation(
  db: Database,
  collecting: CollectingClients,
  replies: Replies,
  accountId: string,
  { appId, windowDays, moveDays, surface: asked }: Input<C['get_aso_workstation']>,
): Promise<Reply<C['get_aso_workstation']>> {
  const tracked = await findTrackedApp(db, accountId, appId)
  const { storeId, country } = tracked
  // Read before the keywords: a refresh that ends in between must not be reported as ended without its results.
  const refresh = await appRefreshShape(db, collecting, appId)
  const surface = asked ?? (await surfaceOf(db, accountId))
  const today = storefrontDay(country, new Date())
  const found = await workstationOf(db, accountId, tracked, windowDays, moveDays, today, surface)
  const lookupFailed = (await failedChecks(db, storeId, country)).has('lookup')
  const { keywords, window } = found
  const rankedKeywords = rankedKeywordsOf(
    keywords,
    keywords.map(({ rank }) => rank),
  )
  const rivals = found.rivals.map((rival) => rival.storeId)
  const terms = keywords.map(({ term }) => term)
  const [shape, labels, trouble, moves, suggested] = await Promise.all([
    trackedAppShape(db, accountId, tracked),
    labelsOf(db, namedIn(storeId, found), country),
    sourceIssuesOfTerms(db, country, keywords),
    movesOfApps(db, [tracked], () => keywords, moveDays, new Date()),
    // Remembered, since comparing texts takes longer than everything else here.
    replies.get(
      `suggestions ${JSON.stringify([tracked.appId, storeId, country, rivals, terms, lookupFailed])}`,
      restsOf('suggestions'),
      () =>
        keywordSuggestions(db, { ...tracked, listing: found.listing, rivals, keywords: terms }, lookupFailed),
    ),
  ])
  const moved = (over: keyof RankedWorkstationKeyword['changes']) =>
    rankMovementOf(keywords.map(({ changes }) => changes[over]))
  return {
    tracked: shape,
    surface: surfaceShape(surface),
    notListed: notListedShape(found.notListed),
    window: { ...window, days: windowDays },
    visibility: visibilityShape(rankedKeywords, country, surface),
    visibilitySeries: found.visibilityDays.map(({ date, share, measured, coverage }) => ({
      date,
      share: visibilityScore(share, { measured, keywords: keywords.length }, 'no-snapshot'),
      coverage,
    })),
    distribution: distributionShape(rankedKeywords),
    movement: { over1Day: moved('over1Day'), over7Days: moved('over7Days'), over30Days: moved('over30Days') },
    moves: movesShape(moves.get(appId), moveDays),
    keywords: keywords.map((keyword) =>
      workstationKeyword(keyword, surface, lookupFailed, country, { from: window.from, days: windowDays }),
    ),
    rivals: found.rivals.map((rival) => rivalShape(rival, keywords, country, surface)).sort(mostVisibleFirst),
    ...suggested,
    apps: labels,
    refresh,
    trouble,
  }
}

/** Ranks for the keywords, with the pages they come from. */
const rankedKeywordsOf = (keywords: readonly RankedWorkstationKeyword[], ranks: readonly RankState[]) =>
  keywords.flatMap(({ term, pageAt, autocomplete }, index) => {
    const rank = ranks[index]
    return rank ? [{ term, rank, pageAt, autocomplete }] : []
  })

function workstationKeyword(
  keyword: RankedWorkstationKeyword,
  surface: SearchSurface,
  lookupFailed: boolean,
  country: string,
  window: { from: string; days: number },
): z.output<typeof WorkstationKeyword> {
  const { changes, best, series, otherTools, elsewhere, relevance, above } = keyword
  return {
    ...keywordShape(keyword, surface),
    ...changes,
    best,
    series,
    otherTools: toolRankSeries(otherTools, country, window),
    otherSurfaces: otherSurfacesShape(keyword, elsewhere),
    ...termScores(keyword.scores, relevance),
    relevance: relevanceScore(relevance, lookupFailed),
    above,
  }
}

function rivalShape(
  { appId, storeId, ranks }: RivalRanks,
  keywords: readonly RankedWorkstationKeyword[],
  country: string,
  surface: SearchSurface,
): z.output<typeof WorkstationRival> {
  const rankedKeywords = rankedKeywordsOf(keywords, ranks)
  const pairs = rankedKeywords.map(({ rank }, index) => ({ own: keywords[index]?.rank ?? rank, rival: rank }))
  return {
    appId,
    storeId,
    visibility: visibilityShape(rankedKeywords, country, surface),
    distribution: distributionShape(rankedKeywords),
    ...compareRanks(pairs),
  }
}

type Rival = z.output<typeof WorkstationRival>

const shareOf = ({ visibility: { share } }: Rival) => (share.state === 'estimated' ? share.value : -1)
const mostVisibleFirst = (one: Rival, other: Rival) =>
  shareOf(other) - shareOf(one) || (BigInt(one.storeId) < BigInt(other.storeId) ? -1 : 1)

/** The ids of all apps in the reply, without duplicates. */
function namedIn(storeId: string, { keywords, rivals }: Workstation): string[] {
  const named = new Set([storeId, ...rivals.map((rival) => rival.storeId)])
  for (const { above } of keywords) for (const app of above) named.add(app.storeId)
  return [...named]
}

/** Labels of apps, ordered by numeric id. */
async function labelsOf(db: Database, storeIds: readonly string[], country: string) {
  const labels = new Map((await labelsOfApps(db, storeIds, country)).map((label) => [label.storeId, label]))
  return storeIds
    .toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1))
    .map((storeId) => appLabel(storeId, labels.get(storeId)))
}

function sourceIssuesOfTerms(db: Database, country: string, keywords: readonly { term: string }[]) {
  const subjects = keywords.flatMap(({ term }) => termSources.map((source) => termSubject(term, source)))
  return sourceIssues(db, termSources, country, subjects)
}

/**
 * Suggested keywords that a tracked app does not have, in the form of replies.
 * @param lookupFailed whether the last look-up of the app failed
 */
async function keywordSuggestions(
  db: Database,
  subject: SuggestionSubject,
  lookupFailed: boolean,
): Promise<
  Pick<z.output<typeof AsoWorkstation>, 'suggestions' | 'suggestedFrom' | 'brandsOfRivals' | 'carriedByName'>
> {
  const { items, brands, carried, developers } = await suggestionsFor(db, subject)
  const measuredFirst = [...items.filter(({ facts }) => facts), ...items.filter(({ facts }) => !facts)]
  const suggestions = measuredFirst.map(({ term, reasons, relevance, facts, rank, reading }) => {
    const { difficulty, opportunity } = termScores(facts ?? noScores, relevance)
    return {
      term,
      reasons,
      relevance: relevanceScore(relevance, lookupFailed),
      difficulty,
      opportunity,
      rank,
      results: facts?.pageDepth ?? null,
      observedAt: facts?.pageAt?.toISOString() ?? null,
      surface: facts?.pageAt ? searchSurface : null,
      evidence: facts?.pageAt && reading ? evidenceOf(reading, facts.pageAt, subject.country) : null,
    }
  })
  return {
    suggestions,
    suggestedFrom:
      developers === undefined ? notMeasured('too-little-evidence') : { state: 'measured', developers },
    brandsOfRivals: brands,
    carriedByName: carried,
  }
}
