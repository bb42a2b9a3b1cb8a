import { type Database, inTransaction } from '../../../storage/database.ts'
import { askForWork, askForWorkWithin, type Enqueue } from '../../work/ask-for-work.ts'
import { noteAsker } from '../../work/askers.ts'
import type { Work } from '../../work/work.ts'
import { keywordsToRefresh } from './refresh-queries.ts'

export const appRefreshKind = 'aso-refresh'
export const keywordRefreshKind = 'keyword-refresh'

/** What the refresh of an app was told it takes, when it was asked for; its subject is the id of the tracked app. */
export interface AppRefreshInput {
  searches: number
  skipped: number
}

export interface KeywordRefreshInput {
  country: string
  /** Normalised. */
  term: string
}

export const keywordRefreshSubject = ({ country, term }: KeywordRefreshInput) => `${country} ${term}`

/** Asks for the refresh of a tracked app; one that is under way is answered as it is. */
export async function askForAppRefresh(
  db: Database,
  enqueue: Enqueue,
  appId: string,
  now: Date,
): Promise<Work> {
  const keywords = await keywordsToRefresh(db, appId, now)
  const searches = keywords.filter(({ searched }) => !searched).length
  const input: AppRefreshInput = { searches, skipped: keywords.length - searches }
  return askForWork(db, enqueue, { kind: appRefreshKind, subject: appId, input: { ...input } })
}

/**
 * Asks for the refresh of one keyword; one that is under way, whoever asked for it, is answered as it is. Only who asked is
 * told of it.
 */
export function askForKeywordRefresh(
  db: Database,
  enqueue: Enqueue,
  accountId: string,
  keyword: KeywordRefreshInput,
): Promise<Work> {
  const subject = keywordRefreshSubject(keyword)
  const asked = { kind: keywordRefreshKind, subject, input: { ...keyword } }
  return inTransaction(db, async (transaction) => {
    const work = await askForWorkWithin(transaction, enqueue, asked)
    await noteAsker(transaction, work.workId, { accountId })
    return work
  })
}
