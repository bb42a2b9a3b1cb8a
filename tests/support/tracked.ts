import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { ensureAccount } from '../../src/domain/accounts/queries.ts'
import { lockTerms } from '../../src/domain/aso/term-queries.ts'
import type { World } from './world.ts'

/** An app an account tracks, with its keywords; in the US and the app's own when not said otherwise. */
export interface Tracking {
  storeId: string
  country?: string
  role?: 'own' | 'rival' | 'watched'
  /** Normalised. */
  keywords?: readonly string[]
  account?: string
}

/** Tracks an app with keywords, as its account would. @returns its id */
export async function track(
  { store }: Pick<World, 'store'>,
  { storeId, country = 'us', role = 'own', keywords = [], account = 'default' }: Tracking,
): Promise<string> {
  const { db } = store
  const appId = uuidv7()
  const accountId = await ensureAccount(db, uuidv7(), account)
  await db.transaction().execute(async (transaction) => {
    await sql`
      insert into tracked_apps (app_id, account_id, store_id, country, role)
      values (${appId}, ${accountId}, ${storeId}::bigint, ${country}, ${role})`.execute(transaction)
    const { terms } = await lockTerms(
      transaction,
      keywords.map((term) => ({ country, term })),
    )
    const ids = new Map(terms.map(({ term, termId }) => [term, termId]))
    const rows = keywords.map((term) => ({ keyword_id: uuidv7(), term_id: ids.get(term) }))
    await sql`
      insert into tracked_keywords (keyword_id, app_id, term_id)
      select keyword_id, ${appId}, term_id
      from json_to_recordset(${JSON.stringify(rows)}::json) as k(keyword_id uuid, term_id integer)`.execute(
      transaction,
    )
  })
  return appId
}
