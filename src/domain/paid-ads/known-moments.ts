import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../../storage/database.ts'
import { type KnownMoments, momentKey, type Statement, statedAt } from '../evidence/known-moments.ts'
import type { Stated } from '../facts/merge.ts'
import type { AdSighting, CreativeFields } from './ad.ts'
import { factsAt, sameCreatives } from './ad-comparison.ts'
import { adKey, knownAds, observedMoments } from './ad-queries.ts'

/** An observation of an ad at an instant. */
export interface ObservedAd {
  ad: AdSighting
  observedAt: Date
}

export const adStatement = ({ ad, observedAt }: ObservedAd): Statement => ({
  key: momentKey(adKey(ad), observedAt),
  fields: {
    ...factsAt(ad, observedAt),
    ...(ad.creatives.length > 0 ? { creatives: ad.creatives } : {}),
  },
})

/** Whether two values of an ad's field agree. */
export const adsAgree = (one: unknown, other: unknown, field: string): boolean =>
  field === 'creatives'
    ? sameCreatives(one as Stated<CreativeFields>[], other as Stated<CreativeFields>[])
    : isDeepStrictEqual(one ?? null, other ?? null)

/** Stored values of these ads at these instants: the facts from those readings, and the creatives of the newest one. */
export async function adMoments(db: Database, observed: readonly ObservedAd[]): Promise<KnownMoments> {
  const named = observed.map(({ ad: { platform, archiveId }, observedAt }) => ({
    platform,
    archiveId,
    observedAt,
  }))
  const known = await knownAds(db, named)
  const moments = known.size === 0 ? [] : await observedMoments(db, named)
  return new Map(
    moments.flatMap(({ isLast, observedAt, ...ad }) => {
      const stored = known.get(adKey(ad))
      if (!stored) return []
      const creatives = isLast && stored.creatives.length > 0 ? { creatives: stored.creatives } : {}
      return [
        [
          momentKey(adKey(ad), observedAt),
          { ...statedAt(stored.facts, stored.evidence, observedAt), ...creatives },
        ],
      ]
    }),
  )
}
