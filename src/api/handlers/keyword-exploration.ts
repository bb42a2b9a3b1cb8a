import type { z } from 'zod'
import type { asoOperations as contract } from '../../contract/aso.ts'
import type { Input, Reply } from '../../contract/operation.ts'
import type { Rank } from '../../contract/shapes/charts.ts'
import { surfaceOf } from '../../domain/accounts/surface.ts'
import { type Exploration, exploreTerm, maxNamedApps } from '../../domain/aso/keywords/exploration.ts'
import type { StoredHints, TrackedRow } from '../../domain/aso/keywords/exploration-queries.ts'
import { relatedTermsFormula } from '../../domain/aso/keywords/related-terms.ts'
import {
  type RankState,
  rankChangeBetween,
  rankOnPage,
  type WhyNoPage,
  withSearchFailure,
} from '../../domain/aso/pages/rank-days.ts'
import { type PageChange, placeByApp, type ResultPagePlace } from '../../domain/aso/pages/result-pages.ts'
import { notListed } from '../../domain/aso/pages/surface-ranks.ts'
import { noScores } from '../../domain/aso/pages/term-queries.ts'
import { autocompleteFormula } from '../../domain/aso/scores/autocomplete.ts'
import { volatilityFormula } from '../../domain/aso/scores/volatility.ts'
import type { LabelRow } from '../../domain/catalogue/app.ts'
import { recordOfApp } from '../../domain/catalogue/record-queries.ts'
import { termSubject } from '../../domain/collecting/suspects.ts'
import { evidenceIndexOf, evidenceList } from '../../domain/evidence/reading.ts'
import { factOf, notMeasured } from '../../domain/facts/fact.ts'
import type { CollectingClients } from '../../jobs/collecting/collecting.ts'
import type { Database } from '../../storage/database.ts'
import { nameMatch } from '../../text/known-names.ts'
import { type SearchSurface, searchSurfaceRow } from '../../vocabulary/search-surfaces.ts'
import {
  autocompleteScore,
  difficultyScore,
  notListedShape,
  opportunityScore,
  otherSurfacesShape,
  score100,
  surfaceShape,
  toldLately,
  unsearched,
} from '../aso-facts.ts'
import type { Caller } from '../caller.ts'
import { evidenceOf, evidenceShapes, sourceIssues, termSources } from '../evidence.ts'
import { appLabel } from '../listing-facts.ts'
import { searchableTerm } from '../term.ts'
import { keywordRefreshShape } from './aso-refresh.ts'

type Explored = Reply<(typeof contract)['explore_aso_keyword']>

/** All stored data about one keyword. */
export async function exploreKeyword(
  db: Database,
  collecting: CollectingClients,
  { query, country, limit, surface: asked }: Input<(typeof contract)['explore_aso_keyword']>,
  caller: Caller,
): Promise<Explored> {
  const term = searchableTerm(query, country, '/path/query')
  const subjects = termSources.map((source) => termSubject(term, source))
  const surface = asked ?? (await surfaceOf(db, caller.accountId))
  const [found, refresh, trouble] = await Promise.all([
    exploreTerm(db, caller.accountId, country, term, limit, surface),
    keywordRefreshShape(db, collecting, caller.accountId, { country, term }),
    sourceIssues(db, termSources, country, subjects),
  ])
  const { volatility, searchFailed } = found
  const unseen = unsearched(searchFailed)
  const unscored = unsearched(found.scoresFailed)
  return {
    term,
    country,
    surface: surfaceShape(surface),
    page: pageShape(found, term, country, limit, unseen),
    pagesStored: found.stored.pages,
    firstObservedAt: found.stored.firstPageAt?.toISOString() ?? null,
    difficulty: difficultyShape(found, unscored),
    opportunity: opportunityScore(
      {
        ...(found.term ?? noScores),
        difficulty: found.difficulty?.value ?? null,
        searchFailed: found.scoresFailed,
        hintsFailed: found.failedBeginnings.size > 0,
      },
      undefined,
    ),
    autocomplete: autocompleteShape(found, term, country),
    volatility: {
      score: score100(volatility.score, volatilityFormula, found.page ? 'too-little-evidence' : unseen),
      comparisons: volatility.comparisons,
      from: volatility.from?.toISOString() ?? null,
      to: volatility.to?.toISOString() ?? null,
    },
    changes: found.changes.map((change) => changeShape(change, surface, country, found)),
    related: found.related.map(({ term: near, strength, reasons, scores }) => ({
      term: near,
      strength: score100(strength, relatedTermsFormula),
      reasons: reasons.map((reason) => ({ ...reason, storeId: null })),
      difficulty: difficultyScore(scores),
      autocomplete: autocompleteScore(scores),
      observedAt: scores.pageAt?.toISOString() ?? null,
    })),
    relatedBasis: relatedBasisShape(found, unscored),
    trackedApps: await trackedShape(db, found, surface, country),
    refresh,
    trouble,
  }
}

function pageShape(
  found: Exploration,
  term: string,
  country: string,
  limit: number,
  unseen: WhyNoPage,
): Explored['page'] {
  const { page, places, tracked } = found
  if (!page) return notMeasured(unseen)
  const evidence = [evidenceOf(page, page.capturedAt, country)]
  if (places.length === 0) return { state: 'absent', evidence }
  const roles = new Map(tracked.map(({ storeId, role }) => [storeId, role]))
  const before = rankBefore(found)
  return {
    state: 'measured',
    requested: page.requested,
    depth: places.length,
    stated: page.stated,
    results: places.slice(0, limit).flatMap((place, index) => {
      if (!place) return []
      const { storeId, name, rating, ratingCount } = place
      return [
        {
          position: index + 1,
          app: appLabel(storeId, labelOn(place, country, found.labels.get(storeId))),
          rating: factOf(rating, 0),
          ratingCount: factOf(ratingCount, 0),
          nameMatch: nameMatch(term, name),
          change: before(storeId, { state: 'measured', value: index + 1, depth: places.length }),
          role: roles.get(storeId) ?? null,
        },
      ]
    }),
    evidence,
  }
}

