import type { asoOperations as contract } from '../../contract/aso.ts'
import type { Input, Reply } from '../../contract/operation.ts'
import { rankMovementOf } from '../../domain/aso/pages/rank-summary.ts'
import { trackedAppSummaries } from '../../domain/aso/tracking/app-summary.ts'
import { isRole, trackedAppsOf } from '../../domain/aso/tracking/tracked-apps.ts'
import { movesOfApps } from '../../domain/moves/moves.ts'
import type { Enqueue } from '../../domain/work/ask-for-work.ts'
import type { CollectingClients } from '../../jobs/collecting/collecting.ts'
import type { Database } from '../../storage/database.ts'
import { distributionShape, visibilityComparison, visibilityShape } from '../aso-facts.ts'
import { decodeCursor, encodeCursor, isUuidPart } from '../cursor.ts'
import type { Handlers } from '../door.ts'
import { issuesOfStorefronts } from '../evidence.ts'
import { movesShape } from '../move-shapes.ts'
import { checkedApps, collectingState, freshnessShape } from '../part-freshness.ts'
import type { Replies } from '../remembered-replies.ts'
import { searchApps } from './app-search.ts'
import { addAsoKeywords, removeAsoKeyword } from './aso-keywords.ts'
import { appRefreshShapes, refreshApp, refreshKeyword } from './aso-refresh.ts'
import { removeAsoApp, trackAsoApp, trackedAppShapes, updateAsoAppRole } from './aso-tracking.ts'
import { getAsoWorkstation } from './aso-workstation.ts'
import { exploreKeyword } from './keyword-exploration.ts'
import { keywordGap } from './keyword-gap.ts'

export function asoHandlers(
  db: Database,
  enqueue: Enqueue,
  collecting: CollectingClients,
  replies: Replies,
): Handlers<typeof contract> {
  return {
    list_aso_apps: (input, { accountId }) => listAsoApps(db, collecting, accountId, input),

    track_aso_app: {
      ask: (input, { accountId }) => trackAsoApp(db, enqueue, collecting, accountId, input),
    },

    get_aso_workstation: (input, { accountId }) => getAsoWorkstation(db, collecting, replies, accountId, input),

    update_aso_app_role: (input, { accountId }) => updateAsoAppRole(db, accountId, input),

    remove_aso_app: (input, { accountId }) => removeAsoApp(db, accountId, input),

    add_aso_keywords: (input, { accountId }) => addAsoKeywords(db, accountId, input),

    remove_aso_keyword: (input, { accountId }) => removeAsoKeyword(db, accountId, input),

    refresh_aso_app: (input, caller) => refreshApp(db, enqueue, collecting, input, caller),

    get_aso_keyword_gap: (input, caller) => keywordGap(db, input, caller),

    search_ios_apps: { ask: (input) => searchApps(db, collecting, input) },

    explore_aso_keyword: (input, caller) => exploreKeyword(db, collecting, input, caller),

    refresh_aso_keyword: (input, caller) => refreshKeyword(db, enqueue, collecting, input, caller),
  }
}

type C = typeof contract

async function listAsoApps(
  db: Database,
  collecting: CollectingClients,
  accountId: string,
  { role, country, moveDays, limit, cursor }: Input<C['list_aso_apps']>,
): Promise<Reply<C['list_aso_apps']>> {
  const list = ['list_aso_apps', accountId, role, country]
  const [lastRole, appId] = decodeCursor(cursor, list, [isRole, isUuidPart]) ?? []
  const after = lastRole && appId ? { role: lastRole, appId } : undefined
  const found = await trackedAppsOf(db, accountId, { role, country }, { limit: limit + 1, after })
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  const appIds = page.map((app) => app.appId)
  // Read before the summaries: a refresh that ends in between must not be reported as ended without its results.
  const refreshes = await appRefreshShapes(db, collecting, appIds)
  const schedule = await collecting.current.schedule()
  const countries = page.map((app) => app.country)
  const now = new Date()
  const [shapes, summaries, checked, going, trouble] = await Promise.all([
    trackedAppShapes(db, accountId, page),
    trackedAppSummaries(db, appIds, moveDays),
    checkedApps(db, page, schedule, now),
    collectingState(db, schedule, accountId, countries, now),
    issuesOfStorefronts(db, countries),
  ])
  const moves = await movesOfApps(
    db,
    page,
    (tracked) => summaries.get(tracked)?.rankedKeywords ?? [],
    moveDays,
    now,
  )
  const items = shapes.map((shape) => {
    const { appId, country } = shape
    const { rankedKeywords, over7Days } = summaries.get(appId) ?? noKeywords
    const app = { appId, country, storeId: shape.app.storeId }
    const looked = { ...app, keywords: rankedKeywords, lookedAt: moves.get(appId)?.lookedAt }
    return {
      ...shape,
      visibility: visibilityShape(rankedKeywords, shape.country),
      distribution: distributionShape(rankedKeywords),
      over7Days,
      moves: movesShape(moves.get(appId), moveDays),
      freshness: freshnessShape(looked, checked(app), schedule, now),
      refresh: refreshes.get(appId) ?? null,
    }
  })
  return {
    comparison: visibilityComparison(items.map(({ visibility }) => visibility)),
    collecting: going,
    trouble,
    items,
    nextCursor: last ? encodeCursor([last.role, last.appId], list) : null,
  }
}

const noKeywords = { rankedKeywords: [], over7Days: rankMovementOf([]) }
