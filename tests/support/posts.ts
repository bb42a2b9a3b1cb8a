import assert from 'node:assert/strict'
import type { OwnPost } from '../../src/ingest/posts/own-post-shape.ts'
import { openFolder, rejectedLines } from './files.ts'
import type { World } from './world.ts'

export type MadePost = OwnPost & { postId: string; observedAt: string }

/** Imports posts as one file in Rivalscope's own format. */
export async function importPosts(world: World, posts: readonly MadePost[]): Promise<void> {
  using folder = openFolder()
  const path = folder.write('posts.json', JSON.stringify(posts))
  const summary = await world.import({ kind: 'organic', paths: [path] })
  assert.deepEqual(rejectedLines(summary.rejectedFile), [])
}

/** A TikTok post with all fields that a network shows, and a link to an app of its own. */
export function madePost(id: string, more: Partial<MadePost> = {}): MadePost {
  return {
    postId: `tiktok_${id}`,
    url: `https://www.tiktok.com/@moss/video/${id}`,
    author: { handle: 'Moss', name: 'Moss & Minutes', url: 'https://www.tiktok.com/@Moss', followers: 20_400 },
    text: 'I broke my streak so that you need not. Tidepool forgives it: https://apps.apple.com/us/app/id6449912345 #habits',
    linkUrl: null,
    publishedAt: '2026-03-01T17:41:09Z',
    mediaType: 'video',
    media: [
      {
        kind: 'video',
        url: `https://media.example.com/${id}.mp4`,
        width: 576,
        height: 1024,
        durationSeconds: 21.4,
      },
    ],
    metrics: { views: 61_800, likes: 5_120, comments: 139, shares: 602, saves: 88 },
    observedAt: '2026-03-03T08:00:00Z',
    ...more,
  }
}
