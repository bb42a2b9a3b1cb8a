import type { z } from 'zod'
import type { CreativeMedia, KeptCopy } from '../contract/shapes/creatives.ts'
import type { StatedMedium } from '../domain/creatives/media.ts'
import { type MediaOwner, mediaIdOf } from '../domain/media/media-id.ts'
import { mediaStatusOf } from './kept-media-shapes.ts'

/** The media of a post or of one creative of an ad, in the order its source shows them. */
export interface OwnedMedia {
  owner: MediaOwner
  /** Left out where the source does not carry them, null or empty where there is none. */
  stated: readonly StatedMedium[] | null | undefined
  /** Place in the evidence of the reading that shows them. */
  evidence: number
}

/** Ids of the media, in their order. */
export function mediaIdsOf({ owner, stated }: Pick<OwnedMedia, 'owner' | 'stated'>): string[] {
  return (stated ?? []).map(({ kind }, index) => mediaIdOf(owner, kind, index + 1))
}

/** The media of a creative and what became of them. @param kept what became of each of `mediaIdsOf` */
export function creativeMedia(
  { owner, stated, evidence }: OwnedMedia,
  kept: ReadonlyMap<string, z.output<typeof KeptCopy>>,
) {
  const media: z.output<typeof CreativeMedia>[] = (stated ?? []).map((medium, index) => {
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
  return { mediaStatus: mediaStatusOf(stated, copies), media }
}

const carried = (value: number | undefined, evidence: number) =>
  value === undefined
    ? ({ state: 'not-measured', reason: 'not-carried' } as const)
    : ({ state: 'measured', value, evidence } as const)
