import type { aso as contract } from '../../contract/aso.ts'
import type { Input, Reply } from '../../contract/operation.ts'
import { movementOf } from '../../domain/aso/pages/rank-summary.ts'
import { summariesOf } from '../../domain/aso/tracking/app-summary.ts'
import { isRole, trackedAppsOf } from '../../domain/aso/tracking/tracked-apps.ts'
import type { Collecting } from '../../jobs/collecting/collecting.ts'
import type { Database } from '../../storage/database.ts'
import { distributionShape, visibilityShape } from '../aso-facts.ts'
import { decodeCursor, encodeCursor, isUuidPart } from '../cursor.ts'
import { appRefreshShapes } from './aso-refresh.ts'
import { trackedAppShapes } from './aso-tracking.ts'

type C = typeof contract

export async function listAsoApps(
  db: Database,
  collecting: Collecting,
  accountId: string,
  { role, country, limit, cursor }: Input<C['list_aso_apps']>,
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
  const [shapes, summaries] = await Promise.all([
    trackedAppShapes(db, accountId, page),
    summariesOf(db, appIds),
  ])
  return {
    items: shapes.map((shape) => {
      const { rankedKeywords, over7Days } = summaries.get(shape.appId) ?? noKeywords
      return {
        ...shape,
        visibility: visibilityShape(rankedKeywords),
        distribution: distributionShape(rankedKeywords),
        over7Days,
        refresh: refreshes.get(shape.appId) ?? null,
      }
    }),
    nextCursor: last ? encodeCursor([last.role, last.appId], list) : null,
  }
}

const noKeywords = { rankedKeywords: [], over7Days: movementOf([]) }
