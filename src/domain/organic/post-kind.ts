import type { CreativeKind } from '../creatives/kind.ts'

export interface NamedPost {
  postId: string
}

export const postKind: CreativeKind<NamedPost> = {
  items: 'posts',
  number: 'post_number',
  name: { postId: 'post_id' },
  search: 'post_search',
  standing: 'post_standing',
  links: 'post_links',
  saved: 'saved_posts',
}
