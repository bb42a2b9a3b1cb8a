import { typedPrefixesOf } from '../../domain/aso/scores/autocomplete.ts'
import { type KeywordRefreshInput, keywordRefresh } from '../../domain/aso/tracking/refresh.ts'
import { searchedSince, suggestedSince } from '../../domain/aso/tracking/refresh-queries.ts'
import type { PerformWork } from '../../domain/work/work.ts'
import type { Database } from '../../storage/database.ts'
import type { Collector } from '../collecting/collector.ts'
import { isFailedAnswer } from '../collecting/outcome.ts'
import { queues, workJobKind } from '../job-kind.ts'
import { maxAttempts } from '../work-tasks.ts'
import { collectTerm } from './collect-term.ts'

export const keywordRefreshJob = workJobKind({
  work: keywordRefresh,
  does: 'searches for one keyword, and asks what Apple suggests on the way to it',
  queue: queues.work,
  atATime: 2,
  addDue: null,
  perform: ({ db, collector }) => performKeywordRefresh(db, collector),
})

/**
 * Searches for one keyword and asks for the hints of its beginnings. Answers stored since the request are reused, so that
 * a retry only asks for the rest.
 */
function performKeywordRefresh(db: Database, collector: Collector): PerformWork<KeywordRefreshInput> {
  return async ({ input: name, createdAt, attempts }, report, signal) => {
    const { country } = name
    const search = {
      isDone: () => searchedSince(db, name, createdAt),
      ask: () => collectTerm(collector, { country, term: name.term, surface: 'search' }, signal),
    }
    const suggestions = typedPrefixesOf(name.term).map((typed) => ({
      isDone: () => suggestedSince(db, country, typed, createdAt),
      ask: () => collector.hints(typed, country, signal),
    }))
    const requests = [search, ...suggestions]
    const failures = new Map<(typeof requests)[number], Error>()
    let done = 0
    const reportDone = () => report({ done, total: requests.length })
    await reportDone()
    for (const request of requests) {
      try {
        if (!(await request.isDone())) await request.ask()
        done++
        await reportDone()
      } catch (error) {
        if (signal.aborted || !isFailedAnswer(error)) throw error
        failures.set(request, error)
      }
    }
    const [failure] = failures.values()
    if (!failure) return { status: 'succeeded', result: {} }
    if (failures.has(search) || attempts < maxAttempts) throw failure
    const message = `Not all suggestions were read. The first failure: ${failure.message}`
    return { status: 'partial', result: {}, error: { code: 'suggestions-missing', message } }
  }
}
