import { storefrontOf } from '../../vocabulary/storefronts.ts'
import { type CollectedPayload, collectPayload } from '../collected-payload.ts'
import type { PoliteSource } from '../polite/polite-source.ts'
import { pageQuestion } from './questions.ts'

/** The page of an app on the App Store's web site: subtitle, previews, and the apps Apple shows beside it. */
export interface AppPageClient {
  /**
   * @param storeId digits
   * @throws SourceFailure (`not-found` where the storefront has no such app), or UnknownStorefrontError before anything
   * is asked
   */
  page(storeId: string, country: string, signal: AbortSignal): Promise<CollectedPayload>
}

export function appPageClient(appStore: PoliteSource): AppPageClient {
  return {
    async page(storeId, country, signal) {
      storefrontOf(country)
      if (!/^\d{1,19}$/.test(storeId)) throw new RangeError(`"${storeId}" is not the id of an app`)
      return collectPayload(appStore, 'app-store-page', pageQuestion(storeId, country), {
        path: `/${country}/app/id${storeId}`,
        headers: { accept: 'text/html' },
        signal,
      })
    },
  }
}
