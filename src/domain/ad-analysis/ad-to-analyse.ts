import type { Database } from '../../storage/database.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import { numberOf } from '../creatives/kind.ts'
import type { StatedMedium } from '../creatives/media.ts'
import type { Known, StatedBy } from '../facts/merge.ts'
import { mediaIdOf } from '../media/media-id.ts'
import type { AdFacts, CreativeFields } from '../paid-ads/ad.ts'
import { adKind } from '../paid-ads/ad-kind.ts'
import { adKey, knownAds } from '../paid-ads/ad-queries.ts'
import { creativesOfAds } from '../paid-ads/shown-ads.ts'
import { shownCreatives } from '../paid-ads/shown-creatives.ts'
import type { AnalysisGround } from './analysis.ts'
import type { AdName } from './queries.ts'

/** A picture or video of a creative, with the id of its copy. */
export interface AdMedium extends StatedMedium {
  mediaId: string
  creativeId: string
}

/** A creative in the newest observation. */
export interface CurrentCreative {
  facts: { [F in keyof CreativeFields]?: CreativeFields[F] | null }
  /** Undefined where the source does not carry them. */
  media: AdMedium[] | undefined
  /** The reading with the creative. */
  ground: AnalysisGround
}

/** A stored ad, as needed for transcripts and analyses. */
export interface AdToAnalyse extends Known<AdFacts> {
  platform: AdPlatform
  archiveId: string
  adNumber: string
  /** In the order shown. */
  creatives: CurrentCreative[]
}

/** Undefined for an ad that is not stored. */
export async function adToAnalyse(db: Database, name: AdName): Promise<AdToAnalyse | undefined> {
  const ad = { ...name, platform: name.platform as AdPlatform }
  const adNumber = await numberOf(db, adKind, ad)
  const known = (await knownAds(db, [ad])).get(adKey(ad))
  if (adNumber === undefined || !known) return undefined
  const creatives = shownCreatives(await creativesOfAds(db, [adNumber]))
    .filter(({ current }) => current)
    .map((row): CurrentCreative => {
      const { creativeId, facts, readingId, source, origin, timeBasis, seenAt } = row
      const media = facts.media === undefined ? undefined : (facts.media ?? [])
      return {
        facts,
        media: media?.map((medium, at) => ({
          ...medium,
          creativeId,
          mediaId: mediaIdOf({ creativeId }, medium.kind, at + 1),
        })),
        ground: { of: 'ad', readingId, source, origin, timeBasis, observedAt: seenAt.toISOString() },
      }
    })
  return { ...ad, adNumber, facts: known.facts, evidence: known.evidence, creatives }
}

/** All media of the current creatives in their order; undefined when no source carries any. */
export function mediaOf({ creatives }: Pick<AdToAnalyse, 'creatives'>): AdMedium[] | undefined {
  const carried = creatives.filter(({ media }) => media !== undefined)
  return carried.length === 0 ? undefined : carried.flatMap(({ media = [] }) => media)
}

/** The reading that provides a field of the ad. */
export const groundOf = ({
  source,
  readingId,
  origin,
  timeBasis,
  observedAt,
}: StatedBy<string>): AnalysisGround => ({
  of: 'ad',
  source,
  readingId,
  origin,
  timeBasis,
  observedAt,
})
