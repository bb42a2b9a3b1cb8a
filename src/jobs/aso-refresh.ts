import {
  isToBeSearched,
  type KeywordToRefresh,
  keywordsToRefresh,
  listingsToRead,
  suggestionsServe,
} from '../domain/aso/refresh-queries.ts'
import type { EndedWell, PerformWork } from '../domain/work/perform.ts'
import { lookupBatch } from '../sources/apple/itunes-client.ts'
import type { Database } from '../storage/database.ts'
import { type Ask, type Asked, askInTurn, askSideBySide } from './collecting/ask-in-turn.ts'
import { SuspectAnswer } from './collecting/collect-term.ts'
import type { Collector } from './collecting/collector.ts'
import { searchTerm } from './collecting/search-term.ts'
import type { JobQueue } from './queue.ts'
import { mostAttempts } from './work-tasks.ts'

/** Seconds after which a term is asked for again that answered with nothing where it had results. */
const suspectWaitSeconds = 900

/**
 * Refreshes a tracked app: the listings of it and of its rivals, a search for each keyword, and beside them what Apple
 * suggests on the way to each. What is stored already serves, so that a restart goes on where it stopped and several
 * refreshes share their searches. Keywords added meanwhile are taken along.
 */
export function performAppRefresh(db: Database, collector: Collector, queue: JobQueue): PerformWork {
  return async (work, report, signal) => {
    const [appId, asked] = [work.subject, work.createdAt]
    const known = new Map<number, KeywordToRefresh>()
    const missing = new Map<number, string>()
    const tell = () => report({ done: known.size - missing.size, total: known.size, unit: 'keywords' })
    const failures: { searches: Asked['failures']; suggestions: Asked['failures'] } = {
      searches: [],
      suggestions: [],
    }

    const searchFor =
      ({ termId, country, term }: KeywordToRefresh): Ask =>
      async (either) => {
        if (await isToBeSearched(db, termId, asked))
          await searchTerm(db, collector, { country, term }, either).catch(async (error: unknown) => {
            if (error instanceof SuspectAnswer) await askAgain(db, queue, country, term)
            throw error
          })
        missing.delete(termId)
        await tell()
      }
    const suggestionsFor =
      ({ country, typed }: KeywordToRefresh): Ask =>
      async (either) => {
        if (!(await suggestionsServe(db, country, typed, asked))) await collector.hints(typed, country, either)
      }

    let lookups = await listingAsks(db, collector, appId, asked)
    for (;;) {
      const added = (await keywordsToRefresh(db, appId, asked)).filter(({ termId }) => !known.has(termId))
      if (added.length === 0 && lookups.length === 0) break
      for (const keyword of added) {
        known.set(keyword.termId, keyword)
        if (!keyword.searched) missing.set(keyword.termId, keyword.term)
      }
      await tell()
      const searches = [...lookups, ...added.filter(({ searched }) => !searched).map(searchFor)]
      lookups = []
      const suggestions = added.filter(({ suggested }) => !suggested).map(suggestionsFor)
      const [searched, suggested] = await askSideBySide(
        [
          (either) => askInTurn(searches, either).then((ended) => triedEnough(ended, work.attempts)),
          (either) => askInTurn(suggestions, either),
        ],
        signal,
      )
      failures.searches.push(...(searched?.failures ?? []))
      failures.suggestions.push(...(suggested?.failures ?? []))
      if (searched?.gaveUp) break
    }
    return endOf([...missing.values()], failures)
  }
}

/** Look-ups of the app and its rivals, as far as they were not looked up lately; none once the app is gone. */
async function listingAsks(db: Database, collector: Collector, appId: string, asked: Date): Promise<Ask[]> {
  const listings = await listingsToRead(db, appId, asked)
  if (!listings) return []
  const { country, storeIds } = listings
  return Array.from({ length: Math.ceil(storeIds.length / lookupBatch) }, (_, index) => async (signal) => {
    await collector.lookup(storeIds.slice(index * lookupBatch, (index + 1) * lookupBatch), country, signal)
  })
}

async function askAgain(db: Database, queue: JobQueue, country: string, term: string): Promise<void> {
  const job = { key: `search ${country} ${term}`, data: { term, country, surface: 'search' as const } }
  await queue.add(db, 'collect-term', [job], { afterSeconds: suspectWaitSeconds })
}

/** @throws what a source failed with that was left alone, unless this is the last attempt */
function triedEnough(ended: Asked, attempts: number): Asked {
  if (ended.gaveUp && attempts < mostAttempts) throw ended.failures.at(-1)
  return ended
}

/** Terms that a sentence names. */
const termsNamed = 3

function endOf(
  missing: readonly string[],
  { searches, suggestions }: { searches: Asked['failures']; suggestions: Asked['failures'] },
): EndedWell {
  const last = searches.at(-1) ?? suggestions.at(-1)
  const result = { missing: missing.length, suggestionsMissing: suggestions.length }
  if (!last) return { status: 'succeeded', result }
  const named = missing.slice(0, termsNamed).map((term) => `"${term}"`)
  const left = [
    ...(missing.length > 0
      ? [
          `${missing.length === 1 ? '1 keyword has' : `${missing.length} keywords have`} no new page (${named.join(', ')}${missing.length > termsNamed ? ', …' : ''})`,
        ]
      : []),
    ...(missing.length === 0 && searches.length > 0 ? ['not all listings were read'] : []),
    ...(suggestions.length > 0 ? ['not all suggestions were read'] : []),
  ]
  return {
    status: 'partial',
    result,
    error: { code: last.kind, message: `${left.join('; ')}. The last failure: ${last.message}` },
  }
}
