import type { Network } from '../../vocabulary/networks.ts'
import type { StatedMedium } from '../creatives/media.ts'
import type { Stated } from '../facts/merge.ts'

export type PostMediaType = 'video' | 'image' | 'carousel' | 'text' | 'link'

/** The fields of a post, in our words. Addresses are whole and https or http; times RFC 3339 in UTC. */
export interface PostFields {
  /** Address of the post; made from the network and id where no source states it. */
  url: string
  /** Handle without `@`, as written; on YouTube the id of the channel. */
  author: string
  authorName: string
  authorUrl: string
  /** What the author writes about themselves. */
  authorBio: string
  /** Addresses on the author's profile beside what they write. */
  authorLinks: string[]
  followers: number
  /** Subreddit or channel. */
  community: string
  title: string
  text: string
  linkUrl: string
  /** BCP 47, as the network states it. */
  language: string
  /** BCP 47, recognised here in the title and text that hold (`Recognised`); null where it cannot be told. */
  detectedLanguage: string
  /** ISO 639-1, where its words leave that open: languages they could be in, the likeliest first. Shown by no reply. */
  possibleLanguages: string[]
  /** Lower case, without #, in the order of the text. */
  hashtags: string[]
  publishedAt: string
  mediaType: PostMediaType
  /** Empty where the source shows that there is none. */
  media: StatedMedium[]
}

/** What the words of a post tell of their language. */
export type Recognised = Pick<Stated<PostFields>, 'detectedLanguage' | 'possibleLanguages'>

export const metrics = ['views', 'likes', 'comments', 'shares', 'saves'] as const
export type Metric = (typeof metrics)[number]

/** Counts at one observation; left out is not carried, or hidden. */
export type PostMetrics = { [M in Metric]?: number } & {
  /** Those that the source says are hidden, in the order of `metrics`; beside those its network shows to nobody. */
  hidden?: readonly Metric[]
}

/** A post as one observation shows it. */
export interface PostSighting {
  network: Network
  /** As the network gave it: 1 to 64 of letters, digits, `_` and `-`. */
  nativeId: string
  /** When it was observed, if the record itself says so; else when its reading was. */
  observedAt?: Date
  stated: Stated<PostFields>
  /** Fields that the source carried and that cannot be read. */
  unreadable?: readonly (keyof PostFields)[]
  /** Of the words of this observation alone; a post has that of the words that hold. */
  recognised?: Recognised
  metrics: PostMetrics
}

/** What networks never show anybody but the author: never zero, never merely not carried. */
export const hiddenBy: Readonly<Record<Network, readonly Metric[]>> = {
  tiktok: [],
  instagram: ['saves', 'shares'],
  youtube: ['shares', 'saves'],
  reddit: ['views', 'saves', 'shares'],
  x: [],
}
