import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/operations.ts'
import { leadOf } from './lead-medium.ts'
import type { Medium } from './shapes.ts'

/** A tag as a board: how many of the newest saved ads and posts have it, and pictures of some of them. */
export interface KnownTag {
  tag: string
  used: number
  covers: readonly string[]
}

/** Pictures on the cover of a board. */
const mostCovers = 4
const coverWidth = 256

/** The tags of the newest saved ads and posts, those used most first; whether older ones may have others; and covers of all saved. */
export function useKnownTags(): {
  tags: KnownTag[]
  /** Both lists were read, or one of them failed. */
  isKnown: boolean
  isAll: boolean
  all: Omit<KnownTag, 'tag'>
} {
  const ads = useQuery(read('search_paid_ads', { saved: true, limit: 100 }))
  const posts = useQuery(read('list_saved_organic_content', { limit: 100 }))
  const saved = [
    ...(ads.data?.items.map((ad) => ({
      tags: ad.saved?.tags ?? [],
      media: ad.creatives.flatMap(({ media }) => media),
    })) ?? []),
    ...(posts.data?.items.map(({ tags, post }) => ({ tags, media: post.media })) ?? []),
  ]
  const boards = new Map<string, { used: number; covers: string[] }>()
  for (const { tags, media } of saved) for (const tag of tags) boards.set(tag, withOne(boards.get(tag), media))
  return {
    tags: [...boards]
      .map(([tag, board]) => ({ tag, ...board }))
      .sort((a, b) => b.used - a.used || a.tag.localeCompare(b.tag)),
    isKnown: !ads.isPending && !posts.isPending,
    isAll: (ads.data?.nextCursor ?? null) === null && (posts.data?.nextCursor ?? null) === null,
    all: saved.reduce((all, { media }) => withOne(all, media), { used: 0, covers: [] as string[] }),
  }
}

function withOne(
  { used, covers }: { used: number; covers: string[] } = { used: 0, covers: [] },
  media: readonly Medium[],
) {
  const cover = covers.length < mostCovers ? leadOf(media, coverWidth).picture : undefined
  const isNew = cover !== undefined && !covers.includes(cover)
  return { used: used + 1, covers: isNew ? [...covers, cover] : covers }
}
