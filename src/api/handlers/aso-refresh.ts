import type { z } from 'zod'
import type { asoOperations as contract } from '../../contract/aso.ts'
import type { Input, Reply } from '../../contract/operation.ts'
import type { KeywordRefresh as KeywordRefreshShape } from '../../contract/shapes/result-pages.ts'
import type { AsoRefresh } from '../../contract/shapes/tracked-apps.ts'
import { searchFailuresOf } from '../../domain/aso/pages/search-failures.ts'
import { typedPrefixesOf } from '../../domain/aso/scores/autocomplete.ts'
import {
  type AppRefreshInput,
  appRefresh,
  askForAppRefresh,
  askForKeywordRefresh,
  type KeywordRefreshInput,
  keywordRefresh,
  keywordRefreshSubject,
} from '../../domain/aso/tracking/refresh.ts'
import { type CallsLeft, callsLeft } from '../../domain/aso/tracking/refresh-queries.ts'
import { countRequestedBefore, type Enqueue, newestWorkFor } from '../../domain/work/ask-for-work.ts'
import { newestWorks } from '../../domain/work/queries.ts'
import { isUnderWay, readableInputOf, type Work } from '../../domain/work/work.ts'
import type { CollectingClients } from '../../jobs/collecting/collecting.ts'
import { collectionPlan } from '../../jobs/collecting/plan.ts'
import type { Database } from '../../storage/database.ts'
import type { StorefrontCode } from '../../vocabulary/storefronts.ts'
import type { Caller } from '../caller.ts'
import { issuesOfWork } from '../evidence.ts'
import { searchableTerm } from '../term.ts'
import { workStatus } from '../work-status.ts'
import { findTrackedApp } from './aso-tracking.ts'

type C = typeof contract
type AppRefresh = z.output<typeof AsoRefresh>
type KeywordRefresh = z.output<typeof KeywordRefreshShape>

/** What a refresh of keywords asks. */
const searchSources = ['itunes-search', 'apple-search-hints'] as const

export async function refreshApp(
  db: Database,
  enqueue: Enqueue,
  collecting: CollectingClients,
  { appId }: Input<C['refresh_aso_app']>,
  { accountId }: Caller,
): Promise<Reply<C['refresh_aso_app']>> {
  const { country } = await findTrackedApp(db, accountId, appId)
  const { work, asked } = await askForAppRefresh(db, enqueue, appId, new Date())
  const [shape] = await shapesOf(db, collecting, [work], asked)
  if (!shape) throw new Error(`The refresh of the tracked app ${appId} has no shape.`)
  return { ...shape, trouble: await issuesOfWork(db, [...searchSources, 'itunes-lookup'], country) }
}

/** The newest refresh of each tracked app; apps without one are left out. */
export async function appRefreshShapes(
  db: Database,
  collecting: CollectingClients,
  appIds: readonly string[],
): Promise<Map<string, AppRefresh>> {
  if (appIds.length === 0) return new Map()
  const shapes = await shapesOf(db, collecting, await newestWorks(db, appRefresh.name, appIds))
  return new Map(shapes.map((shape) => [shape.appId, shape]))
}

/** The newest refresh of a tracked app; null when there was none. */
export async function appRefreshShape(
  db: Database,
  collecting: CollectingClients,
  appId: string,
): Promise<AppRefresh | null> {
  return (await appRefreshShapes(db, collecting, [appId])).get(appId) ?? null
}

/** @param asked substitutes inputs that this version cannot parse; without it, their refreshes are left out */
async function shapesOf(
  db: Database,
  collecting: CollectingClients,
  works: readonly Work[],
  asked?: AppRefreshInput,
): Promise<AppRefresh[]> {
  const [left, failures] = await Promise.all([
    works.some(({ status }) => isUnderWay(status))
      ? callsLeft(
          db,
          appRefresh.name,
          works.map(({ subject }) => subject),
        )
      : [],
    searchFailuresOf(
      db,
      works.map(({ subject, createdAt, finishedAt }) => ({ appId: subject, from: createdAt, to: finishedAt })),
    ),
  ])
  return works.flatMap((work) => {
    const input = readableInputOf(appRefresh, work) ?? asked
    if (!input) return []
    const { searches, skipped } = input
    return {
      appId: work.subject,
      ...workStatus(work),
      searches,
      skipped,
      searchesPerMinute: collecting.sources.itunes.callsPerMinute,
      expectedSeconds: isUnderWay(work.status) ? expectedOf(left, work.subject, collecting) : null,
      failures: failures
        .filter(({ appId }) => appId === work.subject)
        .map(({ term, code, message, at }) => ({ term, code, message, at: at.toISOString() })),
    }
  })
}

/**
 * The account's refreshes take turns at the upstream: until one has made its calls, each of the others makes as many, or all
 * it has left.
 */
function expectedOf(left: readonly CallsLeft[], appId: string, collecting: CollectingClients): number {
  const own = left.find((one) => one.appId === appId)
  const calls = (count: (one: CallsLeft) => number) =>
    left.reduce((sum, one) => sum + Math.min(count(one), own ? count(own) : 0), 0)
  return secondsFor(
    collecting,
    calls(({ lookups, searches }) => lookups + searches),
    calls(({ suggestions }) => suggestions),
  )
}

/** Seconds that calls take at the pace of their upstreams, as a whole number. */
function secondsFor({ sources }: CollectingClients, itunes: number, hints: number): number {
  return Math.ceil(60 * collectionPlan({ itunes, 'apple-search-hints': hints }, sources).minutes)
}

export async function refreshKeyword(
  db: Database,
  enqueue: Enqueue,
  collecting: CollectingClients,
  { query, country }: Input<C['refresh_aso_keyword']>,
  { accountId }: Caller,
): Promise<Reply<C['refresh_aso_keyword']>> {
  const term = searchableTerm(query, country, '/path/query')
  const work = await askForKeywordRefresh(db, enqueue, accountId, { country, term })
  return {
    ...(await keywordShape(db, collecting, accountId, work, { country, term })),
    trouble: await issuesOfWork(db, searchSources, country),
  }
}

/** The newest refresh of a keyword that the account requested; null when there was none. */
export async function keywordRefreshShape(
  db: Database,
  collecting: CollectingClients,
  accountId: string,
  keyword: KeywordRefreshInput,
): Promise<KeywordRefresh | null> {
  const work = await newestWorkFor(db, accountId, keywordRefresh.name, keywordRefreshSubject(keyword))
  return work ? keywordShape(db, collecting, accountId, work, keyword) : null
}

async function keywordShape(
  db: Database,
  collecting: CollectingClients,
  accountId: string,
  work: Work,
  { country, term }: KeywordRefreshInput,
): Promise<KeywordRefresh> {
  return {
    term,
    country: country as StorefrontCode,
    ...workStatus(work),
    expectedSeconds: isUnderWay(work.status)
      ? await expectedOfKeyword(db, collecting, accountId, work, term)
      : null,
  }
}

/** Refreshes that the account requested earlier come first; each takes one search and up to four suggestion requests. */
async function expectedOfKeyword(
  db: Database,
  collecting: CollectingClients,
  accountId: string,
  work: Work,
  term: string,
): Promise<number> {
  const earlier = await countRequestedBefore(db, accountId, keywordRefresh.name, work.createdAt)
  const hints = typedPrefixesOf(term).length
  const done = work.done ?? 0
  return secondsFor(collecting, earlier + (done > 0 ? 0 : 1), earlier * 4 + hints - Math.max(0, done - 1))
}
