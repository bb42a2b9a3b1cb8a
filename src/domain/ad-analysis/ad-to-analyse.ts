import type { Database } from '../../storage/database.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import { creativeNumberOf } from '../creatives/kind.ts'
import type { StatedMedium } from '../creatives/media.ts'
import type { Known, StatedBy } from '../facts/merge.ts'
import { mediaIdOf } from '../media/media-id.ts'
import { type AdFacts, adKind, type CreativeFields } from '../paid-ads/ad.ts'
import { adKey, knownAds } from '../paid-ads/ad-comparison.ts'
import { creativesOfAds, shownCreatives } from '../paid-ads/shown-ads.ts'
import type { AnalysisBasis, Segment, Transcript } from './analysis.ts'
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
  basis: AnalysisBasis
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
  const adNumber = await creativeNumberOf(db, adKind, ad)
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
        basis: { of: 'ad', readingId, source, origin, timeBasis, observedAt: seenAt.toISOString() },
      }
    })
  return { ...ad, adNumber, facts: known.facts, evidence: known.evidence, creatives }
}

/** All media of the current creatives in their order; undefined when no source carries any. */
export function mediaOfAd({ creatives }: Pick<AdToAnalyse, 'creatives'>): AdMedium[] | undefined {
  const carried = creatives.filter(({ media }) => media !== undefined)
  return carried.length === 0 ? undefined : carried.flatMap(({ media = [] }) => media)
}

/** The reading that provides a field of the ad. */
export const analysisBasisOf = ({
  source,
  readingId,
  origin,
  timeBasis,
  observedAt,
}: StatedBy<string>): AnalysisBasis => ({
  of: 'ad',
  source,
  readingId,
  origin,
  timeBasis,
  observedAt,
})

/** Version of the conversion from a source's captions. */
const version = '1'

const languageTag = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/

/** The transcript from the captions of the first video that has any; undefined when none has. */
export function transcriptFromCaptions(media: readonly AdMedium[]): Transcript | undefined {
  for (const { kind, mediaId, captions } of media) {
    if (kind !== 'video' || !captions) continue
    const segments = captions.segments
      .map(
        ({ startSeconds, endSeconds, text }): Segment => ({
          startSeconds: Math.max(0, startSeconds),
          endSeconds: Math.max(0, startSeconds, endSeconds),
          text: text.replaceAll(/\s+/g, ' ').trim(),
          confidence: null,
        }),
      )
      .filter(({ text }) => text !== '')
      .sort((one, other) => one.startSeconds - other.startSeconds)
    if (segments.length === 0) continue
    const { language } = captions
    return {
      outcome: 'available',
      provider: { name: 'source-captions', version },
      mediaId,
      language: language !== null && languageTag.test(language) ? language : null,
      text: joinSegments(segments),
      segments,
    }
  }
  return undefined
}

/** The text of all segments. */
export const joinSegments = (segments: readonly Segment[]): string => segments.map(({ text }) => text).join(' ')
