import { type ItunesAnswer, isItunesAnswer, readItunesAnswer } from '../../ingest/apple/itunes.ts'
import { readJson } from '../../ingest/json.ts'
import { UnfitAnswer } from '../../ingest/unfit-answer.ts'
import { storefrontOf } from '../../vocabulary/storefronts.ts'
import type { PoliteSource } from '../polite/polite-source.ts'
import type { SourceAnswer } from '../source-answer.ts'

interface SearchAsk {
  term: string
  /** Storefront, ISO 3166-1 alpha-2 in lower case. */
  country: string
  /** 1 to `mostResults`. */
  limit?: number
  /** As Apple writes it, `en_us`; the storefront's own where it is left out. */
  language?: string
}

/** The most places a search answers. */
export const mostResults = 200

/** Ids one Lookup call may name. Apple takes more, but says nowhere how many. */
export const lookupBatch = 50

/** The iTunes Search and Lookup APIs: iOS apps only, apps in the order of the answer. */
export interface ItunesClient {
  search(ask: SearchAsk, signal: AbortSignal): Promise<SourceAnswer<ItunesAnswer>>
  /** Apps not sold in the storefront are missing from the answer. At most `lookupBatch` ids. */
  lookup(storeIds: readonly string[], country: string, signal: AbortSignal): Promise<SourceAnswer<ItunesAnswer>>
  lookupBundle(bundleId: string, country: string, signal: AbortSignal): Promise<SourceAnswer<ItunesAnswer>>
}

/** Every call throws SourceFailure, or UnknownStorefrontError before anything is asked. */
export function itunesClient(itunes: PoliteSource): ItunesClient {
  async function ask(
    source: 'itunes-search' | 'itunes-lookup',
    path: string,
    query: Record<string, string>,
    country: string,
    signal: AbortSignal,
    read = readAnswer,
  ): Promise<SourceAnswer<ItunesAnswer>> {
    storefrontOf(country)
    const got = await itunes.get({
      path: `${path}?${new URLSearchParams({ ...query, country, entity: 'software' })}`,
      country,
      headers: { accept: 'application/json, text/javascript' },
      read,
      signal,
    })
    const { sightings, rejected } = got.value
    return { ...got, source, country, empty: sightings.length + rejected.length === 0 }
  }

  return {
    search: async ({ term, country, limit = 200, language }, signal) => {
      if (!Number.isInteger(limit) || limit < 1 || limit > 200)
        throw new RangeError('a search has 1 to 200 results')
      const query = { term, media: 'software', limit: String(limit), ...(language ? { lang: language } : {}) }
      const page = await ask('itunes-search', '/search', query, country, signal, readPage)
      // A page of nothing but other things shows no place.
      return { ...page, empty: page.value.sightings.length === 0 }
    },
    lookup: async (storeIds, country, signal) => {
      if (storeIds.length === 0 || storeIds.length > lookupBatch)
        throw new RangeError(`a lookup names 1 to ${lookupBatch} apps`)
      return ask('itunes-lookup', '/lookup', { id: storeIds.join(',') }, country, signal)
    },
    lookupBundle: async (bundleId, country, signal) =>
      ask('itunes-lookup', '/lookup', { bundleId }, country, signal),
  }
}

function readAnswer(bytes: Uint8Array): ItunesAnswer {
  const document = readJson(bytes)
  if (!isItunesAnswer(document)) throw new UnfitAnswer('unexpected-shape', 'the answer has no list of results')
  return readItunesAnswer(document)
}

/**
 * A page that shows places and no app that can be read is a change of Apple's, and no page where all apps are absent. Nor is
 * an empty one that says it has results.
 */
function readPage(bytes: Uint8Array): ItunesAnswer {
  const answer = readAnswer(bytes)
  if (answer.stated && answer.sightings.length + answer.rejected.length === 0)
    throw new UnfitAnswer('unexpected-shape', `it says it has ${answer.stated} results, and lists none`)
  const unreadable = answer.rejected.filter(({ isOther }) => !isOther)
  if (answer.sightings.length === 0 && unreadable.length > 0)
    throw new UnfitAnswer('unexpected-shape', `no result can be read: ${unreadable[0]?.reason}`)
  return answer
}
