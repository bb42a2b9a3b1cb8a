import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { ensureAccount } from './domain/accounts/queries.ts'
import { lockTerms } from './domain/aso/term-queries.ts'
import type { Database } from './storage/database.ts'

/** The account of the demo's key. */
export const demoAccount = 'demo'
/** The tracked app whose workstation the demo shows: its id is the same on every machine. */
export const demoAppId = '019aa0b6-5c00-7000-8000-000000000001'

/** What the demo's account tracks: a budget planner with its rivals, and the same app in Japan. */
const tracked = [
  {
    app_id: demoAppId,
    store_id: '9000000150',
    country: 'us',
    role: 'own',
    terms:
      'budget,budget planner,expense tracker,savings,split bills,habit tracker,to do list,investing,notes,banjo tuner left handed,receipt scanner',
  },
  {
    app_id: '019aa0b6-5c00-7000-8000-000000000002',
    store_id: '9000000137',
    country: 'us',
    role: 'rival',
    terms: 'budget,budget planner,savings',
  },
  {
    app_id: '019aa0b6-5c00-7000-8000-000000000003',
    store_id: '9000000218',
    country: 'us',
    role: 'rival',
    terms: '',
  },
  {
    app_id: '019aa0b6-5c00-7000-8000-000000000004',
    store_id: '9000000351',
    country: 'us',
    role: 'watched',
    terms: 'investing,crypto wallet',
  },
  {
    app_id: '019aa0b6-5c00-7000-8000-000000000005',
    store_id: '9000000150',
    country: 'jp',
    role: 'own',
    terms: '家計簿,貯金,睡眠',
  },
  {
    app_id: '019aa0b6-5c00-7000-8000-000000000006',
    store_id: '9000000211',
    country: 'jp',
    role: 'rival',
    terms: '',
  },
].map(({ terms, ...app }) => ({ ...app, terms: terms.split(',').filter((term) => term !== '') }))

/** Tracks some of the sample's apps, once: what people change later stays as they leave it. */
export async function trackDemoApps(db: Database): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const accountId = await ensureAccount(transaction, uuidv7(), demoAccount)
    const known = await sql`
      select from tracked_apps where account_id = ${accountId}
      union all select from removed_tracked_apps where account_id = ${accountId} limit 1`.execute(transaction)
    if (known.rows.length > 0) return
    await sql`
      insert into tracked_apps (app_id, account_id, store_id, country, role)
      select app_id, ${accountId}, store_id, country, role
      from json_to_recordset(${JSON.stringify(tracked)}::json) as t(app_id uuid, store_id bigint, country text, role text)`.execute(
      transaction,
    )
    const keywords = tracked.flatMap(({ app_id, country, terms }) =>
      terms.map((term) => ({ keyword_id: uuidv7(), app_id, country, term })),
    )
    await lockTerms(transaction, keywords)
    await sql`
      insert into tracked_keywords (keyword_id, app_id, term_id)
      select k.keyword_id, k.app_id, t.term_id
      from json_to_recordset(${JSON.stringify(keywords)}::json)
        as k(keyword_id uuid, app_id uuid, country text, term text)
      join terms t using (country, term)`.execute(transaction)
  })
}
