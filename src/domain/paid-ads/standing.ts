import { isDeepStrictEqual } from 'node:util'
import type { Known, Stated } from '../facts/merge.ts'
import type { AdDelivery, AdFacts, AdSighting, CreativeFields } from './ad.ts'
import { comparableText, mediaContent, withoutTracking } from './creative-identity.ts'

export type AdStanding = 'new' | 'known' | 'changed'

/** An ad as it is stored, as far as a sighting can be compared with it. */
export interface KnownAd extends Known<AdFacts> {
  /** Those its newest observation showed. */
  creatives: Stated<CreativeFields>[]
}

/** What a sighting says of the ad as a whole. */
export function factsOf({ advertiserId, stated, delivery }: AdSighting): Stated<AdFacts> {
  return { ...stated, ...(advertiserId === null ? {} : { advertiserId }), ...delivery }
}

/**
 * Delivery as seen on a day. Meta's API does not say whether an ad runs: it does until an end is set and past.
 * @param observedAt when the library showed it so
 */
export function deliveryAt({ platform, delivery }: AdSighting, observedAt: Date): AdDelivery {
  const { active, endedOn } = delivery
  if (platform !== 'meta' || active !== undefined || endedOn === undefined) return delivery
  return { ...delivery, active: endedOn === null || endedOn >= observedAt.toISOString().slice(0, 10) }
}

/**
 * How a sighting stands to what is stored. What a source does not carry is no difference, and neither is looking for
 * what nobody has found.
 * @param observedAt when the library showed it so
 * @returns the names of the fields that differ, alphabetically; `creatives` stands for all of theirs
 */
export function standingOf(
  known: KnownAd | undefined,
  sighting: AdSighting,
  observedAt: Date,
): { standing: AdStanding; changes: string[] } {
  if (!known) return { standing: 'new', changes: [] }
  const stated = factsOf({ ...sighting, delivery: deliveryAt(sighting, observedAt) })
  const changes: string[] = Object.keys(stated).filter((name) => {
    const field = name as keyof AdFacts
    return !isDeepStrictEqual(stated[field] ?? null, known.facts[field] ?? null)
  })
  if (sighting.creatives.length > 0 && !sameCreatives(known.creatives, sighting.creatives))
    changes.push('creatives')
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
