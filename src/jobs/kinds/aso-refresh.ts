import { setTimeout } from 'node:timers/promises'
import { appRefresh, askForAppRefresh } from '../../domain/aso/tracking/refresh.ts'
import {
  claimSearch,
  dueAppRefreshes,
  hasRecentSuggestions,
  type KeywordToRefresh,
  keywordsToRefresh,
  listingsToRefresh,
  releaseSearch,
} from '../../domain/aso/tracking/refresh-queries.ts'
import type { PerformWork, Work, WorkSuccess } from '../../domain/work/work.ts'
import { isAnswerFaulty, type SourceFailure } from '../../sources/polite/failure.ts'
import type { Database } from '../../storage/database.ts'
import { lookupBatch } from '../../suppliers/apple/clients.ts'
import type { Collector } from '../collecting/collector.ts'
import { isFailedAnswer, SuspectAnswer } from '../collecting/outcome.ts'
import { type JobParts, queues, workJobKind } from '../job-kind.ts'
import { enqueueOn, type JobQueue } from '../queue.ts'
import { hoursBefore, refreshBatchSize } from '../schedule.ts'
import { maxAttempts } from '../work-tasks.ts'
import { collectTerm, collectTermJob } from './collect-term.ts'

export const asoRefreshJob = workJobKind({
  work: appRefresh,
  does: 'searches for the keywords of a tracked app, and asks what Apple suggests on the way to them',
  queue: queues.long,
  // Refreshes share the pace, so that one of five keywords does not wait for one of two thousand.
  atATime: 4,
  addDue,
  perform: ({ db, collector, queue }) => performAppRefresh(db, collector, queue),
})

async function addDue({ db, queue, schedule }: JobParts, now: Date): Promise<void> {
  if (!schedule.keywords) return
  const before = hoursBefore(now, schedule.keywords.everyHours)
  for (const appId of await dueAppRefreshes(db, appRefresh.name, before, refreshBatchSize))
    await askForAppRefresh(db, enqueueOn(queue), appId, now)
}

/** Seconds after which a term with a suspect answer is searched again. */
const suspectWaitSeconds = 900

/** Milliseconds between checks of a search that another refresh is about to make. */
const waitForOtherMs = 500

/**
 * Refreshes a tracked app: its listing and those of its rivals, a search for each keyword, and concurrently the hints for
 * the beginnings of each keyword. Recent results in the store are reused, so that a restart resumes where it stopped and
 * several refreshes share their searches. Keywords added meanwhile are included.
 */
function performAppRefresh(db: Database, collector: Collector, queue: JobQueue): PerformWork {
  return async (work, report, signal) => {
    const known = new Set<number>()
    const missing = new Map<number, string>()
    const failures: Asked['failures'][] = [[], []]
    const reportDone = () => report({ done: known.size - missing.size, total: known.size })
    const settle = async (termId: number) => {
      missing.delete(termId)
      await reportDone()
    }
    const search = searchOf({ db, collector, queue, work, settle })
    let listings = await listingLookups(db, collector, work)
    for (;;) {
      const keywords = (await keywordsToRefresh(db, work.subject, work.createdAt)).filter(
        ({ termId }) => !known.has(termId),
      )
      if (keywords.length + listings.length === 0) break
      for (const { termId, term, searched } of keywords) {
        known.add(termId)
        if (!searched) missing.set(termId, term)
      }
      await reportDone()
      const searches = [...listings, ...keywords.filter(({ searched }) => !searched).map(search)]
      const suggestions = keywords.filter(({ suggested }) => !suggested).map(suggestionsOf(db, collector, work))
      listings = []
      const ended = await askSideBySide(
        [
          async (either) => unlessGivenUp(await askInTurn(searches, either), work),
          (either) => askInTurn(suggestions, either),
        ],
        signal,
      )
      for (const [index, lane] of ended.entries()) failures[index]?.push(...lane.failures)
      if (ended[0]?.gaveUp) break
    }
    const [searches = [], suggestions = []] = failures
    return endOfRefresh({ missing: [...missing.values()], searches, suggestions })
  }
}

/** Lookups of the app and its rivals that have no recent one; none once the app is no longer tracked. */
async function listingLookups(
  db: Database,
  collector: Collector,
  { subject, createdAt }: Work,
): Promise<Ask[]> {
  const listings = await listingsToRefresh(db, subject, createdAt)
  if (!listings) return []
  const { country, storeIds } = listings
  return Array.from({ length: Math.ceil(storeIds.length / lookupBatch) }, (_, index) => async (signal) => {
    await collector.lookup(storeIds.slice(index * lookupBatch, (index + 1) * lookupBatch), country, signal)
  })
}

interface SearchParts {
  db: Database
  collector: Collector
  queue: JobQueue
  work: Work
  /** Called when a term was searched, or no longer needs to be. */
  settle: (termId: number) => Promise<void>
}

