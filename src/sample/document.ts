/** One file as an upstream would have answered it, or an operator would bring it. */
export type SampleDocument = {
  readonly kind: 'catalogue' | 'charts' | 'search-results' | 'organic' | 'paid-ads'
  readonly format:
    | 'itunes-lookup'
    | 'itunes-search'
    | 'apple-rss-v2'
    | 'apple-rss-legacy'
    | 'organic-file'
    | 'paid-ads-file'
  readonly fileName: string
  /** Storefront that was asked; null where the source has none. */
  readonly country: SampleCountry | null
  /** RFC 3339, UTC. */
  readonly observedAt: string
  /** JSON, or NDJSON for the `-file` formats. */
  readonly content: string
}

/** A result page does not say what was searched for, so the document does. */
export type SampleSearch = SampleDocument & { readonly term: string }

export type SampleCountry = 'us' | 'jp' | 'de'
export const sampleCountries: readonly SampleCountry[] = ['us', 'jp', 'de']

/** Every media address of the sample is here: a name that can never resolve (RFC 2606). */
export const sampleHost = 'https://sample.invalid'
