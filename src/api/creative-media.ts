import type { z } from 'zod'
import type { CreativeMedia, KeptCopy } from '../contract/shapes/creatives.ts'
import type { StatedMedium } from '../domain/creatives/media.ts'
import { factOf } from '../domain/facts/fact.ts'
import { type MediaOwner, mediaIdOf } from '../domain/media/media-id.ts'
import type { Fact } from '../vocabulary/facts.ts'
import { mediaStatusOf } from './archived-copy-shapes.ts'

/**
 * The media of a post or of one creative of an ad, in order, with the state of their copies.
 * @param kept the copy of each, or why there is none, by media id
 */
export function creativeMedia(
  owner: MediaOwner,
  stated: Fact<readonly StatedMedium[], 'not-carried' | 'unreadable'>,
  kept: ReadonlyMap<string, z.output<typeof KeptCopy>>,
) {
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
      width: factOf(medium.width, evidence),
      height: factOf(medium.height, evidence),
      durationSeconds: factOf(medium.durationSeconds, evidence),
      kept: kept.get(mediaId) ?? { status: 'not-kept', reason: null, checkedAt: null },
    }
  })
  const copies = media.map((medium) => medium.kept)
  return { mediaStatus: mediaStatusOf(value, copies), media }
}
