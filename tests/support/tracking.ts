import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { lockTerms } from '../../src/domain/aso/term-queries.ts'
import { firstRow } from '../../src/storage/database.ts'
import type { World } from './world.ts'

export interface Tracked {
  appId: string
  /** Ids of the keywords by term. */
  keywords: Map<string, string>
}

/** Tracks an app with keywords, which are normalised already, for an account. */
export async function track(
  { store: { db } }: World,
  storeId: number,
  terms: readonly string[] = [],
  { country = 'us', role = 'own', account = 'default' } = {},
): Promise<Tracked> {
  const tracked = await firstRow(
    db,
    sql<{ appId: string }>`
      insert into tracked_apps (app_id, account_id, store_id, country, role)
      select ${uuidv7()}::uuid, account_id, ${String(storeId)}::bigint, ${country}, ${role}
      from accounts where name = ${account} returning app_id as "appId"`,
  )
  const appId = tracked?.appId ?? ''
  const rows = await lockTerms(
    db,
    terms.map((term) => ({ country, term })),
  )
  const keywords = new Map<string, string>()
  for (const { termId, term } of rows.terms) {
    const keywordId = uuidv7()
    keywords.set(term, keywordId)
    await sql`
      insert into tracked_keywords (keyword_id, app_id, term_id)
      values (${keywordId}::uuid, ${appId}::uuid, ${termId})`.execute(db)
  }
  return { appId, keywords }
}
