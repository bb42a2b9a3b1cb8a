import { type AppPage, readAppPage } from '../../ingest/apple/app-page.ts'
import { storefrontOf } from '../../vocabulary/storefronts.ts'
import type { PoliteSource } from '../polite/polite-source.ts'
import type { SourceAnswer } from '../source-answer.ts'

/** The page of an app on the App Store's web site: subtitle, previews, and the apps Apple shows beside it. */
export interface AppPageClient {
  /**
   * @param storeId digits
   * @throws SourceFailure (`not-found` where the storefront has no such app), or UnknownStorefrontError before anything
   * is asked
   */
  page(storeId: string, country: string, signal: AbortSignal): Promise<SourceAnswer<AppPage>>
}

export function appPageClient(appStore: PoliteSource): AppPageClient {
  return {
    async page(storeId, country, signal) {
      storefrontOf(country)
      if (!/^\d{1,19}$/.test(storeId)) throw new RangeError(`"${storeId}" is not the id of an app`)
      const got = await appStore.get({
        path: `/${country}/app/id${storeId}`,
        country,
        headers: { accept: 'text/html' },
        read: (bytes) => readAppPage(bytes, storeId),
        signal,
      })
      return { ...got, source: 'app-store-page', country, empty: false }
    },
  }
}
