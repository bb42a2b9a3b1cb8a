import { call, type ReplyOf } from '../../api/operations.ts'
import type { Saved } from './saved-rows.ts'

export interface Progress {
  done: number
  /** Null while nobody has counted. */
  total: number | null
}

/** Reads all that this account saved, page after page: nothing of other accounts is in these replies. */
export async function readSaved(
  tag: string | undefined,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Saved> {
  const saved: Saved = { ads: [], posts: [] }
  let ads: number | null = null
  const tell = (posts: number | null) =>
    onProgress({
      done: saved.ads.length + saved.posts.length,
      total: ads === null || posts === null ? null : ads + posts,
    })
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: ReplyOf<'search_paid_ads'> = await call(
      'search_paid_ads',
      { saved: true, limit: 100, ...(tag === undefined ? {} : { tag }), ...(cursor ? { cursor } : {}) },
      signal,
    )
    saved.ads.push(...page.items)
    ads = page.total.relation === 'exact' ? page.total.value : null
    cursor = page.nextCursor
    tell(null)
  }
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: ReplyOf<'list_saved_organic_content'> = await call(
      'list_saved_organic_content',
      { limit: 100, ...(tag === undefined ? {} : { tag: [tag] }), ...(cursor ? { cursor } : {}) },
      signal,
    )
    saved.posts.push(...page.items)
    cursor = page.nextCursor
    tell(cursor === null ? saved.posts.length : null)
  }
  return saved
}
