import type { SampleDeveloper } from './developers.ts'
import type { SampleCountry } from './document.ts'
import type { Names } from './names.ts'
import type { PerCountry } from './per-country.ts'
import type { Plot } from './plots.ts'
import type { Area } from './words.ts'

/** A synthetic app: its fixed properties, and how it changes. `listing.ts` derives its state on a day. */
export type SampleApp = {
  readonly storeId: number
  readonly bundleId: string
  readonly developer: SampleDeveloper
  readonly area: Area
  /** Primary genre first. A game begins with 6014. */
  readonly genreIds: readonly string[]
  readonly brand: string
  readonly names: Names
  readonly descriptions: PerCountry<string>
  readonly storefronts: readonly SampleCountry[]
  /** Days are counted since 1970, seconds since midnight. */
  readonly releasedDay: number
  readonly releasedSecond: number
  /** 0 for almost unknown, above 5 for a household name. */
  readonly popularity: number
  /** Additional popularity in a storefront, in the same measure. */
  readonly favour: PerCountry<number>
  /** Earnings relative to its popularity; null when it sells nothing. */
  readonly earning: number | null
  /** Step of Apple's price list on the last day; 0 is free. */
  readonly priceStep: number
  readonly stars: number
  /** Ratings in a storefront are this times the age in days to the power of `ratingGrowth`. */
  readonly ratingPace: PerCountry<number>
  /** Days between versions, and the day of the last one. */
  readonly cadence: number
  readonly lastUpdateDay: number
  readonly sizeBytes: number
  readonly languages: readonly string[]
  readonly minimumOs: string
  readonly ageRating: string
  readonly forTablets: boolean
  readonly screenshots: number
  readonly plot: Plot
}

export const ratingGrowth = 1.25
