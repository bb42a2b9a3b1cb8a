import { v5 as uuidv5 } from 'uuid'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import type { MediumKind } from '../../vocabulary/creatives.ts'
import type { StatedMedium } from '../creatives/media.ts'

/** The owner of media that are archived together: a post, or an ad with all its creatives. */
export type ArchiveOwner = { postId: string } | { platform: AdPlatform; archiveId: string }

/** The owner's key in the store: `post <postId>`, or `ad <platform>/<archiveId>`. */
export function mediaOwnerKey(owner: ArchiveOwner): string {
  return 'postId' in owner ? `post ${owner.postId}` : `ad ${owner.platform}/${owner.archiveId}`
}

/** The owner of media: a post, or one creative of an ad. */
export type MediaOwner = { postId: string } | { creativeId: string }

const namespace = '2f1f4b0e-8d0c-5a53-9c86-2c1f1f6a7d11'

/**
 * The id of a picture or video, derived from its position in its creative, so that it is the same after its address changes
 * and after a replay.
 * @param position 1 is first
 */
export function mediaIdOf(owner: MediaOwner, kind: MediumKind, position: number): string {
  const whose = 'postId' in owner ? `post ${owner.postId}` : `creative ${owner.creativeId}`
  return uuidv5(`${whose} ${kind} ${position}`, namespace)
}

/** The ids of all media of a creative, in order. */
export function mediaIdsOf(owner: MediaOwner, media: readonly StatedMedium[] | null | undefined): string[] {
  return (media ?? []).map(({ kind }, index) => mediaIdOf(owner, kind, index + 1))
}
