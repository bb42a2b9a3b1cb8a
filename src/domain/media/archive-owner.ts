import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'

/** Whose media are kept together: those of a post, or those of all creatives of an ad. */
export type ArchiveOwner = { postId: string } | { platform: AdPlatform; archiveId: string }

/** The name an owner has in the store: `post <postId>`, or `ad <platform>/<archiveId>`. */
export function ownerName(owner: ArchiveOwner): string {
  return 'postId' in owner ? `post ${owner.postId}` : `ad ${owner.platform}/${owner.archiveId}`
}
