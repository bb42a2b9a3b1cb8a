import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { ensureAccount } from '../../src/domain/accounts/queries.ts'
import { type OwnTexts, tellOwnListing } from '../../src/domain/aso/listing/own-listing.ts'
import { lockTerms } from '../../src/domain/aso/pages/term-queries.ts'
import { insertTrackedApp } from '../../src/domain/aso/tracking/tracked-apps.ts'
import { insertKeywords, trackTerms } from '../../src/domain/aso/tracking/tracked-keywords.ts'
import { type Database, inTransaction } from '../../src/storage/database.ts'
import type { TrackedRole } from '../../src/vocabulary/app-relations.ts'

/** The account of the demo's key. */
export const demoAccount = 'demo'
/** The tracked app whose workstation the demo shows: its id is the same on every machine. */
export const demoAppId = '019aa0b6-5c00-7000-8000-000000000001'

/** Its other own app in the United States, which the examples of the reference use. */
const focusTimerId = '01995a10-3c41-7f02-8a6e-52b7c19d0e31'

/** The tracked apps of the demo's account: a budget planner and a focus timer, each with its rivals, and the planner in Japan. */
const tracked: readonly {
  appId: string
  storeId: string
  country: string
  role: TrackedRole
  rivalOf?: string
  terms: string
  /** Keywords with ids that are the same on every machine. */
  keywords?: { keywordId: string; term: string }[]
}[] = [
  {
    appId: demoAppId,
    storeId: '9000000150',
    country: 'us',
    role: 'own',
    terms:
      'budget,budget planner,expense tracker,savings,split bills,habit tracker,to do list,investing,notes,banjo tuner left handed,receipt scanner',
  },
  {
    appId: '019aa0b6-5c00-7000-8000-000000000002',
    storeId: '9000000137',
    country: 'us',
    role: 'rival',
    rivalOf: demoAppId,
    terms: 'budget,budget planner,savings',
  },
  {
    appId: '019aa0b6-5c00-7000-8000-000000000003',
    storeId: '9000000218',
    country: 'us',
    role: 'rival',
    rivalOf: demoAppId,
    terms: '',
  },
  {
    appId: '019aa0b6-5c00-7000-8000-000000000004',
    storeId: '9000000351',
    country: 'us',
    role: 'watched',
    terms: 'investing,crypto wallet',
  },
  {
    appId: '019aa0b6-5c00-7000-8000-000000000005',
    storeId: '9000000150',
    country: 'jp',
    role: 'own',
    terms: '家計簿,貯金,睡眠',
  },
  {
    appId: '019aa0b6-5c00-7000-8000-000000000006',
    storeId: '9000000211',
    country: 'jp',
    role: 'rival',
    terms: '',
  },
  {
    appId: focusTimerId,
    storeId: '6449120387',
    country: 'us',
    role: 'own',
    terms: 'focus timer,pomodoro タイマー',
    keywords: [{ keywordId: '01995a1f-07ab-7c58-94d0-3af1b26c5e07', term: 'deep work' }],
  },
  {
    appId: '01995a12-90d7-7b1c-9f44-0c8e6a2d7b15',
    storeId: '1573204466',
    country: 'us',
    role: 'rival',
    rivalOf: focusTimerId,
    terms: 'focus timer,study timer',
  },
]

/** Tracks some of the sample's apps, once: later changes by users are left alone. */
export async function trackDemoApps(db: Database): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const accountId = await ensureAccount(transaction, uuidv7(), demoAccount)
    const known = await sql`
      select from tracked_apps where account_id = ${accountId}
      union all select from removed_tracked_apps where account_id = ${accountId} limit 1`.execute(transaction)
    if (known.rows.length > 0) return
    for (const { terms, keywords: named = [], ...app } of tracked) {
      await insertTrackedApp(transaction, { ...app, accountId })
      const keywords = terms.split(',').filter((term) => term !== '')
      await trackTerms(transaction, app.appId, app.country, keywords)
      await nameKeywords(transaction, app, named)
    }
  })
}

async function nameKeywords(
  db: Database,
  { appId, country }: { appId: string; country: string },
  named: readonly { keywordId: string; term: string }[],
): Promise<void> {
  for (const { keywordId, term } of named) {
    const [known] = (await lockTerms(db, [{ country, term }])).terms
    if (known) await insertKeywords(db, appId, [{ keywordId, termId: known.termId }])
  }
}

/** What the demo's account tells of its own listings, by app and localization. */
const ownListings: Readonly<Record<string, Readonly<Record<string, OwnTexts>>>> = {
  '9000000150': {
    'en-US': {
      name: 'Tally: Budget Planner',
      subtitle: 'Expense tracker & savings',
      'keyword-field': 'money, receipt,split,bills,debt,budget,habit,invest',
    },
    'es-MX': {
      name: 'Tally: Presupuesto',
      subtitle: '',
      'keyword-field': 'gastos,ahorro,dinero,scanner,money',
    },
    'zh-Hans': { name: 'Tally 记账', subtitle: '预算与存钱', 'keyword-field': '账本,理财,记账本' },
    ja: { name: 'Tally 家計簿', subtitle: '節約と貯金', 'keyword-field': 'レシート,お小遣い,家計' },
  },
  '6449120387': {
    'en-US': {
      name: 'Brook: Focus Timer',
      subtitle: 'Deep work, gently',
      'keyword-field': 'pomodoro, study,timer,concentration',
    },
    ko: { name: 'Brook', 'keyword-field': '집중,타이머' },
  },
}

/** Tells the own listings of the demo's account, as of a time. Repeating it changes nothing. */
export async function tellDemoListings(db: Database, observedAt: Date): Promise<void> {
  const accountId = await ensureAccount(db, uuidv7(), demoAccount)
  for (const [storeId, texts] of Object.entries(ownListings))
    await tellOwnListing(db, { accountId, storeId, observedAt, isWhole: false }, new Map(Object.entries(texts)))
}
