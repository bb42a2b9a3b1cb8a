import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import type { Ground } from '../creatives/grounds.ts'
import type { StatedMedium } from '../creatives/media.ts'
import type { Stated } from '../facts/merge.ts'

export type AdFormat = 'video' | 'image' | 'carousel' | 'dynamic' | 'text'

/** The fields of an ad, in our words. Nothing of what was paid, and no impressions, has a place here. */
export interface AdFields {
  advertiserName: string
  advertiserUrl: string
  paidBy: string[]
  beneficiaries: string[]
  format: AdFormat
  /** BCP 47, the main one, as the library states it. */
  language: string
  /** BCP 47, recognised here in the texts; null where it cannot be told. */
  detectedLanguage: string
  /** `YYYY-MM-DD`. */
  startedOn: string
  /** Lower case, alphabetical. */
  countries: string[]
  publisherPlatforms: string[]
}

/** All that is known of an ad: what its newest observations said, its delivery among it. */
export interface AdFacts extends AdFields {
  /** Digits. */
  advertiserId: string
  active: boolean
  /** `YYYY-MM-DD`. */
  endedOn: string
  reachText: string
}

/** What changes while an ad runs; left out is not carried, null was looked for and is not there. */
export interface AdDelivery {
  active?: boolean
  /** `YYYY-MM-DD`. */
  endedOn?: string | null
  reachText?: string | null
}

/** The fields of one card or variant. */
export interface CreativeFields {
  title: string
  body: string
  description: string
  displayLink: string
  linkUrl: string
  /** Lower case with hyphens, such as `install-now`. */
  callToAction: string
  callToActionText: string
  /** Empty where the source shows that there is none. */
  media: StatedMedium[]
}

/** An ad as one observation shows it. */
export interface AdSighting {
  platform: AdPlatform
  /** 1 to 32 digits. */
  archiveId: string
  advertiserId: string | null
  /** When it was observed, if the record itself says so; else when its reading was. */
  observedAt?: Date
  stated: Stated<AdFields>
  delivery: AdDelivery
  /** In the order shown; empty when the source shows none of them. */
  creatives: Stated<CreativeFields>[]
  /** Of an observation that comes from another store; nothing is found in its texts anew. */
  elsewhere?: FoundElsewhere
}

/** What was known of an observation in the store it comes from. */
interface FoundElsewhere {
  /** Place of each of its creatives, 1 is the first: there may have been others between them. */
  positions: number[]
  grounds: Ground[]
}
