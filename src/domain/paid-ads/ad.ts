import type { AdFieldOf, AdFieldTypesOf, AdLevelField } from '../../vocabulary/ad-fields.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import type { Attribution } from '../creatives/attributions.ts'
import type { CreativeKind } from '../creatives/kind.ts'
import type { StatedMedium } from '../creatives/media.ts'
import type { Stated } from '../facts/merge.ts'

/** What sources state of an ad, normalised. Spend and impressions are never stored. */
export type AdFields = AdFieldTypesOf<AdLevelField> & {
  /** BCP 47, detected in the texts; null where it cannot be detected. */
  detectedLanguage: string
}

/** All facts of an ad: those of its newest observations. */
export type AdFacts = AdFields & {
  /** As the platform forms it. */
  advertiserId: string
}

/** The fields of one card or variant. */
export type CreativeFields = AdFieldTypesOf<AdFieldOf<'creative'>> & {
  /** Empty where the source shows that there is none. */
  media: StatedMedium[]
}

/** One card or variant as observed once. */
export type SeenCreative = Stated<CreativeFields> & {
  /** Fields that the source carried and that cannot be read. */
  unreadable?: readonly (keyof CreativeFields)[]
}

/** An ad as observed once. */
export interface AdSighting {
  platform: AdPlatform
  /** As the platform forms it. */
  archiveId: string
  advertiserId: string | null
  /** App Store id of the app that the library says is advertised. */
  appId?: string
  /** Time of the observation, if the record itself states one; otherwise that of its reading. */
  observedAt?: Date
  stated: Stated<AdFields>
  /** Fields that the source carried and that cannot be read, beside those of creatives. */
  unreadable?: readonly (keyof AdFacts)[]
  /** In the order shown; empty when the source shows none of them. */
  creatives: SeenCreative[]
  /** Set for an observation imported from another store; its texts are not analysed again. */
  elsewhere?: FoundElsewhere
}

/** Data of the observation in the other store. */
interface FoundElsewhere {
  /** Position of each of its creatives, 1 is the first; there can be gaps. */
  positions: number[]
  attributions: Attribution[]
}

export interface NamedAd {
  platform: AdPlatform
  archiveId: string
}

export const adKind: CreativeKind<NamedAd, { advertiserId: string | null }> = {
  items: 'ads',
  number: 'ad_number',
  name: { platform: 'platform', archiveId: 'archive_id' },
  foundBy: { advertiserId: 'advertiser_id' },
  search: 'ad_search',
  sortKeys: 'ad_sort_keys',
  attributions: { table: 'ad_grounds', first: ['brought'] },
  links: 'ad_links',
  saved: 'saved_ads',
}

export const deliveryDaysFormula = 'delivery-days/2'

const day = 86_400_000

/**
 * Days from start to end of delivery, both included. Without a known end an ad has run until its last observation, unless
 * that one showed that it no longer runs: then the end is unknown. Null where it cannot be computed.
 */
interface DaysRunning {
  value: number
  relation: 'exact' | 'at-least'
}

/**
 * Days from start to end of delivery, both counted. An ad without an observed end has run at least until its last
 * observation, unless that one showed that it no longer runs: then the number is unknown. An end is observed when the ad no
 * longer runs, or its day has passed; an announced one may still be postponed. Null where it cannot be computed.
 */
export function daysRunning(ad: {
  /** A library can state an end in the future. */
  startedOn: string | null
  /** The day on or before which it started, where only a bound is known. */
  startedBy?: string | null
  endedOn: string | null
  active: boolean | null
  lastObservedAt: Date
}): DaysRunning | null {
  const start = ad.startedOn ?? ad.startedBy ?? null
  if (start === null) return null
  const observedOn = ad.lastObservedAt.toISOString().slice(0, 10)
  const ran = ad.endedOn ?? (ad.active === false ? null : observedOn)
  if (ran === null) return null
  const end = ran < observedOn ? ran : observedOn
  const value = (Date.parse(end) - Date.parse(start)) / day + 1
  const isDated = ad.startedOn !== null
  const ended =
    isDated && ad.endedOn !== null && ad.active !== true && (ad.active === false || ran < observedOn)
  return value >= 1 ? { value, relation: ended && ran <= observedOn ? 'exact' : 'at-least' } : null
}
