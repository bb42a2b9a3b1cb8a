import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { readPages } from '../../api/operations.ts'
import { totalOf } from '../../evidence/format.ts'
import { Empty, Loaded } from '../../ui/parts.tsx'
import { CreativeCard } from './CreativeCard.tsx'
import { CreativesFrame } from './CreativesFrame.tsx'
import { Gallery, GallerySkeleton } from './Gallery.tsx'
import { PostFilters } from './PostFilters.tsx'
import { postArguments } from './search.ts'

/** The stored posts that match a search, as a gallery. */
export function PostsPage() {
  const search = useSearch({ from: '/creatives/posts' })
  const query = useInfiniteQuery({
    ...readPages('search_organic_content', postArguments(search)),
    placeholderData: (before) => before,
  })
  const pages = query.data?.pages
  const posts = useMemo(() => pages?.flatMap(({ items }) => items) ?? [], [pages])
  const hashtags = useMemo(
    () => [...new Set(posts.flatMap(({ hashtags }) => (hashtags.state === 'measured' ? hashtags.value : [])))],
    [posts],
  )
  const total = pages?.[0]?.total
  const isFiltered = Object.keys(search).some((key) => !['country', 'items', 'sort'].includes(key))
  return (
    <CreativesFrame title="Organic posts" subtitle={total ? totalOf(total, 'post') : 'Counting…'}>
      <PostFilters hashtags={hashtags} />
      <Loaded query={query} skeleton={<GallerySkeleton />}>
        {() =>
          posts.length === 0 ? (
            <Empty title={isFiltered ? 'No stored post matches' : 'No posts are stored yet'}>
              {isFiltered ? (
                'That does not mean that nothing was published. Take a filter away.'
              ) : (
                <>
                  Posts come in by files: <code>rivalscope import organic posts.json</code>.
                </>
              )}
            </Empty>
          ) : (
            <Gallery
              label="Posts"
              items={posts}
              idOf={({ postId }) => postId}
              size={total?.relation === 'exact' ? total.value : undefined}
              card={(post, reachable) => <CreativeCard piece={{ kind: 'post', post }} reachable={reachable} />}
              query={query}
            />
          )
        }
      </Loaded>
    </CreativesFrame>
  )
}
