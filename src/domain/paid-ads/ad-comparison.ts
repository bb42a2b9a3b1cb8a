import { isDeepStrictEqual } from 'node:util'
import type { Known, Stated } from '../facts/merge.ts'
import type { AdDelivery, AdFacts, AdSighting, CreativeFields } from './ad.ts'
import { comparableText, mediaContent, withoutTracking } from './creative-identity.ts'

export type AdComparison = 'new' | 'known' | 'changed'

/** An ad as it is stored, as far as a sighting can be compared with it. */
export interface KnownAd extends Known<AdFacts> {
  /** Those its newest observation showed. */
  creatives: Stated<CreativeFields>[]
}

/**
 * What a sighting says of the ad as a whole, its delivery as seen on that day.
 * @param observedAt when the library showed it so
 */
export function factsAt(sighting: AdSighting, observedAt: Date): Stated<AdFacts> {
  const { stated, advertiserId } = sighting
  return {
    ...stated,
    ...(advertiserId === null ? {} : { advertiserId }),
    ...deliveryAt(sighting, observedAt),
  }
}

/** Meta's API does not say whether an ad runs: it does until an end is set and past. */
function deliveryAt({ platform, delivery }: AdSighting, observedAt: Date): AdDelivery {
  const { active, endedOn } = delivery
  if (platform !== 'meta' || active !== undefined || endedOn === undefined) return delivery
  return { ...delivery, active: endedOn === null || endedOn >= observedAt.toISOString().slice(0, 10) }
}

/** What a sighting says, as `factsAt` tells it, and the creatives it shows. */
export interface SeenAd {
  facts: Stated<AdFacts>
  creatives: readonly Stated<CreativeFields>[]
}

/**
 * How a sighting stands to what is stored. What a source does not carry is no difference, and neither is looking for
 * what nobody has found.
 * @returns the names of the fields that differ, alphabetically; `creatives` stands for all of theirs
 */
export function compareAd(
  known: KnownAd | undefined,
  { facts, creatives }: SeenAd,
): { standing: AdComparison; changes: string[] } {
  if (!known) return { standing: 'new', changes: [] }
  const changes: string[] = Object.keys(facts).filter((name) => {
    const field = name as keyof AdFacts
    return !isDeepStrictEqual(facts[field] ?? null, known.facts[field] ?? null)
  })
  if (creatives.length > 0 && !sameCreatives(known.creatives, creatives)) changes.push('creatives')
  return { standing: changes.length > 0 ? 'changed' : 'known', changes: changes.sort() }
}

/** Whether two lists can be of the same creatives. */
export function sameCreatives(
  known: readonly Stated<CreativeFields>[],
  shown: readonly Stated<CreativeFields>[],
): boolean {
  const meets = (one: Stated<CreativeFields>, others: readonly Stated<CreativeFields>[]) =>
    others.some((other) => agree(one, other))
  return shown.every((one) => meets(one, known)) && known.every((one) => meets(one, shown))
}

/** Whether two tellings can be of the same creative: what both carry is the same. */
export function agree(one: Stated<CreativeFields>, other: Stated<CreativeFields>): boolean {
  return comparedFields.every((field) => {
    if (one[field] === undefined || other[field] === undefined) return true
    return isDeepStrictEqual(comparable(field, one), comparable(field, other))
  })
}

const comparedFields = ['title', 'body', 'description', 'linkUrl', 'media'] as const

function comparable(field: (typeof comparedFields)[number], creative: Stated<CreativeFields>): unknown {
  if (field === 'media') return mediaContent(creative.media)
  if (field === 'linkUrl') return creative.linkUrl ? withoutTracking(creative.linkUrl) : null
  return comparableText(creative[field])
}
