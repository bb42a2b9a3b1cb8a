import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/operations.ts'

/** The tags of the newest saved ads and posts, those used most first; and whether older ones may have others. */
export function useKnownTags(): { tags: { tag: string; used: number }[]; isAll: boolean } {
  const ads = useQuery(read('search_paid_ads', { saved: true, limit: 100 }))
  const posts = useQuery(read('list_saved_organic_content', { limit: 100 }))
  const marks = [
    ...(ads.data?.items.map(({ saved }) => saved?.tags ?? []) ?? []),
    ...(posts.data?.items.map(({ tags }) => tags) ?? []),
  ]
  const used = new Map<string, number>()
  for (const tag of marks.flat()) used.set(tag, (used.get(tag) ?? 0) + 1)
  return {
    tags: [...used]
      .map(([tag, count]) => ({ tag, used: count }))
      .sort((a, b) => b.used - a.used || a.tag.localeCompare(b.tag)),
    isAll: (ads.data?.nextCursor ?? null) === null && (posts.data?.nextCursor ?? null) === null,
  }
}
