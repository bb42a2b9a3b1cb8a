/** One file as an upstream would answer it, or an operator would import it. */
export type SampleDocument = {
  readonly kind: 'catalogue' | 'charts' | 'search-results' | 'search-hints' | 'organic' | 'paid-ads'
  readonly format:
    | 'itunes-lookup'
    | 'itunes-search'
    | 'app-page'
    | 'app-store-search'
    | 'search-hints'
    | 'apple-rss-v2'
    | 'apple-rss-legacy'
    | 'organic-file'
    | 'paid-ads-file'
  readonly fileName: string
  /** The requested storefront; null where the source has none. */
  readonly country: SampleCountry | null
  /** RFC 3339, UTC. */
  readonly observedAt: string
  /** JSON, NDJSON for the `-file` formats, a property list for hints, or a page. */
  readonly content: string
}

/** Result pages and suggestions contain neither term nor prefix, so the document does. */
export type SampleSearch = SampleDocument & {
  readonly term: string
  /** Places requested, for a result page. */
  readonly requested?: number
}

/** The page of an app. */
export type SamplePage = SampleDocument & {
  readonly storeId: string
  /** Code in App Store Connect of the language that it was asked in; left out for the storefront's own. */
  readonly language?: string
}

export type SampleCountry = 'us' | 'jp' | 'de'
export const sampleCountries: readonly SampleCountry[] = ['us', 'jp', 'de']

/** The host of every media address of the sample: a name that can never resolve (RFC 2606). */
export const sampleHost = 'https://sample.invalid'
