import { z } from 'zod'
import { atomically, type Database } from '../../../storage/database.ts'
import { askForWork, askForWorkWithin, type Enqueue, recordRequester } from '../../work/ask-for-work.ts'
import type { Work, WorkKind } from '../../work/work.ts'

import { keywordsToRefresh } from './refresh-queries.ts'

/** The estimated calls of an app refresh at the time of its request. */
const AppRefreshInput = z.strictObject({ searches: z.int(), skipped: z.int() })

export type AppRefreshInput = z.output<typeof AppRefreshInput>

/** The refresh of a tracked app; its subject is the app's tracking id. */
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

/** Requests the refresh of a tracked app; one under way is returned, with its remaining calls. */
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

/** Requests the refresh of one keyword; one under way is returned, whoever requested it. Only requesters see it. */
export function askForKeywordRefresh(
  db: Database,
  enqueue: Enqueue,
  accountId: string,
  keyword: KeywordRefreshInput,
): Promise<Work> {
  const subject = keywordRefreshSubject(keyword)
  const asked = { kind: keywordRefresh, subject, input: keyword }
  return atomically(db, async (transaction) => {
    const work = await askForWorkWithin(transaction, enqueue, asked)
    await recordRequester(transaction, work.workId, { accountId })
    return work
  })
}
