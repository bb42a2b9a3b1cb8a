import { readHints, type SearchHints } from '../../ingest/apple/hints.ts'
import { storefrontOf } from '../../vocabulary/storefronts.ts'
import type { PoliteSource } from '../polite/polite-source.ts'
import type { SourceAnswer } from '../source-answer.ts'

/** What the App Store suggests while a term is typed. */
export interface HintsClient {
  /** @throws SourceFailure, or UnknownStorefrontError before anything is asked */
  hints(term: string, country: string, signal: AbortSignal): Promise<SourceAnswer<SearchHints>>
}

/** Without the storefront header every answer is empty; 1 stands for English texts around the hints, 29 for an iPhone. */
const storefrontHeader = (country: string) => `${storefrontOf(country).appleNumber}-1,29`

export function hintsClient(searchHints: PoliteSource): HintsClient {
  return {
    async hints(term, country, signal) {
      const got = await searchHints.get({
        path: `/WebObjects/MZSearchHints.woa/wa/hints?${new URLSearchParams({ clientApplication: 'Software', term })}`,
        country,
        headers: { accept: 'text/xml, application/xml', 'x-apple-store-front': storefrontHeader(country) },
        read: readHints,
        signal,
      })
      const { hints, rejected } = got.value
      return { ...got, source: 'apple-search-hints', country, empty: hints.length + rejected.length === 0 }
    },
  }
}