/** The name on the page takes precedence over that of the catalogue; other storefronts are not used. */
function labelOn({ storeId, name }: ResultPagePlace, country: string, label: LabelRow | undefined) {
  if (!name) return label
  const own = label?.namedIn === country ? label : { storeId, developer: null, iconUrl: null, namedIn: country }
  return { ...own, name }
}

/** Compares a current rank with the previous page. */
function rankBefore({ pageBefore }: Exploration) {
  if (!pageBefore) return () => notMeasured('no-snapshot')
  const places = placeByApp(pageBefore)
  const depth = pageBefore.storeIds.length
  return (storeId: string, now: RankState) =>
    rankChangeBetween(rankOnPage(places.get(storeId), depth), now, pageBefore.day)
}

function difficultyShape(
  { difficulty, scoredPage: page }: Exploration,
  unseen: WhyNoPage,
): Explored['difficulty'] {
  if (!page) return notMeasured(unseen)
  if (!difficulty) return notMeasured('too-little-evidence')
  return {
    state: 'estimated',
    ...difficulty,
    observedAt: page.capturedAt.toISOString(),
  }
}

function autocompleteShape(found: Exploration, term: string, country: string): Explored['autocomplete'] {
  const evidence = evidenceList(
    found.suggestions.map((answer) => ({ ...answer, observedAt: answer.observedAt.toISOString() })),
  )
  const whole = found.suggestions.find(({ typed }) => typed === term)
  return {
    strength: score100(
      found.autocomplete,
      found.term?.autocompleteFormula ?? autocompleteFormula,
      unsearched(found.failedBeginnings.size > 0),
    ),
    prefixes: found.suggestions
      .filter(({ typed }) => typed !== term)
      .map((answer) => ({
        typed: answer.typed,
        rank: suggestedRank(answer, term),
        observedAt: answer.observedAt.toISOString(),
        evidence: evidenceIndexOf(evidence, answer, answer.observedAt),
      })),
    continuations: whole
      ? factOf(whole.terms, evidenceIndexOf(evidence, whole, whole.observedAt))
      : notMeasured(unsearched(found.failedBeginnings.has(term))),
    evidence: evidenceShapes(evidence, country),
  }
}

function suggestedRank({ terms }: StoredHints, term: string): z.output<typeof Rank> {
  const index = terms.indexOf(term)
  return rankOnPage(index === -1 ? null : index + 1, terms.length)
}

function relatedBasisShape({ relatedness }: Exploration, unseen: WhyNoPage): Explored['relatedBasis'] {
  if (!relatedness) return notMeasured(unseen)
  const { state } = relatedness
  return state === 'too-little-evidence' ? notMeasured(state) : { state, pages: relatedness.pages }
}

function changeShape(
  change: PageChange,
  surface: SearchSurface,
  country: string,
  { page, places, labels }: Exploration,
): Explored['changes'][number] {
  const shown = (storeId: string) => {
    const index = page?.storeIds.indexOf(storeId) ?? -1
    return places[index]?.name || null
  }
  const named = <P extends { storeId: string }>(place: P) => {
    const label = labels.get(place.storeId)
    return { ...place, name: label?.namedIn === country ? label.name : shown(place.storeId) }
  }
  const { entrants, leavers, movers } = change
  return {
    observedAt: change.observedAt.toISOString(),
    comparedWith: change.comparedWith.toISOString(),
    surface: searchSurfaceRow(surface).label,
    depth: change.depth,
    entered: entrants.length,
    left: leavers.length,
    entrants: entrants.slice(0, maxNamedApps.entrants).map(named),
    leavers: leavers.slice(0, maxNamedApps.leavers).map(named),
    movers: movers.slice(0, maxNamedApps.movers).map(named),
  }
}

async function trackedShape(
  db: Database,
  { page, tracked, searchFailed }: Exploration,
  surface: SearchSurface,
  country: string,
): Promise<Explored['trackedApps']> {
  const places = page ? placeByApp(page) : new Map<string, number>()
  const place = ({ storeId }: TrackedRow) => places.get(storeId) ?? Number.POSITIVE_INFINITY
  const shown = tracked
    .filter(
      ({ storeId, keywordId, otherTools }) =>
        keywordId !== null || places.has(storeId) || otherTools.length > 0,
    )
    .sort((one, other) => place(one) - place(other))
  return Promise.all(
    shown.map(async ({ elsewhere, ...app }) => {
      const { storeId } = app
      const rank = withSearchFailure(rankOnPage(places.get(storeId), page?.storeIds.length), { searchFailed })
      const record = rank.state === 'absent' ? await recordOfApp(db, storeId, country) : undefined
      return {
        ...app,
        rank,
        otherTools: toldLately(app.otherTools, country),
        otherSurfaces: otherSurfacesShape({ rank, pageAt: page?.capturedAt ?? null }, elsewhere),
        notListed: notListedShape(record && (await notListed(db, record, surface))),
      }
    }),
  )
}
