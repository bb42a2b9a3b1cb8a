import type { z } from 'zod'
import type { CreativeMedia, KeptCopy } from '../contract/shapes/creatives.ts'
import type { StatedMedium } from '../domain/creatives/media.ts'
import { type MediaOwner, mediaIdOf } from '../domain/media/media-id.ts'
import { mediaStatusOf } from './kept-media-shapes.ts'

/** What a source says of the media of a creative, as `statedFact` tells it. */
type MediaFact =
  | { state: 'measured'; value: readonly StatedMedium[]; evidence: number }
  | { state: 'absent' }
  | { state: 'not-measured' }

/**
 * The media of a post or of one creative of an ad, in the order shown, and what became of them.
 * @param kept the copy of each, or why there is none, by media id
 */
export function creativeMedia(
  owner: MediaOwner,
  stated: MediaFact,
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
      width: carried(medium.width, evidence),
      height: carried(medium.height, evidence),
      durationSeconds: carried(medium.durationSeconds, evidence),
      kept: kept.get(mediaId) ?? { status: 'not-kept', reason: null, checkedAt: null },
    }
  })
  const copies = media.map((medium) => medium.kept)
  return { mediaStatus: mediaStatusOf(value, copies), media }
}

const carried = (value: number | undefined, evidence: number) =>
  value === undefined
    ? ({ state: 'not-measured', reason: 'not-carried' } as const)
    : ({ state: 'measured', value, evidence } as const)
