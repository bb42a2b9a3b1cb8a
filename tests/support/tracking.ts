import { v7 as uuidv7 } from 'uuid'
import { ensureAccount } from '../../src/domain/accounts/queries.ts'
import { insertTrackedApp } from '../../src/domain/aso/tracking/tracked-apps.ts'
import { trackTerms } from '../../src/domain/aso/tracking/tracked-keywords.ts'
import type { World } from './world.ts'

export interface Tracked {
  appId: string
  /** Ids of the keywords by term. */
  keywords: Map<string, string>
}

/** Tracks an app with keywords, through the API. */
export async function track(
  world: World,
  storeId: number | string,
  terms: readonly string[] = [],
  { country = 'us', role = 'own' } = {},
): Promise<Tracked> {
  const { appId } = (await world.call('track_aso_app', { app: String(storeId), country, role })).body
  if (terms.length === 0) return { appId, keywords: new Map() }
  const { added } = (await world.call('add_aso_keywords', { appId, terms })).body
  return { appId, keywords: new Map(added.map(({ keyword }) => [keyword.term, keyword.keywordId])) }
}

/** A tracked app of an account, with its keywords; defaults are the US and an app of its own. */
export interface StoredTracking {
  storeId: string
  country?: string
  role?: 'own' | 'rival' | 'watched'
  /** Normalised. */
  keywords?: readonly string[]
  account?: string
}

/** Stores a tracked app without requesting its intake: Apple is not called. @returns its id */
export async function storeTracked(
  { store: { db } }: Pick<World, 'store'>,
  { storeId, country = 'us', role = 'own', keywords = [], account = 'default' }: StoredTracking,
): Promise<string> {
  const appId = uuidv7()
  const accountId = await ensureAccount(db, uuidv7(), account)
  await db.transaction().execute(async (transaction) => {
    await insertTrackedApp(transaction, { appId, accountId, storeId, country, role })
    await trackTerms(transaction, appId, country, keywords)
  })
  return appId
}
