import { storefrontOf } from '../../vocabulary/storefronts.ts'
import { type CollectedPayload, collectPayload, type Question } from '../collected-payload.ts'
import type { PoliteSource } from '../polite/polite-source.ts'
import { lookupQuestion, searchQuestion } from './questions.ts'

interface SearchAsk {
  term: string
  /** Storefront, ISO 3166-1 alpha-2 in lower case. */
  country: string
  /** 1 to `mostResults`. */
  limit?: number
  /** In Apple's form, such as `en_us`; the storefront's own when left out. */
  language?: string
}

/** The most places a search returns. */
export const mostResults = 200

/** Most ids of one Lookup call. Apple accepts more, but documents no limit. */
export const lookupBatch = 50

/** The iTunes Search and Lookup APIs: iOS apps only, apps in the order of the answer. */
export interface ItunesClient {
  search(ask: SearchAsk, signal: AbortSignal): Promise<CollectedPayload>
  /** Apps not sold in the storefront are missing from the answer. At most `lookupBatch` ids. */
  lookup(storeIds: readonly string[], country: string, signal: AbortSignal): Promise<CollectedPayload>
  lookupBundle(bundleId: string, country: string, signal: AbortSignal): Promise<CollectedPayload>
}

/** Every call throws SourceFailure, or UnknownStorefrontError before anything is asked. */
export function itunesClient(itunes: PoliteSource): ItunesClient {
  async function ask(
    source: 'itunes-search' | 'itunes-lookup',
    question: Question,
    query: Record<string, string>,
    signal: AbortSignal,
  ): Promise<CollectedPayload> {
    const { country } = question
    storefrontOf(country)
    const path = source === 'itunes-search' ? '/search' : '/lookup'
    return collectPayload(itunes, source, question, {
      path: `${path}?${new URLSearchParams({ ...query, country, entity: 'software' })}`,
      headers: { accept: 'application/json, text/javascript' },
      signal,
    })
  }

  return {
    search: async ({ term, country, limit = mostResults, language }, signal) => {
      if (!Number.isInteger(limit) || limit < 1 || limit > mostResults)
        throw new RangeError(`a search has 1 to ${mostResults} results`)
      const query = { term, media: 'software', limit: String(limit), ...(language ? { lang: language } : {}) }
      return ask('itunes-search', searchQuestion(term, country, limit), query, signal)
    },
    lookup: async (storeIds, country, signal) => {
      if (storeIds.length === 0 || storeIds.length > lookupBatch)
        throw new RangeError(`a lookup names 1 to ${lookupBatch} apps`)
      return ask('itunes-lookup', lookupQuestion(country), { id: storeIds.join(',') }, signal)
    },
    lookupBundle: async (bundleId, country, signal) =>
      ask('itunes-lookup', lookupQuestion(country), { bundleId }, signal),
  }
}
