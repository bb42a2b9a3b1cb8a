import type { Network } from '../../vocabulary/networks.ts'
import type { CreativeKind } from '../creatives/kind.ts'

export interface NamedPost {
  postId: string
}

interface FoundPost {
  network: Network
  /** Lower case, without `@`; null when no source names one. */
  author: string | null
}

export const postKind: CreativeKind<NamedPost, FoundPost> = {
  items: 'posts',
  number: 'post_number',
  name: { postId: 'post_id' },
  foundBy: { network: 'network', author: 'author' },
  search: 'post_search',
  sortKeys: 'post_sort_keys',
  grounds: { table: 'post_grounds', first: [] },
  links: 'post_links',
  saved: 'saved_posts',
}
