import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'

/** The owner of media that are archived together: a post, or an ad with all its creatives. */
export type ArchiveOwner = { postId: string } | { platform: AdPlatform; archiveId: string }

/** The owner's key in the store: `post <postId>`, or `ad <platform>/<archiveId>`. */
export function ownerName(owner: ArchiveOwner): string {
  return 'postId' in owner ? `post ${owner.postId}` : `ad ${owner.platform}/${owner.archiveId}`
}
