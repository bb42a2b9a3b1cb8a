import { z } from 'zod'
import { type Database, inTransaction } from '../../../storage/database.ts'
import { askForWork, askForWorkWithin, type Enqueue } from '../../work/ask-for-work.ts'
import type { WorkKind } from '../../work/kind.ts'
import { recordRequester } from '../../work/requesters.ts'
import type { Work } from '../../work/work.ts'

import { keywordsToRefresh } from './refresh-queries.ts'

/** What the refresh of an app was told it takes, when it was asked for. */
const AppRefreshInput = z.strictObject({ searches: z.int(), skipped: z.int() })

export type AppRefreshInput = z.output<typeof AppRefreshInput>

/** The refresh of a tracked app; its subject is the id of that. */
export const appRefresh: WorkKind<AppRefreshInput> = {
  name: 'aso-refresh',
  input: AppRefreshInput,
  unit: 'keywords',
}

const KeywordRefreshInput = z.strictObject({
  country: z.string(),
  /** Normalised. */
  term: z.string(),
})

export type KeywordRefreshInput = z.output<typeof KeywordRefreshInput>

export const keywordRefresh: WorkKind<KeywordRefreshInput> = {
  name: 'keyword-refresh',
  input: KeywordRefreshInput,
  unit: 'requests',
}

export const keywordRefreshSubject = ({ country, term }: KeywordRefreshInput) => `${country} ${term}`

/** Asks for the refresh of a tracked app; one that is under way is answered as it is, with what it takes by now. */
export async function askForAppRefresh(
  db: Database,
  enqueue: Enqueue,
  appId: string,
  now: Date,
): Promise<{ work: Work; asked: AppRefreshInput }> {
  const keywords = await keywordsToRefresh(db, appId, now)
  const searches = keywords.filter(({ searched }) => !searched).length
  const asked = { searches, skipped: keywords.length - searches }
  return { work: await askForWork(db, enqueue, { kind: appRefresh, subject: appId, input: asked }), asked }
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
  const asked = { kind: keywordRefresh, subject, input: keyword }
  return inTransaction(db, async (transaction) => {
    const work = await askForWorkWithin(transaction, enqueue, asked)
    await recordRequester(transaction, work.workId, { accountId })
    return work
  })
}
