import type { asoOperations as contract } from '../../contract/aso.ts'
import type { Input, Reply } from '../../contract/operation.ts'
import {
  compareGap,
  type GapDetail,
  type GapKeyword,
  type GapListPosition,
  gapCounts,
  gapDetails,
  gapKeyword,
  gapRows,
  isKnownApp,
  newestPagesRange,
  sortGap,
  termById,
} from '../../domain/aso/keywords/keyword-gap.ts'
import { rankOnPage, withSearchFailure } from '../../domain/aso/pages/rank-days.ts'
import { relevanceTo } from '../../domain/aso/scores/relevance.ts'
import { labelsOfApps } from '../../domain/catalogue/app.ts'
import { recordOfApp } from '../../domain/catalogue/record-queries.ts'
import { failedChecks } from '../../domain/collecting/attempts.ts'
import type { Database } from '../../storage/database.ts'
import type { StorefrontCode } from '../../vocabulary/storefronts.ts'
import { difficultyScore, opportunityScore, relevanceScore, searchSurface } from '../aso-facts.ts'
import type { Caller } from '../caller.ts'
import { decodeCursor, encodeCursor, isNumberPart } from '../cursor.ts'
import { sourceIssues } from '../evidence.ts'
import { appLabel } from '../listing-facts.ts'
import { Problem, refuseInput } from '../problem.ts'
import { competitorNotFound } from './add-app.ts'
import { findTrackedApp } from './aso-tracking.ts'

type GapInput = Input<(typeof contract)['get_aso_keyword_gap']>
type Gap = Reply<(typeof contract)['get_aso_keyword_gap']>

/** Ranks of a tracked app and a rival for the keywords of a storefront. */
export async function keywordGap(db: Database, input: GapInput, caller: Caller): Promise<Gap> {
  const { appId, rivalStoreId, sort, limit, cursor, standing, ahead, maxDifficulty } = input
  const app = await findTrackedApp(db, caller.accountId, appId)
  const { storeId } = app
  const country = app.country as StorefrontCode
  if (rivalStoreId === storeId)
    refuseInput([{ pointer: '/path/rivalStoreId', message: 'is the tracked app itself' }])
  if (!(await isKnownApp(db, rivalStoreId)))
    throw await competitorNotFound(db, caller.accountId, rivalStoreId, country)
  const filters = [standing ?? null, ahead ?? null, maxDifficulty ?? null]
  const list = ['get_aso_keyword_gap', appId, rivalStoreId, sort, ...filters]
  const after = await placeIn(db, country, decodeCursor(cursor, list, [isKeyPart, isTermIdPart]))
  const [rows, pages, labelled, record, failed, trouble] = await Promise.all([
    gapRows(db, appId, storeId, rivalStoreId, country),
    newestPagesRange(db, country),
    labelsOfApps(db, [storeId, rivalStoreId], country),
    recordOfApp(db, storeId, country),
    failedChecks(db, storeId, country),
    sourceIssues(db, ['itunes-search'], country, ['term ']),
  ])
  const keywords = rows.map(gapKeyword)
  const passing = keywords.filter((keyword) => passes(keyword, input))
  const relevance = record ? relevanceTo(record.facts) : () => null
  const sorted = sortGap(passing, sort, relevance)
  const start = after ? sorted.findIndex((place) => compareGap(place, after, sort) > 0) : 0
  const page = start === -1 ? [] : sorted.slice(start, start + limit)
  const last = page.at(-1)
  const more = start !== -1 && start + limit < sorted.length
  const detailed = await gapDetails(
    db,
    appId,
    page.map(({ keyword }) => keyword.termId),
  )
  const details = new Map(detailed.map((detail) => [detail.termId, detail]))
  const labels = new Map(labelled.map((label) => [label.storeId, label]))
  return {
    appId,
    own: appLabel(storeId, labels.get(storeId)),
    rival: appLabel(rivalStoreId, labels.get(rivalStoreId)),
    country,
    counts: gapCounts(keywords),
    pages: {
      looked: pages.looked,
      oldestAt: pages.oldestAt?.toISOString() ?? null,
      newestAt: pages.newestAt?.toISOString() ?? null,
    },
    items: page.flatMap(({ keyword }) => {
      const detail = details.get(keyword.termId)
      return detail ? [gapShape(keyword, detail, relevance(keyword.term), failed.has('lookup'))] : []
    }),
    nextCursor: more && last ? encodeCursor([String(last.key ?? ''), String(last.keyword.termId)], list) : null,
    trouble,
  }
}

const isKeyPart = (text: string) => text === '' || isNumberPart(text)
const isTermIdPart = (text: string) => /^[1-9][0-9]{0,9}$/.test(text) && Number(text) < 2 ** 31

/** Finds the position of a cursor, which refers to the term by its id: a long term would not fit. Terms are never deleted. */
async function placeIn(
  db: Database,
  country: string,
  place: string[] | undefined,
): Promise<GapListPosition | undefined> {
  const [key = '', termId = ''] = place ?? []
  if (place === undefined) return undefined
  const term = await termById(db, country, termId)
  if (term === undefined) throw new Problem('invalid-cursor', 'The cursor names a keyword that never was.')
  return { key: key === '' ? null : Number(key), term }
}

function passes(keyword: GapKeyword, { standing, ahead, maxDifficulty }: GapInput): boolean {
  if (ahead && keyword.ahead !== ahead) return false
  if (standing && !standing.includes(keyword.standing)) return false
  if (maxDifficulty === undefined) return true
  return keyword.difficulty !== null && keyword.difficulty <= maxDifficulty
}

function gapShape(
  keyword: GapKeyword,
  detail: GapDetail,
  relevance: number | null,
  lookupFailed: boolean,
): Gap['items'][number] {
  const { term, standing, ahead, distance } = keyword
  const { keywordId, pageAt, depth } = detail
  return {
    term,
    keywordId,
    standing,
    own: withSearchFailure(rankOnPage(keyword.own, depth), detail),
    rival: withSearchFailure(rankOnPage(keyword.rival, depth), detail),
    ahead,
    distance,
    difficulty: difficultyScore({ ...keyword, ...detail }),
    opportunity: opportunityScore({ ...keyword, ...detail }, relevance),
    relevance: relevanceScore(relevance, lookupFailed),
    surface: pageAt ? searchSurface : null,
    observedAt: pageAt?.toISOString() ?? null,
  }
}
