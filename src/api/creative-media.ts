import type { z } from 'zod'
import type { CreativeMedia, KeptCopy } from '../contract/shapes/creatives.ts'
import type { StatedMedium } from '../domain/creatives/media.ts'
import { factOf, whyNotMeasured } from '../domain/facts/fact.ts'
import { type MediaOwner, mediaIdOf } from '../domain/media/media-id.ts'
import type { Fact } from '../vocabulary/facts.ts'
import { mediaStatusOf } from './archived-copy-shapes.ts'

const unreadableMedia = 'The source tells its media in a form that cannot be read.'

/**
 * The media of a post or of one creative of an ad, in order, with the state of their copies.
 * @param kept the copy of each, or why there is none, by media id
 */
export function creativeMedia(
  owner: MediaOwner,
  stated: Fact<readonly StatedMedium[], 'not-carried' | 'unreadable'>,
  kept: ReadonlyMap<string, z.output<typeof KeptCopy>>,
) {
  if (stated.state === 'not-measured' && stated.reason === 'unreadable')
    return { mediaStatus: { status: 'not-kept' as const, reason: unreadableMedia }, media: [] }
  if (stated.state !== 'measured')
    return { mediaStatus: mediaStatusOf(stated.state === 'absent' ? null : undefined, []), media: [] }
  const { value, evidence } = stated
  const media: z.output<typeof CreativeMedia>[] = value.map((medium, index) => {
    const mediaId = mediaIdOf(owner, medium.kind, index + 1)
    return {
      mediaId,
      kind: medium.kind,
      position: index + 1,
      sourceUrl: medium.url,
      width: factOf(medium.width, evidence, whyNotMeasured(medium, 'width')),
      height: factOf(medium.height, evidence, whyNotMeasured(medium, 'height')),
      durationSeconds: factOf(medium.durationSeconds, evidence, whyNotMeasured(medium, 'durationSeconds')),
      kept: kept.get(mediaId) ?? { status: 'not-kept', reason: null, checkedAt: null },
    }
  })
  const copies = media.map((medium) => medium.kept)
  return { mediaStatus: mediaStatusOf(value, copies), media }
}
