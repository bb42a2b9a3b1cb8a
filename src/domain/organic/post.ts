import { type Network, networkRow } from '../../vocabulary/networks.ts'
import type { PostField, PostFieldTypesOf, PostMetric } from '../../vocabulary/post-fields.ts'
import type { CreativeKind } from '../creatives/kind.ts'
import type { StatedMedium } from '../creatives/media.ts'
import type { Stated } from '../facts/merge.ts'

/** What is known of a post, normalised. */
export type PostFields = PostFieldTypesOf<PostField> & {
  /** Address of the post; made from the network and id where no source states it. */
  url: string
  /** Handle without `@`, as written; on YouTube the id of the channel. */
  author: string
  /** BCP 47, detected here in the current title and text (`PostLanguage`); null where it cannot be detected. */
  detectedLanguage: string
  /** ISO 639-1; the possible languages where the words are ambiguous, the likeliest first. In no reply. */
  possibleLanguages: string[]
  /** Empty where the source shows that there is none. */
  media: StatedMedium[]
}

/** The language detection of a post's words. */
export type PostLanguage = Pick<Stated<PostFields>, 'detectedLanguage' | 'possibleLanguages'>

/** Counts at one observation; a missing one was not carried, or is hidden. */
export type PostMetrics = { [M in PostMetric]?: number } & {
  /** Counts that the source marks as hidden, in the order of `metrics`; besides those its network shows to nobody. */
  hidden?: readonly PostMetric[]
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
  recognised?: PostLanguage
  metrics: PostMetrics
}

/** Counts that a network shows only to the author. They are "hidden", which is neither zero nor "not carried". */
export const metricsHiddenBy = (network: Network): readonly PostMetric[] => networkRow(network).hides

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
  attributions: { table: 'post_grounds', first: [] },
  links: 'post_links',
  saved: 'saved_posts',
}
