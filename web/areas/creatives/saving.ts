import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { notify } from '../../api/notices.ts'
import { invalidateReads, type ReplyOf, useWrite } from '../../api/operations.ts'
import { notifyOtherTabs } from '../../api/other-tabs.ts'
import type { OrganicPost, PaidAd } from '../../evidence/shapes.ts'
import type { Piece, SavedMark } from './shapes.ts'

export interface Saving {
  saved: SavedMark | null
  isPending: boolean
  /** Saves, or replaces note and tags of what is saved. What is left out stays. Calls `done` once it is saved. */
  save: (given?: { note?: string | null; tags?: string[] }, done?: () => void) => void
  /** Takes it off the saved ones; a notice offers to take that back, note and tags included. */
  remove: () => void
}

/** Saving of an ad or a post for this account. */
export function useSaving(piece: Piece): Saving {
  const queries = useQueryClient()
  const saveAd = useWrite('save_paid_ad', {
    done: ({ ad }) => showAd(queries, ad),
  })
  const savePost = useWrite('save_organic_content', {
    done: ({ post }) => showPost(queries, post),
  })
  const removeAd = useWrite('remove_saved_paid_ad')
  const removePost = useWrite('remove_saved_organic_content')
  const { saved } = piece.kind === 'ad' ? piece.ad : piece.post
  const save: Saving['save'] = (given = {}, done = () => undefined) => {
    if (piece.kind === 'ad') {
      const { platform, archiveId } = piece.ad
      saveAd.mutate({ platform, archiveId, ...given }, { onSuccess: done })
    } else savePost.mutate({ postId: piece.post.postId, ...given }, { onSuccess: done })
  }
  const removed = () => {
    if (piece.kind === 'ad') showAd(queries, { ...piece.ad, saved: null })
    else showPost(queries, { ...piece.post, saved: null })
    notify({
      kind: 'done',
      text: `Removed from saved ${piece.kind === 'ad' ? 'ads' : 'posts'}.`,
      undo: () => save(saved ? { note: saved.note, tags: saved.tags } : {}),
    })
  }
  return {
    saved,
    isPending: saveAd.isPending || savePost.isPending || removeAd.isPending || removePost.isPending,
    save,
    remove: () => {
      if (piece.kind === 'ad') {
        const { platform, archiveId } = piece.ad
        void removeAd.mutateAsync({ platform, archiveId }).then(removed, toldAlready)
      } else void removePost.mutateAsync({ postId: piece.post.postId }).then(removed, toldAlready)
    },
  }
}

/** A failed write has been told in a notice by then. */
const toldAlready = () => undefined

type AdPages = InfiniteData<ReplyOf<'search_paid_ads'>>
type PostPages = InfiniteData<ReplyOf<'search_organic_content'>>

/**
 * Puts an ad as it is now into every list on the screen. To read long lists anew for one mark would be a request for each of
 * their pages; only lists of saved ads are, since the ad enters or leaves them.
 */
function showAd(queries: QueryClient, ad: PaidAd): undefined {
  const isIt = (other: PaidAd) => other.archiveId === ad.archiveId && other.platform === ad.platform
  queries.setQueriesData<AdPages>({ queryKey: ['search_paid_ads'], predicate: isPaged }, (list) =>
    replaced(list, isIt, ad),
  )
  queries.setQueryData<ReplyOf<'get_paid_ad'>>(
    ['get_paid_ad', { platform: ad.platform, archiveId: ad.archiveId }],
    (detail) => detail && { ...detail, saved: ad.saved },
  )
  notifyOtherTabs({ kind: 'changed', tools: ['search_paid_ads', 'get_paid_ad'] })
  void queries.invalidateQueries({
    queryKey: ['search_paid_ads'],
    predicate: ({ queryKey: [, given] }) => ['saved', 'tag'].some((name) => name in (given as object)),
  })
}

function showPost(queries: QueryClient, post: OrganicPost): undefined {
  const isIt = (other: OrganicPost) => other.postId === post.postId
  queries.setQueriesData<PostPages>({ queryKey: ['search_organic_content'], predicate: isPaged }, (list) =>
    replaced(list, isIt, post),
  )
  queries.setQueryData<ReplyOf<'get_organic_content'>>(
    ['get_organic_content', { postId: post.postId }],
    (detail) => detail && { ...detail, saved: post.saved },
  )
  notifyOtherTabs({ kind: 'changed', tools: ['search_organic_content', 'get_organic_content'] })
  void invalidateReads(queries, ['list_saved_organic_content'])
  void queries.invalidateQueries({
    queryKey: ['search_organic_content'],
    predicate: ({ queryKey: [, given] }) => 'saved' in (given as object),
  })
}

const isPaged = ({ queryKey }: { queryKey: readonly unknown[] }): boolean => queryKey[2] === 'pages'

function replaced<Item, Page extends { items: Item[] }>(
  list: InfiniteData<Page> | undefined,
  isIt: (item: Item) => boolean,
  item: Item,
): InfiniteData<Page> | undefined {
  return (
    list && {
      ...list,
      pages: list.pages.map((page) =>
        page.items.some(isIt)
          ? { ...page, items: page.items.map((other) => (isIt(other) ? item : other)) }
          : page,
      ),
    }
  )
}