function searchOf({ db, collector, queue, work, settle }: SearchParts) {
  return ({ termId, country, term }: KeywordToRefresh): Ask =>
    async (signal) => {
      let claim = await claimSearch(db, termId, work)
      for (; claim === 'theirs'; claim = await claimSearch(db, termId, work))
        await setTimeout(waitForOtherMs, undefined, { signal })
      if (claim === 'mine') {
        try {
          await collectTerm(collector, { country, term, surface: 'search' }, signal)
        } catch (error) {
          if (error instanceof SuspectAnswer) await askAgain(db, queue, country, term)
          throw error
        } finally {
          await releaseSearch(db, termId, work.workId)
        }
      }
      await settle(termId)
    }
}

async function askAgain(db: Database, queue: JobQueue, country: string, term: string): Promise<void> {
  const job = { key: `search ${country} ${term}`, data: { term, country, surface: 'search' as const } }
  await queue.add(db, collectTermJob, [job], { afterSeconds: suspectWaitSeconds })
}

function suggestionsOf(db: Database, collector: Collector, { createdAt }: Work) {
  return ({ country, typed }: KeywordToRefresh): Ask =>
    async (signal) => {
      if (!(await hasRecentSuggestions(db, country, typed, createdAt)))
        await collector.hints(typed, country, signal)
    }
}

/** @throws the failure of a source that is on hold, unless this is the last attempt */
function unlessGivenUp(ended: Asked, { attempts }: Work): Asked {
  if (ended.gaveUp && attempts < maxAttempts) throw ended.failures.at(-1)
  return ended
}

/** Results that a refresh lacks. */
interface LeftOut {
  /** Terms without a new page. */
  missing: readonly string[]
  /** Failed searches and look-ups, in their order. */
  searches: Asked['failures']
  suggestions: Asked['failures']
}

/** Most terms that a sentence names. */
const termsNamed = 3

/** The end of a refresh: complete, or with a sentence about what is missing. */
function endOfRefresh({ missing, searches, suggestions }: LeftOut): WorkSuccess {
  const result = { missing: missing.length, failedCalls: searches.length + suggestions.length }
  const last = searches.at(-1) ?? suggestions.at(-1)
  if (!last) return { status: 'succeeded', result }
  const left = [
    ...(missing.length > 0 ? [keywordsWithout(missing)] : []),
    ...(missing.length === 0 && searches.length > 0 ? ['not all listings were read'] : []),
    ...(suggestions.length > 0 ? ['not all suggestions were read'] : []),
  ]
  const message = `${left.join('; ')}. The last failure: ${last.message}`
  return { status: 'partial', result, error: { code: last.kind, message } }
}

function keywordsWithout(missing: readonly string[]): string {
  const named = missing.slice(0, termsNamed).map((term) => `"${term}"`)
  const more = missing.length > termsNamed ? ', …' : ''
  const count = missing.length === 1 ? '1 keyword has' : `${missing.length} keywords have`
  return `${count} no new page (${named.join(', ')}${more})`
}

/** Consecutive failures of the source after which the remaining calls are skipped. */
const mostInARow = 3

type Ask = (signal: AbortSignal) => Promise<void>

/** The outcome of a sequence of calls. */
interface Asked {
  /** Failures of calls, in their order. */
  failures: (SourceFailure | SuspectAnswer)[]
  /** Whether the source failed so often in a row that the remaining calls were skipped. */
  gaveUp: boolean
}

/**
 * Makes calls one after another. An unusable answer does not block the others; a call that failed at the source is retried
 * once at the end; after a few consecutive failures the source is not asked again.
 */
async function askInTurn(asks: readonly Ask[], signal: AbortSignal): Promise<Asked> {
  const failures: Asked['failures'] = []
  let inARow = 0
  const waiting = asks.map((ask) => ({ ask, again: false }))
  // Retried calls are appended while the sequence is processed.
  for (const { ask, again } of waiting) {
    try {
      await ask(signal)
      inARow = 0
    } catch (error) {
      if (signal.aborted || !isFailedAnswer(error)) throw error
      const ofAnswer = error instanceof SuspectAnswer || isAnswerFaulty(error)
      inARow = ofAnswer ? 0 : inARow + 1
      const gaveUp = inARow === mostInARow || error.kind === 'circuit-open'
      if (ofAnswer || again || gaveUp) failures.push(error)
      else waiting.push({ ask, again: true })
      if (gaveUp) return { failures, gaveUp }
    }
  }
  return { failures, gaveUp: false }
}

/** Runs two sequences of calls concurrently; when one throws, the other is aborted. */
async function askSideBySide(
  rows: readonly ((signal: AbortSignal) => Promise<Asked>)[],
  signal: AbortSignal,
): Promise<Asked[]> {
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const ended = await Promise.allSettled(
    rows.map((row) =>
      row(either).catch((error: unknown) => {
        stop.abort(error)
        throw error
      }),
    ),
  )
  signal.throwIfAborted()
  stop.signal.throwIfAborted()
  return ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}
