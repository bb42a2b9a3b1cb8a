import { type Network, networkRow } from '../../vocabulary/networks.ts'
import type { CreativeKind } from '../creatives/kind.ts'
import type { StatedMedium } from '../creatives/media.ts'
import type { Stated } from '../facts/merge.ts'

export type PostMediaType = 'video' | 'image' | 'carousel' | 'text' | 'link'

/** The fields of a post, normalised. Addresses are absolute and https or http; times RFC 3339 in UTC. */
export interface PostFields {
  /** Address of the post; made from the network and id where no source states it. */
  url: string
  /** Handle without `@`, as written; on YouTube the id of the channel. */
  author: string
  authorName: string
  authorUrl: string
  /** The author's description of themselves. */
  authorBio: string
  /** Further addresses on the author's profile. */
  authorLinks: string[]
  followers: number
  /** Subreddit or channel. */
  community: string
  title: string
  text: string
  linkUrl: string
  /** BCP 47, as the network states it. */
  language: string
  /** BCP 47, detected here in the current title and text (`Recognised`); null where it cannot be detected. */
  detectedLanguage: string
  /** ISO 639-1; the possible languages where the words are ambiguous, the likeliest first. In no reply. */
  possibleLanguages: string[]
  /** Lower case, without #, in the order of the text. */
  hashtags: string[]
  publishedAt: string
  mediaType: PostMediaType
  /** Empty where the source shows that there is none. */
  media: StatedMedium[]
}

/** The language detection of a post's words. */
export type Recognised = Pick<Stated<PostFields>, 'detectedLanguage' | 'possibleLanguages'>

export const metrics = ['views', 'likes', 'comments', 'shares', 'saves'] as const
export type Metric = (typeof metrics)[number]

/** Counts at one observation; a missing one was not carried, or is hidden. */
export type PostMetrics = { [M in Metric]?: number } & {
  /** Counts that the source marks as hidden, in the order of `metrics`; besides those its network shows to nobody. */
  hidden?: readonly Metric[]
}

/** A post in one observation. */
export interface PostSighting {
  network: Network
  /** As stated by the network: 1 to 64 of letters, digits, `_` and `-`. */
  nativeId: string
  /** Time of the observation, if the record itself states it; else that of its reading. */
  observedAt?: Date
  stated: Stated<PostFields>
  /** Fields that the source carries in a form that cannot be read. */
  unreadable?: readonly (keyof PostFields)[]
  /** From the words of this observation alone; a post has that of its current words. */
  recognised?: Recognised
  metrics: PostMetrics
}

/** Counts that a network shows only to the author: never zero, and not merely left out. */
export const hiddenBy = (network: Network): readonly Metric[] => networkRow(network).hides

interface NamedPost {
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
