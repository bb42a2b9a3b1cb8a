import type { Database } from '../../storage/database.ts'
import { dataKinds } from '../../vocabulary/data-requests.ts'
import { appInStorefront, type StorefrontApp } from '../catalogue/app.ts'
import { type PositionRow, positionsOfApp } from '../catalogue/app-queries.ts'
import { wholeStore } from '../catalogue/genres.ts'
import type { DataRequest } from '../demand/data-request.ts'
import { requestsOf } from '../demand/queries.ts'
import { type NewestEstimate, newestEstimates } from '../estimates/queries.ts'
import { newestReadings, type StoredParts, storedParts } from './queries.ts'

/** All stored data of an app in a storefront, for an account. */
export interface StoredCompetitor {
  app: StorefrontApp
  positions: PositionRow[]
  /** Those with a value first. */
  estimates: NewestEstimate[]
  parts: StoredParts
  newest: Awaited<ReturnType<typeof newestReadings>>
  /** Newest first. */
  openRequests: DataRequest[]
}

/** Undefined when no storefront has a record of the app. The record is read first: it names the categories. */
export async function storedCompetitor(
  db: Database,
  accountId: string,
  storeId: string,
  country: string,
): Promise<StoredCompetitor | undefined> {
  const app = await appInStorefront(db, storeId, country)
  if (!app) return undefined
  const categoryIds = [wholeStore, ...(app.state?.record.facts.categoryIds ?? [])]
  const [positions, estimates, parts, newest, openRequests] = await Promise.all([
    positionsOfApp(db, storeId, country),
    newestEstimates(db, app),
    storedParts(db, accountId, app, categoryIds),
    newestReadings(db, app),
    // A storefront has at most one request of each kind.
    requestsOf(db, accountId, storeId, { country, status: 'open' }, { limit: dataKinds.length }),
  ])
  return { app, positions, estimates, parts, newest, openRequests }
}
