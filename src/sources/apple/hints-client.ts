import { storefrontOf } from '../../vocabulary/storefronts.ts'
import { type CollectedPayload, collectPayload } from '../collected-payload.ts'
import type { PoliteSource } from '../polite/polite-source.ts'
import { hintsQuestion } from './questions.ts'

/** Apple's search suggestions while a term is typed. */
export interface HintsClient {
  /** @throws SourceFailure, or UnknownStorefrontError before anything is asked */
  hints(term: string, country: string, signal: AbortSignal): Promise<CollectedPayload>
}

/** Without the storefront header every answer is empty; 1 means English texts around the hints, 29 an iPhone. */
const storefrontHeader = (country: string) => `${storefrontOf(country).appleNumber}-1,29`

export function hintsClient(searchHints: PoliteSource): HintsClient {
  return {
    hints: async (term, country, signal) =>
      collectPayload(searchHints, 'apple-search-hints', hintsQuestion(term, country), {
        path: `/WebObjects/MZSearchHints.woa/wa/hints?${new URLSearchParams({ clientApplication: 'Software', term })}`,
        headers: { accept: 'text/xml, application/xml', 'x-apple-store-front': storefrontHeader(country) },
        signal,
      }),
  }
}
