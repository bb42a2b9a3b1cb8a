import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { dataKinds } from '../../vocabulary/data-requests.ts'
import type { WorkState } from '../../vocabulary/work-states.ts'
import { newestPageShowing, rankingTermCount } from '../aso/keywords/competitor-keyword-queries.ts'
import { appInStorefront, type ChartPositionRow, positionsOfApp, type StorefrontApp } from '../catalogue/app.ts'
import { rootGenre } from '../catalogue/genres.ts'
import { similarListReading } from '../catalogue/similar-lists.ts'
import { anyChartFails } from '../collecting/attempts.ts'
import { linkedCreativeCount } from '../creatives/kind.ts'
import { type DataRequest, dataRequestsOf } from '../demand/queries.ts'
import { type NewestEstimate, newestEstimates } from '../estimates/queries.ts'
import { estimateRefresh, refreshSubject } from '../estimates/refresh.ts'
import type { ObservedReading } from '../evidence/reading.ts'
import { postKind } from '../organic/post.ts'
import { newestSightingOf } from '../organic/post-summary.ts'
import { adKind } from '../paid-ads/ad.ts'
import { anyLibraryFails } from '../paid-ads/coverage-queries.ts'
import { newestStatusFor } from '../work/ask-for-work.ts'

/** All stored data of an app in a storefront, for an account. */
export interface StoredCompetitor {
  app: StorefrontApp
  positions: ChartPositionRow[]
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
  const categoryIds = [rootGenre, ...(app.state?.record.facts.categoryIds ?? [])]
  const [positions, estimates, parts, newest, openRequests] = await Promise.all([
    positionsOfApp(db, storeId, country),
    newestEstimates(db, app),
    storedParts(db, accountId, app, categoryIds),
    newestReadings(db, app),
    // A storefront has at most one request of each kind.
    dataRequestsOf(db, accountId, storeId, { country, status: 'open' }, { limit: dataKinds.length }),
  ])
  return { app, positions, estimates, parts, newest, openRequests }
}

/** An app in a storefront. */
interface AppName {
  storeId: string
  country: string
}

/** The amount of stored data of an app by kind, and failed attempts where there is none. */
interface StoredParts {
  /** Null while none were ever collected. */
  posts: number | null
  ads: number | null
  keywords: number | null
  chartsFail: boolean
  librariesFail: boolean
  /** Of the account's latest request to refresh its estimates. */
  refresh: WorkState | null
}

/** @param categoryIds whose charts could show the app */
async function storedParts(
  db: Database,
  accountId: string,
  { storeId, country }: AppName,
  categoryIds: readonly number[],
): Promise<StoredParts> {
  const found = await firstRow(
    db,
    sql<StoredParts>`
      select ${linkedCreativeCount(postKind, storeId)} as posts, ${linkedCreativeCount(adKind, storeId)} as ads,
        ${rankingTermCount(storeId, country)} as keywords, ${anyChartFails(country, categoryIds)} as "chartsFail",
        ${anyLibraryFails} as "librariesFail",
        ${newestStatusFor(accountId, estimateRefresh.name, refreshSubject({ storeId, country }))} as refresh`,
  )
  if (!found) throw new Error('A statement about one app answered no row.')
  return found
}

const readingColumns = sql`"readingId", source, origin, "timeBasis", "observedAt"`

/** The newest reading of each kind of stored data of an app; kinds never collected are left out. */
async function newestReadings(
  db: Database,
  { storeId, country }: AppName,
): Promise<{ [Part in 'similar' | 'organic' | 'aso']?: ObservedReading }> {
  const found = await rows(
    db,
    sql<ObservedReading & { part: 'similar' | 'organic' | 'aso' }>`
      select 'similar' as part, ${readingColumns}, null as "broughtBy" from (${similarListReading(storeId, country)}) newest
      union all
      select 'organic', ${readingColumns}, "broughtBy" from (${newestSightingOf(storeId)}) newest
      union all
      select 'aso', ${readingColumns}, null from (${newestPageShowing(storeId, country)}) newest`,
  )
  return Object.fromEntries(found.map(({ part, ...reading }) => [part, reading]))
}
